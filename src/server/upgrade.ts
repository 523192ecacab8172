// From a request of a browser to a socket: where it comes from, who it is, and only then the upgrade. CORS does not
// cover WebSockets, so any page of the web could open one with the cookies of a visitor.
import { ToolAgentError } from '../core/data/errors.js'
import { isAllowed, type UpgradeRequest } from './origin.js'
import { maxFrame } from './protocol/bounds.js'
import type { SessionServer, SocketUser } from './session-server.js'
import type { SocketLike } from './socket.js'

/** What is needed of the socket of the request. */
export interface UpgradeSocket {
  end(text: string): unknown
  destroy(): unknown
  on(type: 'error', listener: () => void): unknown
  once(type: 'finish', listener: () => void): unknown
}

/** What is needed of a `WebSocketServer` of `ws`: `new WebSocketServer({ noServer: true, maxPayload: 1_048_576 })`. */
export interface WebSocketServerLike<R> {
  readonly options: { readonly maxPayload?: number | undefined }
  handleUpgrade(request: R, socket: never, head: never, done: (socket: SocketLike) => void): void
}

/** How requests become sockets of users. */
export interface UpgradeOptions<R> {
  /** Opens the sockets. */
  readonly webSockets: WebSocketServerLike<R>
  /** Who sends a request, by its cookie or the like; undefined: nobody whom the sign-in knows. Called for each one. */
  readonly authenticate: (request: R) => SocketUser | undefined | Promise<SocketUser | undefined>
  /**
   * The origins of pages that may connect, such as `https://shop.example`. Set them if a proxy changes `Host`.
   * @default the host of the request. Its scheme is `https` if the request came over TLS or `x-forwarded-proto` says
   * so, and what that header says otherwise. If neither is known, as behind a proxy without that header, `http` and
   * `https` pages may connect.
   */
  readonly origins?: readonly string[]
}

/**
 * The listener for `upgrade` of a server of Node. It answers 403 to a page of another origin, and 401 to a stranger.
 * @throws {ToolAgentError} `invalid-option` if the sockets would take messages that are longer than any that is read
 */
export function upgradeHandler<R extends UpgradeRequest>(
  server: SessionServer,
  { webSockets, authenticate, origins }: UpgradeOptions<R>,
): (request: R, socket: UpgradeSocket, head: unknown) => void {
  const { maxPayload = 0 } = webSockets.options
  if (!(maxPayload > 0 && maxPayload <= maxFrame))
    throw new ToolAgentError(
      'invalid-option',
      `webSockets: expected maxPayload from 1 to ${maxFrame}, received ${maxPayload}. Set it in new WebSocketServer().`,
    )
  const upgrade = async (request: R, socket: UpgradeSocket, head: unknown): Promise<void> => {
    if (!isAllowed(request, origins)) return refuse(socket, '403 Forbidden')
    await server.whenSignedIn(
      () => authenticate(request),
      (user) => {
        if (!user) return refuse(socket, '401 Unauthorized')
        webSockets.handleUpgrade(request, socket as never, head as never, (opened) => server.serveSocket(opened, user))
      },
    )
  }
  return (request, socket, head) => {
    // Without a listener, a connection that breaks before the upgrade would end the process.
    socket.on('error', () => undefined)
    upgrade(request, socket, head).catch(() => refuse(socket, '500 Internal Server Error'))
  }
}

function refuse(socket: UpgradeSocket, status: string): void {
  // A stranger may never close their half of it.
  socket.once('finish', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
