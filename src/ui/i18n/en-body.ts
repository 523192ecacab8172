// The texts of open tool call cards, in English. Loaded with the first one.

const number = (value: number) => value.toLocaleString('en')

/** The English texts. */
export const bodyWords = {
  input: 'Details',
  ran: 'Details used',
  result: 'Result',
  error: 'Error',
  steps: 'Steps',
  whole: (characters: number) => `Show the whole result (${number(characters)} characters)`,
}

/** The texts of open tool call cards. */
export type BodyWords = typeof bodyWords
