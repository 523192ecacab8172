// Sessions in IndexedDB. A commit is one transaction that compares the epoch before it writes. Nothing but requests of
// the transaction is awaited inside one: the browser commits it at the first pause.
import { openDB, unwrap, type DBSchema, type IDBPDatabase, type IDBPTransaction, type StoreNames } from 'idb'
import { ToolAgentError, errorMessage } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import type { Message } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import { sessionHeadOf, type SessionHead, type Store, type StoreChange } from '../../core/data/store.js'
import { createEpochGuard } from './epoch-guard.js'
import { migrate, schemaVersion } from './migrations.js'
import { parseDraft, parseHead, parseMessage, sessionOf, sessionSummaryOf } from './records.js'

/** Records are `unknown` on the way out: they are parsed. */
interface Schema extends DBSchema {
  sessions: { key: string; value: unknown; indexes: { scope: [string, number] } }
  messages: { key: [string, number]; value: unknown }
  results: { key: [string, string]; value: unknown }
  drafts: { key: string; value: unknown }
}
type Names = StoreNames<Schema>
type Reading = IDBPTransaction<Schema, Names[], 'readonly' | 'readwrite'>
type Writing = IDBPTransaction<Schema, Names[], 'readwrite'>

export interface IdbOptions {
  /** Name of the database; `tool-agent`. */
  readonly name?: string
  /** Milliseconds to wait for another tab to let go of an old version; 3000. */
  readonly timeout?: number
  /** It was too late, but it can be opened now. */
  onFreed?(): void
}

/**
 * Rejects with `storage` where there is no IndexedDB, it is refused, cannot be read, is another script's, or another
 * tab blocks it for `timeout`.
 */
export async function openIdbStore(options: IdbOptions = {}): Promise<Store> {
  const claims = createEpochGuard()
  const connection = await connect(options, () => claims.cleared())

  return {
    kind: 'indexeddb',
    claim: (id, limit) =>
      connection.write(['sessions', 'messages', 'drafts'], false, async (tx) => {
        const head = await headIn(tx, id)
        claims.claimed(id, head !== undefined)
        if (head === undefined) return { epoch: 1 }
        const epoch = head.epoch + 1
        const session = await sessionIn(tx, { ...head, epoch }, limit)
        await tx.objectStore('sessions').put(sessionHeadOf(session))
        return { epoch, session }
      }),
    async commit(id, epoch, change) {
      await connection.write(storeNames, change.strict === true, async (tx) => {
        const stored = (await tx.objectStore('sessions').get(id)) as { epoch?: number } | undefined
        claims.check(id, epoch, stored === undefined ? undefined : (stored.epoch ?? Number.NaN))
        if (stored === undefined && change.head === undefined)
          throw new ToolAgentError('storage', 'The first commit of a session has no head.')
        await Promise.all(puts(tx, id, epoch, change))
      })
      claims.committed(id)
    },
    read: (id, limit) =>
      connection.read(['sessions', 'messages', 'drafts'], async (tx) => {
        const head = await headIn(tx, id)
        return head === undefined ? undefined : sessionIn(tx, head, limit)
      }),
    messages: (id, before, limit) =>
      connection.read(['sessions', 'messages'], async (tx) => {
        const head = await headIn(tx, id)
        if (head === undefined) return []
        const end = Math.min(before, await lengthOf(tx, head))
        return messagesIn(tx, id, Math.max(0, end - limit), end)
      }),
    result: (id, callId) =>
      connection.read(
        ['results'],
        async (tx) => (await tx.objectStore('results').get([id, callId])) as JsonValue | undefined,
      ),
    list: (scope) =>
      connection.read(['sessions'], async (tx) => {
        const records = await tx.objectStore('sessions').index('scope').getAll(allOf(scope))
        return records
          .reverse()
          .flatMap((record) => parseHead(record) ?? [])
          .map(sessionSummaryOf)
      }),
    delete: (id) =>
      connection.write(storeNames, true, async (tx) => {
        await Promise.all([
          tx.objectStore('sessions').delete(id),
          tx.objectStore('messages').delete(allOf(id)),
          tx.objectStore('results').delete(allOf(id)),
          tx.objectStore('drafts').delete(id),
        ])
      }),
    close: () => connection.close(),
  }
}

