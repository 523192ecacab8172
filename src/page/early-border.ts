// The functions with which scripts of the page send lead through here, from the first script of the tag on, so that
// what the page keeps or freezes of them later can still be held. Nothing is changed on the way until the code that
// decides is loaded.
import { unclobbered } from '../core/data/dom-clobbering.js'

/** Decides about one call of a function of the browser. `original` calls it. */
export type WayHandler = (self: unknown, args: unknown[], original: (...given: unknown[]) => unknown) => unknown

/** The functions that lead through here. */
export interface EarlyBorder {
  /** By their owner and name. Set by what is loaded later; undefined until then. */
  readonly handlers: Map<object, Record<string, WayHandler | undefined>>
  /** How often something has passed to an address, without its fragment. */
  readonly passed: Map<string, number>
  /** Since when, by `performance.now()`. */
  readonly since: number
  /** No script of the page was before it. */
  readonly isFirst: boolean
  /** The page has frozen a function, so that it does not lead through here. */
  isFrozen: boolean
}

/**
 * Says of itself what the function of the browser says. Sentry sends by the `fetch` of an empty frame where that of the
 * page does not look like the browser's, and what is sent so cannot be held.
 */
export const asNative: ProxyHandler<CallableFunction> = {
  get(target, name, self) {
    const value: unknown = Reflect.get(target, name, self)
    return name === 'toString' && typeof value === 'function' ? value.bind(target) : value
  },
}

const key = Symbol.for('tool-agent:border')
/** So many addresses are kept. Later ones count as not seen. */
const mostPassed = 2_000

/** Undefined until `installBorder`. */
export const earlyBorder = (): EarlyBorder | undefined => Reflect.get(window, key) as EarlyBorder | undefined

/** Leads the functions through here. Does nothing the second time. `isFirst`: no script of the page was before. */
export function installBorder(isFirst = false): EarlyBorder {
  const installed = earlyBorder()
  if (installed) return installed
  const border: EarlyBorder = {
    handlers: new Map(),
    passed: new Map(),
    since: performance.now(),
    isFirst,
    isFrozen: false,
  }
  Object.defineProperty(window, key, { value: border })
  // With the place of the address in the arguments.
  lead(border, window, { fetch: 0, fetchLater: 0, open: undefined })
  lead(border, XMLHttpRequest.prototype, { open: 1, setRequestHeader: undefined, send: undefined, abort: undefined })
  lead(border, Navigator.prototype, { sendBeacon: 0 })
  return border
}

function lead(border: EarlyBorder, owner: object, names: Readonly<Record<string, number | undefined>>): void {
  const ways: Record<string, WayHandler | undefined> = {}
  border.handlers.set(owner, ways)
  for (const [name, place] of Object.entries(names)) {
    const described = Object.getOwnPropertyDescriptor(owner, name)
    const original: unknown = described?.value
    if (typeof original !== 'function') continue
    ways[name] = undefined
    const value = new Proxy(original, {
      ...asNative,
      apply(target, self: unknown, args: unknown[]) {
        if (place !== undefined) notePassed(border, args[place])
        const send = (...given: unknown[]): unknown => Reflect.apply(target as never, self, given)
        return ways[name] ? ways[name](self, args, send) : send(...args)
      },
    })
    border.isFrozen ||= !Reflect.defineProperty(owner, name, { ...described, value })
  }
}

function notePassed({ passed }: EarlyBorder, address: unknown): void {
  const text = String((address as Partial<Request> | null)?.url ?? address)
  const base = unclobbered(document).baseURI
  if (passed.size >= mostPassed || !URL.canParse(text, base)) return
  const url = new URL(text, base).href.split('#')[0]!
  passed.set(url, (passed.get(url) ?? 0) + 1)
}

/** Whether the page starts with the script of the tag, and no other one runs before a module or a deferred script. */
export function isFirstScript(): boolean {
  const [first, ...others] = [...unclobbered(document).scripts].filter(({ type }) =>
    /^(?:module|(?:text|application)\/javascript|)$/i.test(type),
  )
  return (
    first?.src.split(/[?#]/)[0]?.endsWith('/tool-agent.js') === true &&
    others.every(({ type, src, defer, async }) => !async && (type === 'module' || (defer && src !== '')))
  )
}
