// Opens IndexedDB, or a store in memory if it is not available (private mode, blocked storage).
import type { Store } from '../../core/state/store.js'
import { fallbackStore } from './fallback-store.js'
import { openIdbStore } from './indexed-db.js'

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
