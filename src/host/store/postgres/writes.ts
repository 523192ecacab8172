// A commit as one statement: it finds the session by its user, id and epoch, and writes all or nothing. It holds the
// row of the session, so a claim or another commit waits, and one that has waited compares the epoch again.
import { uploadsOf, type LongResult, type StoreChange } from '../../../core/state/store.js'
import { jsonOf, keyOf, partsOf } from '../sql-values.js'

/** A statement with its values. */
export interface Statement {
  readonly sql: string
  readonly values: unknown[]
}

/** Which session a commit writes, and what must be stored for it. */
export interface CommitTarget {
  /** The key of the user. */
  readonly user: string
  readonly id: string
  readonly epoch: number
  /** The revision that must be stored; undefined: any. */
  readonly revision: number | undefined
  /** Whether a session that is stored may be written. */
  readonly mayUpdate: boolean
  /** Whether one that is not stored may be. */
  readonly mayCreate: boolean
}

/** What a commit writes, as it is now: the caller may change its values later. */
export interface Writes {
  readonly head:
    | { readonly scope: string; readonly updated: number; readonly length: unknown; readonly json: string }
    | undefined
  readonly messages: ReadonlyMap<number, { readonly role: string; readonly json: string }>
  readonly result: { readonly call: string; readonly parts: readonly Part[] } | undefined
  /** The keys of the files that belong to the session from now on, unless they belong to another one. */
  readonly uploads: readonly string[]
  /** Null deletes it. */
  readonly draft: string | null | undefined
  readonly strict: boolean
}

interface Part {
  readonly kind: 'value' | 'output'
  readonly part: number
  readonly content: string
}

/**
 * Waits for the disk when the transaction ends, whatever the database does by default. A database that also waits for
 * its standbys to apply it goes on to do so.
 */
export const durable = `set_config('synchronous_commit',
  CASE current_setting('synchronous_commit') WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)`

/** Does not wait for the disk. */
export const relaxed = "set_config('synchronous_commit', 'off', true)"

/** The largest value of a column for places and lengths. */
export const maxInteger = 2_147_483_647

/** @throws {TypeError} for what JSON does not keep */
export function writesOf(id: string, epoch: number, change: StoreChange): Writes {
  const { head, messages = [], result, draft, strict = false } = change
  return {
    head: head && {
      scope: keyOf(head.scope),
      updated: head.updatedAt,
      length: Number.isInteger(head.length) && head.length <= maxInteger ? head.length : null,
      json: jsonOf({ ...head, id, epoch }),
    },
    messages: new Map(messages.map(({ index, message }) => [index, { role: message.role, json: jsonOf(message) }])),
    result: result && { call: keyOf(result.callId), parts: resultParts(result) },
    uploads: uploadsOf(change).map(keyOf),
    draft: draft == null ? draft : jsonOf(draft),
    strict,
  }
}

function resultParts({ value, output }: LongResult): Part[] {
  const parts = (kind: Part['kind'], given: LongResult['value']): Part[] =>
    partsOf(given).map((content, part) => ({ kind, part, content: jsonOf(content) }))
  return [...parts('value', value), ...parts('output', output)]
}

/**
 * The statement of a commit. It returns the new revision of the session, or no row if nothing was written. What is
 * written twice is the same, so it may run again after an answer that was lost: a first commit knows itself by the
 * revision 1, and every other one by the revision that it follows.
 */
export function commitStatement(target: CommitTarget, writes: Writes): Statement {
  const values: unknown[] = [target.user, keyOf(target.id), target.epoch]
  const value = (given: unknown, type: string) => `$${values.push(given)}::${type}`
  const parts = [
    `session AS (${sessionSql(target, writes, value)})`,
    ...messagesSql(writes, value),
    ...resultSql(writes, value),
    ...filesSql(writes, value),
    ...draftSql(writes, value),
  ]
  const sync = isDraftOnly(writes) && !writes.strict ? relaxed : durable
  return { sql: `WITH ${parts.join(',\n')}\nSELECT revision, ${sync} FROM session`, values }
}

/** Only a draft: the next one replaces it, so it may get lost, and the row of the session stays as it is. */
function isDraftOnly({ head, messages, result, draft }: Writes): boolean {
  return !head && messages.size === 0 && !result && draft !== null
}

