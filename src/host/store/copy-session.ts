// Copies a whole session into memory when the disk fails, and from memory to a disk that can be written again. The
// session keeps its epoch, so whatever another host wrote meanwhile is never overwritten.
import { allToolCalls, type CallId, type Message } from '../../core/data/message.js'
import type { JsonValue } from '../../core/data/json.js'
import type { Session } from '../../core/data/session.js'
import { sessionHeadOf, type Store } from '../../core/state/store.js'
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
  const results = new Map(await wholeResults(known, id, from))
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
  for (const [callId, value] of await wholeResults(known, id, store))
    await disk.commit(id, epoch, { result: { callId, value } })
}

/** The results that were cut for the model, as far as `from` can still read them. */
async function wholeResults(messages: readonly Message[], id: string, from: Store): Promise<[CallId, JsonValue][]> {
  const cut = allToolCalls(messages).filter(({ part }) => part.result?.cut)
  const read = cut.map(async ({ part: { call } }): Promise<[CallId, JsonValue][]> => {
    const value = await from.result(id, call.id).catch(() => undefined)
    return value === undefined ? [] : [[call.id, value]]
  })
  return (await Promise.all(read)).flat()
}
