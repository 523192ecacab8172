// A field of files. Only the user chooses files, and models read only whether there are some.
import { isTag } from '../dom/dom.js'
import { refused } from '../fill/plan.js'
import type { ControlKind } from './control-kind.js'
import { isDrawnAround } from './shown.js'

const refusal = 'sensitive-field: only the user can choose files'

/** A field of files. */
export const file: ControlKind = {
  types: ['file'],
  isDrawn: isDrawnAround,
  refusal,
  value: ({ element }) => (isTag(element, 'input') && element.value !== '' ? 'filled' : 'empty'),
  state: ({ element }) => (isTag(element, 'input') ? element.value : ''),
  flags: ({ type, secret }, value) => (secret ? [type] : [type, String(value)]),
  isState: true,
  plan: () => refused(refusal),
}