function puts(tx: Writing, id: string, epoch: number, change: StoreChange): Promise<unknown>[] {
  const { head, messages = [], result, draft } = change
  const pending: Promise<unknown>[] = []
  const add = (request: Promise<unknown>): void => {
    // A later value that cannot be cloned throws at once, and then nobody would hear of this one.
    request.catch(() => undefined)
    pending.push(request)
  }
  if (head !== undefined) add(tx.objectStore('sessions').put({ ...head, id, epoch }))
  for (const { index, message } of messages) add(tx.objectStore('messages').put(message, [id, index]))
  if (result !== undefined) add(tx.objectStore('results').put(result.value, [id, result.callId]))
  if (draft === null) add(tx.objectStore('drafts').delete(id))
  else if (draft !== undefined) add(tx.objectStore('drafts').put(draft, id))
  return pending
}

async function sessionIn(tx: Reading, head: SessionHead, limit: number): Promise<Session> {
  const length = await lengthOf(tx, head)
  let start = Math.max(0, length - limit)
  let messages = await messagesIn(tx, head.id, start, length)
  // A window begins where a turn does, unless nothing was asked for.
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
  const range = IDBKeyRange.bound([id, from], [id, to], false, true)
  const store = tx.objectStore('messages')
  const [keys, records] = await Promise.all([store.getAllKeys(range), store.getAll(range)])
  const byIndex = new Map(keys.map((key, place) => [isPlace(key) ? key[1] : Number.NaN, records[place]]))
  return Array.from({ length: to - from }, (_, place) => parseMessage(byIndex.get(from + place), from + place))
}

/** From the head or, where it lost that or counts what is not there, from the last message. */
async function lengthOf(tx: Reading, head: SessionHead): Promise<number> {
  let last = await tx
    .objectStore('messages')
    .openKeyCursor(IDBKeyRange.bound([head.id, 0], [head.id, Infinity], false, true), 'prev')
  while (last !== null && !isPlace(last.key)) last = await last.continue()
  const stored = last === null ? 0 : last.key[1] + 1
  return head.length < stored ? head.length : stored
}

/** Any script of the origin can write here, under keys that are none of ours. */
function isPlace(key: readonly unknown[]): boolean {
  return key.length === 2 && Number.isInteger(key[1])
}

/** Every key that begins with an id: an array sorts behind numbers and strings. */
function allOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id], [id, []])
}

async function headIn(tx: Reading, id: string): Promise<SessionHead | undefined> {
  return parseHead(await tx.objectStore('sessions').get(id))
}

const storeNames: Names[] = ['sessions', 'messages', 'results', 'drafts']

/** A database of this name and version may be another script's; it is left as it is. */
function shapeOf(tx: Reading): string {
  return String([
    ...storeNames.map((name) => tx.objectStore(name).keyPath),
    tx.objectStore('sessions').index('scope').keyPath,
  ])
}
const shape = 'id,,,,scope,updatedAt'

interface Connection {
  read<T>(names: Names[], work: (tx: Reading) => Promise<T>): Promise<T>
  /** Resolves when the transaction is complete; `strict`: when it is on the disk. */
  write<T>(names: Names[], strict: boolean, work: (tx: Writing) => Promise<T>): Promise<T>
  close(): void
}

/**
 * A database that is opened again, once for each loss: when the browser closed it, or another tab asked us to.
 * `onCleared`: it was empty then.
 */
