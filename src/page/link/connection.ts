// The page's end of the port: starts the host, sends, and matches replies to requests. It knows nothing of sessions.
import { toErrorValue, ToolAgentError } from '../../core/data/errors.js'
import { isObject, type JsonObject } from '../../core/data/json.js'
import type { HostMessage, PageMessage, RequestKind } from '../../core/data/protocol.js'
import type { SpawnedHost } from './spawn.js'

const closeTimeout = 2_000
/** A worker gives a sign of life every 5 s; a killed one gives none, and no event either. A look costs no message. */
const lookEvery = 2_000
const silence = 15_000
/** A page that did not come to look for so long slept, or was throttled. */
const sleep = 10_000

export class Connection {
  readonly #receive: (message: HostMessage) => void
  readonly #requests = new Map<number, { resolve(value: unknown): void; reject(reason: unknown): void }>()
  #host: SpawnedHost | undefined
  #lastRequest = 0
  // How often it was closed: a host that is ready after that is not wanted any more.
  #closes = 0

  readonly #spawn: (workerUrl?: string) => Promise<SpawnedHost>
  readonly #onSilent: () => void
  #watch: ReturnType<typeof setInterval> | undefined
  #heard = 0

  constructor(
    receive: (message: HostMessage) => void,
    spawn: (workerUrl?: string) => Promise<SpawnedHost>,
    onSilent: () => void,
  ) {
    this.#receive = receive
    this.#spawn = spawn
    this.#onSilent = onSilent
  }

  get kind(): SpawnedHost['kind'] | undefined {
    return this.#host?.kind
  }

  /** Rejects with `closed` if the connection was closed before the host was ready. */
  async start(workerUrl?: string): Promise<void> {
    const closes = this.#closes
    const host = await this.#spawn(workerUrl)
    if (closes !== this.#closes) {
      void end(host)
      throw closed()
    }
    this.#host = host
    host.port.addEventListener('message', this.#listen)
    // In the page both would stand still together.
    if (host.kind !== 'page') this.#watchOver()
  }

  #watchOver(): void {
    let last = (this.#heard = Date.now())
    this.#watch = setInterval(() => {
      const now = Date.now()
      // It has heard nothing, whatever the worker said.
      if (now - last > sleep) this.#heard = now
      last = now
      if (now - this.#heard > silence) this.#onSilent()
    }, lookEvery)
  }

  post(message: PageMessage): void {
    if (this.#host === undefined) throw new ToolAgentError('host-lost', 'The host is not running')
    this.#host.port.postMessage(message)
  }

  request(what: RequestKind, given: JsonObject = {}): Promise<unknown> {
    const id = ++this.#lastRequest
    return new Promise((resolve, reject) => {
      this.#requests.set(id, { resolve, reject })
      this.post({ type: 'request', id, what, with: given })
    })
  }

  /**
   * Lets the host release its session, then ends its thread and resolves; `start` may be called again immediately.
   * `lost` ends the thread immediately and rejects what waits for it: a dead worker does not release its session, nor
   * does a frozen one.
   */
  async close(lost?: ToolAgentError): Promise<void> {
    const host = this.#host
    this.#host = undefined
    this.#closes++
    clearInterval(this.#watch)
    for (const { reject } of this.#requests.values()) reject(lost ?? closed())
    this.#requests.clear()
    if (host === undefined) return
    host.port.removeEventListener('message', this.#listen)
    // A host in the page has no thread of its own.
    if (lost && host.kind !== 'page') host.terminate()
    else await end(host)
  }

  readonly #listen = (event: { data: unknown }): void => {
    if (!isObject(event.data)) return
    this.#heard = Date.now()
    const message = event.data as unknown as HostMessage
    if (message.type !== 'reply') return this.#receive(message)
    const request = this.#requests.get(message.id)
    this.#requests.delete(message.id)
    if (message.error) request?.reject(toErrorValue(message.error))
    else request?.resolve(message.value)
  }
}

const closed = () => new ToolAgentError('closed', 'The agent was closed')

function end(host: SpawnedHost): Promise<void> {
  return new Promise((resolve) => {
    const terminate = (): void => {
      clearTimeout(timer)
      host.port.removeEventListener('message', listen)
      host.terminate()
      resolve()
    }
    const listen = ({ data }: { data: unknown }): void => {
      if (isObject(data) && data['type'] === 'closed') terminate()
    }
    // A host that hangs would keep the session's lock.
    const timer = setTimeout(terminate, closeTimeout)
    host.port.addEventListener('message', listen)
    host.port.postMessage({ type: 'control', do: 'close' } satisfies PageMessage)
  })
}
