// Texts about failed calls that page and host share. Separate from `compose-result.ts`, which a page must not load
// because only the host runs it.
import type { ErrorCode, Failure } from '../data/errors.js'
import { isObject } from '../data/json.js'

/** The text that the model reads for a failed call, unless a handler of the page replaced it. */
export function failureText(failure: Failure): string {
  if (isDoneByUser(failure)) return failure.message
  return `Error (${failure.code}): ${failure.message}`
}

/**
 * The failure of a call that started and whose result will never arrive. `cause`: a sentence with its full stop.
 * `repeatable`: the tool is read-only or idempotent, so the model needs no warning.
 */
export function mayHaveHappened(
  code: Extract<ErrorCode, 'cancelled' | 'interrupted' | 'timeout'>,
  cause: string,
  repeatable: boolean,
): Failure {
  const advice = repeatable ? '' : ' It may still have happened: check before you repeat it.'
  return { code, message: `${cause}${advice}` }
}

/** The end of a call that the user was asked about, and whose action they did themselves. It never runs. */
export const doneByUser: Failure = {
  code: 'denied',
  message: 'The user did this themselves, so the call did not run. Read the page before you go on.',
  details: { doneByUser: true },
}
/** Whether a call ended like that. */
export const isDoneByUser = ({ details }: Failure): boolean => isObject(details) && details['doneByUser'] === true

/** After each refusal: a page may show what its server never got. */
export const mayShowIt = 'The page may show it.'
/** What became of the requests of a call that was held and not allowed. */
export const heldNotSent = `The held request was not sent. ${mayShowIt}`

/** The failure of a call whose tool was offered, but is no longer registered. */
export function unavailableToolFailure(name: string): Failure {
  return { code: 'unavailable', message: `The tool '${name}' is no longer available on this page.` }
}

/** The failure of a running call whose question the user did not answer, because they sent another message. */
export const askedInVain: Failure = {
  code: 'superseded',
  message: 'The user sent another message instead of an answer to this tool. It may have done a part.',
}

/** The failure of a call on which the user did not decide, because they sent another message. */
export const superseded: Failure = {
  code: 'superseded',
  message: 'The user sent another message. It did not run.',
}
