// The definition of page_read, as models see it.
import type { Tool } from '../../page/tools/tool.js'
import { implementation } from './implementation.js'

/** `page_read`. */
export const pageRead: Tool = {
  name: 'page_read',
  title: 'Read the page',
  description:
    'Returns an outline of the visible page: role, name, [ref], states, value. Pass refs to other tools. ' +
    'Narrow a long page with scope or filter, or pass the cursor of the last line.',
  inputSchema: {
    type: 'object',
    properties: {
      scope: {
        type: 'string',
        description: 'Part of the page: a ref, name, role (main) or CSS selector.',
      },
      filter: {
        type: 'string',
        description:
          'interactive, links (with all addresses), headings, text, tables, or words that items must contain.',
      },
      maxChars: {
        type: 'integer',
        minimum: 500,
        maximum: 40_000,
        description: 'Maximum characters. Default: 12000.',
      },
      cursor: {
        type: 'string',
        description: 'From the last line of an earlier result. Omit scope and filter.',
      },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  timeout: 30_000,
  execute: async (input, run) => (await implementation()).runPageRead(input, run),
}
