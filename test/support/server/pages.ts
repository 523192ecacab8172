// Agents in Node whose host is a server on the loopback: the whole client of a page, over real sockets.
import { WebSocket } from 'ws'
import { Agent } from '../../../src/page/agent.js'
import { connectHost, type RemoteOptions } from '../../../src/page/client/remote/connect-host.js'
import type { PageSocket, SocketTimes } from '../../../src/page/client/remote/server-socket.js'
import type { AgentOptions } from '../../../src/page/options.js'

/** Short, so that a test does not wait. */
export const shortTimes: Partial<SocketTimes> = { firstWait: 4, longestWait: 20, untilTold: 5 }

interface PageGiven extends Partial<RemoteOptions> {
  readonly options?: AgentOptions
  /** The cookie of the page, read for each socket. */
  readonly cookie?: () => string
}

/** An agent of a user. `said` and `heard` are the texts that crossed its sockets. */
export function anAgent(host: string, user: string, { options, cookie, ...given }: PageGiven = {}) {
  const [said, heard, sockets]: [string[], string[], WebSocket[]] = [[], [], []]
  const open = (url: string): PageSocket => {
    const socket = new WebSocket(url, { headers: { cookie: cookie?.() ?? `user=${user}`, origin: `http://${host}` } })
    sockets.push(socket)
    socket.on('message', (data) => heard.push(String(data)))
    const send = (text: string) => {
      said.push(text)
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    }
    return {
      send,
      close: (code?: number) => socket.close(code),
      addEventListener: (type: never, listener: never) => socket.addEventListener(type, listener),
    }
  }
  const connect = () =>
    connectHost({
      url: `ws://${host}/`,
      page: `page-${user}-${sockets.length}`,
      open,
      times: shortTimes,
      signIn: () => undefined,
      ...given,
    })
  const agent = new Agent({ host: `ws://${host}/`, ...options }, connect)
  return { agent, said, heard, sockets }
}
