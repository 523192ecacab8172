// The texts of open tool call cards, in English.
import type { CallState } from '../message/call/call-state.js'

const number = (value: number) => value.toLocaleString('en')

/** What happened to a call that did not succeed. */
const problems: Partial<Record<CallState, string>> = {
  failed: 'This did not work. The assistant knows, and may try another way.',
  denied: 'You did not allow this, so nothing happened.',
  refused: 'The page does not allow this, so nothing happened.',
  cancelled: 'This was cancelled.',
  superseded: 'You sent another message first, so nothing happened.',
  interrupted: 'This was interrupted. It may or may not have happened.',
  timeout: 'This took too long and was given up. It may or may not have happened.',
  limit: 'The assistant had already done too much at once, so this was not done.',
}

/** The English texts. */
export const bodyWords = {
  /** What happened, for a call without an output. */
  problems,
  input: 'Details',
  values: 'Arguments',
  ran: 'Arguments used',
  attempts: (count: number) => `${number(count)} attempts`,
  result: 'Result',
  error: 'Error',
  steps: 'Steps',
  whole: (characters: number) => `Show the whole result (${number(characters)} characters)`,
}

/** The texts of open tool call cards. */
export type BodyWords = typeof bodyWords
