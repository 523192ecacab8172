// Implements form_read: lists every visible field with its unique label. Private fields show only whether they are
// filled.
import type { JsonObject } from '../../core/data/json.js'
import type { ToolRun } from '../../page/tools/tool.js'
import type { Steps } from '../dom/steps.js'
import { unreadParts } from './unread-parts.js'
import { fieldsIn } from './find-part.js'
import { formsOf } from './forms.js'
import { textArgument, redactSecrets, type PageSnapshot } from '../dom/page-snapshot.js'
import { readInPieces } from './read-in-pieces.js'
import { describeField } from './field-values.js'

/** Implements form_read. */
export async function runFormRead(input: Record<string, unknown>, run: ToolRun): Promise<JsonObject> {
  const { value } = await readInPieces(run, (snapshot) => describeFields(textArgument(input['form']), snapshot))
  return value
}

function* describeFields(wanted: string | undefined, snapshot: PageSnapshot): Steps<JsonObject> {
  const { visibility, refs } = snapshot
  const all = snapshot.fields()
  const fields = wanted === undefined ? all : fieldsIn(wanted, snapshot)
  const forms = formsOf(all, snapshot)
  const several = forms.size > 1 || (forms.size === 1 && all.some(({ form }) => form === null))
  const described: JsonObject[] = []
  for (const field of fields) {
    yield
    const form = several && field.form ? forms.get(field.form) : undefined
    const own = describeField(field, refs.refFor(field.element, visibility), visibility)
    described.push(form ? { ...own, form } : own)
  }
  const note = yield* unreadParts(visibility)
  return redactSecrets(
    {
      ...(forms.size > 0
        ? { forms: [...forms].map(([form, label]) => ({ form: label, ref: refs.refFor(form, visibility) })) }
        : {}),
      fields: described,
      ...(note === '' ? {} : { note }),
    },
    all,
  )
}
