// The database schema as a list of migrations. A released migration must never change, because databases of every
// version exist. An upgrade is one transaction: if a migration throws, the database keeps its old version.

type Migration = (database: IDBDatabase, transaction: IDBTransaction) => void

const migrations: readonly Migration[] = [
  (database) => {
    const sessions = database.createObjectStore('sessions', { keyPath: 'id' })
    sessions.createIndex('scope', ['scope', 'updatedAt'])
    database.createObjectStore('messages') // [sessionId, index]
    database.createObjectStore('results') // [sessionId, callId]
    database.createObjectStore('drafts') // sessionId
  },
]

/** The version that a database has after all migrations. */
export const schemaVersion = migrations.length

/** Runs the migrations that a database of version `from` lacks. A new database has version 0. */
export function migrate(database: IDBDatabase, transaction: IDBTransaction, from: number): void {
  for (const migration of migrations.slice(from)) migration(database, transaction)
}
