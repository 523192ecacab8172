// A package of SQLite, as the processes of the tests open a database with it. Bundled with their code.
import { createRequire } from 'node:module'
import type { SqliteHandle } from '../../../src/server.js'

export type DriverName = 'node:sqlite' | 'better-sqlite3'

/** What the tests use of a handle beside what the store uses. */
export interface Handle extends SqliteHandle {
  close(): void
}

/** `folder`: where the package is installed. */
export function driver(name: DriverName, folder: string): (file: string) => Handle {
  const found = createRequire(`${folder}/`)(name) as Record<string, new (file: string) => Handle>
  const Database = name === 'node:sqlite' ? found['DatabaseSync']! : (found as unknown as new (file: string) => Handle)
  return (file) => new Database(file)
}
