// The definition of dom_query, as models see it.
import type { Tool } from '../../page/tools/tool.js'
import { implementation } from './implementation.js'

/** `dom_query`. */
export const domQuery: Tool = {
  name: 'dom_query',
  title: 'Find on the page',
  description:
    'Finds elements by CSS selector, role and name, field label, or text. Returns ref, role, name, text, value or ' +
    'state, and visibility of each. Conditions given together must all hold. For an overview use page_read.',
  inputSchema: {
    type: 'object',
    properties: {
      selector: {
        type: 'string',
        description: 'CSS selector. Attributes that hold values cannot be compared.',
      },
      role: { type: 'string', description: 'ARIA role, such as button, link, heading, row.' },
      name: { type: 'string', description: 'Accessible name or part of it.' },
      label: { type: 'string', description: 'Field label or part.' },
      text: { type: 'string', description: 'Visible text.' },
      attributes: {
        type: 'array',
        items: { type: 'string' },
        description: 'Attributes to return.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Maximum matches. Default: 20.' },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  timeout: 30_000,
  execute: async (input, run) => (await implementation()).runDomQuery(input, run),
}
