// IndexedDB, or memory where there is none (private mode, blocked storage): the same contract, and the page says so.
import { toFailure } from '../../core/data/errors.js'
import type { Store } from '../../core/data/store.js'
import { openIdbStore } from './indexed-db.js'
import { memoryStore } from './memory-store.js'

/** Never rejects: a session that cannot be kept is better than none. */
export async function openStore(): Promise<Store> {
  let onFreed: (() => void) | undefined
  try {
    return await openIdbStore({ onFreed: () => onFreed?.() })
  } catch (thrown) {
    // The snapshot's `storage` tells the user, and why, where there is a storage at all.
    if (isMissing()) return memoryStore()
    const later = new Promise<void>((resolve) => {
      onFreed = resolve
    }).then(() => openIdbStore())
    later.catch(() => undefined) // Memory goes on standing in.
    return { ...memoryStore(), failure: toFailure(thrown, 'storage'), later }
  }
}

function isMissing(): boolean {
  try {
    return typeof indexedDB === 'undefined'
  } catch {
    return false // Even its name is refused.
  }
}
