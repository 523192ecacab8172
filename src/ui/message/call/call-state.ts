// The state of a tool call as its card shows it. Derived from the message part each time, so it is never stored.
import type { ErrorCode } from '../../../core/data/errors.js'
import { type AssistantPart, type ToolCallPart, isQuestion, pendingApprovals } from '../../../core/data/message.js'
import { isDoneByUser } from '../../../core/prompt/failure-text.js'
import type { DraftPart } from '../../../core/data/session.js'

/** The states of a card. `asking` waits for the user; `refused` is the page's decision, `denied` the user's. */
export type CallState =
  | 'writing'
  | 'checking'
  | 'asking'
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  | 'refused'
  | 'cancelled'
  | 'superseded'
  | 'interrupted'
  | 'timeout'
  | 'limit'

/** A call of a message, or a call whose arguments are still streaming. */
export type CallLike = ToolCallPart | Extract<DraftPart, { type: 'tool-input' }>

/** Error codes that are states of their own. All others are `failed`. */
const ownStates: ReadonlySet<ErrorCode> = new Set([
  'denied',
  'refused',
  'cancelled',
  'superseded',
  'interrupted',
  'timeout',
  'limit',
])
const isOwnState = (code: ErrorCode): code is ErrorCode & CallState => ownStates.has(code)

/** Whether the visitor did themselves what the call was about. */
export const isByVisitor = (part: CallLike): part is ToolCallPart =>
  part.type === 'tool-call' && part.result?.error !== undefined && isDoneByUser(part.result.error)

/** The state of a call. `active`: a turn is running, so a call without a result will still get one. */
export function callState(part: CallLike, active: boolean): CallState {
  if (part.type === 'tool-input') return active ? 'writing' : 'interrupted'
  if (part.result !== undefined) {
    const { error } = part.result
    if (error === undefined || isByVisitor(part)) return 'done'
    return isOwnState(error.code) ? error.code : 'failed'
  }
  if (!active) return 'interrupted'
  if (pendingApprovals(part.child?.messages ?? []).length > 0) return 'asking'
  if (isQuestion(part)) return 'asking'
  return part.started === undefined ? 'checking' : 'running'
}

/** Tools whose calls only the task list shows. */
const todoTools: ReadonlySet<string> = new Set(['todo_write', 'todo_read'])

/** Whether a part of a message is drawn: no empty text, no update of the task list, nothing that leads to a call. */
export function isShown(part: AssistantPart | DraftPart): boolean {
  if (part.type === 'tool-input') return !todoTools.has(part.name) && !/^(?:find|use)_tools?$/.test(part.name)
  return part.type === 'tool-call' ? !todoTools.has(part.call.name) : part.text !== ''
}
