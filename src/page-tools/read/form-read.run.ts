// Implements form_read: lists every visible field with its unique label. Private fields show only whether they are
// filled. Also names the forms for the first request of a turn, so that the model can fill one without form_read.
import type { JsonObject } from '../../core/data/json.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { elementsUnder, isTag, currentPage } from '../dom/dom.js'
import { truncate } from '../dom/text.js'
import type { Field } from './form-fields.js'
import { firstIn } from './own-labels.js'
import { accessibleNameOf } from '../dom/accessible-name.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { readFully, takeSnapshot, textArgument, redactSecrets } from '../dom/page-snapshot.js'
import { describeField } from '../dom/field-state.js'

/** The label of a form: its accessible name, its first heading or legend, or its submit button. */
function formLabel(form: Element, { visibility, redact }: PageSnapshot): string {
  const heading = firstIn(form, 'h1,h2,h3,h4,h5,h6,legend')
  const button = firstIn(form, '[type=submit],button:not([type])')
  return redact(
    accessibleNameOf(form, visibility) ||
      (heading ? truncate(visibility.visibleText(heading), 80) : '') ||
      (button ? accessibleNameOf(button, visibility) : ''),
  )
}

/** The forms of the fields with their labels, which are unique. */
export function formsOf(fields: readonly Field[], snapshot: PageSnapshot): Map<Element, string> {
  const forms = [...new Set(fields.flatMap(({ form }) => (form ? [form] : [])))]
  const used = new Map<string, number>()
  return new Map(
    forms.map((form) => {
      const label = formLabel(form, snapshot) || 'form'
      const times = (used.get(label) ?? 0) + 1
      used.set(label, times)
      return [form, times === 1 ? label : `${label} (${times})`]
    }),
  )
}

/** Elements of the largest page whose forms are named: reading a larger one would delay the message. */
const mostElements = 3_000

/**
 * Such as `Booking: Name, Guests (number)`, one form after another. Private fields are left out. Empty if there is no
 * form, if the page is large, or if it has fields whose code is not loaded.
 */
export function formNames(): string {
  if (currentPage().getElementsByTagName('*').length > mostElements) return ''
  try {
    const snapshot = takeSnapshot({ sessionId: '', messages: [] })
    const fields = snapshot.fields()
    const lines = [...formsOf(fields, snapshot)].map(([one, name]) => {
      const own = fields.filter(({ form, secret }) => form === one && !secret)
      return `${name}: ${own.map(({ label, type }) => `${label} (${type})`).join(', ')}`
    })
    return snapshot.redact(lines.join('; '))
  } catch {
    // The next form_read loads what is missing.
    return ''
  }
}

/** Implements form_read. */
export const runFormRead = (input: Record<string, unknown>, run: ToolRun): Promise<JsonObject> =>
  readFully(() => readForm(input, run))

async function readForm(input: Record<string, unknown>, run: ToolRun): Promise<JsonObject> {
  const wanted = textArgument(input['form'])
  const { snapshot, fields } =
    wanted === undefined
      ? { snapshot: takeSnapshot(run), fields: undefined }
      : await (await import('./find-part.run.js')).fieldsIn(wanted, run)
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
