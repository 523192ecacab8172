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
}

let pages = 0

/** An agent of a user. `said` has the messages that it sent. Set `network` to change where its next socket leads. */
export function anAgent(host: string, user: string, { options, ...given }: PageGiven = {}) {
  const [said, sockets]: [{ type: string }[], WebSocket[]] = [[], []]
  const network = { host, cookie: `user=${user}`, isDown: false }
  const open = (): PageSocket => {
    const headers = { cookie: network.isDown ? '' : network.cookie, origin: `http://${network.host}` }
    const socket = new WebSocket(`ws://${network.host}/`, { headers })
    sockets.push(socket)
    const send = (text: string) => {
      said.push(JSON.parse(text) as { type: string })
      if (socket.readyState === WebSocket.OPEN) socket.send(text)
    }
    return {
      send,
      close: (code?: number) => socket.close(code),
      addEventListener: (type: never, listener: never) => socket.addEventListener(type, listener),
    }
  }
  const page = `page-${++pages}`
  const connect = () =>
    connectHost({
      url: `ws://${host}/`,
      page,
      open,
      times: shortTimes,
      signIn: () => undefined,
      ...given,
    })
  const agent = new Agent({ host: `ws://${host}/`, ...options }, connect)
  return { agent, said, sockets, network }
}
