// Opens IndexedDB, or a store in memory if it is not available (private mode, blocked storage).
import type { Store } from '../../core/state/store.js'
import { openIdbStore } from './indexed-db.js'
import { toFailure } from '../../core/data/errors.js'
import { memoryStore } from './memory-store.js'

/**
 * Opens the store of this origin. Without IndexedDB it resolves with a memory store, whose `failure` says why, and
 * whose `later` resolves if the database becomes available. Never rejects.
 */
export async function openStore(): Promise<Store> {
  let onFreed: () => void = () => undefined
  const freed = new Promise<void>((resolve) => {
    onFreed = resolve
  })
  try {
    return await openIdbStore({ onFreed })
  } catch (thrown) {
    return fallbackStore(
      thrown,
      freed.then(() => openIdbStore()),
    )
  }
}

/**
 * A memory store. Its `failure` is the error `thrown` of the database, and its `later` is the promise of the database.
 * Without IndexedDB it has neither, because the user cannot do anything.
 */
function fallbackStore(thrown: unknown, later: Promise<Store>): Store {
  later.catch(() => undefined) // The memory store stays in use.
  return isMissing() ? memoryStore() : { ...memoryStore(), failure: toFailure(thrown, 'storage'), later }
}

function isMissing(): boolean {
  try {
    return typeof indexedDB === 'undefined'
  } catch {
    return false // Accessing the name throws: storage is blocked.
  }
}
