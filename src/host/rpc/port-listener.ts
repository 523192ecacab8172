// The host's end of the port to one page: posts messages, validates incoming ones, and exchanges pings with the page.
import { abortable } from '../../core/loop/abort.js'
import { isObject } from '../../core/data/json.js'
import { protocolVersion, type HostMessage, type PageMessage, type Port } from '../../core/data/protocol.js'

/** What the host does with a message. Pongs are handled here. */
export type PageCommand = Exclude<PageMessage, { type: 'pong' }>

/** One handler per type of message. Handlers must not throw. */
export type PageHandlers = {
  readonly [T in PageCommand['type']]: (message: Extract<PageCommand, { type: T }>) => void
}

/** When the host pings its page, in milliseconds. */
export interface PortTimes {
  /** Interval between two pings; without it the host sends none. */
  readonly heartbeat?: number
  /**
   * Wait before a page is asked whether it still exists. A browser breaks the connections of a page that navigates away
   * this long before it ends the page.
   * @default 0
   */
  readonly leaving?: number
}

/** A port whose messages reach the host. */
export interface PortListener {
  /** Resolves when the page answers a ping, which is sent after `leaving`. Rejects with the signal's reason. */
  untilPagePresent(signal: AbortSignal): Promise<void>
  /** Stops listening and the pings, posts `closed` and closes the port. */
  close(): void
}

/** Listens to `port` and posts `ready`. Synchronous, so that no message is lost. */
export function listenToPort(port: Port, { heartbeat, leaving = 0 }: PortTimes, handlers: PageHandlers): PortListener {
  const post = (message: HostMessage) => port.postMessage(message)
  const pongWaiters = new Set<() => void>()
  const listen = ({ data }: { data: unknown }): void => {
    // Only the page that created the port can post here, so a known type is enough; anything else is ignored.
    const type = isObject(data) ? data['type'] : undefined
    if (type === 'pong') {
      for (const resolve of pongWaiters) resolve()
      pongWaiters.clear()
    } else if (typeof type === 'string' && Object.hasOwn(handlers, type)) {
      ;(handlers[type as PageCommand['type']] as (message: unknown) => void)(data)
    }
  }
  port.addEventListener('message', listen)
  port.start?.()
  const timer = heartbeat === undefined ? undefined : setInterval(() => post({ type: 'ping' }), heartbeat)
  post({ type: 'ready', protocol: protocolVersion })
  return {
    untilPagePresent: (signal) =>
      abortable(signal, (resolve) => {
        setTimeout(() => {
          pongWaiters.add(resolve)
          post({ type: 'ping' })
        }, leaving)
      }),
    close() {
      clearInterval(timer)
      port.removeEventListener('message', listen)
      post({ type: 'closed' })
      port.close?.()
    },
  }
}
