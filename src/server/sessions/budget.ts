// What each user has used, and whether another turn of theirs may start. The author decides; without a decision of the
// author, none is refused.
import type { Failure } from '../../core/data/failure.js'
import type { AgentEvent } from '../../core/data/event.js'
import type { Usage } from '../../core/data/message.js'
import { sumUsage } from '../../core/data/turn-result.js'

/** What a user has used since the process began. */
export interface Used {
  /** Turns that have started. One that is resumed counts once. */
  readonly turns: number
  /** Tokens, as far as the model reports them. */
  readonly usage: Usage
}

/** A turn that is about to start. */
export interface TurnToStart {
  readonly user: string
  readonly session: string
  readonly used: Used
}

/** Returns why a turn may not start, in words for the user; undefined: it starts. */
export type BeforeTurn = (turn: TurnToStart) => string | undefined | Promise<string | undefined>

const nothing: Used = { turns: 0, usage: {} }

/** Milliseconds that an author may need for an answer. Nothing else of the session can begin or end meanwhile. */
const patience = 10_000

/** @throws if the answer does not come in time */
function inTime<T>(answer: T | Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('No answer in time')), patience)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** Counts for all users, as long as somebody asks. */
export class Budget {
  readonly #beforeTurn: BeforeTurn | undefined
  readonly #used = new Map<string, Used>()

  constructor(beforeTurn?: BeforeTurn) {
    this.#beforeTurn = beforeTurn
  }

  /** Counts what an event of a user says. */
  count(user: string, event: AgentEvent): void {
    if (!this.#beforeTurn) return
    const { turns, usage } = this.#used.get(user) ?? nothing
    if (event.type === 'turn-start' && event.turn.resumes === 0) this.#used.set(user, { turns: turns + 1, usage })
    const added = event.type === 'step-end' ? event.message.usage : event.type === 'compact' && event.usage
    if (added) this.#used.set(user, { turns, usage: sumUsage([usage, added]) ?? usage })
  }

  /** Why a turn may not start now. Never rejects: one that cannot be checked does not start. */
  async refusal(user: string, session: string): Promise<Failure | undefined> {
    try {
      const message = await inTime(this.#beforeTurn?.({ user, session, used: this.#used.get(user) ?? nothing }))
      return message === undefined ? undefined : { code: 'limit', message }
    } catch {
      // What the author's code throws may name things of the server.
      return { code: 'limit', message: 'No answer can be started now. Try again later.' }
    }
  }
}
