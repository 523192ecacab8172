// Opens IndexedDB, or a store in memory if it is not available (private mode, blocked storage).
import { toFailure } from '../../core/data/errors.js'
import type { Store } from '../../core/state/store.js'
import { openIdbStore } from './indexed-db.js'
import { memoryStore } from './memory-store.js'

/**
 * Opens the store of this origin. Never rejects: without IndexedDB it resolves with a memory store, whose `failure`
 * says why, and whose `later` resolves if the database becomes available.
 */
export async function openStore(): Promise<Store> {
  let onFreed: (() => void) | undefined
  try {
    return await openIdbStore({ onFreed: () => onFreed?.() })
  } catch (thrown) {
    // Without IndexedDB the user cannot do anything, so no failure is reported.
    if (isMissing()) return memoryStore()
    const later = new Promise<void>((resolve) => {
      onFreed = resolve
    }).then(() => openIdbStore())
    later.catch(() => undefined) // The memory store stays in use.
    return { ...memoryStore(), failure: toFailure(thrown, 'storage'), later }
  }
}

function isMissing(): boolean {
  try {
    return typeof indexedDB === 'undefined'
  } catch {
    return false // Accessing the name throws: storage is blocked.
  }
}
