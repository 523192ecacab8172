// Sessions in a PostgreSQL database of the author's server, which several processes may use. The database decides who
// may write: each commit compares the epoch in its own statement. It also compares the revision, the number of commits,
// so that a commit whose answer was lost can run again, and a database that has lost commits is noticed.
import { ToolAgentError, toErrorValue } from '../../../core/data/errors.js'
import { dropUndefined, isObject, parseJson } from '../../../core/data/json.js'
import type { Message } from '../../../core/data/message.js'
import type { Session, SessionSummary } from '../../../core/data/session.js'
import type { Cluster } from '../../../core/state/cluster.js'
import type { LongResult, SessionHead, Store, StoreChange, TextRange } from '../../../core/state/store.js'
import { createEpochGuard, drivenElsewhere } from '../epoch-guard.js'
import { parseDraft, parseHead, parseMessage, sessionOf, sessionSummaryOf } from '../records.js'
import { joined, jsonIn, keyOf, partChars, userKey, type Row } from '../sql-values.js'
import { postgresCluster } from './cluster.js'
import { PostgresConnection } from './connection.js'
import { UserFiles } from './files.js'
import { postgresError, type PostgresPool } from './pool.js'
import { commitStatement, durable, maxInteger, writesOf, type Writes } from './writes.js'

/** The conversations of a server, by user. */
export interface PostgresStore {
  /**
   * The conversations of one user. Those of others look as if they did not exist. The user must be known to the server,
   * such as by its own sign-in: never a name that a page has sent.
   * @throws {ToolAgentError} `invalid-option` if `user` is not a text, or empty
   */
  forUser(user: string): Store
  /** What several processes of `SessionServer` need to serve the same users. It uses it by itself. */
  readonly cluster: Cluster
  /** Deletes everything of a user: conversations with all of theirs, and files. Close what is open first. */
  deleteUser(user: string): Promise<void>
  /**
   * Deletes the conversations of all users that were changed last before `time`, in milliseconds since the epoch.
   * Returns how many, or fewer if a connection broke meanwhile. Several processes may do so at the same time.
   */
  deleteUnused(time: number): Promise<number>
  /**
   * Brings the tables up to date. Every other method does so first; call it at the start of a process, so that a
   * database that cannot be used is noticed then. Processes that start together migrate once.
   * @throws {ToolAgentError} `storage` if a newer version has changed the database so that this one cannot read it, if
   * its encoding is not UTF8, or if it cannot be reached
   */
  migrate(): Promise<void>
  /** Resolves when what was asked before is stored. The pool stays open. */
  close(): Promise<void>
}

/** How several processes share the database. */
export interface PostgresStoreOptions {
  /**
   * The pool of the connection on which each process listens for the others. Set it if `pool` goes through a pooler in
   * transaction mode, which tells nobody: then processes look ten times a second. @default `pool`
   */
  readonly listenOn?: PostgresPool
  /**
   * Milliseconds after which other processes take over from one that has died, or has lost the database. It renews
   * three times as often. @default 15000
   */
  readonly leaseTime?: number
}

/**
 * Stores conversations in a PostgreSQL database: `pool` is a `Pool` of `pg`, or any object with
 * `query(text, values)` and `connect()`. Several processes may use it, each with a `SessionServer` of its own.
 * @throws {ToolAgentError} `invalid-option` if `pool` is no such object, or `leaseTime` is less than a second
 */
export function postgresStore(
  pool: PostgresPool,
  { listenOn = pool, leaseTime = 15_000 }: PostgresStoreOptions = {},
): PostgresStore {
  if (!(leaseTime >= 1_000))
    throw new ToolAgentError('invalid-option', `leaseTime: expected at least 1000 milliseconds, received ${leaseTime}.`)
  if (typeof pool?.query !== 'function' || typeof pool.connect !== 'function')
    throw new ToolAgentError('invalid-option', 'postgresStore expects a pool: new Pool({ connectionString }) of pg.')
  const connection = new PostgresConnection(pool)
  const task: PostgresConnection['task'] = (work) => connection.task(work)
  return {
    forUser: (user) => new UserStore(connection, userKey(user, 'postgresStore')),
    cluster: postgresCluster(connection, { listenOn, mayRenewThere: listenOn === pool, leaseTime }),
    deleteUser: (user) => task(() => deleteUser(connection, user)),
    deleteUnused: (time) => task(() => deleteUnused(connection, time)),
    migrate: () => task(() => connection.migrate()),
    close: () => connection.close(),
  }
}

