// The promises of sends: which wait in the queue, which run, and what each resolves to.
import type { ToolAgentError } from '../core/errors.js'
import type { SendOptions, TurnResult } from './options.js'

interface PendingTurn {
  readonly text: string
  /** What of a send cannot cross the port: its tools, its signal. */
  readonly options: SendOptions
  /** One map a turn for its tools. */
  readonly shared: Map<string, unknown>
  readonly resolve: (result: TurnResult) => void
  readonly reject: (error: ToolAgentError) => void
  isStarted: boolean
}

export class PendingTurns {
  readonly #turns = new Map<string, PendingTurn>()

  /** Sends that wait their turn. */
  get queue(): readonly { readonly turn: string; readonly text: string }[] {
    return [...this.#turns].filter(([, one]) => !one.isStarted).map(([turn, { text }]) => ({ turn, text }))
  }

  /** Resolves or rejects when the turn has ended; `begin` posts it. */
  add(turn: string, text: string, options: SendOptions, begin: () => void): Promise<TurnResult> {
    return new Promise<TurnResult>((resolve, reject) => {
      this.#turns.set(turn, { text, options, shared: new Map(), resolve, reject, isStarted: false })
      begin()
    }).finally(() => this.#turns.delete(turn))
  }

  get(turn: string): PendingTurn | undefined {
    return this.#turns.get(turn)
  }

  rejectAll(error: ToolAgentError): void {
    for (const { reject } of this.#turns.values()) reject(error)
  }
}
