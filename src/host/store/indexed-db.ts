// Sessions in IndexedDB. A commit is one transaction that compares the epoch: another epoch aborts its writes. Inside a
// transaction only its own requests may be awaited, because the browser commits it at any other pause.
import { openDB, unwrap, type DBSchema, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb'
import { ToolAgentError, errorMessage } from '../../core/data/errors.js'
import { dropUndefined, type JsonValue } from '../../core/data/json.js'
import type { Message } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import {
  sessionHeadOf,
  type SessionHead,
  type Store,
  type StoreChange,
  type TextRange,
} from '../../core/state/store.js'
import { createEpochGuard } from './epoch-guard.js'
import { migrate, schemaVersion } from './migrations.js'
import { isText, parseDraft, parseHead, parseMessage, sessionOf, sessionSummaryOf } from './records.js'

/** Values are `unknown`, because every record that is read must be parsed. */
interface Schema extends DBSchema {
  sessions: { key: string; value: unknown; indexes: { scope: [string, number] } }
  messages: { key: [string, number]; value: unknown }
  /** A text has its first part under this key, and the others under this key with 1, 2, … after it. */
  results: { key: ResultKey; value: unknown }
  drafts: { key: string; value: unknown }
}
type ResultKey = [id: string, callId: string, ...rest: (string | number)[]]
type Names = StoreNames<Schema>
type Reading = IDBPTransaction<Schema, Names[], 'readonly' | 'readwrite'>
type Writing = IDBPTransaction<Schema, Names[], 'readwrite'>

/** Options of `openIdbStore`. */
export interface IdbOptions {
  /**
   * Name of the database.
   * @default 'tool-agent'
   */
  readonly name?: string
  /**
   * Milliseconds to wait for another tab that holds the database. A browser that is only slow gets ten times as long.
   * @default 3000
   */
  readonly timeout?: number
  /** Called if the database can be opened after the timeout. */
  onFreed?(): void
}

/**
 * Opens the database.
 * @throws `storage` if IndexedDB is missing, refused or damaged, if another script owns the database, if another tab
 * blocks it for `timeout`, or if the browser does not answer.
 */
export async function openIdbStore(options: IdbOptions = {}): Promise<Store> {
  const guard = createEpochGuard()
  const connection = await connect(options, () => guard.cleared())

  return {
    kind: 'indexeddb',
    claim: (id, limit) =>
      connection.write(false, async (tx) => {
        const head = await headIn(tx, id)
        const epoch = guard.claimed(id, head?.epoch)
        if (!head) return { epoch }
        const session = await sessionIn(tx, { ...head, epoch }, limit)
        await tx.objectStore('sessions').put(sessionHeadOf(session))
        return { epoch, session }
      }),
    async commit(id, epoch, change) {
      await connection.write(change.strict === true, async (tx) => {
        const reading = tx.objectStore('sessions').get(id)
        // The writes are requested before the answer, which saves a round trip to the thread of the database. Requests
        // run in order, so `get` sees the old record, and an error of the guard aborts the writes.
        const writing = requestPuts(tx, id, epoch, change)
        writing.catch(() => undefined) // An error of the guard is reported instead.
        const stored = (await reading) as { epoch?: number } | undefined
        guard.check(id, epoch, stored && (stored.epoch ?? Number.NaN), change.whole)
        if (!stored && !change.head) throw new ToolAgentError('storage', 'The first commit has no head.')
        const puts = await writing
        tx.commit()
        await Promise.all(puts)
      })
      guard.committed(id)
    },
    read: (id, limit) =>
      connection.read(async (tx) => {
        const head = await headIn(tx, id)
        return head && sessionIn(tx, head, limit)
      }),
    messages: (id, before, limit) =>
      connection.read(async (tx) => {
        const head = await headIn(tx, id)
        if (!head) return []
        const end = Math.min(before, await lengthOf(tx, head))
        return messagesIn(tx, id, Math.max(0, end - limit), end)
      }),
    result: (id, callId) =>
      connection.read(async (tx) => {
        const [value, output] = await Promise.all([
          joinedIn(tx, [id, callId]),
          joinedIn(tx, [id, callId, 'output']) as Promise<string | undefined>,
        ])
        return value === undefined && output === undefined ? undefined : dropUndefined({ value, output })
      }),
    resultText: (id, callId, range) => connection.read((tx) => sliceIn(tx, [id, callId], range)),
    async list(scope) {
      const records: unknown[] = await connection.read((tx) =>
        tx.objectStore('sessions').index('scope').getAll(allOf(scope)),
      )
      // The index has the oldest first.
      return records
        .toReversed()
        .flatMap((record) => parseHead(record) ?? [])
        .map(sessionSummaryOf)
    },
    delete: (id) =>
      connection.write(true, async (tx) => {
        const keys = [id, allOf(id)]
        await Promise.all(storeNames.flatMap((name) => keys.map((key) => tx.objectStore(name).delete(key))))
      }),
    close: () => connection.close(),
  }
}

/** Resolves before the requests are answered. Rejects if a value cannot be cloned; some requests may run then. */
async function requestPuts(tx: Writing, id: string, epoch: number, change: StoreChange): Promise<Promise<unknown>[]> {
  const { head, messages = [], result, draft } = change
  const pending: Promise<unknown>[] = []
  const add = (request: Promise<unknown>): void => {
    // An abort rejects every request, also those that are not awaited then.
    request.catch(() => undefined)
    pending.push(request)
  }
  if (head) add(tx.objectStore('sessions').put({ ...head, id, epoch }))
  for (const { index, message } of messages) add(tx.objectStore('messages').put(message, [id, index]))
  if (result) {
    const { callId, value, output } = result
    // An earlier result of this call may have had more parts.
    add(tx.objectStore('results').delete(allOf(id, callId)))
    for (const [key, part] of [...partsOf([id, callId], value), ...partsOf([id, callId, 'output'], output)])
      add(tx.objectStore('results').put(part, key))
  }
  if (draft === null) add(tx.objectStore('drafts').delete(id))
  else if (draft !== undefined) add(tx.objectStore('drafts').put(draft, id))
  return pending
}

async function sessionIn(tx: Reading, head: SessionHead, limit: number): Promise<Session> {
  const length = await lengthOf(tx, head)
  let start = Math.max(0, length - limit)
  let messages = await messagesIn(tx, head.id, start, length)
  // A window begins with a user message, unless its limit is 0.
  while (limit > 0 && start > 0 && messages[0]?.role !== 'user') {
    const from = Math.max(0, start - 20)
    const earlier = await messagesIn(tx, head.id, from, start)
    const user = earlier.findLastIndex((message) => message.role === 'user')
    const taken = user < 0 ? 0 : user
    messages = [...earlier.slice(taken), ...messages]
    start = from + taken
  }
  return sessionOf(head, start, messages, parseDraft(await tx.objectStore('drafts').get(head.id)))
}

async function messagesIn(tx: Reading, id: string, from: number, to: number): Promise<Message[]> {
  if (to <= from) return []
  const range = indexes(id, from, to)
  const store = tx.objectStore('messages')
  const [keys, records] = await Promise.all([store.getAllKeys(range), store.getAll(range)])
  const byIndex = new Map(keys.map((key, place) => [isMessageKey(key) ? key[1] : Number.NaN, records[place]]))
  return Array.from({ length: to - from }, (_, place) => parseMessage(byIndex.get(from + place), from + place))
}

/** Characters of one part of a long text, so that reading a piece of it does not read all of it. */
const partChars = 1_048_576

/** The parts of a value with their keys. Only a text has several. */
function partsOf(key: ResultKey, value: JsonValue | undefined): [ResultKey, JsonValue][] {
  if (value === undefined) return []
  if (typeof value !== 'string') return [[key, value]]
  const count = Math.max(1, Math.ceil(value.length / partChars))
  return Array.from({ length: count }, (_, at) => [partKey(key, at), value.slice(at * partChars, (at + 1) * partChars)])
}

function partKey(key: ResultKey, at: number): ResultKey {
  return at === 0 ? key : [...key, at]
}

/** A stored value. Undefined for a text of which a part is missing or damaged. */
async function joinedIn(tx: Reading, key: ResultKey): Promise<JsonValue | undefined> {
  const store = tx.objectStore('results')
  const range = IDBKeyRange.bound(key, [...key, Infinity])
  const [keys, records] = await Promise.all([store.getAllKeys(range), store.getAll(range)])
  // Any script of the origin can write records here, also under keys of another form.
  const found = keys.flatMap((one, at) => {
    const index = one.length === key.length ? 0 : one.at(key.length)
    const isPart = one.length <= key.length + 1 && typeof index === 'number' && Number.isInteger(index)
    return isPart ? [{ index, part: records[at] as JsonValue }] : []
  })
  const [first, ...others] = found
  if (first?.index !== 0 || others.length === 0) return first?.index === 0 ? first.part : undefined
  const isWhole = found.every(({ index, part }, at) => index === at && isText(part))
  return isWhole ? found.map(({ part }) => part).join('') : undefined
}

/** Characters of a stored text; undefined if one of their parts is missing or damaged. */
async function sliceIn(tx: Reading, key: ResultKey, { from, to }: TextRange): Promise<string | undefined> {
  const first = Math.floor(from / partChars)
  const count = Math.floor(Math.max(from, to - 1) / partChars) - first + 1
  const store = tx.objectStore('results')
  const parts = await Promise.all(Array.from({ length: count }, (_, at) => store.get(partKey(key, first + at))))
  if (parts.every(isText)) return parts.join('').slice(from - first * partChars, to - first * partChars)
  // Older builds stored every text as one record.
  const whole = await joinedIn(tx, key)
  return isText(whole) ? whole.slice(from, to) : undefined
}

/** The number of messages: from the head, or from the last record if the head lost it or claims more. */
async function lengthOf(tx: Reading, head: SessionHead): Promise<number> {
  const store = tx.objectStore('messages')
  const range = indexes(head.id, 0, Infinity)
  let last = (await store.openKeyCursor(range, 'prev'))?.key
  if (last && !isMessageKey(last)) last = (await store.getAllKeys(range)).findLast(isMessageKey)
  const stored = last === undefined ? 0 : last[1] + 1
  return head.length < stored ? head.length : stored
}

/** Any script of the origin can write records here, also under keys of another form. */
function isMessageKey(key: readonly unknown[]): boolean {
  return key.length === 2 && Number.isInteger(key[1])
}

/** The keys of messages with an index from `from` and below `to`. */
function indexes(id: string, from: number, to: number): IDBKeyRange {
  return IDBKeyRange.bound([id, from], [id, to], false, true)
}

/** Every key that begins so: an array sorts after numbers and strings. */
function allOf(...key: string[]): IDBKeyRange {
  return IDBKeyRange.bound(key, [...key, []])
}

async function headIn(tx: Reading, id: string): Promise<SessionHead | undefined> {
  return parseHead(await tx.objectStore('sessions').get(id))
}

const storeNames: Names[] = ['sessions', 'messages', 'results', 'drafts']

/** Another script may use a database of this name and version. Such a database must not be changed. */
function shapeOf(tx: Reading): string {
  return String([
    ...storeNames.map((name) => tx.objectStore(name).keyPath),
    tx.objectStore('sessions').index('scope').keyPath,
  ])
}
const shape = 'id,,,,scope,updatedAt'

/** Each transaction has all stores. */
interface Connection {
  read<T>(work: (tx: Reading) => Promise<T>): Promise<T>
  /** Resolves when the transaction is complete. `strict`: only after the browser has flushed it to the disk. */
  write<T>(strict: boolean, work: (tx: Writing) => Promise<T>): Promise<T>
  close(): void
}

/**
 * Opens the database, and once more after each loss: the browser closed it, or another tab requested that. `onCleared`
 * is called whenever its contents may be gone.
 */
async function connect(options: IdbOptions, onCleared: () => void): Promise<Connection> {
  let isClosed = false
  let current: Promise<IDBPDatabase<Schema>> | undefined
  const open = (): Promise<IDBPDatabase<Schema>> => {
    if (current !== undefined) return current
    const opening = openDatabase(options, onCleared)
    current = opening
    opening.catch(() => {
      if (current === opening) current = undefined
    })
    return opening
  }
  const closeCurrent = (): void =>
    void current?.then(
      (database) => database.close(),
      () => undefined,
    )
  await open()

  const run = async <T, Mode extends 'readonly' | 'readwrite'>(
    mode: Mode,
    durability: IDBTransactionDurability,
    work: (tx: IDBPTransaction<Schema, Names[], Mode>) => Promise<T>,
  ): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      if (isClosed) throw new ToolAgentError('storage', 'The store was closed.')
      const opening = open()
      const database = await opening
      try {
        return await transact(database.transaction(storeNames, mode, { durability }), work)
      } catch (error) {
        if (isLoss(error)) {
          // The lost connection must not be used again.
          database.close()
          if (current === opening) current = undefined
          if (attempt === 0) continue
        }
        throw toStorageError(error)
      }
    }
  }
  const read: Connection['read'] = (work) => run('readonly', 'default', work)
  try {
    await read(async (tx) => {
      if (shapeOf(tx) !== shape) throw new DOMException('Other key paths', 'NotFoundError')
      await Promise.all(storeNames.map((name) => tx.objectStore(name).openKeyCursor()))
    })
  } catch (error) {
    closeCurrent()
    throw error
  }
  return {
    read,
    write: (strict, work) => run('readwrite', strict ? 'strict' : 'relaxed', work),
    close() {
      isClosed = true
      closeCurrent()
    },
  }
}

