// Which migrations a database lacks. A released one must never change, because databases of every version exist. A
// release expands first: it adds what the next one needs in a way that the code of the version before still works with.
// Only a later release may remove the old form, and then names itself as the oldest that can read the database.
import { ToolAgentError } from '../../core/data/errors.js'
import type { Row } from './sql-values.js'

/** One step of the schema. */
export interface Migration {
  readonly sql: string
  /** The oldest version of the schema whose code works with the tables after it. */
  readonly oldest: number
}

/**
 * The migrations after the version of a database, as its row says; all without one.
 * @throws `storage` if a newer version has removed what this code needs
 */
export function missingMigrations(row: Row | undefined, all: readonly Migration[]): readonly Migration[] {
  const [version, oldest] = [Number(row?.['version'] ?? 0), Number(row?.['oldest'] ?? 0)]
  if (oldest <= all.length) return all.slice(version)
  throw new ToolAgentError(
    'storage',
    `The database has version ${version} of the conversations, which code of version ${oldest} or newer can read; ` +
      `this is version ${all.length}. Install the newer tool-agent again, or restore a backup.`,
  )
}
