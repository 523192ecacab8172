// How server, relay and `nodeFetch` pass bodies, headers and the end of a connection to each other in Node. Web streams,
// `Headers` and `AbortSignal` take longer than everything that the relay checks, so they are created only for those who
// ask for them. Objects without the properties below work in the same way through `body` and `signal`.

/** Of a request: reads all bytes. Resolves with undefined for more than `most`. */
export const readAll = Symbol('readAll')

/** Of a response: its `Source`. */
export const directSource = Symbol('directSource')

/** Of a request or the options of `fetch`: its `Stopper`. */
export const stopper = Symbol('stopper')

/** An `AbortController` whose signal is created when somebody asks for it. */
export class Stopper {
  /** @type {AbortController | undefined} */
  #controller
  /** @type {(() => void)[]} */
  #listeners = []
  isStopped = false
  /** @type {unknown} */
  reason

  get signal() {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.isStopped) this.#controller.abort(this.reason)
    }
    return this.#controller.signal
  }

  /** @param {unknown} [reason] */
  stop(reason) {
    if (this.isStopped) return
    this.isStopped = true
    this.reason = reason
    this.#controller?.abort(reason)
    for (const listener of this.#listeners) listener()
  }

  /** @param {() => void} listener */
  add(listener) {
    this.#listeners.push(listener)
  }

  /** @param {() => void} listener */
  remove(listener) {
    this.#listeners = this.#listeners.filter((one) => one !== listener)
  }
}

/**
 * Calls `listener` with the reason once a request or a call of `fetch` is aborted, at once if it is already. Returns a
 * function that removes the listener.
 * @param {{ readonly signal: AbortSignal }} given
 * @param {(reason: unknown) => void} listener
 */
export function onAbort(given, listener) {
  const direct = /** @type {Stopper | undefined} */ (/** @type {any} */ (given)[stopper])
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
 * @typedef {{ write(bytes: Uint8Array): boolean, end(): void, fail(error: unknown): void }} Sink
 */
/**
 * Sends a body to a sink, once. It must not call the sink before it has returned. After `cancel` it may still fail, but
 * writes nothing more.
 * @typedef {(sink: Sink) => { resume(): void, cancel(reason?: unknown): void }} Source
 */

/** The source of the body of a response, if it has one. @param {Response} response @returns {Source | undefined} */
export function sourceOf(response) {
  const { [directSource]: direct } = /** @type {{ [directSource]?: Source }} */ (/** @type {unknown} */ (response))
  if (direct || response.body === null) return direct
  const reader = response.body.getReader()
  return (sink) => {
    let isCancelled = false
    /** @type {(() => void) | undefined} */
    let resume
    const run = async () => {
      try {
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
          if (isCancelled) return
          if (!sink.write(part.value)) await new Promise((resolve) => (resume = () => resolve(undefined)))
        }
      } catch (error) {
        return sink.fail(error)
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

/** A stream that reads from a source. Nothing is read before it is asked for. @param {Source} source */
export function streamOf(source) {
  /** @type {ReturnType<Source> | undefined} */
  let flow
  // One chunk for each pull, so a slow reader slows the source down. `enqueue` may call `pull` again.
  let isWanted = true
  /** @type {ReadableStream<Uint8Array>} */
  const stream = new ReadableStream(
    {
      pull(controller) {
        isWanted = true
        if (flow) return flow.resume()
        flow = source({
          write(bytes) {
            isWanted = false
            controller.enqueue(bytes)
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
  return stream
}

/**
 * A response whose body is a source. Everything but its status and headers creates a `Response`.
 */
export class DirectResponse {
  /** @type {number} */
  status
  #source
  #plain
  /** @type {Headers | undefined} */
  #headers
  /** @type {Response | undefined} */
  #whole

  /** @param {Source} source @param {{ status: number, headers: Record<string, string> }} options */
  constructor(source, { status, headers }) {
    this.status = status
    this.#source = source
    this.#plain = headers
  }

  /** Undefined if the body may have been read in another way. */
  get [directSource]() {
    return this.#whole ? undefined : this.#source
  }

  get headers() {
    this.#headers ??= new Headers(this.#plain)
    return this.#headers
  }

  /** The headers as they are now. */
  get plainHeaders() {
    return this.#headers ? Object.fromEntries(this.#headers) : this.#plain
  }

  get whole() {
    this.#whole ??= new Response(streamOf(this.#source), { status: this.status, headers: this.headers })
    return this.#whole
  }
}

standIn(DirectResponse, Response)

/**
 * Makes instances of a class behave as those of another one in every way that the class does not define itself, through
 * `whole`, an object of the other class.
 * @param {new (...given: any[]) => { readonly whole: object }} own
 * @param {typeof Headers | typeof Request | typeof Response} other
 */
export function standIn(own, other) {
  for (const name of Reflect.ownKeys(other.prototype)) {
    const { get, value } = Object.getOwnPropertyDescriptor(other.prototype, name) ?? {}
    if (Object.hasOwn(own.prototype, name) || (get === undefined && typeof value !== 'function')) continue
    /** @this {any} */
    const ofWhole = function () {
      const found = this.whole[name]
      return typeof found === 'function' ? found.bind(this.whole) : found
    }
    Object.defineProperty(own.prototype, name, { get: ofWhole, configurable: true })
  }
  Object.setPrototypeOf(own.prototype, other.prototype)
}

/** @param {readonly Uint8Array[]} parts */
export function joined(parts) {
  if (parts.length === 1 && parts[0]) return parts[0]
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}
