// The events of IndexedDB as promises. Handlers of a success event run before the transaction may end, so a promise of
// one of its own requests can be awaited in a transaction.

/** Resolves with the result of a request. A request of a cursor has a new result after each `continue()`. */
export function requested<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? aborted())
  })
}

/** Resolves when a transaction is complete. Rejects when it fails or is aborted. */
export function completed(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve()
    transaction.onerror = transaction.onabort = () => reject(transaction.error ?? aborted())
  })
}

const aborted = () => new DOMException('AbortError', 'AbortError')
