// The promises of sends that have not ended: those in the queue and the one that runs.
import { ToolAgentError } from '../core/data/errors.js'
import type { UserPart } from '../core/data/message.js'
import type { TurnResult } from '../core/data/turn-result.js'
import type { SendOptions } from './options.js'

/** A message that waits for its turn. */
export interface QueuedMessage {
  /** The id of its turn, which `drop` takes. */
  readonly turn: string
  /** Its text, with the names of its files. Empty for a turn that continues without a message. */
  readonly text: string
  /** The parts of the message. Empty for a turn that continues without one. */
  readonly parts: readonly UserPart[]
}

interface PendingTurn {
  readonly message: QueuedMessage
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
  /** How often `stop` was called. What was called before a stop must not begin a turn after it. */
  stopCount = 0
  readonly #turns = new Map<string, PendingTurn>()
  /** The sends that are not posted yet, by turn. Aborted when they are taken out of the queue. */
  readonly #preparing = new Map<string, { readonly message: QueuedMessage; readonly abort: AbortController }>()
  readonly #onChange: () => void
  readonly #onPageHide = ({ persisted }: PageTransitionEvent): void => {
    // The next page of the tab may send them.
    if (persisted) this.dropAll(pageClosedError())
  }
  // The shared map of a turn that was resumed after a reload, so that no send of this page belongs to it.
  #resumed = { turn: '', shared: new Map<string, unknown>() }

  /** `onChange` is called after each change of the queue, except when the host starts a turn. */
  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  /** The sends that wait for their turn, oldest first. */
  get queue(): readonly QueuedMessage[] {
    const posted = [...this.#turns.values()].filter(({ isStarted }) => !isStarted)
    return [...posted, ...this.#preparing.values()].map(({ message }) => message)
  }

  /**
   * Puts a send into the queue while the code, the host and what the message needs are loaded, until `add` or
   * `endPreparing`. Returns the signal that is aborted, with the error for its caller, if it is taken out before: also
   * when its page enters the back/forward cache.
   */
  prepare(message: QueuedMessage): AbortSignal {
    const abort = new AbortController()
    this.#preparing.set(message.turn, { message, abort })
    if (typeof window === 'object') window.addEventListener('pagehide', this.#onPageHide)
    this.#onChange()
    return abort.signal
  }

  /** Takes a send that will not be posted out of the queue. Does nothing after `add`. */
  endPreparing(turn: string): void {
    if (this.#takeOut(turn)) this.#onChange()
  }

  /** Removes a send that is not posted yet, without a call of `onChange`. Returns false if there is none. */
  #takeOut(turn: string): boolean {
    const isTaken = this.#preparing.delete(turn)
    if (this.#preparing.size === 0 && typeof window === 'object')
      window.removeEventListener('pagehide', this.#onPageHide)
    return isTaken
  }

  /** Takes a send that is not posted yet out of the queue. It rejects with `why`. Returns false if there is none. */
  drop(turn: string, why: unknown = new ToolAgentError('cancelled', 'Removed before it was sent')): boolean {
    const abort = this.#preparing.get(turn)?.abort
    this.endPreparing(turn)
    abort?.abort(why)
    return abort !== undefined
  }

  /** Takes all sends that are not posted yet out of the queue. They reject with `why`. */
  dropAll(why: unknown): void {
    for (const turn of this.#preparing.keys()) this.drop(turn, why)
  }

  /** Takes them all out of the queue, because the user has stopped the assistant. */
  stop(): void {
    this.stopCount++
    this.dropAll(stoppedError())
  }

  /** Posts a turn by calling `post`, and settles when it has ended. */
  add(message: QueuedMessage, options: SendOptions, post: () => void): Promise<TurnResult> {
    const { turn } = message
    return new Promise<TurnResult>((resolve, reject) => {
      this.#takeOut(turn)
      this.#turns.set(turn, { message, options, shared: new Map(), resolve, reject, post, isStarted: false })
      post()
      this.#onChange()
    }).finally(() => {
      this.#turns.delete(turn)
      this.#onChange()
    })
  }

  /** The send of a turn; undefined if it has settled or was not sent by this page. */
  get(turn: string): PendingTurn | undefined {
    return this.#turns.get(turn)
  }

  /** Calls `work` with each send that was posted and has not settled. */
  forEach(work: (one: PendingTurn, turn: string) => void): void {
    this.#turns.forEach(work)
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

/** The error of a send that `stop` has ended before it was posted. */
export const stoppedError = (): ToolAgentError => new ToolAgentError('cancelled', 'Stopped before it was sent')

/** The error of what a page had not done when the browser put it into the back/forward cache. */
export const pageClosedError = (): ToolAgentError =>
  new ToolAgentError('cancelled', 'The page was closed before this was done')
