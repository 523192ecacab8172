// IndexedDB, or memory where there is none (private mode, blocked storage): the same contract, and the page says so.
import type { Store } from '../../core/store.js'
import { openIdbStore } from './idb.js'
import { memoryStore } from './memory.js'

/** Never rejects: a session that cannot be kept is better than none. */
export async function openStore(): Promise<Store> {
  try {
    return await openIdbStore()
  } catch {
    return memoryStore() // The snapshot's `storage` tells the user.
  }
}
