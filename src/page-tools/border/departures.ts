// What leaves the page without a request of a script while an action runs: a form, a link, a navigation, a window. What
// may not happen is cancelled, and held if it can be done later as it is now.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import type { RequestGate } from '../effects/page-requests.js'
import type { PageRequest } from '../effects/read-request.js'
import { traversalOf, submissionOf } from './read-departure.js'
import { noteSent } from '../effects/unsaved-input.js'
import type { Departure } from './departure.js'
import type { HeldRequest } from './held-requests.js'
import { isWithoutHandle, openingOf, standIn, type Opening } from './held-window.js'
import { LeavingEvents } from './leaving-events.js'

/** Who decides about them. */
export interface DepartureDecider {
  isPermitted(what: StoppedEffect): boolean
  /** Whether the user has just pressed something, so that it is theirs. */
  isUsers(): boolean
  /** Whether the user is being asked. */
  isAsking(): boolean
  /** Whether what is not permitted can be held. */
  canHold(): boolean
  /** Holds it. Returns what to call if the page gives it up. */
  hold(held: Omit<HeldRequest, 'what'>, what: StoppedEffect): () => boolean
  /** It was cancelled and cannot be held. */
  stop(what: StoppedEffect): void
  /** A request of it is sent now. */
  sent(request: PageRequest): void
  /** It was allowed, and something opens or is saved. `isBlocked`: the browser does not let it happen. */
  opened(what: StoppedEffect, isBlocked: boolean): void
}

type DepartureGate = Pick<RequestGate, 'opening' | 'mayTraverse' | 'maySubmit' | 'ending' | 'clicking'>

const nothing = (): void => undefined

/** The departures of one action. */
export class Departures implements DepartureGate {
  readonly #decider: DepartureDecider
  readonly #events: LeavingEvents
  #isRedoing = false

  /** Watches until `signal` aborts. */
  constructor(signal: AbortSignal, decider: DepartureDecider) {
    this.#decider = decider
    this.#events = new LeavingEvents(signal, {
      isPermitted: (what) => decider.isPermitted(what),
      passed: (departure) => this.#pass(departure),
      refused: (departure) => this.#refuse(departure),
      isUsers: () => decider.isUsers(),
    })
  }

  /** What the user has allowed is done now. */
  get isRedoing(): boolean {
    return this.#isRedoing
  }

  watch(root: Document | ShadowRoot): void {
    const view = unclobbered(root as Partial<Document>).defaultView
    this.#events.watchForms(view ?? root)
    if (view) this.#events.watchWindow(view)
  }

  opening(url: string, how: Opening): { readonly answer: object | null } | undefined {
    const departure = openingOf(url, how)
    if (departure === undefined || this.#decider.isPermitted(departure.what)) return undefined
    const giveUp = this.#refuse(departure)
    if (giveUp === undefined || isWithoutHandle(how)) return { answer: null }
    const onUse = (): void => {
      if (giveUp() && !this.#decider.isAsking()) this.#decider.stop(departure.what)
    }
    return { answer: standIn(onUse) }
  }

  mayTraverse(view: Window, steps: number): boolean {
    return this.#decider.isUsers() || this.#mayLeave(traversalOf(view, steps))
  }

  maySubmit(form: HTMLFormElement): boolean {
    return this.#mayLeave(submissionOf(form))
  }

  ending(event: Event): void {
    this.#events.beforeEnd(event)
  }

  clicking(target: Node, event?: Event): void {
    this.#events.watchHidden(target, event)
  }

  /** Whether it may happen now. Otherwise it is held or stopped. */
  #mayLeave(departure: Departure | undefined): boolean {
    if (departure === undefined) return true
    const isPermitted = this.#decider.isPermitted(departure.what)
    if (isPermitted) this.#pass(departure)
    else this.#refuse(departure)
    return isPermitted
  }

  #pass({ form, pings = [] }: Departure): void {
    if (form) noteSent(unclobbered(form).elements)
    for (const ping of pings) this.#decider.sent(ping)
  }

  /** It was cancelled. It is held, or else stopped. Returns what to call if the page gives up what is held. */
  #refuse(departure: Departure): (() => boolean) | undefined {
    const { what, freeze } = departure
    if (!this.#decider.canHold() || !freeze) {
      this.#decider.stop(what)
      return undefined
    }
    const { request, redo, drop = nothing } = freeze()
    const send = (): void => {
      this.#pass(departure)
      if (what.does === 'download') this.#decider.opened(what, false)
      if (what.does === 'open')
        this.#decider.opened(what, (navigator as Partial<Navigator>).userActivation?.isActive === false)
      this.#events.allow(request)
      this.#isRedoing = true
      try {
        redo()
      } finally {
        this.#isRedoing = false
      }
    }
    return this.#decider.hold({ request, send, share: nothing, fail: drop }, what)
  }
}
