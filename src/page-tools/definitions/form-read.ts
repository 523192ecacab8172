// The definition of form_read, as models see it.
import type { Tool } from '../../page/tools/tool.js'
import { implementation } from './implementation.js'

/** `form_read`. */
export const formRead: Tool = {
  name: 'form_read',
  title: 'Read the form',
  description:
    "Lists the fields of the page's forms: unique label, ref, type, value, constraints, options, group, error. " +
    'Pass the label or ref to form_fill. Private fields (passwords, cards, codes) only show whether they are filled.',
  inputSchema: {
    type: 'object',
    properties: {
      form: {
        type: 'string',
        description: 'Form name, ref or CSS selector. Default: all fields.',
      },
    },
  },
  annotations: { readOnlyHint: true, untrustedContentHint: true },
  execute: async (input, run) => (await implementation()).runFormRead(input, run),
}
