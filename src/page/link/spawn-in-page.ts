// Starts the host in the thread of the page: if no worker starts, and in Node. A chunk of its own, which is loaded only
// then.
import { serve } from '../../host/serve.js'
import { openStore } from '../../host/store/open-store.js'
import { openChannels } from '../../host/tabs/session-channel.js'
import type { SpawnedHost } from './spawn.js'

/** Starts the host in this thread, over a MessageChannel. */
export function spawnInPage(): SpawnedHost {
  const { port1, port2 } = new MessageChannel()
  serve(port2, { store: openStore(), locks: globalThis.navigator?.locks, channels: openChannels(), leaving: 600 })
  port1.start()
  return { kind: 'page', port: port1, terminate: () => port1.close() }
}
