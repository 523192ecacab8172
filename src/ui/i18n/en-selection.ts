// The texts about text that the user has selected on the page, in English. Loaded with the first selection.

/** The English texts. */
export const selectionWords = {
  ask: 'Ask about the selection',
  quoted: 'Quoted from the page',
  remove: 'Remove the quote',
  /** For a screen reader. */
  added: 'The selection was added to your message.',
  removed: 'The quote was removed.',
}

/** The texts about selected text. */
export type SelectionWords = typeof selectionWords
