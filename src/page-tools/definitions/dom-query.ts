// The definition of dom_query, as models see it.
import type { Tool } from '../../page/tools/tool.js'
import { implementation } from './implementation.js'

/** `dom_query`. */
export const domQuery: Tool = {
  name: 'dom_query',
  title: 'Find on the page',
  description: 'Finds elements by all that is given: ref, states, visibility. For an overview use page_read.',
  inputSchema: {
    type: 'object',
    properties: {
      selector: { type: 'string', description: 'CSS.' },
      role: { type: 'string' },
      name: { type: 'string' },
      label: { type: 'string', description: 'Of a field.' },
      text: { type: 'string' },
      attributes: { type: 'array', items: { type: 'string' }, description: 'Returned, too.' },
      limit: { type: 'integer', description: 'Default: 20.' },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  timeout: 30_000,
  // What took too long once takes too long again.
  maxRetries: 0,
  execute: async (input, run) => (await implementation()).runDomQuery(input, run),
}