/** Adds a value of a type, and returns its place. */
type Value = (given: unknown, type: string) => string

function sessionSql(target: CommitTarget, writes: Writes, value: Value): string {
  const { head } = writes
  const { revision, mayUpdate, mayCreate } = target
  const stored = revision === undefined ? '' : ` AND s.revision = ${value(revision, 'bigint')}`
  const where = `s.user_id = $1 AND s.id = $2 AND s.epoch = $3::float8${stored}`
  if (isDraftOnly(writes)) return `SELECT key, revision FROM tool_agent_sessions s WHERE ${where} FOR NO KEY UPDATE`
  if (head === undefined)
    return `UPDATE tool_agent_sessions s SET revision = s.revision + 1 WHERE ${where} RETURNING key, revision`
  const columns = [
    value(head.scope, 'text'),
    value(head.updated, 'float8'),
    value(head.length, 'integer'),
    value(head.json, 'text'),
  ].join(', ')
  const set = `(scope, updated, length, head, revision) = (${columns}, `
  if (!mayCreate) return `UPDATE tool_agent_sessions s SET ${set}s.revision + 1) WHERE ${where} RETURNING key, revision`
  const insert =
    'INSERT INTO tool_agent_sessions AS s (user_id, id, epoch, revision, scope, updated, length, head) ' +
    `VALUES ($1, $2, $3::float8::bigint, 1, ${columns}) ON CONFLICT (user_id, id)`
  if (!mayUpdate) return `${insert} DO NOTHING RETURNING key, revision`
  return `${insert} DO UPDATE SET ${set}1) WHERE s.epoch = $3::float8 AND s.revision = 1 RETURNING key, revision`
}

function messagesSql({ messages }: Writes, value: Value): string[] {
  if (messages.size === 0) return []
  const places = value([...messages.keys()], 'integer[]')
  const roles = value(
    Array.from(messages.values(), ({ role }) => role),
    'text[]',
  )
  const texts = value(
    Array.from(messages.values(), ({ json }) => json),
    'text[]',
  )
  return [
    `messages AS (
      INSERT INTO tool_agent_messages (session, place, role, message)
      SELECT session.key, m.* FROM session, unnest(${places}, ${roles}, ${texts}) AS m
      ON CONFLICT (session, place) DO UPDATE SET role = excluded.role, message = excluded.message)`,
  ]
}

function resultSql({ result }: Writes, value: Value): string[] {
  if (result === undefined) return []
  const call = value(result.call, 'text')
  const kinds = value(
    result.parts.map(({ kind }) => kind),
    'text[]',
  )
  const numbers = value(
    result.parts.map(({ part }) => part),
    'integer[]',
  )
  const contents = value(
    result.parts.map(({ content }) => content),
    'text[]',
  )
  return [
    // An earlier result of this call may have had more parts. No row may be written twice by one statement.
    `longer AS (
      DELETE FROM tool_agent_results r USING session WHERE r.session = session.key AND r.call = ${call}
      AND NOT EXISTS (
        SELECT FROM unnest(${kinds}, ${numbers}) AS n (kind, part) WHERE n.kind = r.kind AND n.part = r.part))`,
    `results AS (
      INSERT INTO tool_agent_results (session, call, kind, part, content)
      SELECT session.key, ${call}, p.* FROM session, unnest(${kinds}, ${numbers}, ${contents}) AS p
      ON CONFLICT (session, call, kind, part) DO UPDATE SET content = excluded.content)`,
  ]
}

function filesSql({ uploads }: Writes, value: Value): string[] {
  if (uploads.length === 0) return []
  return [
    `files AS (
      UPDATE tool_agent_files f SET session = session.key FROM session
      WHERE f.user_id = $1 AND f.id = ANY (${value(uploads, 'text[]')}) AND f.session IS NULL)`,
  ]
}

function draftSql({ draft }: Writes, value: Value): string[] {
  if (draft === undefined) return []
  if (draft === null) return ['draft AS (DELETE FROM tool_agent_drafts d USING session WHERE d.session = session.key)']
  return [
    `draft AS (
      INSERT INTO tool_agent_drafts (session, draft) SELECT key, ${value(draft, 'text')} FROM session
      ON CONFLICT (session) DO UPDATE SET draft = excluded.draft)`,
  ]
}
