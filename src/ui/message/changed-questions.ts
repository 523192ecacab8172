// Which questions have changed while they waited: the page is another one after a reload, or it has changed.
import type { CallId, Question } from '../../core/data/message.js'
import type { Preview } from '../../core/data/action.js'

/** Compares each question with what was asked about the same call before. */
export class ChangedQuestions {
  /** The calls whose question has another effect than before. */
  calls: ReadonlySet<CallId> = new Set()
  #before: ReadonlyMap<CallId, Preview | undefined> = new Map()

  /** Takes the questions that wait now. */
  compare(questions: readonly Question[]): void {
    // What a running tool asks says itself what it is about.
    const decisions = questions.filter(({ part }) => part.approval?.asks === undefined)
    const now = new Map(decisions.map(({ part }) => [part.call.id, part.approval?.preview]))
    const changed = [...now].filter(([id, preview]) => {
      // What was stopped or is held is asked about after the question before was answered, and says so itself.
      const isStopped = preview?.stopped !== undefined && this.#before.get(id)?.stopped === undefined
      if (isStopped || preview?.held || !this.#before.has(id)) return false
      return this.calls.has(id) || this.#before.get(id)?.effect !== preview?.effect
    })
    this.calls = new Set(changed.map(([id]) => id))
    this.#before = now
  }
}
