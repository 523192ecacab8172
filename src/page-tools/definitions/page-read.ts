// The definition of page_read, as models see it.
import { internals } from '../../core/data/tool.js'
import type { Tool } from '../../page/tools/tool.js'
import { implementation } from './implementation.js'

/** `page_read`. */
export const pageRead: Tool = {
  name: 'page_read',
  title: 'Read the page',
  description: 'Outlines the visible page: role, name, [ref], states, value. Other tools take refs.',
  inputSchema: {
    type: 'object',
    properties: {
      scope: { type: 'string', description: 'A part: ref, name, role or CSS selector.' },
      filter: {
        type: 'string',
        description: 'interactive, links (all addresses), headings, text, tables, or words to find.',
      },
      maxChars: { type: 'integer', description: '500 to 40000, default 12000.' },
      cursor: { type: 'string', description: 'Of the last line, for the rest.' },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  timeout: 30_000,
  // What took too long once takes too long again.
  maxRetries: 0,
  [internals]: {
    repeatsAsChanges: true,
    readsPage: async () => {
      const { readPage } = await implementation()
      // Without a tool that fills forms, nobody needs their names.
      return () => ({ redact: readPage().redact })
    },
  },
  execute: async (input, run) => (await implementation()).runPageRead(input, run),
}
