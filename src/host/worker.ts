// The entry of the worker. `serve` is called before the first `await`, so that no message is lost while the store
// opens.
import type { Port } from '../core/data/protocol.js'
import { rehearse, whenIdle } from './rehearsal.js'
import { serve } from './serve.js'
import { openChannels } from './tabs/session-channel.js'
import { openStore } from './store/open-store.js'

const page = globalThis as unknown as Port
const { closed } = serve(page, {
  store: openStore(),
  locks: globalThis.navigator?.locks,
  channels: openChannels(),
  heartbeat: 5_000,
  leaving: 600,
})
whenIdle(page, (config) => rehearse(config).catch(() => undefined))
void closed.then(() => globalThis.close())
