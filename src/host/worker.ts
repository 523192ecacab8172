// The entry of the worker. `serve` is called before the first `await`, so that no message is lost while the store
// opens.
import type { Port } from '../core/data/protocol.js'
import { serve } from './serve.js'
import { openChannels } from './tabs/session-channel.js'
import { openStore } from './store/open-store.js'

const { closed } = serve(globalThis as unknown as Port, {
  store: openStore(),
  locks: globalThis.navigator?.locks,
  channels: openChannels(),
  heartbeat: 5_000,
  leaving: 600,
})
void closed.then(() => globalThis.close())
