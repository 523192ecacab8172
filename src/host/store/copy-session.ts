// Copies a whole session into another store: into memory when the disk fails, and back when it works again.
import { allToolCalls } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import { isSessionMissing, sessionHeadOf, type Store, type StoreChange } from '../../core/state/store.js'
import { memoryStore } from './memory-store.js'

/** What `moveSession` copies. */
export interface SessionCopy {
  /** The session as its writer has it. */
  readonly session: Session
  /** Holds the messages before `session.start` and the whole results, as far as it can still be read. */
  readonly from: Store
  /** Absolute index of the first message that `from` has. */
  readonly first: number
  /** Written after the session. */
  readonly change?: StoreChange | undefined
}

/** A session and the store in which it continues. */
export interface MovedSession {
  /** The session under its new epoch. */
  readonly session: Session
  /** The store that has it now. */
  readonly store: Store
  /** Absolute index of the first message that could be copied. */
  readonly first: number
}

/**
 * Writes the whole session and a change of it into `to`. Without `to`, the session leaves a store that fails: it
 * continues there if only its record was cleared and `change` can be written now, else in memory.
 */
export async function moveSession(copy: SessionCopy, to?: Store): Promise<MovedSession> {
  const { session, from, change } = copy
  if (to) return copySession(copy, to)
  // A missing record with code `storage` was cleared by the browser, not deleted by the user: write it again.
  const isCleared = change !== undefined && (await isSessionMissing(from, session.id))
  const restored = isCleared ? await copySession(copy, from).catch(() => undefined) : undefined
  return restored ?? copySession({ ...copy, first: 0 }, memoryStore())
}

async function copySession(
  { session: given, from, first: firstReadable, change = {} }: SessionCopy,
  to: Store,
): Promise<MovedSession> {
  const { id, start } = given
  const older = start <= firstReadable ? [] : await from.messages(id, start, start - firstReadable).catch(() => [])
  const { epoch } = await to.claim(id, 0)
  const session = { ...given, epoch }
  const first = start - older.length
  const messages = [...older, ...session.messages].map((message, offset) => ({ index: first + offset, message }))
  await to.commit(id, epoch, { head: sessionHeadOf(session), messages })
  for (const {
    part: { call, result },
  } of allToolCalls(messages.map(({ message }) => message))) {
    const value = result?.cut ? await from.result(id, call.id).catch(() => undefined) : undefined
    if (value !== undefined) await to.commit(id, epoch, { result: { callId: call.id, value } })
  }
  await to.commit(id, epoch, change.head ? { ...change, head: { ...change.head, epoch } } : change)
  return { session, store: to, first }
}
