// Opens IndexedDB, or a store in memory if it is not available (private mode, blocked storage).
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
    const { fallbackStore } = await loadParts()
    return fallbackStore(
      thrown,
      freed.then(() => openIdbStore()),
    )
  }
}
