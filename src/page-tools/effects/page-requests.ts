// Watches what scripts of the page send, so that an action can be stopped before it sends something that nobody was
// asked about. The wrappers are installed once and stay. While no action runs they only note what the page sends by
// itself.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { PageRequest } from './read-request.js'

/** Who decides while an action runs. */
export interface RequestGate {
  /** Whether an `XMLHttpRequest` that is opened now belongs to the action, also if it is sent when that is over. */
  owns(opened: object): boolean
  /** False: the request must fail as if the device were offline. `opened`: the `XMLHttpRequest` that is sent. */
  allows(request: PageRequest, opened?: object): boolean
  /** A request that was sent: `status` is that of its answer, undefined if it failed. */
  answered(request: PageRequest, status: number | undefined): void
  /** False: no window may be opened. `url`: where it would lead; '' for an empty one. */
  mayOpen(url: string): boolean
  /** False: the history must not be left by so many steps. */
  mayTraverse(view: Window, steps: number): boolean
  /** False: the form must not be submitted. Called only for `form.submit()`, which has no event. */
  maySubmit(form: HTMLFormElement): boolean
  /** A listener of the page ends the way of an event, so that it does not reach the window. */
  ending(event: Event): void
  /** A script clicks an element, by `event` if it dispatches its own, or submits a form. */
  clicking(target: Node, event?: Event): void
}

let gate: RequestGate | undefined
/**
 * What the page sent without an action and without a press of the visitor, by `keyOf`. Kept as it was sent: what reads
 * it is loaded with the first tool that runs.
 */
const byItself = new Map<string, PageRequest[]>()
/** So many addresses, and requests to each, are kept. */
const mostKept = { addresses: 100, requests: 20 }
/** Characters. The operation of a longer body is not kept. */
const longestBody = 10_000
/** Milliseconds after a press in which what the page sends is the visitor's deed, and not done by itself. */
const afterPress = 1_000
let lastPress = -Infinity

/** Method and address of a request. */
export const keyOf = ({ method, url }: PageRequest): string => `${method} ${url.origin}${url.pathname}`

/** Notes what the page sends by itself. Reading makes nothing usual, on another site neither. */
function noteByItself(request: PageRequest): void {
  if (/^(GET|HEAD|OPTIONS)$/.test(request.method) || performance.now() - lastPress < afterPress) return
  const key = keyOf(request)
  const kept = byItself.get(key) ?? []
  const body = (request.body?.length ?? 0) > longestBody ? undefined : request.body
  if (kept.length >= mostKept.requests || kept.some((one) => one.body === body)) return
  if (kept.length > 0 || byItself.size < mostKept.addresses) byItself.set(key, [...kept, { ...request, body }])
}

/** What the page sent by itself, by method and address. */
export const sentByItself = (): ReadonlyMap<string, readonly PageRequest[]> => byItself

/** Milliseconds after a stop in which libraries may send the same request again by themselves. */
const retryTime = 30_000
/** When a request was stopped, by address and body. */
const stoppedAt = new Map<string, number>()
const deedOf = (request: PageRequest): string => [keyOf(request), request.url.search, request.body].join(' ')

/** Whether a request like this one was stopped a moment ago, and the user has not touched the page since. */
export const isRetry = (request: PageRequest): boolean =>
  performance.now() - (stoppedAt.get(deedOf(request)) ?? -Infinity) < retryTime

/** Lets `decider` decide, until the returned function is called. */
export function setRequestGate(decider: RequestGate): () => void {
  gate = decider
  return () => {
    if (gate === decider) gate = undefined
  }
}

/** For a request whose answer does not matter. */
const unwatched = (): void => undefined

/** Notes or refuses a request. Returns what to call with the status of the answer; undefined if it must fail. */
function begin(
  request: PageRequest | undefined,
  decider = gate,
  opened?: object,
): ((status: number | undefined) => void) | undefined {
  if (request === undefined) return unwatched
  if (decider === undefined) {
    if (isRetry(request)) return undefined
    noteByItself(request)
    return unwatched
  }
  if (decider.allows(request, opened)) return (status) => decider.answered(request, status)
  stoppedAt.set(deedOf(request), performance.now())
  return undefined
}

/** Bytes of a body that are read as text. */
const mostBytes = 65_536
/** The text that bytes are; undefined for packed ones. */
function textOfBytes(body: ArrayBuffer | ArrayBufferView): string | undefined {
  const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(body)
    ? body
    : { buffer: body, byteOffset: 0, byteLength: body.byteLength }
  const bytes = new Uint8Array(buffer, byteOffset, byteLength)
  const isPacked = (bytes[0] === 0x1f && bytes[1] === 0x8b) || byteLength > mostBytes
  return isPacked ? undefined : new TextDecoder().decode(bytes)
}

