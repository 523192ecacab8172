// Opens IndexedDB, or a store in memory if it is not available (private mode, blocked storage).
import { toFailure } from '../../core/data/errors.js'
import type { Store } from '../../core/state/store.js'
import { loadParts } from '../load-parts.js'
import { openIdbStore } from './indexed-db.js'

/**
 * Opens the store of this origin. Without IndexedDB it resolves with a memory store, whose `failure` says why, and
 * whose `later` resolves if the database becomes available. Rejects only if the file with the memory store cannot be
 * loaded.
 */
export async function openStore(): Promise<Store> {
  let onFreed: () => void = () => undefined
  const freed = new Promise<void>((resolve) => {
    onFreed = resolve
  })
  try {
    return await openIdbStore({ onFreed })
  } catch (thrown) {
    // Without IndexedDB the user cannot do anything, so no failure is reported.
    const { memoryStore } = await loadParts()
    if (isMissing()) return memoryStore()
    const later = freed.then(() => openIdbStore())
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
