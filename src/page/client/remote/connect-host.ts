// Connects a page to the server of the option `host`, in place of starting a host. Loaded only with this option.
import { toErrorValue } from '../../../core/data/errors.js'
import type { SpawnedHost } from '../spawn.js'
import { documentId, watchDocument } from './documents.js'
import { RemotePort, type RemotePortDeps } from './remote-port.js'

/** How a page connects to a server. `page` is the id of its document. */
export type RemoteOptions = Omit<RemotePortDeps, 'accepted' | 'ended' | 'page'> & Partial<Pick<RemotePortDeps, 'page'>>

/**
 * Resolves when the server has accepted a socket. Rejects with `network`, `offline`, `unauthorized` or `unavailable`
 * (another version) if it does not: nothing runs in the page then.
 */
export function connectHost({ page = documentId, ...options }: RemoteOptions): Promise<SpawnedHost> {
  watchDocument()
  return new Promise((resolve, reject) => {
    const port: RemotePort = new RemotePort({
      ...options,
      page,
      accepted: () => resolve({ kind: 'server', port, terminate: () => port.close() }),
      ended: (failure) => reject(toErrorValue(failure)),
    })
    port.connect()
  })
}
