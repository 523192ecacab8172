// `serve` connects a page's port to a session host and dispatches each message of the page to it. The same function
// runs in a worker, in the page and in Node; only the port, the store and the model differ.
import type { ModelAdapter } from '../core/data/model.js'
import type { HostMessage, Port } from '../core/data/protocol.js'
import type { Store } from '../core/state/store.js'
import { Guest } from './guest.js'
import { listenToPort, type PageCommand, type PageHandlers } from './rpc/port-listener.js'
import { SessionHost } from './session-host.js'
import type { Channels } from './tabs/session-channel.js'
import type { Locks } from './tabs/session-lock.js'

/** Options of `serve`. */
export interface ServeOptions {
  /** The model to use, whatever the page configures. Without it the page's endpoint and provider decide. */
  readonly model?: ModelAdapter
  /** Where sessions are stored: `openStore()`, `memoryStore()` or your own. */
  readonly store: Store | Promise<Store>
  /** Pass `navigator.locks` where it exists. Without locks, the store alone prevents two hosts from writing. */
  readonly locks?: Locks | undefined
  /**
   * Connects the hosts of one session in several tabs. Pass `(name) => new BroadcastChannel(name)` where it exists;
   * without it tabs do not see each other.
   */
  readonly channels?: Channels | undefined
  /** Milliseconds between two pings, by which a page notices that its worker was killed; without it none is sent. */
  readonly heartbeat?: number
  /**
   * Milliseconds between a broken connection and the question whether the page still exists. A browser that navigates
   * away breaks connections this long before it ends the page.
   * @default 0
   */
  readonly leaving?: number
}

/**
 * Serves one page over `port`. Must be called before the first `await` of a worker, or messages are lost. `closed`
 * resolves after the page has closed the connection and the session is saved. Errors are reported to the page.
 */
export function serve(port: Port, options: ServeOptions): { readonly closed: Promise<void> } {
  const guest = new Guest({
    post: (message: HostMessage) => port.postMessage(message),
    untilPagePresent: (signal) => listener.untilPagePresent(signal),
  })
  const { queries } = guest
  const host = new SessionHost({ ...options, guest })
  let finish: () => void = () => undefined
  const closed = new Promise<void>((resolve) => {
    finish = resolve
  })

  async function close(): Promise<void> {
    await host.close()
    listener.close()
    finish()
  }

  function control(message: Extract<PageCommand, { type: 'control' }>): void {
    if (message.do === 'continue')
      host.asDriver(({ turns }) => turns.continue({ guest, turn: message.turn }, message.facts), message.turn)
    else if (message.do === 'drop') host.ifDriving(({ turns }) => turns.drop(message.turn), message.turn)
    else if (message.do === 'retry') host.ifDriving(({ turns }) => turns.endRetryWait())
    else if (message.do === 'next') host.ifDriving(({ turns }) => turns.startNextStep())
    else if (message.do === 'stop') host.stop()
    else if (message.do === 'end-grants') host.endGrants(message.page)
    else void close()
  }

  const handlers: PageHandlers = {
    open: (message) => host.open(message),
    configure: ({ config }) => host.configure(config),
    offer: (message) => host.offer(message),
    send: (message) => host.asDriver(({ turns }) => turns.send(message, guest), message.turn),
    control,
    decide: (message) => host.asDriver(({ turns }) => turns.decide(message, guest), undefined, message.callId),
    answer: ({ ask, error, value }) => queries.answer(ask, error === undefined ? { value } : { error }),
    progress: ({ ask, value }) => queries.progress(ask, value),
    remember: (message) => host.remember(message),
    outcome: ({ outcome }) => host.outcome(outcome),
    request: (message) => host.request(message),
    run: ({ callId }) => host.ifDriving(({ turns }) => turns.command(callId, { do: 'run' })),
    settle: ({ outcome }) => host.ifDriving(({ turns }) => turns.command(outcome.callId, { do: 'settle', outcome })),
  }

  const listener = listenToPort(port, options, handlers)
  return { closed }
}
