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
/** Whether a value is an effect. */
export const isEffect = (value: unknown): value is Effect => effects.some((effect) => effect === value)

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
