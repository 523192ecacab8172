// A booking form, filled for a visitor by a scripted model. The model acts on what it has read only: it fills the fields
// as soon as their labels are in a request, and otherwise reads the form first.
import { composer, converse, converseWithPeer, ourPage, peerPage } from '../support/ours.mjs'
import { resultsIn } from '../support/site.mjs'

const wanted = {
  'First name': 'Ada',
  'Last name': 'Lovelace',
  'E-mail': 'ada@example.com',
  Phone: '+44 20 7946 0000',
  Guests: '4',
  Occasion: 'Birthday',
  'Allergies and wishes': 'No nuts, please.',
}

export const bookingBody = `<header><nav><a href="/a">Menu</a> <a href="/b">Events</a> <a href="/c">Contact</a></nav><h1>Book a table</h1></header>
<main><p>A kitchen by the harbour, open Tuesday to Sunday from noon to ten in the evening.</p>
<form aria-label="Booking"><fieldset><legend>About you</legend>
<p><label>First name <input name="first" required autocomplete="given-name"></label></p>
<p><label>Last name <input name="last" required autocomplete="family-name"></label></p>
<p><label>E-mail <input name="email" type="email" required></label></p>
<p><label>Phone <input name="phone" type="tel"></label></p></fieldset>
<fieldset><legend>Your table</legend>
<p><label>Guests <input name="guests" type="number" min="1" max="12" value="2"></label></p>
<p><label>Occasion <select name="occasion"><option value="">Choose…<option>Birthday<option>Anniversary<option>Team dinner</select></label></p>
<p><label>Allergies and wishes <textarea name="notes"></textarea></label></p></fieldset>
<button>Book the table</button></form></main><footer><a href="/d">Imprint</a></footer>`

export const task =
  'Please fill in the booking form. I am Ada Lovelace, ada@example.com, +44 20 7946 0000. We are 4, it is a birthday. No nuts, please.'

/** The values of the form, in the order of the fields. */
const valuesInPage = () =>
  [...document.querySelectorAll('form input, form select, form textarea')].map(
    (one) => /** @type {HTMLInputElement} */ (one).value,
  )

/** The model of ours. @param {any} request @returns {import('../support/site.mjs').Reply} */
export function fillWhenRead(request) {
  const text = JSON.stringify(request.messages)
  const isFilled = /"form_fill"/.test(text) && resultsIn(request) > 0
  if (isFilled) return { pieces: ['The form is', ' filled in. Please check it and book the table.'] }
  // The labels must be in what the SDK sent, not only in the words of the visitor.
  const known = Object.keys(wanted).every((label) => text.includes(label))
  if (!known) return { calls: [{ name: 'form_read', arguments: {} }] }
  const fields = Object.entries(wanted).map(([field, value]) => ({ field, value }))
  return { calls: [{ name: 'form_fill', arguments: { fields } }] }
}

/**
 * The model of page-agent: one field per step, found by its index in the newest state of the page.
 * @param {any} request @param {number} index @returns {import('../support/site.mjs').Reply}
 */
export function fillOneByOne(request, index) {
  const step = (/** @type {object} */ action) => ({ calls: [{ name: 'AgentOutput', arguments: { action } }] })
  const names = ['first', 'last', 'email', 'phone', 'guests', 'occasion', 'notes']
  const name = names[index]
  const value = Object.values(wanted)[index]
  if (name === undefined || value === undefined)
    return step({ done: { text: 'The form is filled in. Please check it and book the table.', success: true } })
  const text = request.messages.map((/** @type {{ content: string }} */ one) => one.content).join('\n')
  const line = new RegExp(`\\[(\\d+)\\]<(?:input|select|textarea)[^>]*name=${name}\\b`).exec(text)
  if (!line) throw new Error(`The state of page-agent has no field ${name}`)
  const at = Number(line[1])
  return name === 'occasion'
    ? step({ select_dropdown_option: { index: at, text: value } })
    : step({ input_text: { index: at, text: value } })
}

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const { site } = lab
  /** @param {import('playwright').Page} page @param {import('../support/site.mjs').Model} model @param {number} time */
  const result = async (page, model, time) => {
    const values = await page.evaluate(valuesInPage)
    const right = Object.values(wanted).filter((value, at) => values[at] === value).length
    await page.context().close()
    return {
      'model steps': model.requests.length,
      'characters to the model': model.requests.reduce((sum, { characters }) => sum + characters, 0),
      'characters of the first request': model.requests[0]?.characters ?? 0,
      'characters from the model': model.answered,
      time,
      'right values of 7': right,
    }
  }
  const ours = async () => {
    const model = site.model(fillWhenRead)
    const page = await lab.open(
      site.add(ourPage({ endpoint: model.path, body: bookingBody, attributes: 'page-tools="read fill"' })),
    )
    await composer(page).waitFor()
    const { wall } = await lab.cpu(page, () => converse(page, task))
    return result(page, model, wall)
  }
  const pageAgent = async () => {
    const model = site.model(fillOneByOne)
    const page = await lab.open(site.add(peerPage('page-agent', { body: bookingBody, endpoint: model.path })))
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    const { wall } = await lab.cpu(page, () => converseWithPeer(page, task))
    return result(page, model, wall)
  }
  const counts = [
    'model steps',
    'characters to the model',
    'characters of the first request',
    'characters from the model',
    'right values of 7',
  ]
  return lab.inTurns(
    lab.isQuick ? 1 : 2,
    { ours, 'page-agent': pageAgent },
    Object.fromEntries(counts.map((what) => [what, ''])),
  )
}
