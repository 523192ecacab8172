// The list of rules to cover. Each is the tag of a test and has a mutant that removes its rule (`test/mutants`), or is
// listed with the reason why it has none. `R2.7` is rule 7 of section 2.

/** `'C', 1, 3` → C01, C02, C03. */
function rows(letter: string, first: number, last: number): string[] {
  return Array.from(
    { length: last - first + 1 },
    (_, index) => letter + String(first + index).padStart(letter === 'C' ? 2 : 1, '0'),
  )
}

/** Stream assembly, finish reasons, arguments and execution. */
export const wireAndCallRows = [...rows('C', 1, 31), ...rows('C', 70, 95)]

/** History, approval, and the numbered rules: the offer, one call, the tool context, todos, the turn, approval. */
export const ruleRows = [
  ...rows('C', 40, 61),
  ...rows('C', 100, 111),
  ...rows('R1.', 1, 4),
  ...rows('R2.', 0, 13),
  ...rows('R3.', 1, 6),
  ...rows('R4.', 1, 3),
  ...rows('R5.', 1, 8),
  ...rows('R7.', 1, 5),
]

/**
 * Sessions: the numbered rules, faults of page, worker, tabs, storage, endpoint and tools, and two rows of the browser.
 */
export const sessionRows = [...rows('R6.', 1, 8), ...rows('F', 1, 80), 'C120', 'C126']

/** Rows that nothing of ours holds: they are tested, and there is no rule to take out, each with a sentence why. */
export const platformAlone: Readonly<Record<string, string>> = {
  F10: 'The browser gives up a page of its cache when another wants a newer database: nobody is asked.',
}

/** Rows that cannot be tested yet, each with a sentence why. */
export const waiting: Readonly<Record<string, string>> = {
  C25: 'MALFORMED_FUNCTION_CALL is a finish of Gemini: waits for its wire. Here it is an error of the model.',
  C27: 'pause_turn and model_context_window_exceeded are stops of Anthropic: waits for its wire.',
  C47: 'All results of a step in one content is Gemini’s wish: waits for its wire.',
  C48: 'A signature on the first of several calls alone is Gemini’s: waits for its wire.',
  C51: 'Calls that go back with their reasoning item are the Responses wire’s: waits for it.',
  C52: 'Thinking blocks in order and signed are Anthropic’s: waits for its wire.',
  C71: 'The whole input of a call in content_block_start is a habit of Anthropic relays: waits for its wire.',
}

export const requiredRows: readonly string[] = [...wireAndCallRows, ...ruleRows, ...sessionRows]
