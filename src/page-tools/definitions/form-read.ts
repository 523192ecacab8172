// The definition of form_read, as models see it.
import type { Tool } from '../../page/tools/tool.js'
import { implementation } from './implementation.js'

/** `form_read`. */
export const formRead: Tool = {
  name: 'form_read',
  title: 'Read the form',
  description:
    'Lists form fields: label, ref, type, value, constraints, options, group, error. ' +
    'Of passwords, cards and codes only whether they are filled.',
  inputSchema: {
    type: 'object',
    properties: {
      form: { type: 'string', description: 'Name, ref or CSS selector.' },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  timeout: 30_000,
  // What took too long once takes too long again.
  maxRetries: 0,
  execute: async (input, run) => (await implementation()).runFormRead(input, run),
}
