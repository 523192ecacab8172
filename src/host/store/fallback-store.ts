// The store of a browser whose database is not available (private mode, blocked storage): memory.
import { toFailure } from '../../core/data/errors.js'
import type { Store } from '../../core/state/store.js'
import { memoryStore } from './memory-store.js'

/**
 * A memory store. Its `failure` is the error `thrown` of the database, and its `later` is the promise of the database.
 * Without IndexedDB it has neither, because the user cannot do anything.
 */
export function fallbackStore(thrown: unknown, later: Promise<Store>): Store {
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
