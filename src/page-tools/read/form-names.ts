// Names the forms of the page and their fields for the first request of a turn, so that the model can fill a form without
// reading it first.
import { currentPage } from '../dom/dom.js'
import { takeSnapshot } from '../dom/page-snapshot.js'
import { formsOf } from './form-read.run.js'

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
