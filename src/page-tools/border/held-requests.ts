// What an action of the agent is about to send, held in the page until the user has decided. It is sent once and in
// the order in which the page sent it, or it fails as on a lost network. A page does not wait for ever: after 25 s
// nothing is held any more.
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import { frameMethod } from '../effects/page-requests.js'
import type { PageRequest } from '../effects/read-request.js'
import { deedOf } from '../effects/refused-deeds.js'
import { patience } from '../waiting/patience.js'

/** A request that is held, and how it goes on. Exactly one of the functions is called, once. */
export interface HeldRequest {
  readonly request: PageRequest
  readonly what: StoppedEffect
  /** Sends it. `twins`: the page has sent the same meanwhile, which shares its answer. */
  send(twins: readonly HeldRequest[]): void
  /** Takes the answer of its twin; undefined where it cannot. */
  share(answer: Promise<Response> | undefined): void
  /** Fails as on a lost network. */
  fail(why: HoldEnd): void
}

/**
 * Why nothing is held any more: the user has refused it, or the call was settled in another way; it took too long; the
 * page gave it up; the visitor has done it by hand.
 */
export type HoldEnd = 'refused' | 'expired' | 'given-up' | 'withdrawn'

/** A request, and those that are the same. */
interface Held {
  readonly what: StoppedEffect
  readonly one: HeldRequest
  readonly twins: HeldRequest[]
}

/** What one action holds. */
export class HeldRequests {
  readonly #held: Held[] = []
  /** What the page gave up while other requests were held, or the last ones. */
  readonly givenUp: StoppedEffect[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #onEnd: ((why: HoldEnd) => void) | undefined

  /** Whether anything is held. */
  get isEmpty(): boolean {
    return this.#held.length === 0
  }

  /** What would be sent. */
  get effects(): readonly StoppedEffect[] {
    return this.#held.map(({ what }) => what)
  }

  /** Whether the same is held. */
  has(request: PageRequest): boolean {
    return this.#held.some(({ one }) => isSame(one.request, request))
  }

  /** Holds a request. Returns what to call if the page gives it up, which says whether it was held until then. */
  add(one: HeldRequest): () => boolean {
    const same = this.#held.find((held) => isSame(held.one.request, one.request))
    if (same) same.twins.push(one)
    else this.#keep({ what: one.what, one, twins: [] })
    return () => this.#giveUp(one)
  }

  /** Resolves when nothing is held any more, unless `send` was called. */
  ended(): Promise<HoldEnd> {
    return new Promise((resolve) => {
      this.#onEnd = resolve
    })
  }

  /** Sends what may be sent. What is held since the question is asked about next. */
  send(mayGo: (what: StoppedEffect) => boolean): void {
    const held = this.#take()
    const [sent, others] = [true, false].map((is) => held.filter(({ what }) => mayGo(what) === is))
    for (const each of others!) this.#keep(each)
    for (const { one, twins } of sent!) one.send(twins)
  }

  /** Lets everything fail. */
  end(why: HoldEnd): void {
    const held = this.#take()
    this.#onEnd?.(why)
    for (const { one, twins } of held) for (const each of [one, ...twins]) each.fail(why)
  }

  #keep(held: Held): void {
    this.#held.push(held)
    this.#timer ??= setTimeout(() => this.end('expired'), patience.hold)
  }

  #take(): Held[] {
    clearTimeout(this.#timer)
    this.#timer = undefined
    return this.#held.splice(0)
  }

  #giveUp(one: HeldRequest): boolean {
    const place = this.#held.findIndex((held) => held.one === one || held.twins.includes(one))
    const held = this.#held[place]
    if (held === undefined) return false
    const [next, ...others] = [held.one, ...held.twins].filter((each) => each !== one)
    if (next) this.#held.splice(place, 1, { what: held.what, one: next, twins: others })
    else {
      this.#held.splice(place, 1)
      this.givenUp.push(held.what)
    }
    if (this.isEmpty) this.end('given-up')
    return true
  }
}

/** Whether two requests are one deed. Bodies that were not read may differ, and nobody repeats a message. */
const isSame = (one: PageRequest, other: PageRequest): boolean =>
  one.method !== frameMethod && !one.isUnreadable && !other.isUnreadable && deedOf(one) === deedOf(other)
