// Connects a page to the server of the option `host`, in place of starting a host. Loaded only with this option.
import { toErrorValue, ToolAgentError } from '../../../core/data/errors.js'
import type { Turn } from '../../../core/data/session.js'
import { sentMessageId } from '../../../server/protocol/server-messages.js'
import { resolveEndpoint } from '../../option-table.js'
import type { AgentOptions } from '../../options.js'
import type { PendingTurns } from '../../pending-turns.js'
import type { SpawnedHost, TurnEnds } from '../spawn.js'
import { documentId, watchDocument } from './documents.js'
import { RemotePort, type RemotePortDeps } from './remote-port.js'

/** What tests change of a connection. `page`: the id of its document. */
export type Connecting = Partial<Pick<RemotePortDeps, 'page' | 'open' | 'times' | 'fetch'>>

/**
 * Resolves when the server of the options has accepted a socket. Rejects with `network`, `offline`, `unauthorized`,
 * `rate-limited` or `unavailable` (another version) if it does not, and with `invalid-option` for a hook that a server
 * does not call: nothing runs in the page then.
 */
export async function connectHost(
  options: () => AgentOptions,
  { page = documentId, open, times, fetch }: Connecting = {},
): Promise<SpawnedHost> {
  if (options().hooks?.beforeModel)
    throw new ToolAgentError('invalid-option', 'hooks.beforeModel: the server decides this')
  watchDocument()
  return new Promise((resolve, reject) => {
    const port: RemotePort = new RemotePort({
      url: resolveEndpoint(options().host ?? '', 'host').replace(/^http/, 'ws'),
      page,
      open,
      times,
      fetch,
      signIn: () => {
        const { hooks } = options()
        return hooks?.signIn && Promise.resolve(hooks).then((now) => now.signIn?.())
      },
      accepted: () => resolve({ kind: 'server', port, terminate: () => port.close(), settle: settleTurns }),
      ended: (failure) => reject(toErrorValue(failure)),
    })
    port.connect()
  })
}

/** See `SpawnedHost.settle`. */
function settleTurns(replica: TurnEnds, pending: PendingTurns, running: Turn | undefined): void {
  const { state } = replica
  const { turn, end, messages, start } = state.opened()
  // The server is heard again.
  if (state.error?.code === 'network' || state.error?.code === 'offline') state.error = null
  const known = new Set(messages.map(({ id }) => id))
  const counted = start + messages.findLastIndex(({ role }) => role === 'user')
  pending.forEach((one, id) => {
    if (turn?.id === id) one.isStarted = true
    else if (end?.turn === id) replica.endTurn(running?.id === id ? running : { counted }, end)
    else if (one.isStarted || known.has(sentMessageId(id))) one.resolve(replica.lostResult())
  })
}
