// Watches what scripts of the page send, so that what an action sends can be held until the user was asked about it, or
// is stopped. The wrappers are installed once and stay. While no action runs they only note what the page sends by
// itself.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { asNative, earlyBorder, installBorder, type WayHandler } from '../../page/early-border.js'
import type { PageRequest } from './read-request.js'
import { forgetDeeds, isRefusedDeed, keyOf } from './refused-deeds.js'

/** Who decides while an action runs. */
export interface RequestGate {
  /** Whether an `XMLHttpRequest` that is opened now belongs to the action, also if it is sent when that is over. */
  owns(opened: object): boolean
  /** `stop`: the request must fail as if the device were offline. */
  decide(request: PageRequest, by: SentBy): 'send' | 'stop' | 'hold'
  /** Holds a `fetch`, or reads its body and decides then. Returns the answer for the page. */
  holdFetch(request: PageRequest, sent: SentFetch): Promise<Response>
  /** Holds an `XMLHttpRequest`. */
  holdXhr(request: PageRequest, sent: SentXhr): void
  /** Holds a beacon, about whose fate a page learns nothing, or reads its body and decides then. */
  holdBeacon(request: PageRequest, sent: { readonly body: unknown; send(body: unknown): void }): void
  /** Holds a message on a socket. */
  holdFrame(request: PageRequest, sent: SentFrame): void
  /** A request that was sent: `status` is that of its answer, undefined if it failed. */
  answered(request: PageRequest, status: number | undefined): void
  /**
   * What the page gets instead of a window; undefined if it may be opened. `url`: where it would lead; '' for an empty
   * one.
   */
  opening(
    url: string,
    how: { readonly target: string; readonly features: string },
  ): { readonly answer: unknown } | undefined
  /** False: the history must not be left by so many steps. */
  mayTraverse(view: Window, steps: number): boolean
  /** False: the form must not be submitted. Called only for `form.submit()`, which has no event. */
  maySubmit(form: HTMLFormElement): boolean
  /** A listener of the page ends the way of an event, so that it does not reach the window. */
  ending(event: Event): void
  /** A script clicks an element, by `event` if it dispatches its own, or submits a form. */
  clicking(target: Node, event?: Event): void
}

/** How a request is sent. */
export interface SentBy {
  /** It can be held: the page does not block until it is answered. */
  readonly canWait: boolean
  /** The `XMLHttpRequest` that is sent. */
  readonly opened?: object
  /** The arguments of `fetch`, or what they would be. */
  readonly args?: readonly unknown[]
  /** A message on a socket. It belongs to the action only while its events run. */
  readonly isFrame?: true
}

/** A `fetch` of the page. */
export interface SentFetch {
  readonly view: View
  readonly args: readonly unknown[]
  /** Calls the original. */
  send(request: Request): Promise<Response>
}

/** An `XMLHttpRequest` that the page sends. */
export interface SentXhr {
  readonly view: View
  readonly xhr: XMLHttpRequest
  readonly body: unknown
  /** Calls the original. */
  send(body: unknown): void
}

/** A message that the page sends on a socket. */
export interface SentFrame {
  readonly socket: WebSocket
  readonly body: unknown
  /** Calls the original. */
  send(body: unknown): void
}

/** What the wrappers need once something was stopped or held. Loaded with the first tool that runs. */
export interface LateCode {
  /** The visitor has pressed something on the page. */
  pressed(): void
  /** Whether such a request was stopped a moment ago. */
  isRetry(request: PageRequest): boolean
  /** An `XMLHttpRequest` fails. */
  stop(sent: SentXhr): void
}

let gate: RequestGate | undefined
let late: LateCode | undefined
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
/** Milliseconds after an action in which a message without an answer may still belong to it. */
const afterAction = 10_000
let lastAction = -Infinity
/** When the wrappers of this window were installed, by `performance.now()`. */
let watchedSince = Infinity

/** The method of a request that is a message on a socket. */
export const frameMethod = 'SEND'

/**
 * Notes what the page sends by itself: not after a press of the visitor, and no message without an answer after an
 * action. Reading makes nothing usual, on another site neither.
 */
