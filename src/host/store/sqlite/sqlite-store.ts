// Sessions in a SQLite database of the author's server. A session is found by its user and its id alone, and only
// `forUser` gives a store, so that no code can read or write one without saying whose it is.
import { ToolAgentError } from '../../../core/data/errors.js'
import { dropUndefined, isObject } from '../../../core/data/json.js'
import type { Message } from '../../../core/data/message.js'
import type { Session } from '../../../core/data/session.js'
import type { LongResult, SessionHead, Store, StoreChange } from '../../../core/state/store.js'
import { createEpochGuard } from '../epoch-guard.js'
import { parseDraft, parseHead, parseMessage, sessionOf, sessionSummaryOf } from '../records.js'
import { SqliteConnection } from './connection.js'
import { joined, jsonIn, keyOf, partChars, userKey } from '../sql-values.js'
import { UserFiles } from './files.js'
import type { SqliteHandle } from './handle.js'
import { writesOf, type Write } from './writes.js'

/** The conversations of a server, by user. */
export interface SqliteStore {
  /**
   * The conversations of one user. Those of others look as if they did not exist. The user must be known to the server,
   * such as by its own sign-in: never a name that a page has sent.
   * @throws {ToolAgentError} `invalid-option` if `user` is not a text, or empty
   */
  forUser(user: string): Store
  /** Deletes everything of a user: conversations with all of theirs, and files. Close what is open first. */
  deleteUser(user: string): Promise<void>
  /** Writes what waits, and lets another process use the database. The handle stays open. */
  close(): void
}

/**
 * Stores conversations in a SQLite database: a `Database` of `better-sqlite3`, or a `DatabaseSync` of `node:sqlite`.
 * Sets `journal_mode`, `synchronous` and `secure_delete` of the handle. One process may use a database at a time.
 * @throws {ToolAgentError} `storage` if another process uses the database, or a newer version has changed it so that
 * this one cannot read it; `invalid-option` if `db` is no such handle
 */
export function sqliteStore(db: SqliteHandle): SqliteStore {
  if (typeof db?.exec !== 'function' || typeof db.prepare !== 'function')
    throw new ToolAgentError(
      'invalid-option',
      'sqliteStore expects an open database: new Database(path) of better-sqlite3, or new DatabaseSync(path).',
    )
  const connection = new SqliteConnection(db)
  return {
    forUser: (user) => new UserStore(connection, userKey(user, 'sqliteStore')),
    async deleteUser(user) {
      const owner = userKey(user, 'sqliteStore')
      connection.now(() => {
        connection.transact(true, () => {
          for (const table of ['messages', 'results', 'drafts'])
            connection.run(
              `DELETE FROM tool_agent_${table} WHERE session IN (SELECT key FROM tool_agent_sessions WHERE user = ?)`,
              owner,
            )
          connection.run('DELETE FROM tool_agent_sessions WHERE user = ?', owner)
          // Also those that no session has yet.
          connection.run('DELETE FROM tool_agent_files WHERE user = ?', owner)
        })
        connection.checkpoint()
      })
    },
    close: () => connection.close(),
  }
}

/** A session that is stored. */
interface Found {
  readonly key: number
  readonly head: SessionHead
}

class UserStore implements Store {
  readonly kind = 'server'
  readonly files: UserFiles
  readonly #connection: SqliteConnection
  readonly #user: string
  readonly #guard = createEpochGuard()
  #isClosed = false

  constructor(connection: SqliteConnection, user: string) {
    this.#connection = connection
    this.#user = user
    this.files = new UserFiles((work) => this.#now(() => work(connection)), user)
  }

  async claim(id: string, limit: number): Promise<{ epoch: number; session?: Session }> {
    return this.#now(() => {
      const found = this.#find(id)
      const epoch = this.#guard.claimed(id, found?.head.epoch)
      if (found === undefined) return { epoch }
      const set = 'UPDATE tool_agent_sessions SET epoch = ? WHERE key = ?'
      this.#connection.transact(false, () => this.#connection.run(set, epoch, found.key))
      return { epoch, session: this.#session({ ...found, head: { ...found.head, epoch } }, limit) }
    })
  }

