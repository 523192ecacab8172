// The rows that must hold. Each has a test whose title begins with its name (or with several: `C01 C03 …`) and a mutant
// that takes its rule out (`test/mutants`), or it waits and says for what. `R2.7` is rule 7 of section 2.

/** `'C', 1, 3` → C01, C02, C03. */
function rows(letter: string, first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => letter + String(first + index).padStart(letter === 'C' ? 2 : 1, '0'))
}

/** Stream assembly, finish reasons, arguments and execution. */
export const wireAndCallRows = [...rows('C', 1, 31), ...rows('C', 70, 95)]

/** Rows that cannot be tested yet, each with a sentence why. */
export const waiting: Readonly<Record<string, string>> = {
  C25: 'MALFORMED_FUNCTION_CALL is a finish of Gemini: waits for its wire. Here it is an error of the model.',
  C27: 'pause_turn and model_context_window_exceeded are stops of Anthropic: waits for its wire.',
  C71: 'The whole input of a call in content_block_start is a habit of Anthropic relays: waits for its wire.',
}

export const requiredRows: readonly string[] = [...wireAndCallRows]
