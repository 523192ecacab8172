// The promises of sends: which wait in the queue, which run, and what each resolves to.
import type { ToolAgentError } from '../../core/data/errors.js'
import type { TurnResult } from '../../core/data/turn-result.js'
import type { SendOptions } from '../options.js'

interface PendingTurn {
  readonly text: string
  /** What of a send cannot cross the port: its tools, its signal. */
  readonly options: SendOptions
  /** One map a turn for its tools. */
  readonly shared: Map<string, unknown>
  readonly resolve: (result: TurnResult) => void
  readonly reject: (error: ToolAgentError) => void
  /** Posts it. */
  readonly begin: () => void
  isStarted: boolean
}

export class PendingTurns {
  readonly #turns = new Map<string, PendingTurn>()
  // Of a turn that was taken up after a reload: nobody here waits for it.
  #resumed = { turn: '', shared: new Map<string, unknown>() }

  /** Sends that wait their turn. */
  get queue(): readonly { readonly turn: string; readonly text: string }[] {
    return [...this.#turns].filter(([, one]) => !one.isStarted).map(([turn, { text }]) => ({ turn, text }))
  }

  /** Resolves or rejects when the turn has ended; `begin` posts it. */
  add(turn: string, text: string, options: SendOptions, begin: () => void): Promise<TurnResult> {
    return new Promise<TurnResult>((resolve, reject) => {
      this.#turns.set(turn, { text, options, shared: new Map(), resolve, reject, begin, isStarted: false })
      begin()
    }).finally(() => this.#turns.delete(turn))
  }

  get(turn: string): PendingTurn | undefined {
    return this.#turns.get(turn)
  }

  /** Ends those that were begun with what there is. */
  resolveStarted(result: (turn: string) => TurnResult): void {
    for (const [turn, one] of this.#turns) if (one.isStarted) one.resolve(result(turn))
  }

  /**
   * The host was started again: what the one before did not begin is posted again, or rejected with `left`; `known`
   * turns it had begun. One that was begun and is not known was lost with it, and is not begun twice.
   */
  repost(known: ReadonlySet<string>, lost: TurnResult, left?: ToolAgentError): void {
    for (const [turn, one] of this.#turns) {
      one.isStarted ||= known.has(turn)
      if (one.isStarted) {
        if (!known.has(turn)) one.resolve(lost)
      } else if (left) one.reject(left)
      else one.begin()
    }
  }

  /** The map that the tools of a turn share. */
  shared(turn: string): Map<string, unknown> {
    const pending = this.#turns.get(turn)
    if (pending) return pending.shared
    if (this.#resumed.turn !== turn) this.#resumed = { turn, shared: new Map() }
    return this.#resumed.shared
  }

  rejectAll(error: ToolAgentError): void {
    for (const { reject } of this.#turns.values()) reject(error)
  }
}

/** Handled once, so that a caller may ignore it; whoever awaits it still hears of the rejection. */
export function ignoreRejection<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}