function noteByItself(request: PageRequest): void {
  const now = performance.now()
  if (/^(GET|HEAD|OPTIONS)$/.test(request.method) || now - lastPress < afterPress) return
  if (request.isUnanswered === true && now - lastAction < afterAction) return
  const key = keyOf(request)
  const kept = byItself.get(key) ?? []
  const body = (request.body?.length ?? 0) > longestBody ? undefined : request.body
  if (kept.length >= mostKept.requests || kept.some((one) => one.body === body)) return
  if (kept.length > 0 || byItself.size < mostKept.addresses) byItself.set(key, [...kept, { ...request, body }])
}

/** What the page sent by itself, by method and address. */
export const sentByItself = (): ReadonlyMap<string, readonly PageRequest[]> => byItself

/** Since when it is noted. What was sent before has only been timed by the browser. */
export const notedSince = (): number => watchedSince

/** Ways out whose messages are not held: after an input, nobody knows what they do. */
const channels = {
  RTCDataChannel: 'send',
  Worker: 'postMessage',
  ServiceWorker: 'postMessage',
  BroadcastChannel: 'postMessage',
} as const
let isChannelUsed = false
/** The page has sent what could not be held. */
export const noteChannel = (): void => {
  isChannelUsed = true
}
/** Whether the page has sent on a channel soon after an input, by anyone. */
export const usesChannel = (): boolean => isChannelUsed

function watchChannels(view: View): void {
  for (const [name, method] of Object.entries(channels)) {
    const owner = (view as unknown as Record<string, { prototype: Record<string, unknown> } | undefined>)[name]
    wrap(owner?.prototype, method, (self, args, original) => {
      const isOurs = Symbol.for('tool-agent:worker') in (self as object)
      if (!isOurs && (gate || performance.now() - lastPress < afterPress)) noteChannel()
      return original(...args)
    })
  }
}

/** Lets `decider` decide, if there is one. `code`: what is loaded by then. */
export function decideBy(decider: RequestGate | undefined, code: LateCode): void {
  if (gate) lastAction = performance.now()
  gate = decider
  late = code
}

/** For a request whose answer does not matter. */
const unwatched = (): void => undefined

