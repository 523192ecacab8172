// page_wait, as a model is told of it. What it does is loaded with its first call.
import type { Tool } from '../../page/tools/tool.js'

export const pageWait: Tool = {
  name: 'page_wait',
  title: 'Wait for the page',
  description:
    'Waits until the page shows a text, no longer shows one, has an element with a role and name, is at a URL, or has been still for half a second. All given conditions must hold. Answers whether they did and after how long.',
  inputSchema: {
    type: 'object',
    properties: {
      text: { type: 'string', description: 'Text that has to be visible.' },
      gone: { type: 'string', description: 'Text that must no longer be visible, such as Loading.' },
      role: { type: 'string', description: 'Role of an element that has to be there.' },
      name: { type: 'string', description: 'Its accessible name or a part of it.' },
      url: { type: 'string', description: 'What the address has to contain.' },
      still: { type: 'boolean', description: 'The page has to stop changing.' },
      seconds: { type: 'number', minimum: 0.1, maximum: 60, description: 'Longest wait, 10 by default.' },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  timeout: 0,
  execute: async (input, run) => (await import('./page-wait.run.js')).runPageWait(input, run),
}