async function deleteUser(connection: PostgresConnection, user: string): Promise<void> {
  await connection.rows(
    'WITH gone AS (DELETE FROM tool_agent_sessions WHERE user_id = $1), ' +
      // Also those that no session has yet.
      'files AS (DELETE FROM tool_agent_files WHERE user_id = $1), ' +
      `free AS (DELETE FROM tool_agent_leases WHERE user_id = $1) SELECT ${durable}`,
    [userKey(user, 'postgresStore')],
  )
}

/** Sessions that one statement of `deleteUnused` looks at. */
const batch = 500

/** Walks through all sessions by their key, so that it needs no index that each commit would have to change. */
async function deleteUnused(connection: PostgresConnection, time: number): Promise<number> {
  if (!Number.isFinite(time))
    throw new ToolAgentError('invalid-option', `deleteUnused expected milliseconds, received ${String(time)}.`)
  let deleted = 0
  for (let after: unknown = 0; after !== null;) {
    const [row] = await connection.rows(
      `WITH walked AS (SELECT key FROM tool_agent_sessions WHERE key > $1 ORDER BY key LIMIT ${batch}),
      gone AS (
        DELETE FROM tool_agent_sessions s USING walked WHERE s.key = walked.key AND s.updated < $2 RETURNING s.key)
      SELECT (SELECT max(key) FROM walked) AS after, (SELECT count(*) FROM gone) AS deleted, ${durable}`,
      [after, time],
    )
    deleted += Number(row?.['deleted'])
    after = row?.['after'] ?? null
  }
  return deleted
}

/** A session as it is stored. */
interface Found {
  readonly head: SessionHead
  readonly revision: number
  readonly row: Row
}

/** A commit that was asked for. */
interface Commit {
  readonly id: string
  readonly epoch: number
  /** An error, if a value cannot be stored: who may not write is told so first. */
  readonly writes: Writes | ToolAgentError
  readonly isWhole: boolean
}

class UserStore implements Store {
  readonly kind = 'server'
  readonly files: UserFiles
  readonly #connection: PostgresConnection
  readonly #user: string
  readonly #guard = createEpochGuard()
  // What this object has stored last: the revision of each session that it writes, with its epoch.
  readonly #revisions = new Map<string, { readonly epoch: number; readonly revision: number }>()
  // The newest work of each session. Work of one session runs in its order.
  readonly #last = new Map<string, Promise<unknown>>()
  #isClosed = false

  constructor(connection: PostgresConnection, user: string) {
    this.#connection = connection
    this.#user = user
    this.files = new UserFiles(connection, user, (session, work) =>
      session === undefined ? this.#task(work) : this.#inOrder(session, work),
    )
  }

  claim(id: string, limit: number): Promise<{ epoch: number; session?: Session }> {
    return this.#inOrder(id, async () => {
      // Two statements: the second one sees what was committed while the first one waited for the row.
      const row = await this.#connection.transact(async (db) => {
        const raised = await db.query(
          `UPDATE tool_agent_sessions SET epoch = epoch + 1 WHERE user_id = $1 AND id = $2 RETURNING ${durable}`,
          [this.#user, keyOf(id)],
        )
        return raised.rows.length === 0
          ? undefined
          : ((await db.query(readSql, this.#window(id, limit))).rows[0] as Row | undefined)
      })
      const found = row && foundIn(id, row)
      const epoch = this.#guard.claimed(id, found && found.head.epoch - 1)
      if (found === undefined) return { epoch }
      this.#revisions.set(id, { epoch, revision: found.revision })
      return { epoch, session: sessionIn(found) }
    })
  }

  async commit(id: string, epoch: number, change: StoreChange): Promise<void> {
    const writes = copied(() => writesOf(id, epoch, change))
    return this.#inOrder(id, () => this.#commit({ id, epoch, writes, isWhole: change.whole === true }))
  }

