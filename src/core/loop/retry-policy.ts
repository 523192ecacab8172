// What to do when a model call failed before its first part. Pure, so that the waiting and the events stay in
// `model-step.ts`.
import type { Failure } from '../data/errors.js'
import { isObject } from '../data/json.js'

/** Wait until the device is online, try again after a delay, or end the step with the failure. */
export type Recovery = 'wait-for-network' | 'retry' | 'give-up'

/**
 * Chooses the recovery from a failed attempt. Must not be called after the first part, because parts are displayed as
 * they arrive. `attempt`: number of the failed attempt, from 0. `maxRetries`: `limits.modelRetries`; waiting for the
 * network does not count as a retry.
 */
export function chooseRecovery(failure: Failure, attempt: number, maxRetries: number): Recovery {
  if (failure.code === 'offline') return 'wait-for-network'
  // A failure with a fallback is not a retry: the next attempt uses another model.
  return detailOf(failure, 'fallback') || (attempt < maxRetries && isRetryable(failure)) ? 'retry' : 'give-up'
}

/**
 * Milliseconds until the next attempt: the server's `Retry-After`, at most 60 s, otherwise 0.5 s, 1 s, 2 s… `random`
 * (0 to 1) spreads the second half of that time, so that clients do not return together.
 */
export function retryDelay(failure: Failure, attempt: number, random: number): number {
  const requested = detailOf(failure, 'retryAfter')
  if (typeof requested === 'number') return Math.min(Math.max(0, requested), 60_000)
  return Math.round(500 * 2 ** attempt * (0.5 + random / 2))
}

/** The adapter decides with `details.retry`. Without it, network and server errors can be retried. */
function isRetryable(failure: Failure): boolean {
  const decided = detailOf(failure, 'retry')
  if (typeof decided === 'boolean') return decided
  return failure.code === 'network' || failure.code === 'server' || failure.code === 'rate-limited'
}

function detailOf({ details }: Failure, name: string): unknown {
  return isObject(details) ? details[name] : undefined
}
