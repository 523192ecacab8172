// What a card says about its call. A call and its result are one part, so its state is read off the part, never kept.
import type { ErrorCode } from '../../core/data/errors.js'
import { toolCallsOf, type Message, type ToolCallPart } from '../../core/data/message.js'
import type { DraftPart } from '../../core/data/session.js'

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

/** A call of the transcript, or the one whose arguments are still being written. */
export type CallLike = ToolCallPart | Extract<DraftPart, { type: 'tool-input' }>

const endings: Partial<Record<ErrorCode, CallState>> = {
  denied: 'denied',
  refused: 'refused',
  cancelled: 'cancelled',
  superseded: 'superseded',
  interrupted: 'interrupted',
  timeout: 'timeout',
  limit: 'limit',
}

/** `active`: a host is working on the call's messages, so that an open call will still be settled. */
export function callState(part: CallLike, active: boolean): CallState {
  if (part.type === 'tool-input') return active ? 'writing' : 'interrupted'
  if (part.result !== undefined)
    return part.result.error === undefined ? 'done' : (endings[part.result.error.code] ?? 'failed')
  if (!active) return 'interrupted'
  if (pendingApprovals(part.child?.messages ?? []).length > 0) return 'asking'
  if (part.started !== undefined) return 'running'
  return part.approval === undefined ? 'checking' : 'asking'
}

/** The newest fill of this page that nothing has taken back; what was filled before the page was loaded is gone. */
export function lastFill(messages: readonly Message[]): ToolCallPart | undefined {
  for (let index = messages.length - 1; index >= 0; index--) {
    for (const part of [...toolCallsOf(messages[index])].reverse()) {
      const inside = lastFill(part.child?.messages ?? [])
      if (inside !== undefined) return inside
      const { name } = part.call
      if (part.result?.output === undefined || (name !== 'form_fill' && name !== 'form_undo')) continue
      return name === 'form_fill' && part.result.endedAt >= performance.timeOrigin ? part : undefined
    }
  }
  return undefined
}

/** A call that waits for the user, and the calls of agents around it, outermost first. */
export interface Question {
  readonly part: ToolCallPart
  readonly agents: readonly ToolCallPart[]
}

/** The calls that wait for the user, in call order, inner ones of agent tools included. */
export function pendingApprovals(messages: readonly Message[], agents: readonly ToolCallPart[] = []): Question[] {
  return toolCallsOf(messages.findLast((message) => message.role === 'assistant')).flatMap((part) => {
    if (part.result !== undefined) return []
    const inner = pendingApprovals(part.child?.messages ?? [], [...agents, part])
    return part.approval !== undefined && part.started === undefined ? [{ part, agents }, ...inner] : inner
  })
}