  async read(id: string, limit: number): Promise<Session | undefined> {
    return this.#inOrder(id, async () => {
      const [row] = await this.#connection.rows(readSql, this.#window(id, limit))
      return row && sessionIn(foundIn(id, row))
    })
  }

  async messages(id: string, before: number, limit: number): Promise<Message[]> {
    return this.#inOrder(id, async () => {
      const [row] = await this.#connection.rows(olderSql, [...this.#window(id, limit), integer(before)])
      return row ? messagesIn(row) : []
    })
  }

  async result(id: string, callId: string): Promise<LongResult | undefined> {
    return this.#inOrder(id, async () => {
      const rows = await this.#parts(id, callId, '')
      const value = joined(rows.filter(({ kind }) => kind === 'value'))
      const output = joined(rows.filter(({ kind }) => kind === 'output')) as string | undefined
      return value === undefined && output === undefined ? undefined : dropUndefined({ value, output })
    })
  }

  async resultText(id: string, callId: string, { from, to }: TextRange): Promise<string | undefined> {
    return this.#inOrder(id, async () => {
      const first = Math.floor(from / partChars)
      const range = [integer(first), integer(Math.floor(to / partChars))]
      const rows = await this.#parts(id, callId, "AND kind = 'value' AND part BETWEEN $4 AND $5", range)
      const parts = rows.map((row) => jsonIn(row, 'content'))
      if (parts.length > 0)
        return parts.every((part) => typeof part === 'string')
          ? parts.join('').slice(from - first * partChars, Math.max(0, to - first * partChars))
          : undefined
      // The range begins beyond the end of the text.
      const [start] = await this.#parts(id, callId, "AND kind = 'value' AND part = 0")
      return typeof jsonIn(start, 'content') === 'string' ? '' : undefined
    })
  }

  async list(scope: string): Promise<SessionSummary[]> {
    return this.#task(async () => {
      await Promise.all(this.#last.values())
      const select = 'SELECT head FROM tool_agent_sessions WHERE user_id = $1 AND scope = $2'
      const rows = await this.#connection.rows(select, [this.#user, keyOf(scope)])
      return rows
        .flatMap((row) => parseHead(jsonIn(row, 'head')) ?? [])
        .map(sessionSummaryOf)
        .sort((one, other) => other.updatedAt - one.updatedAt || (one.id < other.id ? 1 : -1))
    })
  }

  async delete(id: string): Promise<void> {
    await this.#inOrder(id, () =>
      this.#connection.rows(
        `WITH gone AS (DELETE FROM tool_agent_sessions WHERE user_id = $1 AND id = $2) SELECT ${durable}`,
        [this.#user, keyOf(id)],
      ),
    )
  }

  close(): void {
    this.#isClosed = true
  }

  async #commit(given: Commit): Promise<void> {
    const { id, epoch, writes, isWhole } = given
    const allows = (stored: number | undefined) => {
      try {
        this.#guard.check(id, epoch, stored, isWhole)
        return true
      } catch {
        return false
      }
    }
    const [mayUpdate, mayCreate] = [allows(epoch), allows(undefined)]
    if (writes instanceof ToolAgentError || !(mayUpdate || mayCreate)) throw await this.#refusal(given)
    const known = this.#revisions.get(id)
    const revision = isWhole || known?.epoch !== epoch ? undefined : known.revision
    const target = { user: this.#user, id, epoch, revision, mayUpdate, mayCreate }
    const { sql, values } = commitStatement(target, writes)
    let isAgain = false
    const [row] = await this.#connection.rows(sql, values, () => (isAgain = true))
    let stored = row && Number(row['revision'])
    if (stored === undefined) {
      const now = await this.#stored(id)
      // The statement whose answer was lost has written it.
      const next = mayCreate ? 1 : revision !== undefined && revision + 1
      const isDone = isAgain && now?.epoch === epoch && now.revision === next
      if (!isDone) throw await this.#refusal(given)
      stored = now.revision
    }
    this.#revisions.set(id, { epoch, revision: stored })
    this.#guard.committed(id)
  }

  /** Why a commit may not write what is stored now. */
  async #refusal({ id, epoch, writes, isWhole }: Commit): Promise<ToolAgentError> {
    const stored = await this.#stored(id)
    try {
      this.#guard.check(id, epoch, stored?.epoch, isWhole)
    } catch (error) {
      return postgresError(error)
    }
    if (writes instanceof ToolAgentError) return writes
    if (stored === undefined && !writes.head) return new ToolAgentError('storage', 'The first commit has no head.')
    // Another host was faster, or the database has lost commits.
    return toErrorValue(drivenElsewhere)
  }

  async #stored(id: string): Promise<{ epoch: number; revision: number } | undefined> {
    const select = 'SELECT epoch, revision FROM tool_agent_sessions WHERE user_id = $1 AND id = $2'
    const [row] = await this.#connection.rows(select, [this.#user, keyOf(id)])
    return row && { epoch: Number(row['epoch']), revision: Number(row['revision']) }
  }

  /** Runs `work` after what was asked about the session before. */
  async #inOrder<T>(id: string, work: () => Promise<T>): Promise<T> {
    const done = this.#task(() => (this.#last.get(id) ?? Promise.resolve()).then(work))
    const settled = done.then(
      () => undefined,
      () => undefined,
    )
    this.#last.set(id, settled)
    void settled.then(() => {
      if (this.#last.get(id) === settled) this.#last.delete(id)
    })
    return done
  }

  async #task<T>(work: () => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new ToolAgentError('storage', 'The store was closed.')
    return this.#connection.task(work)
  }

  #window(id: string, limit: number): unknown[] {
    return [this.#user, keyOf(id), integer(limit)]
  }

  #parts(id: string, callId: string, where: string, values: unknown[] = []): Promise<Row[]> {
    return this.#connection.rows(
      `SELECT kind, content FROM tool_agent_results r JOIN tool_agent_sessions s ON s.key = r.session
      WHERE s.user_id = $1 AND s.id = $2 AND r.call = $3 ${where} ORDER BY part`,
      [this.#user, keyOf(id), keyOf(callId), ...values],
    )
  }
}

