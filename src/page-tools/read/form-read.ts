// Implements form_read: lists every visible field with its unique label. Private fields show only whether they are
// filled.
import type { JsonObject } from '../../core/data/json.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { elementsUnder, isTag, currentPage } from '../dom/dom.js'
import { fieldsIn } from './find-part.js'
import { formsOf } from './forms.js'
import { takeSnapshot, textArgument, redactSecrets } from '../dom/page-snapshot.js'
import { describeField } from './field-values.js'

/** Implements form_read. */
export function runFormRead(input: Record<string, unknown>, run: ToolRun): JsonObject {
  const wanted = textArgument(input['form'])
  const { snapshot, fields } =
    wanted === undefined ? { snapshot: takeSnapshot(run), fields: undefined } : fieldsIn(wanted, run)
  const { visibility, refs } = snapshot
  const all = snapshot.fields()
  const forms = formsOf(all, snapshot)
  const several = forms.size > 1 || (forms.size === 1 && all.some(({ form }) => form === null))
  const described = (fields ?? all).map((field): JsonObject => {
    const form = several && field.form ? forms.get(field.form) : undefined
    return { ...describeField(field, refs.refFor(field.element, visibility), visibility), ...(form ? { form } : {}) }
  })
  const opaque = [...elementsUnder(currentPage().body)].filter(
    (element) => isTag(element, 'iframe') && visibility.isShown(element) && element.contentDocument === null,
  ).length
  return redactSecrets(
    {
      ...(forms.size > 0
        ? { forms: [...forms].map(([form, label]) => ({ form: label, ref: refs.refFor(form, visibility) })) }
        : {}),
      fields: described,
      ...(opaque > 0 ? { note: `${opaque} frame(s) from other sites cannot be read` } : {}),
    },
    all,
  )
}
