// A worker that stops after its `after`-th event: the event is stored but not posted. It then notifies the page, which
// kills the worker or is reloaded.
import { serve } from '../../../src/host/serve.js'
import { openStore } from '../../../src/host/store/open-store.js'
import { openChannels } from '../../../src/host/tabs/session-channel.js'
import type { Port } from '../../../src/core/data/protocol.js'
import type { Store } from '../../../src/core/state/store.js'

const after = Number(new URL(import.meta.url).searchParams.get('after') ?? Infinity)
let facts = 0

async function fragile(): Promise<Store> {
  const store = await openStore()
  return {
    ...store,
    async commit(id, epoch, change) {
      if (facts >= after) return new Promise(() => undefined)
      await store.commit(id, epoch, change)
      if (!change.head || ++facts < after) return
      globalThis.postMessage({ type: 'dies', facts })
      return new Promise(() => undefined)
    },
  }
}

serve(globalThis as unknown as Port, {
  store: fragile(),
  locks: navigator.locks,
  channels: openChannels(),
  heartbeat: 5_000,
})
