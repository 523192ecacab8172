// What a card says about its call. A call and its result are one part, so its state is read off the part, never kept.
import type { ErrorCode } from '../core/errors.js'
import type { Message, ToolCallPart } from '../core/message.js'
import type { DraftPart } from '../core/session.js'

export type CallState =
  | 'writing' | 'checking' | 'asking' | 'running' | 'done' | 'failed' | 'denied' | 'refused' | 'cancelled'
  | 'superseded' | 'interrupted' | 'timeout' | 'limit'

/** A call of the transcript, or the one whose arguments are still being written. */
export type CallLike = ToolCallPart | Extract<DraftPart, { type: 'tool-input' }>

const endings: Partial<Record<ErrorCode, CallState>> = {
  denied: 'denied', refused: 'refused', cancelled: 'cancelled', superseded: 'superseded', interrupted: 'interrupted',
  timeout: 'timeout', limit: 'limit',
}

/** `active`: a host is working on the session, so that an open call will still be settled. */
export function callState(part: CallLike, active: boolean): CallState {
  if (part.type === 'tool-input') return active ? 'writing' : 'interrupted'
  if (part.result !== undefined) return part.result.error === undefined ? 'done' : endings[part.result.error.code] ?? 'failed'
  if (part.started !== undefined) return active ? 'running' : 'interrupted'
  if (part.approval !== undefined) return 'asking'
  return active ? 'checking' : 'interrupted'
}

/** The calls that wait for the user, in call order, inner ones of agent tools included. */
export function pendingApprovals(messages: readonly Message[]): ToolCallPart[] {
  const newest = messages.findLast((message) => message.role === 'assistant')
  if (newest?.role !== 'assistant') return []
  return newest.parts.flatMap((part) => {
    if (part.type !== 'tool-call' || part.result !== undefined) return []
    const inner = part.child === undefined ? [] : pendingApprovals(part.child.messages)
    return part.approval !== undefined && part.started === undefined ? [part, ...inner] : inner
  })
}
