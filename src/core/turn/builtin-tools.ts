// The tools that the host answers itself: the todo list, and reading on in a long result. Their names are reserved.
import type { Failure } from '../data/errors.js'
import { dropUndefined, isObject } from '../data/json.js'
import { toolCallsOf, type ToolCall, type ToolCallPart } from '../data/message.js'
import type { HostConfig } from '../data/protocol.js'
import { sentMessages } from '../prompt/request.js'
import type { Session } from '../data/session.js'
import type { TurnDeps } from './turn-deps.js'
import { parseTodos, renderTodos, type Todo } from '../data/todo.js'
import type { ToolSpec } from '../data/tool.js'

const base = {
  annotations: { readOnlyHint: true },
  exclusive: false,
  timeout: 0,
  maxRetries: 0,
  returnDirect: false,
  hash: 'host',
} as const

const todoWrite: ToolSpec = {
  ...base,
  name: 'todo_write',
  title: 'Update todos',
  annotations: { idempotentHint: true },
  description:
    'Replace the todo list shown to the user. For work of three or more steps: write the list first, keep exactly ' +
    'one item in_progress, mark it completed as soon as it is done. Always send the whole list; null clears it.',
  inputSchema: {
    type: 'object',
    properties: {
      items: {
        type: ['array', 'null'],
        description: 'The whole list, at most 20 items',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'Must not change between updates' },
            text: { type: 'string', description: 'What to do' },
            status: { type: 'string', enum: ['pending', 'in_progress', 'completed'] },
          },
          required: ['text'],
        },
      },
    },
    required: ['items'],
  },
}
const todoRead: ToolSpec = {
  ...base,
  name: 'todo_read',
  title: 'Read todos',
  description: 'Read the todo list.',
  inputSchema: { type: 'object', properties: {} },
}
const readResult: ToolSpec = {
  ...base,
  name: 'read_result',
  title: 'Read a long result',
  description: 'Read more of a cut result.',
  inputSchema: {
    type: 'object',
    properties: {
      call_id: { type: 'string', description: 'Id from the marker in the result' },
      offset: { type: 'integer', minimum: 0, description: 'First character, from 0' },
      limit: { type: 'integer', minimum: 1, description: 'Number of characters' },
    },
    required: ['call_id'],
  },
}

/**
 * The tools that the host adds to a request: the todo tools unless the option `todo` is false, and `read_result` while
 * the request contains a result that was cut.
 */
export function builtinTools(session: Session, todo: HostConfig['todo']): ToolSpec[] {
  const cut = sentMessages(session).some((message) => toolCallsOf(message).some((part) => part.result?.cut))
  return [...(todo === false ? [] : [todoWrite, todoRead]), ...(cut ? [readResult] : [])]
}

/** The answer of a builtin tool, or its error. Fields of both have the same meaning as in `ExecutionResult`. */
export type BuiltinToolOutcome =
  | {
      /** The same as `text`. */
      readonly output: string
      /** What the model reads. It is stored uncut: a piece of a result has at most `limits.resultChars` characters. */
      readonly text: string
      /** True for every piece that `read_result` returns, whatever the source of the result is. */
      readonly untrusted: boolean
      /** The piece is from the result of a tool that was discovered or supplied by a provider. */
      readonly foreign?: true
      /** The new list, from `todo_write`; absent if the list did not change. */
      readonly todos?: readonly Todo[]
      readonly error?: never
    }
  | {
      /** The arguments are wrong (`invalid-input`). Nothing has changed. */
      readonly error: Failure
      readonly output?: never
      readonly text?: never
      readonly untrusted?: never
      /** Never set with an error: an error contains nothing of a tool. */
      readonly foreign?: never
      readonly todos?: never
    }

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
      return invalid('todo_write was called twice in one step. The list is unchanged')
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
