// Copies a whole session into another store: into memory when the disk fails, and back when it works again.
import { allToolCalls } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import { sessionHeadOf, type Store, type StoreChange } from '../../core/state/store.js'

/** What `copySession` copies. */
export interface SessionCopy {
  /** The session as its writer has it. */
  readonly session: Session
  /** Holds the messages before `session.start` and the whole results, as far as it can still be read. */
  readonly from: Store
  /** Absolute index of the first message that `from` has. */
  readonly first: number
  /** Written after the session. */
  readonly change: StoreChange
}

/**
 * Writes the whole session and a change of it into `to`. Resolves with the session under its new epoch, and with the
 * absolute index of the first message that could be copied.
 */
export async function copySession(
  to: Store,
  { session: given, from, first: firstReadable, change }: SessionCopy,
): Promise<{ readonly session: Session; readonly first: number }> {
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
  return { session, first }
}
