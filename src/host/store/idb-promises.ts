// IndexedDB with promises, as far as the store uses it. A promise of a request settles in the event of that request, so
// that its transaction is still active when the caller continues.

/** The result of a request. Rejects with its error. */
export function resultOf<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
}

/** Resolves when the transaction is complete. Rejects if it was aborted, with its error or with an `AbortError`. */
export function completionOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onabort = () => reject(transaction.error ?? new DOMException('It was aborted', 'AbortError'))
  })
}

/** What happens while a database is opened, and afterwards. */
export interface DatabaseEvents {
  /** Must bring the database to its new version. If it throws, the database keeps its old version. */
  upgrade(database: IDBDatabase, transaction: IDBTransaction, from: number): void
  /** Another tab upgrades or deletes the database, and waits until this one is closed. */
  blocking(database: IDBDatabase): void
}

/** Opens a database. Rejects with the error of the browser; synchronous errors are rejections, too. */
export async function openIdb(name: string, version: number, events: DatabaseEvents): Promise<IDBDatabase> {
  const request = indexedDB.open(name, version)
  request.onupgradeneeded = ({ oldVersion }) => {
    if (request.transaction) events.upgrade(request.result, request.transaction, oldVersion)
  }
  const opened = await resultOf(request)
  opened.onversionchange = () => events.blocking(opened)
  return opened
}