  commit(id: string, epoch: number, change: StoreChange): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#checkOpen()
      const writes = writesOf(id, epoch, change)
      let found: Found | undefined
      this.#connection.add({
        strict: change.strict === true,
        check: () => {
          found = this.#find(id)
          this.#guard.check(id, epoch, found?.head.epoch, change.whole)
          if (writes instanceof ToolAgentError) throw writes
          if (found === undefined && !change.head) throw new ToolAgentError('storage', 'The first commit has no head.')
        },
        write: () => {
          if (!(writes instanceof ToolAgentError)) this.#write(found?.key ?? this.#insert(id, epoch), writes)
          return found === undefined
        },
        settled: (error) => {
          if (error !== undefined) return reject(error)
          this.#guard.committed(id)
          resolve()
        },
      })
    })
  }

  async read(id: string, limit: number): Promise<Session | undefined> {
    return this.#now(() => {
      const found = this.#find(id)
      return found && this.#session(found, limit)
    })
  }

  async messages(id: string, before: number, limit: number): Promise<Message[]> {
    return this.#now(() => {
      const found = this.#find(id)
      if (found === undefined) return []
      const end = Math.min(before, this.#lengthOf(found))
      return this.#messagesIn(found.key, Math.max(0, end - limit), end)
    })
  }

  async result(id: string, callId: string): Promise<LongResult | undefined> {
    return this.#now(() => {
      const key = this.#find(id)?.key
      if (key === undefined) return undefined
      const rows = this.#connection.rows(
        'SELECT kind, content FROM tool_agent_results WHERE session = ? AND call = ? ORDER BY part',
        key,
        keyOf(callId),
      )
      const value = joined(rows.filter(({ kind }) => kind === 'value'))
      const output = joined(rows.filter(({ kind }) => kind === 'output')) as string | undefined
      return value === undefined && output === undefined ? undefined : dropUndefined({ value, output })
    })
  }

  async resultText(
    id: string,
    callId: string,
    { from, to }: { from: number; to: number },
  ): Promise<string | undefined> {
    return this.#now(() => {
      const key = this.#find(id)?.key
      if (key === undefined) return undefined
      const first = Math.floor(from / partChars)
      const select = "SELECT content FROM tool_agent_results WHERE session = ? AND call = ? AND kind = 'value' AND "
      const parts = this.#connection
        .rows(`${select} part BETWEEN ? AND ? ORDER BY part`, key, keyOf(callId), first, Math.floor(to / partChars))
        .map((row) => jsonIn(row, 'content'))
      if (parts.length > 0)
        return parts.every((part) => typeof part === 'string')
          ? parts.join('').slice(from - first * partChars, Math.max(0, to - first * partChars))
          : undefined
      // The range begins beyond the end of the text.
      const start = jsonIn(this.#connection.row(`${select} part = 0`, key, keyOf(callId)), 'content')
      return typeof start === 'string' ? '' : undefined
    })
  }

  async list(scope: string): Promise<ReturnType<typeof sessionSummaryOf>[]> {
    return this.#now(() =>
      this.#connection
        .rows(
          'SELECT head FROM tool_agent_sessions WHERE user = ? AND scope = ? ORDER BY updated DESC, id DESC',
          this.#user,
          keyOf(scope),
        )
        .flatMap((row) => parseHead(jsonIn(row, 'head')) ?? [])
        .map(sessionSummaryOf),
    )
  }

  async delete(id: string): Promise<void> {
    return this.#now(() => {
      // Also one whose record is damaged.
      const select = 'SELECT key FROM tool_agent_sessions WHERE user = ? AND id = ?'
      const row = this.#connection.row(select, this.#user, keyOf(id))
      if (row === undefined) return
      const key = Number(row['key'])
      this.#connection.transact(true, () => {
        for (const table of ['messages', 'results', 'drafts'])
          this.#connection.run(`DELETE FROM tool_agent_${table} WHERE session = ?`, key)
        this.#connection.run('DELETE FROM tool_agent_sessions WHERE key = ?', key)
      })
    })
  }

  close(): void {
    this.#isClosed = true
  }

  /** Runs `work` after the commits before it. */
  #now<T>(work: () => T): T {
    this.#checkOpen()
    return this.#connection.now(work)
  }

  #checkOpen(): void {
    if (this.#isClosed) throw new ToolAgentError('storage', 'The store was closed.')
  }

  /** The only way to a session: by its user and its id. */
  #find(id: string): Found | undefined {
    const select = 'SELECT key, epoch, head FROM tool_agent_sessions WHERE user = ? AND id = ?'
    const row = this.#connection.row(select, this.#user, keyOf(id))
    if (row === undefined) return undefined
    const stored = jsonIn(row, 'head')
    const head = parseHead({ ...(isObject(stored) ? stored : {}), id, epoch: Number(row['epoch']) })
    if (head === undefined) throw new ToolAgentError('storage', 'The record of this conversation is damaged.')
    return { key: Number(row['key']), head }
  }

  /** Makes the row of a new session. Its head follows in the same transaction. */
  #insert(id: string, epoch: number): number {
    const insert = "INSERT INTO tool_agent_sessions (user, id, scope, updated, epoch, head) VALUES (?, ?, '', 0, ?, '')"
    this.#connection.run(insert, this.#user, keyOf(id), epoch)
    return Number(this.#connection.row('SELECT last_insert_rowid() AS key')?.['key'])
  }

  #write(key: number, writes: readonly Write[]): void {
    for (const { sql, values } of writes) this.#connection.run(sql, ...values, key)
  }

  #session({ key, head }: Found, limit: number): Session {
    const length = this.#lengthOf({ key, head })
    let start = Math.max(0, length - limit)
    if (limit > 0 && start > 0) {
      // A window begins with a user message, unless its limit is 0.
      const user = this.#connection.row(
        "SELECT place FROM tool_agent_messages WHERE session = ? AND place <= ? AND role = 'user' " +
          'ORDER BY place DESC LIMIT 1',
        key,
        start,
      )
      start = Number(user?.['place'] ?? 0)
    }
    const draft = this.#connection.row('SELECT draft FROM tool_agent_drafts WHERE session = ?', key)
    return sessionOf(head, start, this.#messagesIn(key, start, length), parseDraft(jsonIn(draft, 'draft')))
  }

  /** The number of messages: from the head, or from the last row if the head lost it or claims more. */
  #lengthOf({ key, head }: Found): number {
    const row = this.#connection.row('SELECT max(place) AS last FROM tool_agent_messages WHERE session = ?', key)
    const stored = row?.['last'] == null ? 0 : Number(row['last']) + 1
    return head.length < stored ? head.length : stored
  }

  #messagesIn(key: number, from: number, to: number): Message[] {
    if (to <= from) return []
    const rows = this.#connection.rows(
      'SELECT place, message FROM tool_agent_messages WHERE session = ? AND place >= ? AND place < ?',
      key,
      from,
      to,
    )
    const byPlace = new Map(rows.map((row) => [Number(row['place']), row]))
    return Array.from({ length: to - from }, (_, at) =>
      parseMessage(jsonIn(byPlace.get(from + at), 'message'), from + at),
    )
  }
}
