// A form that is about to be sent, taken as it is: its entries are built once, by the browser, and are sent later by a
// form of our own. So no listener of the page runs twice, and what the page changes meanwhile is not sent.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { viewOf } from '../dom/dom.js'
import type { View } from '../effects/page-requests.js'
import type { Frozen } from './departure.js'

type Entry = readonly [name: string, value: FormDataEntryValue]

/** How entries are sent. */
export interface Sending {
  /** `GET` or `POST`. */
  readonly method: string
  readonly url: URL
  /** Other attributes that a form has for it: `enctype`, `target`, `accept-charset`, `rel`. */
  readonly attributes: readonly (readonly [name: string, value: string])[]
}

/** Takes a submission. Listeners of the page for `formdata` run now, and never again. */
export function freezeSubmission(form: HTMLFormElement, submitter: HTMLElement | null, sending: Sending): Frozen {
  const view = viewOf(form)
  return freezeEntries(new view.FormData(form, submitter), sending, view)
}

/** Takes entries that were built already. `view`: the window that sends them. */
export function freezeEntries(entries: FormData, sending: Sending, view: View): Frozen {
  const { method, url } = sending
  const all = [...entries]
  const texts = all.filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  return {
    request: { method, url, body: String(new URLSearchParams(texts)), isUnreadable: texts.length < all.length },
    redo: () => send(all, sending, view),
  }
}

/** Sends entries by a form that no listener of the page sees: it is in a closed shadow root. */
function send(entries: readonly Entry[], { method, url, attributes }: Sending, view: View): void {
  const page = unclobbered(view.document)
  const host = page.createElement('div')
  host.hidden = true
  const form = page.createElement('form')
  for (const [name, value] of attributes) form.setAttribute(name, value)
  form.method = method
  form.action = url.href
  // A field may be named like a method of the form.
  form.append(...entries.map((entry) => fieldFor(entry, view)))
  host.attachShadow({ mode: 'closed' }).append(form)
  page.documentElement.append(host)
  view.HTMLFormElement.prototype.submit.call(form)
  host.remove()
}

function fieldFor([name, value]: Entry, view: View): HTMLInputElement {
  const field = unclobbered(view.document).createElement('input')
  field.name = name
  if (typeof value === 'string') {
    field.type = 'hidden'
    field.value = value
    return field
  }
  field.type = 'file'
  // A field without a file sends one without a name.
  if (value.name === '' && value.size === 0) return field
  const files = new view.DataTransfer()
  files.items.add(value)
  field.files = files.files
  return field
}
