// A plan of the offline model is a generator: it yields calls and gets their results. Nothing is kept between requests, so
// each request runs the plan again with the results that the transcript has, up to the first call without one.
import type { JsonObject } from '../../src/core/data/json.js'
import type { Call } from './transcript.js'

/** A call that a plan asks for. */
export interface Ask {
  readonly name: string
  readonly input: JsonObject
}

/** Yields calls one by one, and gets each with its result. */
export type Plan<T> = Generator<Ask, T, Call>

/** The call that a plan needs next, or what it returned. */
export type Next<T> =
  | { readonly ask: Ask }
  | { readonly value: T }
  /** The transcript has another call, made with the tools of another page. These are the calls that the plan did not pass. */
  | { readonly others: readonly Call[] }

/**
 * Runs a plan with the calls that were made so far. `log` gets each call as the plan passes it: a plan must decide by
 * these alone, because it has to decide the same way each time.
 */
export function replay<T>(plan: Plan<T>, calls: readonly Call[], log: Call[]): Next<T> {
  let step = plan.next()
  for (const [place, made] of calls.entries()) {
    if (step.done === true) break
    if (step.value.name !== made.name) return { others: calls.slice(place) }
    log.push(made)
    step = plan.next(made)
  }
  return step.done === true ? { value: step.value } : { ask: step.value }
}
