// The schema of the database, as the steps that lead to it. A step that was released is never changed: databases of
// every version exist. All of an upgrade is one transaction; a step that throws leaves the old version as it was.

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

export const schemaVersion = migrations.length

/** Runs what a database of version `from` lacks; 0 is a new one. */
export function migrate(database: IDBDatabase, transaction: IDBTransaction, from: number): void {
  for (const migration of migrations.slice(from)) migration(database, transaction)
}
