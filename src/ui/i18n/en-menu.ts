// The texts of the list of conversations, in English. Loaded with the list.

const number = (value: number) => value.toLocaleString('en')

/** The English texts. */
export const menuWords = {
  untitled: 'Untitled conversation',
  noConversations: 'No saved conversations yet.',
  rename: 'Rename',
  remove: 'Delete',
  removeQuestion: 'Delete permanently?',
  cancel: 'Cancel',
  save: 'Save',
  back: 'Back',
  messages: (count: number) => (count === 1 ? '1 message' : `${number(count)} messages`),
}

/** The texts of the list of conversations. */
export type MenuWords = typeof menuWords
