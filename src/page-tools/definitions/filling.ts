// The definitions of the tools that fill forms, as models see them.
import { internals } from '../../core/data/tool.js'
import { watchPage } from '../hands/own-input.js'
import type { FieldChanges, Tool } from '../../page/tools/tool.js'
import { implementation, loadGlass } from './load-code.js'
import { changesBy } from './undo-store.js'
import { isAbove, type Effect } from '../../core/data/effect.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import type { ActionForecast } from '../../core/data/action.js'

/** How the user undoes what a tool has changed in fields. Whether that is possible is known without the tool's code. */
export const undoableFields: FieldChanges = {
  holds(session, call) {
    const changes = changesBy(session, call)
    return changes && (changes.isBack ? 'before' : 'after')
  },
  valuesBefore(session, call) {
    const { fields = [] } = changesBy(session, call) ?? {}
    return new Map(fields.flatMap(({ label, was }) => (was === undefined ? [] : [[label, was]])))
  },
  savedBy: (session, call) => changesBy(session, call)?.saved ?? [],
  putBack: async (run, to, label) => (await implementation()).putBackFields(run, to, label),
  review: async () => (await implementation()).fieldReview,
}

/** `form_fill`. */
export const formFill: Tool = {
  name: 'form_fill',
  title: 'Fill the form',
  description:
    'Fills form fields, never submits. Returns what each holds now and what the page rejects. ' +
    'The user fills passwords, cards, codes.',
  inputSchema: {
    type: 'object',
    properties: {
      fields: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: {
          type: 'object',
          properties: {
            field: { type: 'string', description: 'Label (Forms, form_read), name or ref.' },
            value: {
              type: ['string', 'number', 'boolean', 'array', 'null'],
              items: { type: ['string', 'number', 'boolean'] },
              description:
                'Text; true or false for a checkbox; option or list of options; 2026-11-27; 19:30; empty clears.',
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
  [internals]: {
    preview: (_input, run) => forecastFill(run),
    fieldChanges: undoableFields,
    stage: async () => (await implementation()).pageStage,
    readsPage: async () => (await implementation()).readPage,
    glass: loadGlass,
  },
  async execute(input, run) {
    const watch = watchPage()
    try {
      return await (await implementation()).fillForm(input, run, watch)
    } finally {
      watch.end()
    }
  },
}

/** `form_undo`. */
export const formUndo: Tool = {
  name: 'form_undo',
  title: 'Undo the last fill',
  description: 'Undoes the last form_fill, except fields changed since.',
  inputSchema: { type: 'object', properties: {} },
  annotations: { untrustedContentHint: true },
  timeout: 60_000,
  exclusive: true,
  [internals]: { preview: (_input, run) => forecastFill(run) },
  execute: async (_input, run) => (await implementation()).runFormUndo(run),
}

/** What a fill or an undo is predicted to do: to change values, or what an earlier attempt was stopped before. */
function forecastFill({ stopped }: { readonly stopped?: readonly StoppedEffect[] | undefined }): ActionForecast {
  const effect = (stopped ?? []).reduce<Effect>((most, one) => (isAbove(one.effect, most) ? one.effect : most), 'value')
  const site = stopped?.find((one) => one.site !== undefined)?.site
  return {
    effect,
    preview: { effect, ...(stopped ? { stopped } : {}), ...(site ? { site } : {}) },
    // Without the query, which may hold private values.
    from: `${location.origin}${location.pathname}`,
    hides: false,
  }
}
