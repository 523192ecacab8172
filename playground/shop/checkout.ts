// The checkout: an address, a way of delivery, and an order that is really placed (in this browser).
import { byId, h } from '../shared/dom.js'
import { emptyCart, readCart, totalsOf } from './cart.js'
import { euros } from './products.js'
import { startShop } from './shop.js'

const form = byId('order', HTMLFormElement)
const placed = byId('placed', HTMLElement)
const overview = byId('overview', HTMLElement)
const empty = byId('empty', HTMLElement)
const { lines, coupon, total } = totalsOf(readCart())

overview.replaceChildren(
  ...lines.map(({ product, quantity, total: sum }) =>
    h('div', {}, h('dt', {}, `${quantity} × ${product.name}`), h('dd', {}, euros(sum))),
  ),
  ...(coupon ? [h('div', {}, h('dt', {}, `Coupon ${coupon.code}`), h('dd', {}, `− ${euros(coupon.off)}`))] : []),
  h('div', { class: 'grand' }, h('dt', {}, 'Total'), h('dd', {}, euros(total))),
)
form.hidden = lines.length === 0
empty.hidden = lines.length > 0

form.addEventListener('submit', (event) => {
  event.preventDefault()
  const data = new FormData(form)
  byId('placed-to', HTMLElement).textContent =
    `${String(data.get('name'))}, ${String(data.get('street'))}, ${String(data.get('postcode'))} ${String(data.get('city'))}`
  byId('placed-total', HTMLElement).textContent = euros(total)
  emptyCart()
  form.hidden = true
  placed.hidden = false
  placed.focus()
})
startShop('checkout')
