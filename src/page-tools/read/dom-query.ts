// dom_query, as a model is told of it. What it does is loaded with its first call.
import type { Tool } from '../../page/tools/tool.js'

export const domQuery: Tool = {
  name: 'dom_query',
  title: 'Find on the page',
  description:
    'Finds elements on the page by CSS selector, by role and name, by the label of a field, or by text, and tells for each its ref, role, name, text, value or state, and whether it is visible. Prefer page_read to get to know a page.',
  inputSchema: {
    type: 'object',
    properties: {
      selector: {
        type: 'string',
        description:
          'CSS selector of tags, ids, classes, states and attributes for names and roles. Attributes that hold values cannot be compared.',
      },
      role: { type: 'string', description: 'ARIA role such as button, link, heading, row.' },
      name: { type: 'string', description: 'Accessible name or a part of it; with or without role.' },
      label: { type: 'string', description: 'Label of a form field or a part of it.' },
      text: { type: 'string', description: 'Visible text to look for.' },
      attributes: {
        type: 'array',
        items: { type: 'string' },
        description: 'Attributes to tell besides, such as href.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Most matches to tell, 20 by default.' },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  execute: async (input, run) => (await import('./dom-query.run.js')).runDomQuery(input, run),
}
