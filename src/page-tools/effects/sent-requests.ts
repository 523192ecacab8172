// What an action has sent, and what came of it: for the wait after the action, and for what the model is told.
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import { frameMethod } from './page-requests.js'
import { effectOfRequest, type PageRequest } from './read-request.js'

/** Something that left the page because of an action. */
interface Sent {
  readonly what: StoppedEffect
  /** 'sending' until its answer is there; undefined if it failed; 'unknown' if the page gets no answer. */
  status: number | 'sending' | 'unknown' | undefined
  /** Whether the page sends such requests by itself. Nothing waits for them. */
  readonly isUsual: boolean
  /** Whether it was sent while the events of the action ran, so that the action has sent it. */
  readonly isActing: boolean
}

/** What is to be known of a request that is sent now. */
export const newStatus = ({ isUnanswered, method }: PageRequest): 'sending' | 'unknown' =>
  isUnanswered || method === frameMethod ? 'unknown' : 'sending'

/** `POST /orders (createOrder)` */
export const addressOf = ({ method, url, operation }: StoppedEffect): string =>
  `${method} ${url}${operation === undefined ? '' : ` (${operation})`}`

/** Equal for what goes to the same address for the same operation. */
export const keyOf = ({ method, url, operation }: StoppedEffect): string => [method, url, operation].join(' ')

/** The requests of one action. */
export class SentRequests {
  readonly #sent: Sent[] = []
  /** Addresses of telemetry. Nothing waits for it. */
  readonly #measured = new Set<string>()
  #answeredAt = -Infinity
  #reading = 0

  /** When the newest answer came, by `performance.now()`. */
  get answeredAt(): number {
    return this.#answeredAt
  }

  /** Whether the page waits for something that it reads. */
  get isReading(): boolean {
    return this.#reading > 0
  }

  /** Whether something has no answer yet. */
  get isSending(): boolean {
    return this.#sent.some(({ status, isUsual }) => status === 'sending' && !isUsual)
  }

  /** Whether the action has sent something, and not only the page by itself meanwhile. */
  get isByAction(): boolean {
    return this.#sent.some(({ isUsual, isActing }) => isActing || !isUsual)
  }

  /** Where something was saved or sent to this site. */
  get saved(): readonly string[] {
    return this.#sent.flatMap(({ what, isUsual }) =>
      what.effect === 'send' && !isUsual ? [`${what.method} ${what.url}`] : [],
    )
  }

  /** At most three addresses of telemetry, as a line for the model. */
  get telemetry(): readonly string[] {
    const addresses = [...this.#measured].slice(0, 3).join(', ')
    return addresses === '' ? [] : [`telemetry: ${addresses}`]
  }

  /** What was sent, as lines for the model: `sent: POST /orders, 201`. `isValue`: the action only changes a value. */
  lines(isValue: boolean): readonly string[] {
    return this.#sent.map(({ what, status, isUsual }) => {
      if (what.does === 'download') return `download: ${what.url}`
      if (what.does === 'open')
        return status === undefined
          ? `not opened, because the browser opens a window only after a press: give the user the link ${what.url}`
          : `opened in a new tab: ${what.url}`
      const words = isValue && what.effect === 'send' ? 'the page saved' : 'sent'
      const usual = isUsual ? ' (the page also sends this by itself)' : ''
      if (status === 'unknown') return `${words}: ${addressOf(what)}, whether it arrived is not known${usual}`
      return typeof status === 'number'
        ? `${words}: ${addressOf(what)}, ${status}${usual}`
        : `allowed and unanswered: ${addressOf(what)}${usual}`
    })
  }

  /** Whether something of the same address and operation was sent. */
  has(what: StoppedEffect): boolean {
    return this.#sent.some((one) => keyOf(one.what) === keyOf(what))
  }

  add(sent: Sent): void {
    this.#sent.push(sent)
  }

  /** The page measures something. */
  addTelemetry({ url = '' }: StoppedEffect): void {
    this.#measured.add(url)
  }

  /** The page asks for something that it reads. */
  addReading(): void {
    this.#reading++
  }

  /** An answer has come, or none will. */
  answer(request: PageRequest, status: number | undefined): void {
    this.#answeredAt = performance.now()
    const what = effectOfRequest(request, location.origin)
    if (what === undefined) this.#reading = Math.max(0, this.#reading - 1)
    const sent = what && this.#sent.find((one) => one.status === 'sending' && keyOf(one.what) === keyOf(what))
    if (sent) sent.status = status
  }
}
