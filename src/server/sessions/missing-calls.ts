// Calls that an earlier server gave to a page, while another page opened the session first. They are waited for, like a
// page whose socket is closed: it may still run them, or know how they ended.
import type { CallId } from '../../core/data/message.js'
import type { ExecutionResult } from '../../core/data/protocol.js'
import { lostOutcome, type BroughtCalls, type RemotePage } from '../remote-page.js'

/** The calls that no page has brought yet. */
export class MissingCalls {
  readonly #calls = new Set<CallId>()
  readonly #settled: (outcome: ExecutionResult) => void
  // The tab that the turn began in.
  #tab: string | undefined

  /** @param settled gets one outcome of each call: that of a page, or that the call may have happened. */
  constructor(settled: (outcome: ExecutionResult) => void) {
    this.#settled = settled
  }

  /** Waits for `patience` milliseconds, or until the page of the `tab` comes. */
  wait(
    calls: readonly CallId[],
    tab: string,
    { patience, closed }: { readonly patience: number; readonly closed: AbortSignal },
  ): void {
    if (calls.length === 0 || closed.aborted) return
    this.#tab = tab
    for (const callId of calls) this.#calls.add(callId)
    const timer = setTimeout(() => this.#giveUp(), patience)
    closed.addEventListener('abort', () => clearTimeout(timer), { once: true })
  }

  /** A page has come. Another one than that of the tab may have run them, because the user had decided there. */
  found(page: RemotePage, { running, outcomes }: BroughtCalls): void {
    for (const outcome of outcomes) if (this.#calls.delete(outcome.callId)) this.#settled(outcome)
    page.adopt(
      running.filter((callId) => this.#calls.delete(callId)),
      this.#settled,
    )
    if (page.guest.tab === this.#tab) this.#giveUp()
  }

  #giveUp(): void {
    const lost = [...this.#calls]
    this.#calls.clear()
    for (const callId of lost) this.#settled(lostOutcome(callId))
  }
}
