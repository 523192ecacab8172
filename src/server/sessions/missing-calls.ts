// Calls that an earlier server gave to a page, while another page opened the session first. They are waited for, like a
// page whose socket is closed: it may still run them, or know how they ended.
import type { CallId } from '../../core/data/message.js'
import type { ExecutionResult } from '../../core/data/protocol.js'
import { lostOutcome, type BroughtCalls, type RemotePage } from '../remote-page.js'

/** The calls that no page has brought yet. */
export class MissingCalls {
  // With the tabs of the pages that were asked.
  readonly #calls = new Map<CallId, string>()
  readonly #settled: (outcome: ExecutionResult) => void

  /** @param settled gets one outcome of each call: that of a page, or that the call may have happened. */
  constructor(settled: (outcome: ExecutionResult) => void) {
    this.#settled = settled
  }

  /** Waits for `patience` milliseconds, or until the page of its tab comes. `calls`: with these tabs. */
  wait(
    calls: ReadonlyMap<CallId, string>,
    { patience, closed }: { readonly patience: number; readonly closed: AbortSignal },
  ): void {
    if (calls.size === 0 || closed.aborted) return
    for (const [callId, tab] of calls) this.#calls.set(callId, tab)
    const timer = setTimeout(() => this.#giveUp(() => true), patience)
    closed.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }

  /** A page has come. What it brings counts also if another one was asked. */
  found(page: RemotePage, { running, outcomes }: BroughtCalls): void {
    for (const outcome of outcomes) if (this.#calls.delete(outcome.callId)) this.#settled(outcome)
    page.adopt(
      running.filter((callId) => this.#calls.delete(callId)),
      this.#settled,
    )
    this.#giveUp((tab) => tab === page.guest.tab)
  }

  #giveUp(isGone: (tab: string) => boolean): void {
    const lost = [...this.#calls].flatMap(([callId, tab]) => (isGone(tab) ? [callId] : []))
    for (const callId of lost) this.#calls.delete(callId)
    for (const callId of lost) this.#settled(lostOutcome(callId))
  }
}