async function connect(options: IdbOptions, onCleared: () => void): Promise<Connection> {
  let isClosed = false
  let current: Promise<IDBPDatabase<Schema>> | undefined
  const open = (onCreated?: () => void): Promise<IDBPDatabase<Schema>> => {
    if (current !== undefined) return current
    const opening = openDatabase(options, onCreated)
    current = opening
    opening.catch(() => {
      if (current === opening) current = undefined
    })
    return opening
  }
  await open()

  const run = async <T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      if (isClosed) throw new ToolAgentError('storage', 'The store was closed.')
      const opening = open(onCleared)
      const database = await opening
      try {
        return await work(database)
      } catch (error) {
        if (error instanceof ToolAgentError) throw error
        if (isLoss(error)) {
          // The dead handle is never tried again.
          database.close()
          if (current === opening) current = undefined
          if (attempt === 0) continue
        }
        throw storageError(error)
      }
    }
  }
  try {
    await run((database) =>
      transact(database.transaction(storeNames), async (tx) => {
        if (shapeOf(tx) !== shape) throw new DOMException('Other key paths', 'NotFoundError')
        await Promise.all(storeNames.map((name) => tx.objectStore(name).openKeyCursor()))
      }),
    )
  } catch (error) {
    void current?.then(
      (database) => database.close(),
      () => undefined,
    )
    throw error
  }
  return {
    read: (names, work) => run((database) => transact(database.transaction(names), work)),
    write: (names, strict, work) =>
      run((database) =>
        transact(database.transaction(names, 'readwrite', { durability: strict ? 'strict' : 'relaxed' }), work),
      ),
    close() {
      isClosed = true
      void current?.then(
        (database) => database.close(),
        () => undefined,
      )
    },
  }
}

/** The value of the work once the transaction is complete; whatever fails undoes all of it. */
async function transact<T, Tx extends { readonly done: Promise<void>; abort(): void }>(
  tx: Tx,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  tx.done.catch(() => undefined) // Where the work failed, that is the error.
  try {
    const value = await work(tx)
    await tx.done
    return value
  } catch (error) {
    try {
      tx.abort()
    } catch {
      // It has ended by itself already.
    }
    throw error
  }
}

async function openDatabase(options: IdbOptions, onCreated?: () => void): Promise<IDBPDatabase<Schema>> {
  const { name = 'tool-agent', timeout = 3_000 } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLate = false
  // A second opening that waits behind a blocked one gets no event at all: only a timer notices.
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      isLate = true
      reject(
        new ToolAgentError(
          'storage',
          'Another tab holds an old version of the storage. Close the other tabs of this site.',
        ),
      )
    }, timeout)
  })
  const openOnce = () =>
    openDB<Schema>(name, schemaVersion, {
      upgrade(database, from, _to, transaction) {
        if (from === 0) onCreated?.()
        migrate(unwrap(database) as unknown as IDBDatabase, unwrap(transaction) as unknown as IDBTransaction, from)
      },
      blocking(_current, _blocked, event) {
        // Another tab upgrades or deletes: what is under way is finished first by the browser.
        ;(event.target as IDBDatabase).close()
      },
    })
  try {
    const opening = persistently(openOnce)
    void opening.then(
      (database) => {
        if (!isLate) return
        database.close()
        options.onFreed?.()
      },
      () => undefined,
    )
    return await Promise.race([opening, late])
  } catch (error) {
    throw error instanceof ToolAgentError ? error : storageError(error)
  } finally {
    clearTimeout(timer)
  }
}

/**
 * "Internal error opening backing store" often passes; deleting the database would help, too, and is not ours to do.
 */
async function persistently<T>(open: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await open()
    } catch (error) {
      if (attempt === 3 || !(error instanceof DOMException) || error.name !== 'UnknownError') throw error
      await new Promise((resolve) => {
        setTimeout(resolve, 100 * 2 ** attempt)
      })
    }
  }
}

/** Errors of a connection that is gone, which a new one may not have. */
function isLoss(error: unknown): boolean {
  return error instanceof DOMException && ['InvalidStateError', 'UnknownError', 'AbortError'].includes(error.name)
}

function storageError(error: unknown): ToolAgentError {
  const name = error instanceof DOMException ? error.name : ''
  const message =
    name === 'QuotaExceededError'
      ? 'The browser’s storage is full, so this conversation cannot be saved.'
      : name === 'VersionError'
        ? 'The stored sessions were written by a newer version. Reload the page.'
        : name === 'NotFoundError'
          ? 'The database “tool-agent” of this site holds something else, so this conversation cannot be saved.'
          : `The browser’s storage failed: ${errorMessage(error)}`
  return new ToolAgentError('storage', message, { cause: error, details: name === '' ? undefined : { name } })
}
