// The definition of page_wait, as models see it.
import type { Tool } from '../../page/tools/tool.js'
import { implementation } from './implementation.js'

/** `page_wait`. It has no timeout of its own: `seconds` is the limit. */
export const pageWait: Tool = {
  name: 'page_wait',
  title: 'Wait for the page',
  description: 'Waits until all given conditions hold. Returns whether they were met.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'Text that must be visible.' },
      gone: { type: 'string', description: 'Text that must no longer be visible, such as Loading.' },
      role: { type: 'string', description: 'Role of an element that must be visible.' },
      name: { type: 'string', description: 'Accessible name or part of it.' },
      url: { type: 'string', description: 'Text that the URL must contain.' },
      still: { type: 'boolean', description: 'The page must not change for half a second.' },
      seconds: { type: 'number', minimum: 0.1, maximum: 60, description: 'Maximum wait. Default: 10.' },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  timeout: 0,
  execute: async (input, run) => (await implementation()).runPageWait(input, run),
}