/** A number as the database can compare it with a place. */
const integer = (value: number): number => Math.min(Math.max(0, Math.trunc(value) || 0), maxInteger)

/** The number of messages: from the head, or from the last row if the head lost it or claims more. */
const lengthSql =
  'SELECT least(s.length, coalesce((SELECT max(place) + 1 FROM tool_agent_messages ' +
  'WHERE session = s.key), 0)) AS length'

/** The messages of a window with their places, as JSON. */
const messagesSql = `(SELECT json_agg(json_build_array(m.place, m.message))::text FROM tool_agent_messages m
  WHERE m.session = s.key AND m.place >= w.start AND m.place < w.finish) AS messages`

/** A session with its newest messages. A window begins with a user message, unless its limit is 0. One snapshot. */
const readSql = `
  SELECT s.epoch, s.revision, s.head, w.start, w.finish, ${messagesSql},
    (SELECT draft FROM tool_agent_drafts WHERE session = s.key) AS draft
  FROM tool_agent_sessions s
  CROSS JOIN LATERAL (${lengthSql}) l
  CROSS JOIN LATERAL (SELECT l.length AS finish, CASE
    WHEN $3::integer = 0 THEN l.length
    WHEN $3::integer >= l.length THEN 0
    ELSE coalesce((SELECT place FROM tool_agent_messages
      WHERE session = s.key AND place <= l.length - $3::integer AND role = 'user' ORDER BY place DESC LIMIT 1), 0)
    END AS start) w
  WHERE s.user_id = $1 AND s.id = $2`

/** Messages before a place. */
const olderSql = `
  SELECT w.start, w.finish, ${messagesSql}
  FROM tool_agent_sessions s
  CROSS JOIN LATERAL (${lengthSql}) l
  CROSS JOIN LATERAL (SELECT least(l.length, $4::integer) AS finish,
    greatest(0, least(l.length, $4::integer) - $3::integer) AS start) w
  WHERE s.user_id = $1 AND s.id = $2`

/** @throws `storage` if the head is damaged */
function foundIn(id: string, row: Row): Found {
  const stored = jsonIn(row, 'head')
  const head = parseHead({ ...(isObject(stored) ? stored : {}), id, epoch: Number(row['epoch']) })
  if (head === undefined) throw new ToolAgentError('storage', 'The record of this conversation is damaged.')
  return { head, revision: Number(row['revision']), row }
}

function sessionIn({ head, row }: Found): Session {
  return sessionOf(head, Number(row['start']), messagesIn(row), parseDraft(jsonIn(row, 'draft')))
}

/** Those of a window, with empty ones for those that were never written. */
function messagesIn(row: Row): Message[] {
  const [from, to] = [Number(row['start']), Number(row['finish'])]
  const stored = (jsonIn(row, 'messages') ?? []) as [place: number, message: string][]
  const byPlace = new Map(stored)
  return Array.from({ length: Math.max(0, to - from) }, (_, at) =>
    parseMessage(parseJson(byPlace.get(from + at) ?? ''), from + at),
  )
}

function copied(work: () => Writes): Writes | ToolAgentError {
  try {
    return work()
  } catch (error) {
    return postgresError(error)
  }
}
