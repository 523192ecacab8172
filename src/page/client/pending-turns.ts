// The promises of sends that have not ended: those in the queue and the one that runs.
import type { ToolAgentError } from '../../core/data/errors.js'
import type { TurnResult } from '../../core/data/turn-result.js'
import type { SendOptions } from '../options.js'

interface PendingTurn {
  readonly text: string
  /** Has what cannot cross the port: tools and the signal. */
  readonly options: SendOptions
  /** The map that the tools of the turn share. */
  readonly shared: Map<string, unknown>
  readonly resolve: (result: TurnResult) => void
  readonly reject: (error: ToolAgentError) => void
  /** Posts the turn to the host; again if a lost host had not started it. */
  readonly post: () => void
  /** Whether the host has started the turn. */
  isStarted: boolean
}

/** The sends of one agent whose promises are not settled. */
export class PendingTurns {
  readonly #turns = new Map<string, PendingTurn>()
  /** The texts of sends that are not posted yet, by turn. */
  readonly #preparing = new Map<string, string>()
  // The shared map of a turn that was resumed after a reload, so that no send of this page belongs to it.
  #resumed = { turn: '', shared: new Map<string, unknown>() }

  /** The sends that wait for their turn, oldest first. */
  get queue(): readonly { readonly turn: string; readonly text: string }[] {
    const posted = [...this.#turns].filter(([, one]) => !one.isStarted).map(([turn, { text }]) => ({ turn, text }))
    return [...posted, ...Array.from(this.#preparing, ([turn, text]) => ({ turn, text }))]
  }

  /** Puts a send into the queue while the host and what the message needs are prepared, until `endPreparing`. */
  prepare(turn: string, text: string): void {
    this.#preparing.set(turn, text)
  }

  /** Ends the preparation of a send. Returns false if it had ended or never begun. */
  endPreparing(turn: string): boolean {
    return this.#preparing.delete(turn)
  }

  /** Takes what is not posted yet out of the queue. */
  endAllPreparing(): void {
    this.#preparing.clear()
  }

  /** Posts a turn by calling `post`, and settles when it has ended. */
  add(turn: string, text: string, options: SendOptions, post: () => void): Promise<TurnResult> {
    return new Promise<TurnResult>((resolve, reject) => {
      this.#turns.set(turn, { text, options, shared: new Map(), resolve, reject, post, isStarted: false })
      post()
    }).finally(() => this.#turns.delete(turn))
  }

  /** The send of a turn; undefined if it has settled or was not sent by this page. */
  get(turn: string): PendingTurn | undefined {
    return this.#turns.get(turn)
  }

  /** Resolves the turns that have started. */
  resolveStarted(result: (turn: string) => TurnResult): void {
    for (const [turn, one] of this.#turns) if (one.isStarted) one.resolve(result(turn))
  }

  /**
   * Call it when a new host has replaced a lost one. `known` are the turns that the session knows of. A turn that had
   * started and is not known was lost with its host: it resolves with `lost`, because starting it again could repeat
   * it. A turn that had not started is posted again, or rejected with `rejection`.
   */
  repost(known: ReadonlySet<string>, lost: TurnResult, rejection?: ToolAgentError): void {
    for (const [turn, one] of this.#turns) {
      one.isStarted ||= known.has(turn)
      if (one.isStarted) {
        if (!known.has(turn)) one.resolve(lost)
      } else if (rejection) one.reject(rejection)
      else one.post()
    }
  }

  /** The map that the tools of a turn share. */
  shared(turn: string): Map<string, unknown> {
    const pending = this.#turns.get(turn)
    if (pending) return pending.shared
    if (this.#resumed.turn !== turn) this.#resumed = { turn, shared: new Map() }
    return this.#resumed.shared
  }

  /** Rejects every send that has not settled. */
  rejectAll(error: ToolAgentError): void {
    for (const { reject } of this.#turns.values()) reject(error)
  }
}
