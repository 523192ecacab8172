// Sessions in IndexedDB. A commit is one transaction that compares the epoch before it writes. Nothing but requests of
// the transaction is awaited inside one: the browser commits it at the first pause.
import { ToolAgentError, messageOf } from '../../core/errors.js'
import type { JsonValue } from '../../core/json.js'
import type { Message } from '../../core/message.js'
import type { Session } from '../../core/session.js'
import { headOf, type SessionHead, type Store, type StoreChange } from '../../core/store.js'
import { createClaims } from './claims.js'
import { migrate, schemaVersion } from './migrations.js'
import { parseDraft, parseHead, parseMessage, sessionOf, summaryOf } from './records.js'

type Names = readonly ('sessions' | 'messages' | 'results' | 'drafts')[]

export interface IdbOptions {
  /** Name of the database; `tool-agent`. */
  readonly name?: string
  /** Milliseconds to wait for another tab to let go of an old version; 3000. */
  readonly timeout?: number
}

/** Rejects with `storage` where there is no IndexedDB, it is refused, or another tab blocks it for `timeout`. */
export async function openIdbStore(options: IdbOptions = {}): Promise<Store> {
  const claims = createClaims()
  const connection = await connect(options, () => claims.cleared())

  return {
    kind: 'indexeddb',
    claim: (id, limit) => connection.write(['sessions', 'messages', 'drafts'], false, async (tx) => {
      const head = await headIn(tx, id)
      claims.claimed(id, head !== undefined)
      if (head === undefined) return { epoch: 1 }
      const epoch = head.epoch + 1
      const session = await sessionIn(tx, { ...head, epoch }, limit)
      await answered(tx.objectStore('sessions').put(headOf(session)))
      return { epoch, session }
    }),
    async commit(id, epoch, change) {
      await connection.write(['sessions', 'messages', 'results', 'drafts'], change.strict === true, async (tx) => {
        const stored = await answered<{ epoch?: number } | undefined>(tx.objectStore('sessions').get(id))
        claims.check(id, epoch, stored === undefined ? undefined : stored.epoch ?? Number.NaN)
        if (stored === undefined && change.head === undefined) throw new ToolAgentError('storage', 'The first commit of a session has no head.')
        put(tx, id, epoch, change)
      })
      claims.committed(id)
    },
    read: (id, limit) => connection.read(['sessions', 'messages', 'drafts'], async (tx) => {
      const head = await headIn(tx, id)
      return head === undefined ? undefined : sessionIn(tx, head, limit)
    }),
    messages: (id, before, limit) => connection.read(['sessions', 'messages'], async (tx) => {
      const head = await headIn(tx, id)
      if (head === undefined) return []
      const end = Math.min(before, await lengthOf(tx, head))
      return messagesIn(tx, id, Math.max(0, end - limit), end)
    }),
    result: (id, callId) => connection.read(['results'], (tx) =>
      answered<JsonValue | undefined>(tx.objectStore('results').get([id, callId]))),
    list: (scope) => connection.read(['sessions'], async (tx) => {
      const records = await answered<unknown[]>(tx.objectStore('sessions').index('scope').getAll(IDBKeyRange.bound([scope], [scope, []])))
      return records.reverse().flatMap((record) => parseHead(record) ?? []).map(summaryOf)
    }),
    delete: (id) => connection.write(['sessions', 'messages', 'results', 'drafts'], true, async (tx) => {
      for (const name of ['sessions', 'drafts']) tx.objectStore(name).delete(id)
      for (const name of ['messages', 'results']) tx.objectStore(name).delete(allOf(id))
    }),
    close: () => connection.close(),
  }
}

/** Their failures, as those of all requests that nobody waits for, are the transaction's. */
function put(tx: IDBTransaction, id: string, epoch: number, { head, messages = [], result, draft }: StoreChange): void {
  if (head !== undefined) tx.objectStore('sessions').put({ ...head, id, epoch })
  for (const { index, message } of messages) tx.objectStore('messages').put(message, [id, index])
  if (result !== undefined) tx.objectStore('results').put(result.value, [id, result.callId])
  if (draft === null) tx.objectStore('drafts').delete(id)
  else if (draft !== undefined) tx.objectStore('drafts').put(draft, id)
}

async function headIn(tx: IDBTransaction, id: string): Promise<SessionHead | undefined> {
  return parseHead(await answered<unknown>(tx.objectStore('sessions').get(id)))
}

async function sessionIn(tx: IDBTransaction, head: SessionHead, limit: number): Promise<Session> {
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
  return sessionOf(head, start, messages, parseDraft(await answered<unknown>(tx.objectStore('drafts').get(head.id))))
}

