// Watches what scripts of the page send, so that an action can be stopped before it sends something that nobody was
// asked about. The wrappers are installed once and stay. While no action runs they only note what the page sends by
// itself.
import { siteOf } from './site.js'
import type { PageRequest } from './read-request.js'

/** Who decides while an action runs. */
export interface RequestGate {
  /** False: the request must fail as if the device were offline. */
  allows(request: PageRequest): boolean
  /** A request that was sent: `status` is that of its answer, undefined if it failed. */
  answered(request: PageRequest, status: number | undefined): void
  /** False: no window may be opened. `url`: where it would lead; '' for an empty one. */
  mayOpen(url: string): boolean
  /** False: the form must not be submitted. Called only for `form.submit()`, which has no event. */
  maySubmit(form: HTMLFormElement): boolean
}

let gate: RequestGate | undefined
/** Addresses to which the page sent something without an action: origin, method and path. */
const sentByItself = new Set<string>()

const keyOf = ({ method, url }: PageRequest): string => `${method} ${url.origin}${url.pathname}`

/** Whether the page sent such a request before, without an action. To other sites only the origin counts. */
export const isUsual = (request: PageRequest): boolean =>
  sentByItself.has(keyOf(request)) || (siteOf(request.url) !== undefined && sentByItself.has(request.url.origin))

/** Lets `decider` decide, until the returned function is called. */
export function setRequestGate(decider: RequestGate): () => void {
  gate = decider
  return () => {
    if (gate === decider) gate = undefined
  }
}

/** Notes or refuses a request. Returns what to call with the status of the answer; undefined if it must fail. */
function begin(request: PageRequest | undefined): ((status: number | undefined) => void) | undefined {
  if (request === undefined) return () => undefined
  if (gate === undefined) {
    sentByItself.add(keyOf(request))
    if (siteOf(request.url) !== undefined) sentByItself.add(request.url.origin)
    return () => undefined
  }
  const decider = gate
  return decider.allows(request) ? (status) => decider.answered(request, status) : undefined
}

function textOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return String(body)
  if (body instanceof FormData) {
    const method = body.get('_method')
    return typeof method === 'string' ? `_method=${method}` : undefined
  }
  return undefined
}

/** Undefined for what is no request: an address that cannot be parsed fails by itself. */
function requestOf(
  view: Window,
  method: unknown,
  address: unknown,
  body: unknown,
  headers?: Headers,
): PageRequest | undefined {
  const text = String(address)
  const base = view.document.baseURI
  if (!URL.canParse(text, base)) return undefined
  const action = headers?.get('next-action') ?? undefined
  return {
    method: (typeof method === 'string' && method !== '' ? method : 'GET').toUpperCase(),
    url: new URL(text, base),
    body: textOf(body),
    action,
  }
}

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

/** Wraps `fetch`, `XMLHttpRequest`, `sendBeacon`, `open` and `submit` of a window. Does nothing the second time. */
export function watchRequests(view: View): void {
  if (wrappedViews.has(view)) return
  wrappedViews.add(view)
  wrap(view, 'fetch', (_self, args, original) => {
    const [input, init] = args as [RequestInfo | URL, RequestInit | undefined]
    const given = input instanceof view.Request ? input : undefined
    let headers: Headers | undefined
    try {
      headers = new Headers(init?.headers ?? given?.headers)
    } catch {
      // The original reports it.
    }
    const done = begin(requestOf(view, init?.method ?? given?.method, given?.url ?? input, init?.body, headers))
    if (done === undefined) return Promise.reject(new view.TypeError('Failed to fetch'))
    const answer = original(...args) as Promise<Response>
    answer.then(
      ({ status }) => done(status),
      () => done(undefined),
    )
    return answer
  })
  watchXhr(view)
  wrap(view.Navigator.prototype, 'sendBeacon', (_self, args, original) =>
    begin(requestOf(view, 'POST', args[0], args[1])) === undefined ? false : original(...args),
  )
  wrap(view, 'open', (_self, args, original) => {
    const [url = '', target = '_blank'] = args.map(String)
    const isHere = /^_(self|top|parent)$/i.test(target)
    return isHere || gate === undefined || gate.mayOpen(url) ? original(...args) : null
  })
  wrap(view.HTMLFormElement.prototype, 'submit', (self, args, original) =>
    gate === undefined || gate.maySubmit(self as HTMLFormElement) ? original(...args) : undefined,
  )
}

function watchXhr(view: View): void {
  const opened = new WeakMap<
    XMLHttpRequest,
    { readonly method: unknown; readonly url: unknown; readonly sync: boolean }
  >()
  wrap(view.XMLHttpRequest.prototype, 'open', (self, args, original) => {
    opened.set(self as XMLHttpRequest, { method: args[0], url: args[1], sync: args[2] === false })
    return original(...args)
  })
  wrap(view.XMLHttpRequest.prototype, 'send', (self, args, original) => {
    const xhr = self as XMLHttpRequest
    const { method, url, sync } = opened.get(xhr) ?? { method: '', url: '', sync: false }
    const done = opened.has(xhr) ? begin(requestOf(view, method, url, args[0])) : () => undefined
    if (done !== undefined) {
      xhr.addEventListener('loadend', () => done(xhr.status || undefined), { once: true })
      return original(...args)
    }
    if (sync) throw new view.DOMException('A network error occurred.', 'NetworkError')
    failLater(xhr, view)
    return undefined
  })
}

/** What an `XMLHttpRequest` does whose network fails. */
function failLater(xhr: XMLHttpRequest, view: View): void {
  view.setTimeout(() => {
    Object.defineProperty(xhr, 'readyState', { configurable: true, value: 4 })
    xhr.dispatchEvent(new view.Event('readystatechange'))
    xhr.dispatchEvent(new view.ProgressEvent('error'))
    xhr.dispatchEvent(new view.ProgressEvent('loadend'))
    // Opened again, it works as a new one.
    Reflect.deleteProperty(xhr, 'readyState')
  })
}
