// The texts of the list of conversations, in English. Loaded with the list.

const number = (value: number) => value.toLocaleString('en')

/** The English texts. */
export const menuWords = {
  untitled: 'Untitled conversation',
  noConversations: 'No saved conversations yet.',
  rename: 'Rename',
  remove: 'Delete',
  removed: (title: string) => `Deleted: ${title}`,
  undo: 'Undo',
  export: 'Save as a file',
  search: 'Search conversations',
  found: (count: number) => {
    if (count === 0) return 'No conversation has this in its title.'
    return count === 1 ? '1 conversation found' : `${number(count)} conversations found`
  },
  /** The headings of the groups. Those for today and yesterday come from the browser. */
  week: 'Previous 7 days',
  older: 'Older',
  cancel: 'Cancel',
  save: 'Save',
  back: 'Back',
  messages: (count: number) => (count === 1 ? '1 message' : `${number(count)} messages`),
}

/** The texts of the list of conversations. */
export type MenuWords = typeof menuWords
