// A store whose commits can be held back or fail, for what may happen while one runs.
import type { Store, StoreChange } from '../../../src/core/state/store.js'
import { memoryStore } from '../../../src/host/store/memory-store.js'

/** A store whose commits wait for what `before` returns, and fail with what it throws. */
export function slowStore(before: (change: StoreChange) => Promise<unknown> | undefined): Store {
  const inner = memoryStore()
  return {
    ...inner,
    kind: 'indexeddb',
    async commit(id, epoch, change) {
      await before(change)
      return inner.commit(id, epoch, change)
    },
  }
}

/** Long enough for messages to arrive, and for whatever does not wait for a commit. */
export const later = () => new Promise((resolve) => setTimeout(resolve, 50))
