// The page's end of the port to the host: starts the host, posts messages, matches replies to requests, and notices a
// worker that died or froze, because it sends a heartbeat every 5 s. It does not handle sessions.
import { toErrorValue, ToolAgentError } from '../../core/data/errors.js'
import { isObject } from '../../core/data/json.js'
import type { HostMessage, PageMessage, RequestKind, RequestMessage, Requests } from '../../core/data/protocol.js'
import type { SpawnedHost } from './spawn.js'

/** How long a host may take to release its session before its thread is ended, in milliseconds. */
const closeTimeout = 2_000

/** What a connection needs from its owner. */
export interface ConnectionDeps {
  /** Starts a host. @param workerUrl the URL of the worker file; undefined for the default */
  spawn(workerUrl?: string): Promise<SpawnedHost>
  /** Receives every message of the host except replies. */
  receive(message: HostMessage): void
  /** The messages that must be posted before the next one. */
  before?(): readonly PageMessage[]
  /** Called when the worker has stopped responding. Called again at each check until the connection is closed. */
  onLost(): void
}

/** A connection to one host at a time. After `close` it can be started again, with another host. */
export class Connection {
  readonly #deps: ConnectionDeps
  readonly #requests = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void }>()
  #host: SpawnedHost | undefined
  #lastRequest = 0
  // The number of calls of `close`. `start` compares it, and does not use a host if `close` was called meanwhile.
  #closeCount = 0
  #watchdog: WorkerWatchdog | undefined
  // The options that the host has, as JSON.
  #config = ''

  constructor(deps: ConnectionDeps) {
    this.#deps = deps
  }

  /** Where the host runs; undefined while there is none. */
  get kind(): SpawnedHost['kind'] | undefined {
    return this.#host?.kind
  }

  /** The running host; undefined while none runs. Compare it to detect that another host has replaced it. */
  get host(): SpawnedHost | undefined {
    return this.#host
  }

  /** Starts a host. Rejects with `closed` if the connection is closed before the host is ready. */
  async start(workerUrl?: string): Promise<void> {
    const closeCount = this.#closeCount
    const host = await this.#deps.spawn(workerUrl)
    if (closeCount !== this.#closeCount) {
      void shutDown(host)
      throw closedError()
    }
    this.#host = host
    this.#config = ''
    host.port.addEventListener('message', this.#onMessage)
    // A host in the page shares this thread, so a watchdog would stop together with it. A socket has heartbeats.
    if (host.kind !== 'page' && host.kind !== 'server') this.#watchdog = new WorkerWatchdog(() => this.#deps.onLost())
  }

  /** Posts a message, except options that the host has already. @throws `host-lost` if no host is running. */
  post(message: PageMessage): void {
    if (this.#host === undefined) throw new ToolAgentError('host-lost', 'The host is not running')
    if (message.type === 'open' || message.type === 'configure') {
      const config = JSON.stringify(message.config)
      if (message.type === 'configure' && config === this.#config) return
      this.#config = config
    }
    for (const one of [...(this.#deps.before?.() ?? []), message]) this.#host.port.postMessage(one)
  }

  /** Posts a request and resolves with the reply. Rejects with the host's error, or when the connection is closed. */
  request<K extends RequestKind>(what: K, given: Requests[K]['with']): Promise<Requests[K]['reply']> {
    const id = ++this.#lastRequest
    return new Promise((resolve, reject) => {
      this.post({ type: 'request', id, what, with: given } as RequestMessage)
      // Only a request that was posted gets a reply. The host is trusted to reply as `Requests` declares.
      this.#requests.set(id, { resolve: resolve as (value: unknown) => void, reject })
    })
  }

  /**
   * Waits until the host has released its session, then ends its thread. `start` may be called again without waiting.
   * Requests without a reply are rejected with `lost`, or with the error `closed`. Pass `lost` if the worker is dead or
   * frozen: its thread is then ended immediately, because it would not release its session.
   */
  async close(lost?: ToolAgentError): Promise<void> {
    const host = this.#host
    this.#host = undefined
    this.#closeCount++
    this.#watchdog?.stop()
    for (const { reject } of this.#requests.values()) reject(lost ?? closedError())
    this.#requests.clear()
    if (host === undefined) return
    host.port.removeEventListener('message', this.#onMessage)
    // A host in the page has no thread of its own that could be dead.
    if (lost && host.kind !== 'page') host.terminate()
    else await shutDown(host)
  }

  readonly #onMessage = (event: { data: unknown }): void => {
    if (!isObject(event.data)) return
    this.#watchdog?.noteMessage()
    const message = event.data as unknown as HostMessage
    if (message.type !== 'reply') return this.#deps.receive(message)
    const request = this.#requests.get(message.id)
    this.#requests.delete(message.id)
    if (message.error) request?.reject(toErrorValue(message.error))
    else request?.resolve(message.value)
  }
}

const closedError = () => new ToolAgentError('closed', 'The agent was closed')

/**
 * Asks a host to close. Ends its thread when the host reports `closed`, or after `closeTimeout`, because a host that
 * hangs would keep the lock of its session.
 */
function shutDown(host: SpawnedHost): Promise<void> {
  return new Promise((resolve) => {
    const terminate = (): void => {
      clearTimeout(timer)
      host.port.removeEventListener('message', onMessage)
      host.terminate()
      resolve()
    }
    const onMessage = ({ data }: { data: unknown }): void => {
      if (isObject(data) && data['type'] === 'closed') terminate()
    }
    const timer = setTimeout(terminate, closeTimeout)
    host.port.addEventListener('message', onMessage)
    host.port.postMessage({ type: 'control', do: 'close' } satisfies PageMessage)
  })
}

/** How often the time of the last message is checked, in milliseconds. The check sends nothing. */
const checkInterval = 2_000
/** A worker that sends no message for this long counts as lost, in milliseconds. */
const heartbeatTimeout = 15_000
/** More time than this between two checks means that the page was suspended or throttled, in milliseconds. */
const suspendedAfter = 10_000

/** Watches one worker until it is stopped. */
export class WorkerWatchdog {
  readonly #timer: ReturnType<typeof setInterval>
  #lastMessageAt = Date.now()

  /** `onLost`: the worker has stopped responding. Called again at each check until `stop`. */
  constructor(onLost: () => void) {
    let lastCheckAt = this.#lastMessageAt
    this.#timer = setInterval(() => {
      const now = Date.now()
      // The page was suspended, so missed heartbeats do not count.
      if (now - lastCheckAt > suspendedAfter) this.#lastMessageAt = now
      lastCheckAt = now
      if (now - this.#lastMessageAt > heartbeatTimeout) onLost()
    }, checkInterval)
  }

  /** The worker sent a message. */
  noteMessage(): void {
    this.#lastMessageAt = Date.now()
  }

  /** Ends the checks. */
  stop(): void {
    clearInterval(this.#timer)
  }
}
