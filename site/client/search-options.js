// How the search index is made and read. The build and the page must use the same options.

/** @type {import('minisearch').Options} */
export const searchOptions = {
  fields: ['heading', 'page', 'text'],
  storeFields: ['heading', 'page', 'url', 'excerpt'],
  // Names such as `page-tools` and `tool_agent` are found by their parts, and `registerTool` also as a whole.
  tokenize: (text) =>
    text.split(/[^\p{L}\p{N}]+/u).flatMap((word) => {
      const parts = word.split(/(?<=\p{Ll})(?=\p{Lu})/u)
      return parts.length > 1 ? [word, ...parts] : [word]
    }),
  searchOptions: {
    boost: { heading: 4, page: 2 },
    prefix: (term) => term.length > 1,
    // Edits: two in a long word, so that exchanged letters are found.
    fuzzy: (term) => (term.length > 6 ? 2 : term.length > 3 && 1),
    combineWith: 'AND',
    // The guides come first: their words explain, those of the reference repeat.
    boostDocument: (_id, _term, stored) => (String(stored?.['url']).startsWith('api/') ? 0.5 : 1),
  },
}
