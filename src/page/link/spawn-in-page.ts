// Starts the host in the thread of the page: if no worker starts, and in Node. Loaded only then.
import type { SpawnedHost } from './spawn.js'

/** Starts the host in this thread, over a MessageChannel. */
export async function spawnInPage(): Promise<SpawnedHost> {
  const [{ serve }, { openStore }, { openChannels }] = await Promise.all([
    import('../../host/serve.js'),
    import('../../host/store/open-store.js'),
    import('../../host/tabs/session-channel.js'),
  ])
  const { port1, port2 } = new MessageChannel()
  serve(port2, { store: openStore(), locks: globalThis.navigator?.locks, channels: openChannels(), leaving: 600 })
  port1.start()
  return { kind: 'page', port: port1, terminate: () => port1.close() }
}
