// The forms of a page and their names.
import { accessibleNameOf } from '../dom/accessible-name.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { truncate } from '../dom/text.js'
import type { Field } from './form-fields.js'
import { firstIn } from './own-labels.js'

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

/**
 * Such as `Booking: Name, Guests (number)`, one form after another, for the first request of a turn: the model can fill
 * a form without form_read. Private fields are left out. Empty if there is no form.
 */
export function formNames(snapshot: PageSnapshot): string {
  const fields = snapshot.fields()
  const lines = [...formsOf(fields, snapshot)].map(([one, name]) => {
    const own = fields.filter(({ form, secret }) => form === one && !secret)
    return `${name}: ${own.map(({ label, type }) => `${label} (${type})`).join(', ')}`
  })
  return snapshot.redact(lines.join('; '))
}