/**
 * Resolves with the value of `work` when the transaction is complete. An error in `work` aborts all of it. An abort
 * ends it even if `work` still waits: Chromium, on a full disk, aborts a transaction without an event for a
 * write that was not answered yet, so the promise of that write never settles.
 */
async function transact<T, Mode extends 'readonly' | 'readwrite'>(
  tx: IDBPTransaction<Schema, Names[], Mode>,
  work: (tx: IDBPTransaction<Schema, Names[], Mode>) => Promise<T>,
): Promise<T> {
  const aborted = new Promise<never>((_resolve, reject) => {
    tx.addEventListener('abort', () => reject(tx.error ?? new DOMException('The transaction ended.', 'AbortError')))
  })
  // An error of `work` is reported instead.
  for (const end of [tx.done, aborted]) end.catch(() => undefined)
  try {
    const value = await Promise.race([work(tx), aborted])
    await tx.done
    return value
  } catch (error) {
    try {
      tx.abort()
    } catch {
      // It has already ended.
    }
    throw error
  }
}

function openDatabase(options: IdbOptions, onCleared: () => void): Promise<IDBPDatabase<Schema>> {
  const { name = 'tool-agent', timeout = 3_000 } = options
  let isBlocked = false
  const openOnce = () =>
    openDB<Schema>(name, schemaVersion, {
      blocked() {
        isBlocked = true
      },
      upgrade(database, from, _to, transaction) {
        if (from === 0) onCleared()
        migrate(unwrap(database) as unknown as IDBDatabase, unwrap(transaction) as unknown as IDBTransaction, from)
      },
      blocking(_current, blocked, event) {
        // Another tab upgrades or deletes the database. The browser finishes running transactions first. After a
        // deletion another tab may make the database again before this one opens it, so only the event is sure.
        if (blocked === null) onCleared()
        ;(event.target as IDBDatabase).close()
      },
      // The browser closed the connection, as it does when the user clears the data of the site.
      terminated: onCleared,
    })
  return new Promise((resolve, reject) => {
    let isSettled = false
    let isLate = false
    const giveUp = (message: string): void => {
      if (isSettled) return
      isLate = isSettled = true
      reject(new ToolAgentError('storage', message))
    }
    const timers = [
      setTimeout(() => {
        void (isBlocked ? Promise.resolve(true) : isHeld(name, timeout / 3)).then((held) => {
          if (held) giveUp('Another tab blocks the storage. Close the other tabs.')
        })
      }, timeout),
      setTimeout(() => giveUp('The storage of the browser does not answer. Reload the page.'), 10 * timeout),
    ]
    void withRetries(openOnce)
      .finally(() => timers.forEach(clearTimeout))
      .then(
        (database) => {
          isSettled = true
          if (!isLate) return resolve(database)
          database.close()
          options.onFreed?.()
        },
        (error: unknown) => {
          isSettled = true
          reject(toStorageError(error))
        },
      )
  })
}

