// Agents in Node whose host is a server on the loopback: the whole client of a page, over real sockets.
import { WebSocket } from 'ws'
import { Agent } from '../../../src/page/agent.js'
import { connectHost } from '../../../src/page/client/remote/connect-host.js'
import type { PageSocket, SocketTimes } from '../../../src/page/client/remote/server-socket.js'
import type { AgentOptions } from '../../../src/page/options.js'

interface PageGiven {
  readonly options?: AgentOptions
  readonly times?: Partial<SocketTimes>
  /** Sends its files. */
  readonly fetch?: typeof fetch
}

/** Short, so that a test does not wait. */
const shortTimes: Partial<SocketTimes> = { firstWait: 4, longestWait: 20, untilTold: 5 }
let pages = 0

/** An agent of a user. `said` has the messages that it sent. Set `network` to change where its next socket leads. */
export function anAgent(host: string, user: string, { options, times = {}, fetch: sendFile = fetch }: PageGiven = {}) {
  const [said, sockets]: [{ type: string }[], WebSocket[]] = [[], []]
  const network = { host, cookie: `user=${user}`, isDown: false }
  const open = (): PageSocket => {
    const headers = { cookie: network.isDown ? '' : network.cookie, origin: `http://${network.host}` }
    const socket = new WebSocket(`ws://${network.host}/`, { headers })
    sockets.push(socket)
    return {
      send: (text) => {
        said.push(JSON.parse(text) as { type: string })
        if (socket.readyState === WebSocket.OPEN) socket.send(text)
      },
      close: (code) => socket.close(code),
      addEventListener: (type: never, listener: never) => socket.addEventListener(type, listener),
    }
  }
  // A browser adds both.
  const withCookie: typeof fetch = (url, init) => {
    const headers = { ...(init?.headers as object), cookie: network.cookie, origin: `http://${network.host}` }
    return network.isDown ? Promise.reject(new TypeError('The network is down')) : sendFile(url, { ...init, headers })
  }
  const page = `page-${++pages}`
  const given: AgentOptions = { host: `ws://${host}/`, ...options }
  const agent = new Agent(given, () =>
    connectHost(() => given, { page, open, fetch: withCookie, times: { ...shortTimes, ...times } }),
  )
  return { agent, said, sockets, network }
}
