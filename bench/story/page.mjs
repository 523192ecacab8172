// The page of the picture story: a checkout, the same for both products, and what each model answers. Ours fills the
// form in one call and then asks about the button; page-agent fills field by field and presses the button.
import { peerPage } from '../support/ours.mjs'
import { resultsIn } from '../support/site.mjs'

/** @typedef {import('../support/site.mjs').Reply} Reply */

const wanted = /** @type {const} */ ({
  name: ['Full name', 'Kari Nordmann'],
  street: ['Street', 'Storgata 12'],
  postcode: ['Postcode', '5003'],
  city: ['City', 'Bergen'],
  phone: ['Phone', '+47 555 01 23'],
})
/** What the form holds before. */
const before = { name: 'Kari Nordmann', street: 'Strandgaten 3' }
/** The field that is being written in the picture of a running fill. */
export const midway = 'postcode'

export const task = 'Send it to my new address: Storgata 12, 5003 Bergen. My phone is +47 555 01 23. Then order.'
const last = 'Your new address is filled in, and the card is left to you. The order was not placed.'

const style = `
:root { color-scheme: light; background: #f6f3ee; color: #24201a; font: 16px/1.5 system-ui, sans-serif; }
:root.dark { color-scheme: dark; background: #1b1916; color: #ece7df; }
body { margin: 0; } header { display: flex; gap: 24px; align-items: baseline; padding: 18px 24px; } header b { font-size: 20px }
main { display: grid; grid-template-columns: minmax(0, 1fr) 300px; gap: 20px; padding: 4px 24px 24px; max-width: 1120px; }
@media (max-width: 40em) { main { grid-template-columns: minmax(0, 1fr) } }
section { border-radius: 12px; padding: 4px 20px 16px; background: rgb(128 110 80 / 12%); align-self: start; }
h2 { font-size: 17px; margin: 12px 0 8px } label { display: block; margin: 0 0 10px; font-size: 14px }
input { display: block; box-sizing: border-box; width: 100%; max-width: 420px; margin-top: 2px; padding: 8px 10px; font: inherit; font-size: 16px;
  border: 1px solid rgb(128 110 80 / 55%); border-radius: 8px; background: Canvas; color: CanvasText; }
dl { display: grid; grid-template-columns: 1fr auto; gap: 4px; margin: 0 0 12px } dd { margin: 0 }
button { font: inherit; font-weight: 600; padding: 10px 16px; border: 0; border-radius: 8px; background: #365c3a; color: #fff; width: 100% }
`

/** @param {string} name @param {string} label @param {string} [value] */
const field = (name, label, value = '') => `<label>${label}<input name="${name}" value="${value}"></label>`

const body = `<style>${style}</style><header><b>Leaf &amp; Kettle</b><span>Teapots</span><span>Basket (2)</span></header>
<main><section><h2>Delivery</h2>${Object.entries(wanted)
  .map(([name, [label]]) => field(name, label, /** @type {Record<string, string>} */ (before)[name]))
  .join('')}
<label>Card number<input name="card" autocomplete="cc-number"></label></section>
<section><h2>Your order</h2><dl><dt>Aurora teapot</dt><dd>€ 38.50</dd><dt>Kyoto teapot</dt><dd>€ 64.00</dd>
<dt><b>Total</b></dt><dd><b>€ 102.50</b></dd></dl><button type="button" id="order">Place order</button></section></main>
<script>document.querySelector('#order').onclick = ({ target }) => { target.textContent = 'Order placed' }</script>`

/** The model of ours. @param {any} request @returns {Reply} */
export function ourModel(request) {
  const fields = Object.values(wanted).map(([name, value]) => ({ field: name, value }))
  const steps = [
    { calls: [{ name: 'form_fill', arguments: { fields } }] },
    // Long enough for the picture of the page that was just filled.
    { delayMs: 2_500, calls: [{ name: 'page_click', arguments: { target: 'Place order' } }] },
  ]
  return steps[resultsIn(request)] ?? { pieces: [last] }
}

/** The model of page-agent: it finds each control by its index in the newest state. @param {any} request @param {number} index @returns {Reply} */
export function theirModel(request, index) {
  const step = (/** @type {object} */ action) => ({ calls: [{ name: 'AgentOutput', arguments: { action } }] })
  const text = request.messages.map((/** @type {{ content: string }} */ one) => one.content).join('\n')
  const indexOf = (/** @type {RegExp} */ pattern) => Number(pattern.exec(text)?.[1])
  const names = Object.entries(wanted).filter(([name, [, value]]) => value !== /** @type {any} */ (before)[name])
  const next = names[index]
  if (next) {
    const [name, [, value]] = next
    return step({ input_text: { index: indexOf(new RegExp(`\\[(\\d+)\\]<input[^>]*name=${name}\\b`)), text: value } })
  }
  if (index === names.length)
    return step({ click_element_by_index: { index: indexOf(/\[(\d+)\]<button[^>]*>\s*Place order/) } })
  return step({ done: { text: 'Your new address is filled in, and the order is placed.', success: true } })
}

/** The HTML of a page with a product. @param {'ours' | 'page-agent'} product @param {string} endpoint @param {boolean} isDark */
export function pageOf(product, endpoint, isDark) {
  const html =
    product === 'ours'
      ? `<!doctype html><html lang="en"><head><meta charset="utf-8"><link rel="icon" href="data:,">
<script type="module" src="/tool-agent/tool-agent.js"></script></head><body>${body}
<tool-agent endpoint="${endpoint}" model="story" layout="floating" open heading="Leaf &amp; Kettle" accent="#365c3a"
  page-tools="read fill act"></tool-agent></body></html>`
      : peerPage('page-agent', { body, endpoint })
  const named = html.replace(
    '<head>',
    '<head><title>Leaf &amp; Kettle</title><meta name="viewport" content="width=device-width">',
  )
  return isDark ? named.replace('<html lang="en">', '<html lang="en" class="dark">') : named
}
