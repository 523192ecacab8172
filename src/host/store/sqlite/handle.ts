// What the store needs of the database that the author opened: the part that `better-sqlite3` and `node:sqlite` share.
// Neither is imported, so that the author chooses the package and its version.
import { ToolAgentError, errorMessage } from '../../../core/data/errors.js'

/** A value of a column. */
export type SqliteValue = string | number | null

/** A prepared statement. */
export interface SqliteStatement {
  /** Runs it without rows. */
  run(...values: SqliteValue[]): unknown
  /** Its first row as an object; undefined without one. */
  get(...values: SqliteValue[]): unknown
  /** All its rows. */
  all(...values: SqliteValue[]): unknown[]
}

/** An open SQLite database: a `Database` of `better-sqlite3`, or a `DatabaseSync` of `node:sqlite`. */
export interface SqliteHandle {
  /** Runs statements without values. */
  exec(sql: string): unknown
  /** Prepares one statement. */
  prepare(sql: string): SqliteStatement
}

/** An error of SQLite as a `ToolAgentError`. It may reach a page, so it names no file. */
export function sqliteError(error: unknown): ToolAgentError {
  if (error instanceof ToolAgentError) return error
  const message = errorMessage(error)
  if (!/database or disk is full/.test(message))
    return new ToolAgentError('storage', `The database failed: ${message}`, { cause: error })
  return new ToolAgentError('storage', 'The disk of the server is full, so this conversation cannot be saved.', {
    cause: error,
    details: { name: 'QuotaExceededError' },
  })
}
