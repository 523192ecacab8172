// The files of one user, as bytes. Processes that add one for the same user wait for each other under an advisory lock
// of their transaction, because the sum of what each of them sees would lack what the others add. Such a lock works
// behind a pooler, too.
import type { FileStore, TextRange, UploadedFile } from '../../../core/state/store.js'
import { keyOf, noRoomForFile, textIn, textOf, type Row } from '../sql-values.js'
import type { PostgresConnection } from './connection.js'
import { durable, maxInteger } from './writes.js'

/** Locks what is added for a user, until the transaction ends. Users whose hashes are the same wait for no reason. */
const lockSql = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 1952411753))'

/**
 * A statement of its own, so that nothing is locked longer than it takes. What is skipped is deleted by another
 * process, or sent just now.
 */
const expireSql = `
  DELETE FROM tool_agent_files f USING (
    SELECT user_id, id FROM tool_agent_files WHERE session IS NULL AND added < $1::float8 FOR UPDATE SKIP LOCKED
  ) AS old WHERE f.user_id = old.user_id AND f.id = old.id`

/** It may run again after an answer that was lost: then the file is there, and does not count. */
const addSql = `
  WITH used AS (
    SELECT coalesce(sum(size), 0) + $3::integer <= $4::float8 AS has_room
    FROM tool_agent_files WHERE user_id = $1 AND id <> $2
  ), kept AS (
    INSERT INTO tool_agent_files (user_id, id, added, type, size, content)
    SELECT $1, $2, $5::float8, $6, $3::integer, decode($7, 'base64') FROM used WHERE has_room
    ON CONFLICT (user_id, id) DO NOTHING
  )
  SELECT has_room::integer, ${durable} FROM used`

const isOfSession = 'f.session = (SELECT key FROM tool_agent_sessions WHERE user_id = $1 AND id = $3)'

const typesSql = `
  SELECT id, type FROM tool_agent_files f
  WHERE user_id = $1 AND id = ANY ($2::text[]) AND (session IS NULL OR ${isOfSession})
  ORDER BY array_position($2::text[], id)`

/** Lines of base64 are broken by the database. */
const readSql = (content: string) => `
  SELECT translate(encode(${content}, 'base64'), E'\\n', '') AS content
  FROM tool_agent_files f WHERE user_id = $1 AND id = $2 AND ${isOfSession}`

export class UserFiles implements FileStore {
  readonly #connection: PostgresConnection
  readonly #user: string
  readonly #run: <T>(session: string | undefined, work: () => Promise<T>) => Promise<T>

  /** @param run runs `work` after what was asked about a session before */
  constructor(
    connection: PostgresConnection,
    user: string,
    run: <T>(session: string | undefined, work: () => Promise<T>) => Promise<T>,
  ) {
    this.#connection = connection
    this.#user = user
    this.#run = run
  }

  async add({ id, mediaType, data }: UploadedFile, bounds: Parameters<FileStore['add']>[1]): Promise<void> {
    const values = [this.#user, keyOf(id), data.length, bounds.most, Date.now(), mediaType, data]
    const row = await this.#run(undefined, async () => {
      await this.#connection.rows(expireSql, [bounds.before])
      // Two statements: the second one sees what was added while the first one waited.
      return this.#connection.transact(async (db) => {
        await db.query(lockSql, [this.#user])
        return (await db.query(addSql, values)).rows[0] as Row | undefined
      })
    })
    if (Number(row?.['has_room']) !== 1) throw noRoomForFile()
  }

  async types(session: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const values = [this.#user, ids.map(keyOf), keyOf(session)]
    const rows = await this.#run(session, () => this.#connection.rows(typesSql, values))
    return new Map(rows.map((row) => [textOf(row, 'id'), textIn(row, 'type')]))
  }

  async read(session: string, id: string, range?: TextRange): Promise<string | undefined> {
    const names = [this.#user, keyOf(id), keyOf(session)]
    if (range === undefined) {
      const [row] = await this.#run(session, () => this.#connection.rows(readSql('content'), names))
      return row && textIn(row, 'content')
    }
    // Four characters are three bytes.
    const first = Math.floor(range.from / 4)
    const start = Math.min(first * 3, maxInteger - 1)
    const length = Math.min(Math.max(0, Math.ceil(range.to / 4) - first) * 3, maxInteger - 1 - start)
    const sql = readSql('substring(content FROM $4::integer FOR $5::integer)')
    const [row] = await this.#run(session, () => this.#connection.rows(sql, [...names, start + 1, length]))
    return row && textIn(row, 'content').slice(range.from - first * 4, Math.max(0, range.to - first * 4))
  }
}
