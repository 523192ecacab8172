// What an action on the page does to the world. Approval belongs to the effect, not to the tool: opening a menu asks
// nobody, deleting an order asks each time.
import { isObject } from './json.js'

/**
 * - `view`: opens, closes, sorts, filters, pages or scrolls what is shown.
 * - `value`: changes the value of a field, and what the page itself saves for that.
 * - `go`: follows a link that is on the page, to this site.
 * - `unknown`: cannot be predicted.
 * - `send`: submits, saves, sends, publishes.
 * - `destroy`: deletes, removes, cancels, pays, orders, transfers, revokes, empties.
 * - `outside`: another site, a download, a new window to another site, `mailto:`.
 */
export type Effect = 'view' | 'value' | 'go' | 'unknown' | 'send' | 'destroy' | 'outside'

/** All effects, the least serious first. */
export const effects: readonly Effect[] = ['view', 'value', 'go', 'unknown', 'send', 'destroy', 'outside']

/** Whether one effect is more serious than another. */
export const isAbove = (one: Effect, other: Effect): boolean => effects.indexOf(one) > effects.indexOf(other)

/** What an action was about to do when it was stopped. */
export interface StoppedEffect {
  /** Its class. */
  readonly effect: Effect
  /** A request, the submission of a form, a navigation, a new window, a download, or an option of a list. */
  readonly does: 'request' | 'submit' | 'go' | 'open' | 'download' | 'choose'
  /** HTTP method in upper case, of a request or a form. */
  readonly method?: string
  /** The address, redacted: a path on this site, or a whole URL. */
  readonly url?: string
  /**
   * What the body of the request says it does: `operationName`, the method of JSON-RPC, `Next-Action`, `_method`. For
   * `choose`: the option.
   */
  readonly operation?: string
  /** The origin of the other site, or the scheme of an address such as `mailto:`. */
  readonly site?: string
  /**
   * Of a request that is held: the fields of the page that were filled and whose value it sends. For a private one
   * `value` is true.
   */
  readonly values?: readonly { readonly field: string; readonly value: string | boolean; readonly private?: true }[]
  /** What the call had done by then, on the first one of a list. */
  readonly done?: DoneBefore
}

/** What a call had done before it was stopped or held. */
export type DoneBefore = {
  /** What it has sent, as lines for the model. */
  readonly sent?: readonly string[]
  /** The labels of the fields that it has filled. */
  readonly filled?: readonly string[]
  /** The field that is put back unless the user allows what its value led to. */
  readonly putBack?: string
  /** Something was refused before on this page, which may still contain it. */
  readonly refused?: true
  /** The fields that it has not filled. */
  readonly left?: readonly string[]
}

/** What an action was about to do, as the end of a sentence: "would send POST /orders". Its texts are untrusted. */
export function stoppedWords({ does, method = '', url, operation, site }: StoppedEffect): string {
  const address = url === undefined ? (site ?? 'an unknown address') : url
  const sent = `${method} ${address}${operation ? ` (${operation})` : ''}`.trim()
  const words: Record<StoppedEffect['does'], string> = {
    request: `would send ${sent}`,
    submit: `would submit a form: ${sent}`,
    go: `would leave to ${address}`,
    open: `would open ${url === undefined ? 'a window' : address}`,
    download: `would download ${address}`,
    choose: `would choose ${JSON.stringify(operation ?? '')}`,
  }
  return words[does]
}

/** What the author of the page says about the effect of some controls, or of an address. One of both must be set. */
export interface DeclaredEffect {
  /** A CSS selector: the controls that match it, or are in an element that does. */
  readonly selector?: string
  /** A path of this site, or its beginning followed by `*`. */
  readonly url?: string
  /** What a click on them, or opening the address, does. */
  readonly effect: Effect
}

/** What "Allow for this task" would cover. Absent where only this one action can be allowed. */
export type TaskScope =
  /** Controls of this page whose effect is not known, unless their name says that they delete, pay or send. */
  | { readonly covers: 'unknown' }
  /** The same request or form again, by the same control. */
  | {
      readonly covers: 'send'
      /** HTTP method in upper case. */
      readonly method: string
      /** Address without its query. */
      readonly url: string
      /** See `StoppedEffect.operation`. */
      readonly operation?: string
      /** Role and name of the control, without its row or card. */
      readonly control: string
    }

/**
 * The user allowed some effects until the task is done. It ends with its turn, after ten minutes, on another page, with
 * Stop, and when the user ends it.
 */
export interface TaskGrant {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Origin and path of the page. */
  readonly page: string
  /** What it covers. */
  readonly scope: TaskScope
}

/** Milliseconds that a grant for a task lasts. */
export const taskGrantTime = 600_000

/**
 * Whether a grant holds at the time `now`, in milliseconds since the epoch, on the page `page`. A grant from the future
 * is damaged or forged; the clocks of page and host may differ by a second.
 */
export function isGrantInForce({ at, page }: TaskGrant, now: number, here: string): boolean {
  return page === here && now - at <= taskGrantTime && at - now <= 1_000
}

/** The most serious effect; undefined for none. */
export function mostSerious(list: readonly (Effect | undefined)[]): Effect | undefined {
  return effects.findLast((effect) => list.includes(effect))
}

/** Whether two grants would cover the same. */
export function isSameScope(one: TaskScope, other: TaskScope): boolean {
  if (one.covers !== 'send' || other.covers !== 'send') return one.covers === other.covers
  return (
    one.method === other.method &&
    one.url === other.url &&
    one.operation === other.operation &&
    one.control === other.control
  )
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isTextOrMissing = (value: unknown): boolean => value === undefined || typeof value === 'string'
const doings: ReadonlySet<unknown> = new Set<StoppedEffect['does']>([
  'request',
  'submit',
  'go',
  'open',
  'download',
  'choose',
])

/** Whether a value is an effect. */
export const isEffect = (value: unknown): value is Effect => effects.some((effect) => effect === value)

/** Whether a value says what was stopped. */
export function isStoppedEffect(value: unknown): value is StoppedEffect {
  return (
    isObject(value) &&
    isEffect(value['effect']) &&
    doings.has(value['does']) &&
    ['method', 'url', 'operation', 'site'].every((name) => isTextOrMissing(value[name])) &&
    (value['values'] === undefined || (Array.isArray(value['values']) && value['values'].every(isObject))) &&
    (value['done'] === undefined || isDoneBefore(value['done']))
  )
}

const isDoneBefore = (value: unknown): boolean =>
  isObject(value) &&
  isTextOrMissing(value['putBack']) &&
  (value['refused'] === undefined || value['refused'] === true) &&
  ['sent', 'filled', 'left'].every((name) => {
    const list = value[name]
    return list === undefined || (Array.isArray(list) && list.every(isText))
  })

/** Whether a value says what a grant covers. */
export function isTaskScope(value: unknown): value is TaskScope {
  if (!isObject(value)) return false
  if (value['covers'] === 'unknown') return true
  return (
    value['covers'] === 'send' &&
    ['method', 'url', 'control'].every((name) => isText(value[name])) &&
    isTextOrMissing(value['operation'])
  )
}

/** Whether a value is a grant for a task. */
export function isTaskGrant(value: unknown): value is TaskGrant {
  return isObject(value) && Number.isFinite(value['at']) && isText(value['page']) && isTaskScope(value['scope'])
}
