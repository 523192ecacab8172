// The definition of form_read, as models see it. The implementation is loaded with the first call.
import type { Tool } from '../../page/tools/tool.js'

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
  execute: async (input, run) => (await import('../run-tools.js')).runFormRead(input, run),
}
