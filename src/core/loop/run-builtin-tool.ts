// Answers the calls of the tools in `builtin-tools.ts`.
import { toFailure } from '../data/errors.js'
import { dropUndefined, isObject } from '../data/json.js'
import { toolCallsOf, type ToolCall, type ToolCallPart } from '../data/message.js'
import { maxJsonChars } from '../data/plain-json.js'
import { parseTodos, renderTodos, type Todo } from '../data/todo.js'
import { outputToolName } from './tool-names.js'
import type { BuiltinToolOutcome, BuiltinToolRun } from './builtin-tools.js'
import type { OfferedTools, TurnDeps } from './turn-deps.js'

/** Characters that one call of `read_result` returns at most, whatever `limits.resultChars` is. */
const longestPiece = maxJsonChars / 2

/** What a builtin tool reads of the step that called it. */
export interface BuiltinToolBatch {
  readonly deps: TurnDeps
  readonly signal: AbortSignal
  readonly offered: OfferedTools
  /** All calls of the step. */
  readonly calls: readonly ToolCallPart[]
}

/** Answers a call of a builtin tool and settles it. Wrong arguments are an error in its result. */
export async function runBuiltinTool(
  batch: BuiltinToolBatch,
  call: ToolCall,
  { notes, settle }: BuiltinToolRun,
): Promise<void> {
  const { deps } = batch
  const startedAt = deps.now()
  const { todos, ...answer } = await answerOf(batch, call)
  const outcome = { ...answer, callId: call.id, attempts: 1, startedAt, endedAt: deps.now() }
  await settle({ outcome, notes, resultChars: Infinity, todos })
  if (todos) await deps.emit({ type: 'todos-change', todos })
}

async function answerOf(
  { deps, calls, signal, offered }: BuiltinToolBatch,
  { id, name, input }: ToolCall,
): Promise<BuiltinToolOutcome> {
  // The page validates the object, because its schema can be a function.
  if (name === outputToolName) {
    const query = { type: 'execute', callId: id, name, input, hash: offered.get(name)?.hash ?? '' } as const
    try {
      const { error, output = null, text = '', input: changed } = await deps.ask(query, signal)
      return error ? { error } : dropUndefined({ output, text, untrusted: false, input: changed })
    } catch (thrown) {
      if (signal.aborted) throw thrown
      return { error: toFailure(thrown, 'execution-failed') }
    }
  }
  const session = deps.session()
  const { resultChars } = deps.config().limits
  if (name === 'todo_read') return textOutcome(listText(session.todos))
  if (name === 'todo_write') {
    if (calls.filter((one) => one.call.name === 'todo_write').length > 1) {
      return invalid('todo_write: expected one call per step. The list is unchanged')
    }
    const { todos, error } = parseTodos(input)
    return error === undefined ? { ...textOutcome(listText(todos)), todos } : invalid(error)
  }
  const { call_id, offset, limit } = isObject(input) ? input : {}
  const callId = String(call_id ?? '')
  const cut = session.messages.flatMap(toolCallsOf).find((part) => part.call.id === callId && part.result?.cut)?.result
  const total = wholeNumber(cut?.cut?.chars, 1)
  if (total === undefined) return unexpected('call_id', 'the id of a cut result', callId)
  const start = wholeNumber(offset ?? 0, 0)
  const length = wholeNumber(limit ?? longestPiece, 1)
  if (start === undefined) return unexpected('offset', 'an integer >= 0', offset)
  if (length === undefined) return unexpected('limit', 'an integer >= 1', limit)
  if (start >= total) return unexpected('offset', `less than ${total}`, start)
  const end = Math.min(total, start + Math.min(length, resultChars, longestPiece))
  const text = await deps.resultText(callId, { from: start, to: end })
  if (text === undefined) return unexpected('call_id', 'the id of a result that is stored', callId)
  const piece = `Characters ${start} to ${end} of ${total}:\n${text}`
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

function listText(todos: readonly Todo[]): string {
  return todos.length === 0 ? 'No todos.' : renderTodos(todos)
}