/**
 * Whether an opening that is still pending after `pause` waits for another tab. An opening behind a blocked one gets no
 * event. But the browser answers requests in their order, so once it has answered this later one, a database that
 * exists would be open if nobody held it. A loaded machine that creates the first database has none to list.
 */
async function isHeld(name: string, pause: number): Promise<boolean> {
  try {
    const found = await indexedDB.databases()
    if (!found.some((one) => one.name === name && (one.version ?? 0) > 0)) return false
  } catch {
    // It cannot be known, so it is assumed.
  }
  await new Promise((resolve) => setTimeout(resolve, pause))
  return true
}

/** Tries again after an `UnknownError`, which is often temporary. Never deletes the database, which might help, too. */
async function withRetries<T>(open: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await open()
    } catch (error) {
      if (attempt === 3 || nameOf(error) !== 'UnknownError') throw error
      await new Promise((resolve) => {
        setTimeout(resolve, 100 * 2 ** attempt)
      })
    }
  }
}

/** Whether an error means a lost connection, so that a new connection may work. */
function isLoss(error: unknown): boolean {
  return ['InvalidStateError', 'UnknownError', 'AbortError'].includes(nameOf(error))
}

/** The name of the browser's error; empty for any other. */
function nameOf(error: unknown): string {
  return error instanceof DOMException ? error.name : ''
}

function toStorageError(error: unknown): ToolAgentError {
  return error instanceof ToolAgentError ? error : storageError(error, nameOf(error))
}

// The words for errors of the browser's storage.

const messages = new Map([
  ['QuotaExceededError', 'The browser’s storage is full, so this conversation cannot be saved.'],
  ['VersionError', 'The stored sessions were written by a newer version. Reload the page.'],
  ['NotFoundError', 'Another script uses the database tool-agent, so this conversation cannot be saved.'],
])

/** The error as a `ToolAgentError`. `name`: that of the browser’s error, for the details; empty for any other error. */
function storageError(error: unknown, name: string): ToolAgentError {
  const message = messages.get(name) ?? `The browser’s storage failed: ${errorMessage(error)}`
  return new ToolAgentError('storage', message, { cause: error, details: name === '' ? undefined : { name } })
}
