// How handler, relay and `nodeFetch` pass bodies, headers and the end of a connection to each other in Node. Web
// streams, `Headers` and `AbortSignal` take longer than everything that the relay checks, so they are created only for
// those who ask for them. Objects without the properties below work in the same way through `body` and `signal`.

/** Of a request: reads all bytes. Resolves with undefined for more than `most`. */
export const readAll = Symbol('readAll')

/** Of a response: its `Source`. */
export const directSource = Symbol('directSource')

/** Of a request or the options of `fetch`: its `Stopper`. */
export const stopper = Symbol('stopper')

/** A request of `toNodeHandler`, which takes bodies directly. */
export interface DirectRequest {
  [readAll](most: number): Promise<Uint8Array | undefined>
}

/** An `AbortController` whose signal is created when somebody asks for it. */
export class Stopper {
  #controller: AbortController | undefined
  #listeners: (() => void)[] = []
  isStopped = false
  reason: unknown

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.isStopped) this.#controller.abort(this.reason)
    }
    return this.#controller.signal
  }

  stop(reason?: unknown): void {
    if (this.isStopped) return
    this.isStopped = true
    this.reason = reason
    this.#controller?.abort(reason)
    for (const listener of this.#listeners) listener()
  }

  add(listener: () => void): void {
    this.#listeners.push(listener)
  }

  remove(listener: () => void): void {
    this.#listeners = this.#listeners.filter((one) => one !== listener)
  }
}

/**
 * Calls `listener` with the reason once a request or a call of `fetch` is aborted, at once if it is already. Returns a
 * function that removes the listener.
 */
export function onAbort(
  given: { readonly signal: AbortSignal; readonly [stopper]?: Stopper },
  listener: (reason: unknown) => void,
): () => void {
  const direct = given[stopper]
  if (direct) {
    const stop = () => listener(direct.reason)
    if (direct.isStopped) stop()
    else direct.add(stop)
    return () => direct.remove(stop)
  }
  const { signal } = given
  const stop = () => listener(signal.reason)
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return () => signal.removeEventListener('abort', stop)
}

/**
 * Receives a body. `write` returns false if the source must wait for `resume`. After `end` or `fail` nothing follows.
 */
export interface Sink {
  write(bytes: Uint8Array): boolean
  end(): void
  fail(error: unknown): void
}

/** A body on its way to a sink. */
export interface Flow {
  resume(): void
  cancel(reason?: unknown): void
}

/**
 * Sends a body to a sink, once. It must not call the sink before it has returned. After `cancel` it may still fail, but
 * writes nothing more.
 */
export type Source = (sink: Sink) => Flow

/** The source of the body of a response, if it has one. */
export function sourceOf(response: {
  readonly body: Response['body']
  readonly [directSource]?: Source | undefined
}): Source | undefined {
  const direct = response[directSource]
  if (direct || response.body === null) return direct
  const reader = response.body.getReader()
  return (sink) => {
    let isCancelled = false
    let resume: (() => void) | undefined
    const run = async () => {
      try {
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          if (isCancelled) return
          if (!sink.write(part.value)) await new Promise<void>((resolve) => (resume = resolve))
        }
      } catch (error) {
        sink.fail(error)
        return
      }
      if (!isCancelled) sink.end()
    }
    void run()
    return {
      resume: () => resume?.(),
      cancel(reason) {
        isCancelled = true
        reader.cancel(reason).catch(() => {})
      },
    }
  }
}

/** A stream that reads from a source. Nothing is read before it is asked for. */
export function streamOf(source: Source): ReadableStream<Uint8Array<ArrayBuffer>> {
  let flow: Flow | undefined
  // One chunk for each pull, so a slow reader slows the source down. `enqueue` may call `pull` again.
  let isWanted = true
  return new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      pull(controller) {
        isWanted = true
        if (flow) return flow.resume()
        flow = source({
          write(bytes) {
            isWanted = false
            controller.enqueue(bytes as Uint8Array<ArrayBuffer>)
            return isWanted
          },
          end: () => controller.close(),
          fail: (error) => controller.error(error),
        })
      },
      cancel(reason) {
        flow ??= source({ write: () => false, end() {}, fail() {} })
        flow.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

/** A response whose body is a source. Everything but its status and headers creates a `Response`. */
export class DirectResponse {
  readonly #status: number
  readonly #source: Source
  readonly #plain: Record<string, string>
  #headers: Headers | undefined
  #whole: Response | undefined

  constructor(source: Source, { status, headers }: { status: number; headers: Record<string, string> }) {
    this.#status = status
    this.#source = source
    this.#plain = headers
  }

  // Not a field, because `standIn` defines accessors for what is not on the prototype.
  get status(): number {
    return this.#status
  }

  /** Undefined if the body may have been read in another way. */
  get [directSource](): Source | undefined {
    return this.#whole ? undefined : this.#source
  }

  get headers(): Headers {
    this.#headers ??= new Headers(this.#plain)
    return this.#headers
  }

  /** The headers as they are now. */
  get plainHeaders(): Record<string, string> {
    return this.#headers ? Object.fromEntries(this.#headers) : this.#plain
  }

  get whole(): Response {
    this.#whole ??= new Response(streamOf(this.#source), { status: this.#status, headers: this.headers })
    return this.#whole
  }
}

standIn(DirectResponse, Response)

/**
 * Makes instances of a class behave as those of another one in every way that the class does not define itself, through
 * `whole`, an object of the other class.
 */
export function standIn(
  own: { readonly prototype: { readonly whole: object } },
  other: typeof Headers | typeof Request | typeof Response,
): void {
  for (const name of Reflect.ownKeys(other.prototype)) {
    const { get, value } = Object.getOwnPropertyDescriptor(other.prototype, name) ?? {}
    if (Object.hasOwn(own.prototype, name) || (get === undefined && typeof value !== 'function')) continue
    const ofWhole = function (this: { readonly whole: object }): unknown {
      const found: unknown = Reflect.get(this.whole, name)
      return typeof found === 'function' ? (found.bind(this.whole) as unknown) : found
    }
    Object.defineProperty(own.prototype, name, { get: ofWhole, configurable: true })
  }
  Object.setPrototypeOf(own.prototype, other.prototype)
}

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1 && parts[0]) return parts[0]
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
