import { euro, productOf, products, totalOf } from './products.js'

const $ = (selector) => document.querySelector(selector)
const make = (tag, textContent = '', more = {}) => Object.assign(document.createElement(tag), { textContent, ...more })
const quantities = new Map()
const form = $('#checkout')

export const cart = {
  get lines() {
    return [...quantities].map(([id, quantity]) => ({ id, name: productOf(id).name, quantity }))
  },
  get total() {
    return totalOf(this.lines)
  },
  add(id, quantity) {
    const product = productOf(id)
    if (!product) throw new Error(`There is no product "${id}". Find its id with find_products.`)
    const wanted = (quantities.get(id) ?? 0) + quantity
    if (wanted > product.stock) throw new Error(`Only ${product.stock} of ${product.name} are in stock.`)
    quantities.set(id, wanted)
    draw()
  },
  remove(id, quantity) {
    const left = (quantities.get(id) ?? 0) - quantity
    if (left > 0) quantities.set(id, left)
    else quantities.delete(id)
    draw()
  },
}

export function findProducts({ query = '', maxPrice = Infinity }) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const matches = ({ name }) => words.every((word) => name.toLowerCase().includes(word))
  return products.filter((product) => product.price <= maxPrice && matches(product))
}

/** What an order consists of. Throws if something is missing. */
export function readOrder() {
  if (quantities.size === 0) throw new Error('The cart is empty.')
  const missing = [...form.elements].filter(({ validity }) => !validity.valid).map(({ name }) => name)
  if (missing.length > 0) throw new Error(`The check-out form is not complete: ${missing.join(', ')}`)
  const { name, address, date, gift } = form.elements
  return { lines: cart.lines, name: name.value, address: address.value, date: date.value, gift: gift.checked }
}

export async function order(content, { key, visitorId, signal }) {
  const response = await fetch('/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ ...content, visitorId }),
    signal,
  })
  if (!response.ok) throw new Error(`The shop refused the order: ${await response.text()}`)
  const placed = await response.json()
  quantities.clear()
  draw()
  $('#message').textContent = `Thank you! Order ${placed.number} over ${euro(placed.total)} is on its way.`
  return placed
}

/** The card of a product, on the page and in the panel. */
class TeaCard extends HTMLElement {
  connectedCallback() {
    const { id, name, price } = this.product
    const button = make('button', `Add ${name}`)
    button.onclick = () => this.dispatchEvent(new CustomEvent('tea-add', { bubbles: true, composed: true, detail: id }))
    this.replaceChildren(make('p', `${name}, ${euro(price)}`), button)
  }
}
customElements.define('tea-card', TeaCard)
export const card = (product) => make('tea-card', '', { product })

const say = (error) => void ($('#message').textContent = error.message)
export const visitor = await (await fetch('/me')).json()
document.addEventListener('tea-add', ({ detail }) => {
  try {
    cart.add(detail, 1)
  } catch (error) {
    say(error)
  }
})
form.addEventListener('submit', (event) => {
  event.preventDefault()
  order(readOrder(), { key: crypto.randomUUID(), visitorId: visitor.id }).catch(say)
})

function draw() {
  $('#cart').replaceChildren(...cart.lines.map(({ name, quantity }) => make('li', `${quantity} × ${name}`)))
  $('#total').value = euro(cart.total)
}
$('#products').append(...products.map(card))
draw()
