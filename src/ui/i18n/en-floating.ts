// The texts of a floating panel or a sidebar, and of its button, in English.

/** The English texts. */
export const floatingWords = {
  resize: 'Resize (arrow keys)',
  waiting: 'waiting for you',
  working: 'working',
  newMessages: (count: number) => (count === 1 ? '1 new message' : `${count} new messages`),
}

/** The texts of floating panels and sidebars. */
export type FloatingWords = typeof floatingWords
