// A store in memory, for browsers without storage, for Node and for tests. Two stores on one disk behave like two tabs.
// Values are copied on commit, so that later changes of the caller do not reach them.
import { ToolAgentError, errorMessage } from '../../core/data/errors.js'
import { type CallId, type Message, allToolCalls, isStoredBeside } from '../../core/data/message.js'
import type { Draft, Session } from '../../core/data/session.js'
import {
  type LongResult,
  type SessionHead,
  type Store,
  type StoreChange,
  sessionHeadOf,
} from '../../core/state/store.js'
import { createEpochGuard, type EpochGuard } from './epoch-guard.js'
import { parseMessage, sessionOf, sessionSummaryOf } from './records.js'

interface StoredSession {
  head: SessionHead
  readonly messages: Message[]
  readonly results: Map<CallId, LongResult>
  draft?: Draft
}
/** The contents of a memory store. Pass it to several stores to share them. */
export type MemoryDisk = Map<string, StoredSession>

/**
 * Creates a store. Its sessions live as long as `disk`, by default as long as the store. `guard`: to be informed, as a
 * browser's store is, when `disk` was cleared.
 */
export function memoryStore(disk: MemoryDisk = new Map(), guard: EpochGuard = createEpochGuard()): Store {
  const sessionIn = (stored: StoredSession, limit: number): Session => {
    const { head, messages, draft } = stored
    let start = Math.max(0, head.length - limit)
    // A window begins with a user message, unless its limit is 0.
    while (limit > 0 && start > 0 && messages[start]?.role !== 'user') start--
    return sessionOf(head, start, messagesIn(stored, start, head.length), draft)
  }

  return {
    kind: 'memory',
    async claim(id, limit) {
      const stored = disk.get(id)
      const epoch = guard.claimed(id, stored?.head.epoch)
      if (stored === undefined) return { epoch }
      stored.head = { ...stored.head, epoch }
      return { epoch, session: sessionIn(stored, limit) }
    },
    async commit(id, epoch, given) {
      const found = disk.get(id)
      guard.check(id, epoch, found?.head.epoch, given.whole)
      const change = copied(given)
      const head = change.head ?? found?.head
      if (head === undefined) throw new ToolAgentError('storage', 'The first commit has no head.')
      const stored: StoredSession = found ?? { head, messages: [], results: new Map() }
      stored.head = { ...head, id, epoch }
      for (const { index, message } of change.messages ?? []) stored.messages[index] = message
      if (change.result !== undefined) {
        const { callId, ...result } = change.result
        stored.results.set(callId, result)
      }
      if (change.draft === null) delete stored.draft
      else if (change.draft !== undefined) stored.draft = change.draft
      disk.set(id, stored)
      guard.committed(id)
    },
    async read(id, limit) {
      const stored = disk.get(id)
      return stored === undefined ? undefined : sessionIn(stored, limit)
    },
    async messages(id, before, limit) {
      const stored = disk.get(id)
      if (stored === undefined) return []
      const end = Math.max(0, Math.min(before, stored.head.length))
      return messagesIn(stored, Math.max(0, end - limit), end)
    },
    async result(id, callId) {
      return disk.get(id)?.results.get(callId)
    },
    async resultText(id, callId, { from, to }) {
      const value = disk.get(id)?.results.get(callId)?.value
      return typeof value === 'string' ? value.slice(from, to) : undefined
    },
    async list(scope) {
      return [...disk.values()]
        .filter(({ head }) => head.scope === scope)
        .map(({ head }) => sessionSummaryOf(head))
        .sort((one, other) => other.updatedAt - one.updatedAt || (one.id < other.id ? 1 : -1))
    },
    async delete(id) {
      disk.delete(id)
    },
    close() {},
  }
}

/** Messages that could not be read when memory replaced a store are missing here, and are read as empty ones. */
function messagesIn({ messages }: StoredSession, from: number, to: number): Message[] {
  return Array.from(messages.slice(from, to), (message, place) => parseMessage(message, from + place))
}

function copied(change: StoreChange): StoreChange {
  try {
    return structuredClone(change)
  } catch (error) {
    throw new ToolAgentError('storage', `The session could not be stored: ${errorMessage(error)}`, { cause: error })
  }
}

// Copies a whole session into memory when the disk fails, and from memory to a disk that can be written again. The
// session keeps its epoch, so whatever another host wrote meanwhile is never overwritten.

/** A store in memory with everything of a session that could be read. */
interface SessionInMemory {
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
