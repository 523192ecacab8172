// What a host needs of a store, and how a change is derived: whatever part of the session changed identity.
import type { Failure } from './failure.js'
import type { CallId, Message } from './message.js'
import type { AgentEvent } from './event.js'
import { dropUndefined, type JsonValue } from './json.js'
import type { Draft, Session, SessionSummary } from './session.js'

/** A session without its messages and its draft: the record that is rewritten at each commit. */
export type SessionHead = Omit<Session, 'messages' | 'draft' | 'start'> & {
  /** Absolute index behind the last message. */
  readonly length: number
}

export interface StoreChange {
  readonly head?: SessionHead
  /** Messages that are new or changed, by absolute index. */
  readonly messages?: readonly { readonly index: number; readonly message: Message }[]
  readonly result?: { readonly callId: CallId; readonly value: JsonValue }
  /** The newest checkpoint of the draft; null deletes it. */
  readonly draft?: Draft | null
  /** Wait for the disk, not only for the database: asked for before something that cannot be repeated. */
  readonly strict?: boolean
}

/**
 * Sessions kept somewhere. `claim` and `commit` are one transaction each. `commit` compares the epoch in the same
 * transaction: another one there is `lost-session`, none is `session-deleted` (except the first commit of a session
 * that was never stored, epoch 1). All other failures are `storage`.
 */
export interface Store {
  /** Where it keeps them, as the user is told. */
  readonly kind: 'indexeddb' | 'memory'
  /** Why memory stands in, where the user may be able to do something about it. */
  readonly failure?: Failure
  /** The store that memory stands in for, once another tab lets go of it. */
  readonly later?: Promise<Store>
  /** Raises the epoch and reads the session with at most `limit` newest messages; without a stored session only the epoch, 1. */
  claim(id: string, limit: number): Promise<{ epoch: number; session?: Session }>
  commit(id: string, epoch: number, change: StoreChange): Promise<void>
  /** Reads without claiming. */
  read(id: string, limit: number): Promise<Session | undefined>
  /** At most `limit` messages before the absolute index `before`, oldest first. */
  messages(id: string, before: number, limit: number): Promise<Message[]>
  result(id: string, callId: CallId): Promise<JsonValue | undefined>
  /** Sessions of a scope, newest first. */
  list(scope: string): Promise<SessionSummary[]>
  delete(id: string): Promise<void>
  close(): void
}

export function sessionHeadOf(session: Session): SessionHead {
  const { messages, draft: _draft, start, ...rest } = session
  return { ...rest, length: start + messages.length }
}

/** What a durable event changed, from the sessions before and after `reduce`: identity means change. */
export function storeChangeFor(before: Session, after: Session, event: AgentEvent): StoreChange {
  const shift = after.start - before.start
  const messages = after.messages.flatMap((message, index) =>
    before.messages[index + shift] === message ? [] : [{ index: after.start + index, message }],
  )
  return dropUndefined({
    head: sessionHeadOf(after),
    messages: messages.length > 0 ? messages : undefined,
    result:
      event.type === 'tool-result' && event.whole !== undefined
        ? { callId: event.callId, value: event.whole }
        : undefined,
    draft: before.draft !== undefined && after.draft === undefined ? null : undefined,
    strict: event.type === 'tool-start' && !event.repeatable ? true : undefined,
  })
}
