// Databases of SQLite, with the package of the long tests.
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { installPackages } from '../../scripts/install-packages.mjs'

/** The folder that has `better-sqlite3`. */
export const sqliteFolder = fileURLToPath(new URL('../../test/better-sqlite3/', import.meta.url))

/** Installs the package where it is missing. */
export function installSqlite() {
  installPackages(sqliteFolder, 'test/better-sqlite3')
}

/** Opens a database of `better-sqlite3`. @param {string} file */
export function openDatabase(file) {
  const Database = createRequire(sqliteFolder)('better-sqlite3')
  return /** @type {import('../../src/server.js').SqliteHandle & { close(): void }} */ (new Database(file))
}
