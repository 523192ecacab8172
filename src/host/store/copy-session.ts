// Copies a whole session into memory when the disk fails, and from memory to a disk that can be written again. The
// session keeps its epoch, so whatever another host wrote meanwhile is never overwritten.
import { allToolCalls, isStoredBeside, type CallId, type Message } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import { sessionHeadOf, type LongResult, type Store } from '../../core/state/store.js'
import { memoryStore } from './memory-store.js'

/** A store in memory with everything of a session that could be read. */
export interface SessionInMemory {
  /** Has this session only. */
  readonly store: Store
  /** Absolute index of the first message that could be read. */
  readonly first: number
}

/** Copies a session into memory, with what `from` can still read of its older messages and whole results. */
export async function copyToMemory(session: Session, from: Store): Promise<SessionInMemory> {
  const { id, start } = session
  const older = start === 0 ? [] : await from.messages(id, start, start).catch(() => [])
  const first = start - older.length
  const known = [...older, ...session.messages]
  const messages: Message[] = []
  for (const [place, message] of known.entries()) messages[first + place] = message
  const results = new Map(await longResults(known, id, from))
  return { store: memoryStore(new Map([[id, { head: sessionHeadOf(session), messages, results }]])), first }
}

/**
 * Writes a session that is in memory to a disk, in one transaction, then its whole results. `first`: absolute index of
 * the first message that memory has.
 * @throws what `Store.commit` throws for a `whole` change.
 */
export async function copyToDisk(session: Session, { store, first }: SessionInMemory, disk: Store): Promise<void> {
  const { id, epoch, start } = session
  const older = start <= first ? [] : await store.messages(id, start, start - first)
  const known = [...older, ...session.messages]
  await disk.commit(id, epoch, {
    head: sessionHeadOf(session),
    messages: known.map((message, place) => ({ index: start - older.length + place, message })),
    draft: session.draft ?? null,
    strict: true,
    whole: true,
  })
  for (const [callId, result] of await longResults(known, id, store))
    await disk.commit(id, epoch, { result: { callId, ...result } })
}

/** What of results is stored beside their messages, as far as `from` can still read it. */
async function longResults(messages: readonly Message[], id: string, from: Store): Promise<[CallId, LongResult][]> {
  const found: [CallId, LongResult][] = []
  for (const { part } of allToolCalls(messages)) {
    if (!isStoredBeside(part.result)) continue
    const result = await from.result(id, part.call.id).catch(() => undefined)
    if (result !== undefined) found.push([part.call.id, result])
  }
  return found
}
