// Texts about failed calls that both sides write. Apart from outcome.ts, which only the host runs: a page must not load it.
import type { ErrorCode, Failure } from '../data/errors.js'

/** The text that the model receives for a failed call. */
export function failureText(failure: Failure): string {
  return `Error (${failure.code}): ${failure.message}`
}

/** What is known of a started call that no one will hear of again. */
export function mayHaveHappened(
  code: Extract<ErrorCode, 'cancelled' | 'interrupted' | 'timeout'>,
  why: string,
  repeatable: boolean,
): Failure {
  const advice = repeatable ? '' : ' It may still have happened: check before you repeat it.'
  return { code, message: `${why}${advice}` }
}