/** Notes or refuses a request. Returns what to call with the status of the answer, if it is sent. */
function begin(
  request: PageRequest | undefined,
  by: SentBy,
  decider = gate,
): ((status: number | undefined) => void) | 'stop' | 'hold' {
  if (request === undefined) return unwatched
  if (decider === undefined) {
    if (isRefusedDeed(request) || late?.isRetry(request)) return 'stop'
    noteByItself(request)
    return unwatched
  }
  const verdict = decider.decide(request, by)
  return verdict === 'send' ? (status) => decider.answered(request, status) : verdict
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
  const url = new URL(text, base)
  return {
    method: (typeof method === 'string' && method !== '' ? method : 'GET').toUpperCase(),
    url,
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

export type View = Window & typeof globalThis
const wrappedViews = new WeakSet<View>()

/** Replaces a method by one that calls `handler` with the original. Keeps its name and length, and what it is. */
export function wrap<T extends object, K extends keyof T & string>(
  owner: T | undefined,
  name: K,
  handler: WayHandler,
): void {
  // What the page has kept since the first script of the tag leads here as well.
  const early = owner && earlyBorder()?.handlers.get(owner)
  if (early && name in early) {
    // There may be a second copy of this file.
    const other = early[name]
    early[name] = other
      ? (self, args, original) => handler(self, args, (...given) => other(self, given, original))
      : handler
    return
  }
  const original: unknown = owner?.[name]
  if (owner === undefined || typeof original !== 'function') return
  const proxy = new Proxy(original, {
    ...asNative,
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
 * Wraps `fetch`, `XMLHttpRequest`, `sendBeacon`, `WebSocket.send`, `open`, the steps of the history, `submit`, what
 * clicks and submits, and what keeps the events of links and forms from the window. Does nothing the second time.
 */
export function watchRequests(view: View): void {
  if (wrappedViews.has(view)) return
  wrappedViews.add(view)
  if (view === window) {
    installBorder()
    watchedSince = performance.now()
  }
  // What the user does by hand may be what was stopped. The presses in the panel are not seen here.
  const notePress = ({ isTrusted }: Event): void => {
    if (!isTrusted) return
    late?.pressed()
    forgetDeeds()
    lastPress = performance.now()
  }
  for (const type of ['pointerdown', 'keydown'])
    view.addEventListener(type, notePress, { capture: true, passive: true })
  // What is to be sent later is so when the page goes away, so it cannot be held.
  for (const name of ['fetch', 'fetchLater'] as const)
    wrap(view as View & { fetchLater?: typeof fetch }, name, (_self, args, original) => {
      const [input, init] = args as [RequestInfo | URL, RequestInit | undefined]
      const given = isRequest(input) ? input : undefined
      if ((init?.signal ?? given?.signal)?.aborted) return original(...args)
      const isUnanswered = (init?.mode ?? given?.mode) === 'no-cors'
      const named = { ...namedBy(init?.headers ?? given?.headers), isUnanswered }
      const request = requestOf(view, init?.method ?? given?.method, given?.url ?? input, init?.body, named)
      const decider = gate
      const canWait = name === 'fetch'
      const done = begin(request, { canWait, args }, decider)
      if (done === 'hold') return decider!.holdFetch(request!, { view, args, send: original as SentFetch['send'] })
      if (done === 'stop') {
        const failure = new view.TypeError('Failed to fetch')
        if (canWait) return Promise.reject(failure)
        throw failure
      }
      const answer = original(...args) as Promise<Response>
      // A handler would hide from the browser that the page has none for a failure.
      if (done === unwatched || !canWait) return answer
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
  watchChannels(view)
  wrap(view.Navigator.prototype, 'sendBeacon', (_self, args, original) => {
    const request = requestOf(view, 'POST', args[0], args[1], { isUnanswered: true })
    const decider = gate
    const done = begin(request, { canWait: true, args: [args[0], { body: args[1] }] }, decider)
    if (done === 'stop') return false
    if (done !== 'hold') return original(...args)
    decider!.holdBeacon(request!, { body: args[1], send: (body) => original(args[0], body) })
    return true
  })
  wrap(view.WebSocket.prototype, 'send', (self, args, original) => {
    const socket = self as WebSocket
    const [body] = args
    const address = socket.url.replace(/^ws/, 'http')
    // Otherwise the browser throws, or drops it.
    const isOpen = socket.readyState === view.WebSocket.OPEN
    const request = isOpen ? requestOf(view, frameMethod, address, body) : undefined
    const decider = gate
    const done = begin(request, { canWait: true, isFrame: true }, decider)
    if (done === 'stop') return undefined
    return done === 'hold' ? decider!.holdFrame(request!, { socket, body, send: original }) : original(body)
  })
  wrap(view, 'open', (_self, args, original) => {
    const [url = '', target = '_blank', features = ''] = args.map(String)
    const isHere = /^_(self|top|parent)$/i.test(target)
    const instead = isHere ? undefined : gate?.opening(url, { target, features })
    return instead ? instead.answer : original(...args)
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
  wrap(view.XMLHttpRequest.prototype, 'open', (self, args, original) => {
    const xhr = self as XMLHttpRequest
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
    const [body] = args
    const { method, url, sync, owner, override }: Opened = opened.get(xhr) ?? { method: '', url: '', sync: false }
    const request = opened.has(xhr) ? requestOf(view, method, url, body, { override }) : undefined
    const decider = owner ?? gate
    const done = begin(request, { canWait: !sync, opened: xhr }, decider)
    if (typeof done === 'function') {
      if (done !== unwatched) xhr.addEventListener('loadend', () => done(xhr.status || undefined), { once: true })
      return original(...args)
    }
    if (sync) throw new view.DOMException('A network error occurred.', 'NetworkError')
    const sent: SentXhr = { view, xhr, body, send: original }
    if (done === 'hold') return decider!.holdXhr(request!, sent)
    if (late) return late.stop(sent)
    // Refused before a reload, and no tool has run since.
    queueMicrotask(() => {
      for (const type of ['error', 'loadend']) xhr.dispatchEvent(new view.ProgressEvent(type))
    })
    return undefined
  })
}
