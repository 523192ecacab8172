// The definitions of the tools that the host answers itself: the todo list, and reading on in a long result. Their
// names are reserved. `run-builtin-tool.ts` answers them. The page defines `final_result`, because it has the schema.
import type { Failure } from '../data/errors.js'
import type { JsonValue } from '../data/json.js'
import { toolCallsOf } from '../data/message.js'
import type { ExecutionResult, HostConfig } from '../data/protocol.js'
import type { Session } from '../data/session.js'
import type { Todo } from '../data/todo.js'
import type { ToolSpec } from '../data/tool.js'

/** Names of the tools that the host answers itself. */
export const hostToolNames: ReadonlySet<string> = new Set(['todo_write', 'todo_read', 'read_result', 'final_result'])

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
 * The tools that the host adds to a request: the todo tools unless the option `todo` is false, and `read_result` from
 * the first result on that was cut. It stays, because a change of the tools costs the cache of the provider.
 */
export function builtinTools({ messages }: Session, todo: HostConfig['todo']): ToolSpec[] {
  const cut = messages.some((message) => toolCallsOf(message).some((part) => part.result?.cut))
  return [...(todo === false ? [] : [todoWrite, todoRead]), ...(cut ? [readResult] : [])]
}

/** What `settleCall` stores. */
export interface Settlement {
  /** How the call ended: on the page, in a builtin tool, in an agent, or as the caller of a stepped turn says. */
  readonly outcome: ExecutionResult
  /** See `Execution.notes`. */
  readonly notes?: readonly string[]
  /** The longest text for the model. @default `limits.resultChars` */
  readonly resultChars?: number
  /** The new todo list. It is stored with the result, in one transaction. */
  readonly todos?: readonly Todo[] | undefined
}

/** How a builtin tool ends its call. */
export interface BuiltinToolRun {
  /** The lines of the guards, which precede the result. */
  readonly notes: readonly string[]
  /** Stores the result. */
  settle(settlement: Settlement): Promise<void>
}

/** The answer of a builtin tool, or its error. Fields of both have the same meaning as in `ExecutionResult`. */
export type BuiltinToolOutcome =
  | {
      /** The same as `text`; for `final_result`, the object. */
      readonly output: JsonValue
      /** What the model reads. It is stored uncut: a piece of a result has at most `limits.resultChars` characters. */
      readonly text: string
      /** True for every piece that `read_result` returns, whatever the source of the result is. */
      readonly untrusted: boolean
      /** The piece is from the result of a tool that was discovered or supplied by a provider. */
      readonly foreign?: true
      /** The object of `final_result`, if it differs from what the model wrote. */
      readonly input?: JsonValue
      /** The new list, from `todo_write`; absent if the list did not change. */
      readonly todos?: readonly Todo[]
      readonly error?: never
    }
  | {
      /** The arguments are wrong: `invalid-input`, or `format-error` for `final_result`. Nothing has changed. */
      readonly error: Failure
      readonly output?: never
      readonly text?: never
      readonly untrusted?: never
      /** Never set with an error: an error contains nothing of a tool. */
      readonly foreign?: never
      readonly input?: never
      readonly todos?: never
    }
