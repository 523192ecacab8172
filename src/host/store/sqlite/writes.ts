// What a commit writes, as statements.
import type { ToolAgentError } from '../../../core/data/errors.js'
import type { JsonValue } from '../../../core/data/json.js'
import { uploadsOf, type LongResult, type StoreChange } from '../../../core/state/store.js'
import { jsonOf, keyOf, partsOf } from '../sql-values.js'
import { sqliteError, type SqliteValue } from './handle.js'

/** One statement of a commit. Its last value, which is added when it runs, is the key of the session. */
export interface Write {
  readonly sql: string
  readonly values: readonly SqliteValue[]
}

/** What a commit writes, as it is now: the caller may change its values later. An error if they are no JSON. */
export function writesOf(id: string, epoch: number, change: StoreChange): Write[] | ToolAgentError {
  const { head, messages = [], result, draft } = change
  try {
    const writes: Write[] = messages.map(({ index, message }) => ({
      sql:
        'INSERT INTO tool_agent_messages (place, role, message, session) VALUES (?, ?, ?, ?) ' +
        'ON CONFLICT DO UPDATE SET role = excluded.role, message = excluded.message',
      values: [index, message.role, jsonOf(message)],
    }))
    if (head)
      writes.push({
        sql: 'UPDATE tool_agent_sessions SET scope = ?, updated = ?, head = ? WHERE key = ?',
        values: [keyOf(head.scope), head.updatedAt, jsonOf({ ...head, id, epoch })],
      })
    const uploads = uploadsOf(change)
    if (uploads.length > 0)
      writes.push({
        sql:
          'UPDATE tool_agent_files SET session = owner.id FROM tool_agent_sessions AS owner ' +
          'WHERE tool_agent_files.id IN (SELECT value FROM json_each(?)) AND tool_agent_files.session IS NULL ' +
          'AND tool_agent_files.user = owner.user AND owner.key = ?',
        values: [JSON.stringify(uploads.map(keyOf))],
      })
    if (result) writes.push(...resultWrites(keyOf(result.callId), result))
    if (draft === null) writes.push({ sql: 'DELETE FROM tool_agent_drafts WHERE session = ?', values: [] })
    else if (draft !== undefined)
      writes.push({
        sql:
          'INSERT INTO tool_agent_drafts (draft, session) VALUES (?, ?) ' +
          'ON CONFLICT DO UPDATE SET draft = excluded.draft',
        values: [jsonOf(draft)],
      })
    return writes
  } catch (error) {
    return sqliteError(error)
  }
}

function resultWrites(call: string, { value, output }: LongResult): Write[] {
  const parts = (kind: string, given: JsonValue | undefined): Write[] =>
    partsOf(given).map((part, at) => ({
      sql: 'INSERT INTO tool_agent_results (call, kind, part, content, session) VALUES (?, ?, ?, ?, ?)',
      values: [call, kind, at, jsonOf(part)],
    }))
  // An earlier result of this call may have had more parts.
  const cleared: Write = { sql: 'DELETE FROM tool_agent_results WHERE call = ? AND session = ?', values: [call] }
  return [cleared, ...parts('value', value), ...parts('output', output)]
}