function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body
  if (ArrayBuffer.isView(body) || Object.prototype.toString.call(body) === '[object ArrayBuffer]')
    return textOfBytes(body as ArrayBuffer | ArrayBufferView)
  if (body instanceof URLSearchParams) return String(body)
  if (body instanceof FormData) {
    const texts = [...body].filter((entry): entry is [string, string] => typeof entry[1] === 'string')
    // Only what names an operation is read, and that is short.
    return String(new URLSearchParams(texts.filter(([, value]) => value.length <= 80)))
  }
  return undefined
}

/** Undefined for what is no request: an address that cannot be parsed fails by itself. */
function requestOf(
  view: Window,
  method: unknown,
  address: unknown,
  body: unknown,
  named: Pick<PageRequest, 'action' | 'override' | 'isUnanswered'> = {},
): PageRequest | undefined {
  const text = String(address)
  const base = unclobbered(view.document).baseURI
  if (!URL.canParse(text, base)) return undefined
  return {
    method: (typeof method === 'string' && method !== '' ? method : 'GET').toUpperCase(),
    url: new URL(text, base),
    body: textOf(body),
    // Of the fields of a form only those that name an operation are read.
    isUnreadable: body != null && (body instanceof FormData || textOf(body) === undefined),
    ...named,
  }
}

/** Headers that replace the method for the server. */
const overrides = ['x-http-method-override', 'x-http-method', 'x-method-override']
/** What headers name. An iterator is left alone, because only the original can read it then. */
function namedBy(headers: HeadersInit | undefined): Pick<PageRequest, 'action' | 'override'> {
  if (headers === undefined || typeof (headers as { next?: unknown }).next === 'function') return {}
  try {
    const all = new Headers(headers)
    const override = overrides
      .map((name) => all.get(name))
      .find(Boolean)
      ?.toUpperCase()
    return { action: all.get('next-action') ?? undefined, override }
  } catch {
    // The original reports it.
    return {}
  }
}

/** Also for a request that another frame has made, which is no instance of this window's class. */
const isRequest = (input: RequestInfo | URL | undefined): input is Request =>
  typeof input === 'object' && 'method' in input && 'url' in input

type View = Window & typeof globalThis
const wrappedViews = new WeakSet<View>()

/** Replaces a method by one that calls `handler` with the original. Keeps its name and length, and what it is. */
function wrap<T extends object, K extends keyof T & string>(
  owner: T | undefined,
  name: K,
  handler: (self: unknown, args: unknown[], original: (...given: unknown[]) => unknown) => unknown,
): void {
  const original: unknown = owner?.[name]
  if (owner === undefined || typeof original !== 'function') return
  const proxy = new Proxy(original, {
    apply: (target, self: unknown, args: unknown[]) =>
      handler(self, args, (...given) => Reflect.apply(target as never, self, given) as unknown),
  })
  const described = Object.getOwnPropertyDescriptor(owner, name)
  try {
    Object.defineProperty(owner, name, {
      configurable: true,
      enumerable: true,
      writable: true,
      ...described,
      value: proxy,
    })
  } catch {
    // The page has frozen it. Requests through it are not seen.
  }
}

/**
 * Wraps `fetch`, `XMLHttpRequest`, `sendBeacon`, `open`, the steps of the history, `submit`, what clicks and submits,
 * and what keeps the events of links and forms from the window. Does nothing the second time.
 */
export function watchRequests(view: View): void {
  if (wrappedViews.has(view)) return
  wrappedViews.add(view)
  // What the user does by hand may be what was stopped. The presses in the panel are not seen here.
  const notePress = ({ isTrusted }: Event): void => {
    if (!isTrusted) return
    stoppedAt.clear()
    lastPress = performance.now()
  }
  for (const type of ['pointerdown', 'keydown'])
    view.addEventListener(type, notePress, { capture: true, passive: true })
  wrap(view, 'fetch', (_self, args, original) => {
    const [input, init] = args as [RequestInfo | URL, RequestInit | undefined]
    const given = isRequest(input) ? input : undefined
    if ((init?.signal ?? given?.signal)?.aborted) return original(...args)
    const isUnanswered = (init?.mode ?? given?.mode) === 'no-cors'
    const named = { ...namedBy(init?.headers ?? given?.headers), isUnanswered }
    const done = begin(requestOf(view, init?.method ?? given?.method, given?.url ?? input, init?.body, named))
    if (done === undefined) return Promise.reject(new view.TypeError('Failed to fetch'))
    const answer = original(...args) as Promise<Response>
    // A handler would hide from the browser that the page has none for a failure.
    if (done === unwatched) return answer
    return answer.then(
      (response) => {
        done(response.status)
        return response
      },
      (error: unknown) => {
        done(undefined)
        throw error
      },
    )
  })
  watchXhr(view)
  wrap(view.Navigator.prototype, 'sendBeacon', (_self, args, original) =>
    begin(requestOf(view, 'POST', args[0], args[1], { isUnanswered: true })) === undefined ? false : original(...args),
  )
  wrap(view, 'open', (_self, args, original) => {
    const [url = '', target = '_blank'] = args.map(String)
    const isHere = /^_(self|top|parent)$/i.test(target)
    return isHere || gate === undefined || gate.mayOpen(url) ? original(...args) : null
  })
  for (const [name, steps] of [
    ['back', -1],
    ['forward', 1],
    ['go', undefined],
  ] as const)
    wrap(view.History.prototype, name, (_self, args, original) =>
      gate?.mayTraverse(view, steps ?? (Math.trunc(Number(args[0])) || 0)) === false ? undefined : original(...args),
    )
  wrap(view.HTMLFormElement.prototype, 'submit', (self, args, original) =>
    gate === undefined || gate.maySubmit(self as HTMLFormElement) ? original(...args) : undefined,
  )
  watchEvents(view)
}

