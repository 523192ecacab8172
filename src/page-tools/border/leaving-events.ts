// The events after which the browser leaves the page or sends a form. They are seen after all listeners of the page,
// which may change what happens, and cancelled if it may not happen.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import type { View } from '../effects/page-requests.js'
import type { PageRequest } from '../effects/read-request.js'
import { departureOf, navigationOf } from './read-departure.js'
import type { Departure } from './departure.js'

/** Who decides what may happen. */
export interface LeaveDecider {
  isPermitted(what: StoppedEffect): boolean
  /** It happens now. */
  passed(departure: Departure): void
  /** It was cancelled: it is held or stopped. */
  refused(departure: Departure): void
  /** Whether the user has just pressed something, so that it is theirs. */
  isUsers(): boolean
}

/** Watches the windows and shadow roots that it is given, until its signal is aborted. */
export class LeavingEvents {
  readonly #signal: AbortSignal
  readonly #decider: LeaveDecider
  /** Events that were cancelled before all listeners of the page have run. */
  readonly #cancelled = new WeakSet<Event>()
  /** Where the next navigation may lead. */
  readonly #allowed = new Set<string>()
  /** What is downloaded. */
  readonly #downloads = new Set<string>()

  constructor(signal: AbortSignal, decider: LeaveDecider) {
    this.#signal = signal
    this.#decider = decider
  }

  /** A navigation there is allowed once. The browser may begin it later than it was asked to. */
  allow({ url }: PageRequest): void {
    this.#allowed.add(placeOf(url.href))
  }

  /** A `submit` in a shadow root does not leave it, so every root needs this. */
  watchForms(target: Window | ShadowRoot | Document): void {
    this.#listen(target, 'submit', this.#onEvent)
  }

  /** Watches the links of a window, and its scripts that leave the page. */
  watchWindow(view: View): void {
    for (const type of ['click', 'auxclick']) this.#listen(view, type, this.#onEvent)
    const { navigation } = view as { navigation?: Navigation }
    if (navigation) this.#listen(navigation, 'navigate', (event) => this.#onNavigate(event as NavigateEvent, view))
  }

  /**
   * The window does not get every event, or not with its target: one that does not bubble, stays in its shadow root or
   * in a tree that is in no document, or comes out of a closed shadow root. It is watched where it is last seen as it
   * is. Listeners of the page outside of a closed root run later, and may still cancel it.
   */
  watchHidden(target: Node, event: Event | undefined): void {
    if (event?.bubbles === false) this.#listen(target, 'click', this.beforeEnd)
    const root = unclobbered(target).getRootNode()
    if ('defaultView' in root) return
    this.#listen(root, 'submit', this.#onEvent)
    if (event?.composed === false || isHidden(root)) this.#listen(root, 'click', this.beforeEnd)
  }

  /**
   * A listener of the page ends the way of an event, so that no listener runs here after those of the page. What may
   * not happen is cancelled now. It counts as stopped only if the page does not cancel it as well.
   */
  readonly beforeEnd = (event: Event): void => {
    if (!/^(click|auxclick|submit)$/.test(event.type) || this.#cancelled.has(event)) return
    if (!event.cancelable || event.defaultPrevented || this.#decider.isUsers()) return
    const departure = departureOf(event)
    if (departure === undefined || this.#decider.isPermitted(departure.what)) return this.#apply(event, departure)
    event.preventDefault()
    this.#cancelled.add(event)
    let isPages = false
    const cancel = (): void => {
      isPages = true
    }
    Object.defineProperties(event, {
      preventDefault: { configurable: true, value: cancel },
      defaultPrevented: { configurable: true, get: () => isPages },
      returnValue: {
        configurable: true,
        get: () => !isPages,
        set: (value) => {
          if (value === false) cancel()
        },
      },
    })
    queueMicrotask(() => {
      if (!isPages) this.#decider.refused(departure)
    })
  }

  // One function, so that adding it twice adds it once.
  readonly #onEvent = (event: Event): void => this.#apply(event, departureOf(event))

  #onNavigate(event: NavigateEvent, view: View): void {
    const { url } = event.destination
    const isDownload = typeof event.downloadRequest === 'string'
    // Firefox tells a download twice, the second time as a visit.
    if (!isDownload && this.#downloads.delete(url)) return
    const isAllowed = this.#allowed.delete(placeOf(url))
    // The presses in the panel are not seen here, and it has links, too.
    if (!isAllowed && !event.userInitiated) this.#apply(event, navigationOf(event, view))
    if (isDownload && !event.defaultPrevented) this.#downloads.add(url)
  }

  /** Cancels an event whose default may not happen, unless it follows an input of the user. */
  #apply(event: Event, departure: Departure | undefined): void {
    if (departure === undefined || !event.cancelable || event.defaultPrevented || this.#decider.isUsers()) return
    if (this.#decider.isPermitted(departure.what)) return this.#decider.passed(departure)
    event.preventDefault()
    this.#decider.refused(departure)
  }

  #listen(target: EventTarget, type: string, listener: (event: Event) => void): void {
    target.addEventListener(type, listener, { signal: this.#signal })
  }
}

/** An address without what a form changes in it. */
const placeOf = (address: string): string => address.replace(/[?#].*/s, '')

/** Whether an event in this root comes out without its target, or never: in no document, or in a closed shadow root. */
function isHidden(root: Node): boolean {
  const { mode, host } = root as Partial<ShadowRoot>
  if (mode === 'closed') return true
  return mode === 'open' && host ? isHidden(host.getRootNode()) : !root.isConnected
}
