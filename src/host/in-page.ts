// Serves a page in its own thread: if no worker starts, and in Node. A chunk of its own, which is loaded only then.
import { serve } from './serve.js'
import { openStore } from './store/open-store.js'
import { openChannels } from './tabs/session-channel.js'

/** Starts the host in this thread. Returns the page's end of the channel; closing it ends the host. */
export function serveInPage(): MessagePort {
  const { port1, port2 } = new MessageChannel()
  serve(port2, { store: openStore(), locks: globalThis.navigator?.locks, channels: openChannels(), leaving: 600 })
  port1.start()
  return port1
}
