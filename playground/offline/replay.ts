// A plan of the offline model is a generator: it yields calls and gets their results. Nothing is kept between requests, so
// each request runs the plan again with the results that the transcript has, up to the first call without one.
import type { JsonObject } from '../../src/core/data/json.js'
import type { Call } from './transcript.js'

/** A call that a plan asks for. */
export interface Ask {
  readonly name: string
  readonly input: JsonObject
}

/** Yields the calls of one step, which run in parallel, and gets them with their results. */
export type Plan<T> = Generator<readonly Ask[], T, readonly Call[]>

/** The calls that a plan needs next, or what it returned. */
export type Next<T> =
  | { readonly asks: readonly Ask[] }
  | { readonly value: T }
  /** The transcript has other calls, made with the tools of another page. These are the calls that the plan did not pass. */
  | { readonly others: readonly Call[] }

/**
 * Runs a plan with the calls that were made so far. `log` gets each call as the plan passes it: a plan must decide by
 * these alone, because it has to decide the same way each time.
 */
export function replay<T>(plan: Plan<T>, calls: readonly Call[], log: Call[]): Next<T> {
  let place = 0
  let step = plan.next([])
  while (step.done !== true) {
    const asks = step.value
    const made = calls.slice(place, place + asks.length)
    const isMade = made.length === asks.length && asks.every(({ name }, index) => made[index]?.name === name)
    if (!isMade) return made.length > 0 ? { others: calls.slice(place) } : { asks }
    place += asks.length
    log.push(...made)
    step = plan.next(made)
  }
  return { value: step.value }
}

/** Makes one call. */
export function* call(name: string, input: JsonObject = {}): Plan<Call> {
  const [made] = yield [{ name, input }]
  return made ?? { name, input, result: undefined }
}

/** Adds a call to the first step of a plan. */
export function* together<T>(ask: Ask, plan: Plan<T>): Plan<T> {
  let step = plan.next([])
  if (step.done === true) {
    yield [ask]
    return step.value
  }
  const [, ...others] = yield [ask, ...step.value]
  step = plan.next(others)
  while (step.done !== true) step = plan.next(yield step.value)
  return step.value
}
