// Answers the calls of the tools in `builtin-tools.ts`.
import { dropUndefined, isObject } from '../data/json.js'
import { toolCallsOf, type ToolCall, type ToolCallPart } from '../data/message.js'
import { parseTodos, renderTodos } from '../data/todo.js'
import type { BuiltinToolOutcome } from './builtin-tools.js'
import type { TurnDeps } from './turn-deps.js'

/**
 * Answers a call of a builtin tool. Never rejects for wrong arguments: they are an `invalid-input` error. `calls`: all
 * calls of the step.
 */
export async function runBuiltinTool(
  { deps, calls }: { readonly deps: TurnDeps; readonly calls: readonly ToolCallPart[] },
  { name, input }: ToolCall,
): Promise<BuiltinToolOutcome> {
  const session = deps.session()
  const { resultChars } = deps.config().limits
  if (name === 'todo_read') return textOutcome(renderTodos(session.todos))
  if (name === 'todo_write') {
    if (calls.filter((one) => one.call.name === 'todo_write').length > 1) {
      return invalid('todo_write: expected one call per step. The list is unchanged')
    }
    const { todos, error } = parseTodos(input)
    return error === undefined ? { ...textOutcome(renderTodos(todos)), todos } : invalid(error)
  }
  const { call_id, offset, limit } = isObject(input) ? input : {}
  const callId = String(call_id ?? '')
  const cut = session.messages.flatMap(toolCallsOf).find((part) => part.call.id === callId && part.result?.cut)?.result
  const text = cut ? await deps.whole(callId) : undefined
  if (text === undefined) return unexpected('call_id', 'the id of a cut result', callId)
  const start = wholeNumber(offset ?? 0, 0)
  const length = wholeNumber(limit ?? resultChars, 1)
  if (start === undefined) return unexpected('offset', 'an integer >= 0', offset)
  if (length === undefined) return unexpected('limit', 'an integer >= 1', limit)
  if (start >= text.length) return unexpected('offset', `less than ${text.length}`, start)
  const end = Math.min(text.length, start + Math.min(length, resultChars))
  const piece = `Characters ${start} to ${end} of ${text.length}:\n${text.slice(start, end)}`
  return dropUndefined({ ...textOutcome(piece), untrusted: true, foreign: cut?.foreign })
}

function textOutcome(text: string) {
  return { output: text, text, untrusted: false }
}

/** The integer, if it is at least `min`. Accepts a string of digits, because models quote numbers. */
function wholeNumber(value: unknown, min: number): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= min ? number : undefined
}

/** The received value is cut to 80 characters. */
function unexpected(name: string, expected: string, received: unknown): BuiltinToolOutcome {
  return invalid(`${name}: expected ${expected}, received ${JSON.stringify(received).slice(0, 80)}`)
}

function invalid(message: string): BuiltinToolOutcome {
  return { error: { code: 'invalid-input', message } }
}
