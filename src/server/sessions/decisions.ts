// Decisions whose effect is not stored yet. A call that starts or ends has taken its decision. A question that is asked
// about it instead is another one, or that of a turn that was resumed, which the decision is kept for.
import type { Failure } from '../../core/data/failure.js'
import type { DurableEvent } from '../../core/data/event.js'
import type { CallId } from '../../core/data/message.js'
import type { Done } from './commits.js'

interface Decided {
  /** What is approved; undefined: it is denied, whatever it is. */
  readonly approved: string | undefined
  readonly done: Done[]
}

/** Waits for the effects of decisions. One decision of a call counts at a time. */
export class WaitingDecisions {
  readonly #waiting = new Map<CallId, Decided>()

  /** Calls `done` when the decision has its effect. `approved`: the hash of the question, unless it is denied. */
  wait(callId: CallId, approved: string | undefined, done: Done): void {
    this.#waiting.set(callId, { approved, done: [done] })
  }

  /** A later decision, or the same one again: waits for the one that counts, if that has no effect yet. */
  join(callId: CallId, done: Done): void {
    const waiting = this.#waiting.get(callId)
    if (waiting) waiting.done.push(done)
    else done()
  }

  /** An event was committed. */
  committed(event: DurableEvent): void {
    if (!('callId' in event)) return
    const waiting = this.#waiting.get(event.callId)
    if (waiting === undefined) return
    const isAsked = event.type === 'approval-request'
    const { approved, done } = waiting
    if (isAsked && (approved === undefined || approved === event.approval.hash)) return
    this.#waiting.delete(event.callId)
    for (const one of done) one(isAsked ? questionChanged : undefined)
  }
}

/** The answer to a decision that has no effect. */
export const questionChanged: Failure = {
  code: 'needs-approval',
  message: 'The question has changed, so this decision was not used. Decide on the question that is shown now.',
}
