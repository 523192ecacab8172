// What the store needs of the database that the author opened: the part that `better-sqlite3` and `node:sqlite` share.
// Neither is imported, so that the author chooses the package and its version.
import { ToolAgentError, errorMessage } from '../../../core/data/errors.js'
import { parseJson, type JsonValue } from '../../../core/data/json.js'

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

/** A row as its columns. Numbers may be `bigint`, if the author has set the handle so. */
export type Row = Readonly<Record<string, unknown>>

/** The text of a column; empty if it has another type. */
export const textIn = (row: Row | undefined, name: string): string => {
  const value = row?.[name]
  return typeof value === 'string' ? value : ''
}

/** The value of a column with JSON; undefined if it is damaged or there is no row. */
export const jsonIn = (row: Row | undefined, name: string): JsonValue | undefined => parseJson(textIn(row, name))

/**
 * A text of a page as a key: SQLite replaces lone surrogates, so that two ids could become one, and some of its
 * functions end at NUL. Such a text is stored as JSON, and one that begins like JSON as well, so that no two texts
 * share a key.
 */
export function keyOf(text: string): string {
  const isPlain = text.isWellFormed() && !text.includes('\0') && !text.startsWith('"')
  return isPlain ? text : JSON.stringify(text)
}

/** The JSON text of a value. @throws {TypeError} for what JSON would drop without a word */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => {
    if (typeof item !== 'function' && typeof item !== 'symbol') return item
    throw new TypeError(`"${key}" is a ${typeof item}, expected JSON`)
  })
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
