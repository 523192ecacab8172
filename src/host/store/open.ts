// IndexedDB, or memory where there is none (private mode, blocked storage): the same contract, and the page says so.
import { failureOf } from '../../core/errors.js'
import type { Store } from '../../core/store.js'
import { openIdbStore } from './idb.js'
import { memoryStore } from './memory.js'

/** Never rejects: a session that cannot be kept is better than none. */
export async function openStore(): Promise<Store> {
  try {
    return await openIdbStore()
  } catch (thrown) {
    // The snapshot's `storage` tells the user, and why, where there is a storage at all.
    return typeof indexedDB === 'undefined' ? memoryStore() : { ...memoryStore(), failure: failureOf(thrown, 'storage') }
  }
}
