// The tools that the host answers itself: the todo list and the rest of a long result. Their names are reserved.
import type { Failure } from '../data/errors.js'
import { dropUndefined, isObject, type JsonValue } from '../data/json.js'
import { toolCallsOf, type ToolCallPart } from '../data/message.js'
import type { HostConfig } from '../data/protocol.js'
import { sentMessages } from '../prompt/request.js'
import type { Session } from '../data/session.js'
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
    'Replace the todo list shown to the user. For work of three or more parts: write the list first, keep exactly one item in_progress, mark it completed as soon as it is done. Always send the whole list; null clears it.',
  inputSchema: {
    type: 'object',
    properties: {
      items: {
        type: ['array', 'null'],
        description: 'The whole list, at most 20 items',
        items: {
          type: 'object',
          properties: {
            id: { type: 'string', description: 'Stays the same over updates; its place from 1 if left out' },
            text: { type: 'string', description: 'What is to be done' },
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
  description: 'Read on in a tool result that was cut.',
  inputSchema: {
    type: 'object',
    properties: {
      call_id: { type: 'string', description: 'Id of the call, as its marker says' },
      offset: { type: 'integer', minimum: 0, description: 'First character, from 0' },
      limit: { type: 'integer', minimum: 1, description: 'How many characters' },
    },
    required: ['call_id'],
  },
}

/** The host's part of an offer: todos unless switched off, `read_result` while a cut result is in the request. */
export function builtinTools(session: Session, todo: HostConfig['todo']): ToolSpec[] {
  const cut = sentMessages(session).some((message) => toolCallsOf(message).some((part) => part.result?.cut))
  return [...(todo === false ? [] : [todoWrite, todoRead]), ...(cut ? [readResult] : [])]
}

export type BuiltinToolOutcome =
  | {
      readonly text: string
      readonly untrusted: boolean
      readonly foreign?: true
      readonly todos?: readonly Todo[]
      readonly error?: never
    }
  | {
      readonly error: Failure
      readonly text?: never
      readonly untrusted?: never
      readonly foreign?: never
      readonly todos?: never
    }

/** Answers a call of a host tool. `siblings`: all calls of its step. */
export async function runBuiltinTool(
  part: ToolCallPart,
  siblings: readonly ToolCallPart[],
  session: Session,
  whole: (callId: string) => Promise<string | undefined>,
  resultChars: number,
): Promise<BuiltinToolOutcome> {
  const { name, input } = part.call
  if (name === 'todo_read') return { text: renderTodos(session.todos), untrusted: false }
  if (name === 'todo_write') {
    if (siblings.filter((one) => one.call.name === 'todo_write').length > 1) {
      return invalid('todo_write was called twice in one step, so neither was applied. Send the whole list once.')
    }
    const parsed = parseTodos(input)
    return parsed.error === undefined
      ? { text: renderTodos(parsed.todos), untrusted: false, todos: parsed.todos }
      : invalid(parsed.error)
  }
  return readPiece(input, session, whole, resultChars)
}

async function readPiece(
  input: JsonValue,
  session: Session,
  whole: (callId: string) => Promise<string | undefined>,
  resultChars: number,
): Promise<BuiltinToolOutcome> {
  const given = isObject(input) ? input : {}
  const callId = String(given['call_id'] ?? '')
  const cut = session.messages.flatMap(toolCallsOf).find((part) => part.call.id === callId && part.result?.cut)?.result
  const text = cut ? await whole(callId) : undefined
  if (text === undefined) return invalid(`call_id: no result of a call '${callId.slice(0, 80)}' was cut`)
  const offset = wholeNumber(given['offset'] ?? 0, 0)
  const limit = wholeNumber(given['limit'] ?? resultChars, 1)
  if (offset === undefined) return invalid('offset: must be a whole number, 0 or more')
  if (limit === undefined) return invalid('limit: must be a whole number, 1 or more')
  const end = Math.min(text.length, offset + Math.min(limit, resultChars))
  if (offset >= text.length) return invalid(`offset: the result has ${text.length} characters`)
  return dropUndefined({
    text: `Characters ${offset} to ${end} of ${text.length}:\n${text.slice(offset, end)}`,
    untrusted: true,
    foreign: cut?.foreign,
  })
}

function wholeNumber(value: unknown, least: number): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= least ? number : undefined
}

function invalid(message: string): BuiltinToolOutcome {
  return { error: { code: 'invalid-input', message } }
}
