// How values are kept in the columns of a database: as texts, which every database has.
import { ToolAgentError } from '../../core/data/errors.js'
import { parseJson, type JsonValue } from '../../core/data/json.js'

/** A row as its columns. Numbers may be `bigint` or text, as the author has set the driver. */
export type Row = Readonly<Record<string, unknown>>

/** The text of a column; empty if it has another type. */
export const textIn = (row: Row | undefined, name: string): string => {
  const value = row?.[name]
  return typeof value === 'string' ? value : ''
}

/** The value of a column with JSON; undefined if it is damaged or there is no row. */
export const jsonIn = (row: Row | undefined, name: string): JsonValue | undefined => parseJson(textIn(row, name))

/**
 * A text of a page as a key: databases replace lone surrogates, so that two ids could become one, and cut a text at NUL
 * or refuse it. Such a text is stored as JSON, and one that begins like JSON as well, so that no two texts share a key.
 */
export function keyOf(text: string): string {
  const isPlain = text.isWellFormed() && !text.includes('\0') && !text.startsWith('"')
  return isPlain ? text : JSON.stringify(text)
}

/** The text of a column with a key. */
export function textOf(row: Row, name: string): string {
  const key = textIn(row, name)
  return key.startsWith('"') ? String(parseJson(key)) : key
}

/** The JSON text of a value. @throws {TypeError} for what JSON would drop without a word */
export function jsonOf(value: unknown): string {
  return JSON.stringify(value, (key, item: unknown) => {
    if (typeof item !== 'function' && typeof item !== 'symbol') return item
    throw new TypeError(`"${key}" is a ${typeof item}, expected JSON`)
  })
}

/**
 * The key of a user. A forgotten user must not become one whose conversations everybody shares.
 * @throws `invalid-option`, which names `store`
 */
export function userKey(user: unknown, store: string): string {
  if (typeof user === 'string' && user !== '') return keyOf(user)
  const received = user === '' ? 'an empty text' : String(user)
  throw new ToolAgentError('invalid-option', `${store} expected the id of a user, received ${received}.`)
}

/** A user has more files than they may have. */
export const noRoomForFile = (): ToolAgentError =>
  new ToolAgentError(
    'request-too-large',
    'The files of this user leave no room for another one. Delete conversations that have files.',
  )

/** Characters of one part of a long text, so that reading a piece of it does not read all of it. */
export const partChars = 1_048_576

/** The parts of a value. Only a text has several. JSON keeps a part that ends within a character. */
export function partsOf(value: JsonValue | undefined): JsonValue[] {
  if (value === undefined) return []
  if (typeof value !== 'string') return [value]
  const count = Math.max(1, Math.ceil(value.length / partChars))
  return Array.from({ length: count }, (_, at) => value.slice(at * partChars, (at + 1) * partChars))
}

/** A value from the rows of its parts; undefined without one. */
export function joined(rows: readonly Row[]): JsonValue | undefined {
  const parts = rows.map((row) => jsonIn(row, 'content'))
  return parts.length > 1 ? parts.join('') : parts[0]
}