async function messagesIn(tx: IDBTransaction, id: string, from: number, to: number): Promise<Message[]> {
  if (to <= from) return []
  const range = IDBKeyRange.bound([id, from], [id, to], false, true)
  const store = tx.objectStore('messages')
  const [keys, records] = await Promise.all([answered(store.getAllKeys(range)), answered<unknown[]>(store.getAll(range))])
  const byIndex = new Map(keys.map((key, place) => [indexOf(key), records[place]]))
  return Array.from({ length: to - from }, (_, place) => parseMessage(byIndex.get(from + place), from + place))
}

/** From the head or, where it lost that, from the last message. */
async function lengthOf(tx: IDBTransaction, head: SessionHead): Promise<number> {
  if (!Number.isNaN(head.length)) return head.length
  const last = await answered(tx.objectStore('messages').openKeyCursor(allOf(head.id), 'prev'))
  return last === null ? 0 : indexOf(last.key) + 1
}

/** The second half of a message's key. */
function indexOf(key: IDBValidKey): number {
  return Number((key as IDBValidKey[])[1])
}

/** Every key that begins with a session's id: an array sorts behind numbers and strings. */
function allOf(id: string): IDBKeyRange {
  return IDBKeyRange.bound([id], [id, []])
}

/** The result of a request. */
function answered<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

interface Connection {
  read<T>(names: Names, work: (tx: IDBTransaction) => Promise<T>): Promise<T>
  /** Resolves when the transaction is complete; `strict`: when it is on the disk. */
  write<T>(names: Names, strict: boolean, work: (tx: IDBTransaction) => Promise<T>): Promise<T>
  close(): void
}

/**
 * A database that is opened again, once for each loss: when the browser closed it, or another tab asked us to.
 * `onCleared`: it was empty then.
 */
async function connect(options: IdbOptions, onCleared: () => void): Promise<Connection> {
  let isClosed = false
  let current: Promise<IDBDatabase> | undefined
  const open = (onCreated?: () => void): Promise<IDBDatabase> => {
    if (current !== undefined) return current
    const lose = (): void => { if (current === opening) current = undefined }
    const opening: Promise<IDBDatabase> = openDatabase(options, lose, onCreated)
    current = opening
    opening.catch(lose)
    return opening
  }
  await open()

  const run = async <T>(work: (database: IDBDatabase) => Promise<T>): Promise<T> => {
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
  return {
    read: (names, work) => run((database) => transact(database.transaction(names), work)),
    write: (names, strict, work) => run((database) =>
      transact(database.transaction(names, 'readwrite', { durability: strict ? 'strict' : 'relaxed' }), work)),
    close() {
      isClosed = true
      void current?.then((database) => database.close(), () => undefined)
    },
  }
}

/** The value of the work once the transaction is complete; whatever fails undoes all of it. */
async function transact<T>(tx: IDBTransaction, work: (tx: IDBTransaction) => Promise<T>): Promise<T> {
  const ended = new Promise<void>((resolve, reject) => {
    tx.oncomplete = () => resolve()
    tx.onabort = () => reject(tx.error ?? new DOMException('The transaction was aborted.', 'AbortError'))
  })
  ended.catch(() => undefined) // Where the work failed, that is the error.
  try {
    const value = await work(tx)
    await ended
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

async function openDatabase(options: IdbOptions, lose: () => void, onCreated?: () => void): Promise<IDBDatabase> {
  const { name = 'tool-agent', timeout = 3_000 } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLate = false
  // A second opening that waits behind a blocked one gets no event at all: only a timer notices.
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      isLate = true
      reject(new ToolAgentError('storage', 'Another tab holds an old version of the storage. Close other tabs of this site and reload.'))
    }, timeout)
  })
  try {
    const request = indexedDB.open(name, schemaVersion)
    request.onupgradeneeded = ({ oldVersion }) => {
      if (oldVersion === 0) onCreated?.()
      if (request.transaction) migrate(request.result, request.transaction, oldVersion)
    }
    const opening = answered(request).then((database) => {
      database.onclose = lose
      // Another tab upgrades or deletes: what is under way is finished first by the browser.
      database.onversionchange = () => {
        database.close()
        lose()
      }
      return database
    })
    void opening.then((database) => { if (isLate) database.close() }, () => undefined)
    return await Promise.race([opening, late])
  } catch (error) {
    throw error instanceof ToolAgentError ? error : storageError(error)
  } finally {
    clearTimeout(timer)
  }
}

/** Errors of a connection that is gone, which a new one may not have. */
function isLoss(error: unknown): boolean {
  return error instanceof DOMException && ['InvalidStateError', 'UnknownError', 'AbortError'].includes(error.name)
}

function storageError(error: unknown): ToolAgentError {
  const name = error instanceof DOMException ? error.name : ''
  const message = name === 'QuotaExceededError'
    ? 'The browser’s storage is full, so this conversation cannot be saved.'
    : name === 'VersionError'
      ? 'The stored sessions were written by a newer version. Reload the page.'
      : `The browser’s storage failed: ${messageOf(error)}`
  return new ToolAgentError('storage', message, { cause: error, ...(name === '' ? {} : { details: { name } }) })
}
