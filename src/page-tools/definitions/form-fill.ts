// The definition of form_fill, as models see it.
import { previewAction } from '../../core/loop/action-preview.js'
import { namesForms } from '../../core/data/tool.js'
import { forecastFill } from '../effects/forecast-fill.js'
import type { Tool } from '../../page/tools/tool.js'
import { implementation } from './implementation.js'
import { watchPage } from '../fill/watch-user.js'

/** `form_fill`. */
export const formFill: Tool = {
  name: 'form_fill',
  title: 'Fill the form',
  description:
    'Fills form fields. Never submits. Returns for each its value now, whether the page accepted it, ' +
    'and if not, why. Take labels from Forms or form_read. The user fills passwords, cards, codes.',
  inputSchema: {
    type: 'object',
    properties: {
      fields: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        description: 'Fields to fill, in order.',
        items: {
          type: 'object',
          properties: {
            field: { type: 'string', description: 'Label, name or ref.' },
            value: {
              type: ['string', 'number', 'boolean', 'array', 'null'],
              items: { type: ['string', 'number', 'boolean'] },
              description:
                'Text; true or false for a checkbox; option label, or list of labels; date as 2026-11-27; ' +
                'time as 19:30; empty text clears.',
            },
          },
          required: ['field', 'value'],
        },
      },
    },
    required: ['fields'],
  },
  annotations: { untrustedContentHint: true },
  // Enough for a hundred fields in a tab that renders slowly.
  timeout: 60_000,
  exclusive: true,
  [previewAction]: (_input, run) => forecastFill(run),
  [namesForms]: async () => (await implementation()).formNames,
  async execute(input, run) {
    const watch = watchPage()
    try {
      return await (await implementation()).fillForm(input, run, watch)
    } finally {
      watch.end()
    }
  },
}