function watchEvents(view: View): void {
  const { prototype } = view.Event
  for (const name of ['stopPropagation', 'stopImmediatePropagation'] as const)
    wrap(prototype, name, (self, args, original) => {
      gate?.ending(self as Event)
      return original(...args)
    })
  const old = Object.getOwnPropertyDescriptor(prototype, 'cancelBubble')
  if (old?.set && old.configurable)
    Object.defineProperty(prototype, 'cancelBubble', {
      ...old,
      set(this: Event, value: unknown) {
        if (value) gate?.ending(this)
        old.set?.call(this, value)
      },
    })
  const noteClick = (self: unknown, event?: Event): void => {
    if (typeof self === 'object' && self !== null && 'getRootNode' in self) gate?.clicking(self as Node, event)
  }
  wrap(view.HTMLElement.prototype, 'click', (self, args, original) => {
    noteClick(self)
    return original(...args)
  })
  wrap(view.HTMLFormElement.prototype, 'requestSubmit', (self, args, original) => {
    noteClick(self)
    return original(...args)
  })
  wrap(view.EventTarget.prototype, 'dispatchEvent', (self, args, original) => {
    if ((args[0] as Partial<Event> | undefined)?.type === 'click') noteClick(self, args[0] as Event)
    return original(...args)
  })
}

function watchXhr(view: View): void {
  interface Opened {
    readonly method: unknown
    readonly url: unknown
    readonly sync: boolean
    override?: string
    /** The gate of the action that has opened it. */
    readonly owner?: RequestGate | undefined
  }
  const opened = new WeakMap<XMLHttpRequest, Opened>()
  /** Those that were stopped and have not failed yet. */
  const failing = new WeakMap<
    XMLHttpRequest,
    { readonly timer: number; readonly fail: (type: 'error' | 'abort') => void }
  >()
  wrap(view.XMLHttpRequest.prototype, 'open', (self, args, original) => {
    const xhr = self as XMLHttpRequest
    view.clearTimeout(failing.get(xhr)?.timer)
    failing.delete(xhr)
    Reflect.deleteProperty(xhr, 'readyState')
    const owner = gate?.owns(xhr) ? gate : undefined
    opened.set(xhr, { method: args[0], url: args[1], sync: args[2] === false, owner })
    return original(...args)
  })
  wrap(view.XMLHttpRequest.prototype, 'setRequestHeader', (self, args, original) => {
    const known = opened.get(self as XMLHttpRequest)
    if (known && overrides.includes(String(args[0]).toLowerCase())) known.override = String(args[1]).toUpperCase()
    return original(...args)
  })
  wrap(view.XMLHttpRequest.prototype, 'send', (self, args, original) => {
    const xhr = self as XMLHttpRequest
    const { method, url, sync, owner, override }: Opened = opened.get(xhr) ?? { method: '', url: '', sync: false }
    const done = opened.has(xhr) ? begin(requestOf(view, method, url, args[0], { override }), owner, xhr) : unwatched
    if (done !== undefined) {
      if (done !== unwatched) xhr.addEventListener('loadend', () => done(xhr.status || undefined), { once: true })
      return original(...args)
    }
    if (sync) throw new view.DOMException('A network error occurred.', 'NetworkError')
    const hasBody = args[0] != null
    const fail = (type: 'error' | 'abort'): void => {
      view.clearTimeout(timer)
      failing.delete(xhr)
      end(xhr, hasBody, type, view)
    }
    const timer = view.setTimeout(fail, 0, 'error')
    failing.set(xhr, { timer, fail })
    for (const target of hasBody ? [xhr, xhr.upload] : [xhr]) target.dispatchEvent(new view.ProgressEvent('loadstart'))
    return undefined
  })
  wrap(view.XMLHttpRequest.prototype, 'abort', (self, args, original) => {
    const pending = failing.get(self as XMLHttpRequest)
    return pending ? pending.fail('abort') : original(...args)
  })
}

/** What an `XMLHttpRequest` does whose network fails, or that is aborted. Its state stays until it is opened again. */
function end(xhr: XMLHttpRequest, hasBody: boolean, type: 'error' | 'abort', view: View): void {
  Object.defineProperty(xhr, 'readyState', { configurable: true, value: 4 })
  xhr.dispatchEvent(new view.Event('readystatechange'))
  for (const target of hasBody ? [xhr.upload, xhr] : [xhr])
    for (const name of [type, 'loadend']) target.dispatchEvent(new view.ProgressEvent(name))
}
