// The definition of page_wait, as models see it.
import type { Tool } from '../../page/tools/tool.js'
import { implementation } from './implementation.js'

/** `page_wait`. It has no timeout of its own: `seconds` is the limit. */
export const pageWait: Tool = {
  name: 'page_wait',
  title: 'Wait for the page',
  description: 'Waits until all that is given holds.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string' },
      gone: { type: 'string', description: 'Text no longer visible.' },
      role: { type: 'string' },
      name: { type: 'string' },
      url: { type: 'string', description: 'Part of the URL.' },
      still: { type: 'boolean', description: 'No change for half a second.' },
      seconds: { type: 'number', description: 'Up to 60, default 10.' },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  timeout: 0,
  execute: async (input, run) => (await implementation()).runPageWait(input, run),
}
