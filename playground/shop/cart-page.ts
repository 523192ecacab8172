// The cart page: quantities, the coupon, the way to the checkout.
import { byId, h } from '../shared/dom.js'
import { applyCoupon, mostPieces, onCartChange, readCart, removeCoupon, setQuantity, totalsOf } from './cart.js'
import { euros } from './products.js'
import { startShop } from './shop.js'

const place = byId('cart', HTMLElement)
const problem = h('p', { class: 'error', role: 'alert', id: 'coupon-error' })

function show(): void {
  const { lines, coupon, subtotal, total } = totalsOf(readCart())
  if (lines.length === 0) {
    place.replaceChildren(h('p', {}, 'Nothing in here yet. ', h('a', { href: './' }, 'See what we have.')))
    return
  }
  const rows = lines.map(({ product, quantity, total: sum }) =>
    h(
      'li',
      { class: 'line' },
      h('img', { src: `art/${product.art}.svg`, alt: '', width: 90, height: 75 }),
      h(
        'span',
        { class: 'line-name' },
        h('a', { href: `product.html?id=${product.id}` }, product.name),
        h('span', { class: 'soft' }, `${euros(product.price)} each`),
      ),
      h('input', {
        class: 'line-count',
        type: 'number',
        min: 0,
        max: mostPieces,
        value: quantity,
        'aria-label': `Quantity of ${product.name}`,
        onchange: (event) => {
          setQuantity(product.id, (event.currentTarget as HTMLInputElement).valueAsNumber || 0)
        },
      }),
      h('span', { class: 'line-sum' }, euros(sum)),
      h(
        'button',
        {
          class: 'button quiet',
          type: 'button',
          'aria-label': `Remove ${product.name}`,
          onclick: () => {
            setQuantity(product.id, 0)
          },
        },
        'Remove',
      ),
    ),
  )
  const code = h('input', {
    id: 'code',
    name: 'code',
    type: 'text',
    autocomplete: 'off',
    'aria-describedby': 'coupon-error',
  })
  const couponForm = h(
    'form',
    {
      class: 'form coupon',
      'aria-label': 'Coupon',
      onsubmit: (event) => {
        event.preventDefault()
        try {
          applyCoupon(code.value)
        } catch (error) {
          problem.textContent = (error as Error).message
        }
      },
    },
    h('div', { class: 'field' }, h('label', { for: 'code' }, 'Coupon'), code),
    h('button', { class: 'button', type: 'submit' }, 'Apply'),
    problem,
  )
  place.replaceChildren(
    h('ul', { class: 'lines' }, ...rows),
    h(
      'div',
      { class: 'cart-foot' },
      coupon
        ? h(
            'p',
            { class: 'note', id: 'coupon' },
            `Coupon ${coupon.code}: ${coupon.percent} % off. `,
            h('button', { class: 'button quiet', type: 'button', onclick: removeCoupon }, 'Remove'),
          )
        : couponForm,
      h(
        'dl',
        { class: 'totals' },
        h('div', {}, h('dt', {}, 'Subtotal'), h('dd', {}, euros(subtotal))),
        coupon ? h('div', {}, h('dt', {}, 'Discount'), h('dd', {}, `− ${euros(coupon.off)}`)) : null,
        h('div', { class: 'grand' }, h('dt', {}, 'Total'), h('dd', { id: 'total' }, euros(total))),
      ),
      h(
        'div',
        { class: 'actions' },
        h('a', { class: 'button primary', href: 'checkout.html' }, 'To the checkout'),
        h('a', { class: 'button quiet', href: './' }, 'Go on shopping'),
      ),
    ),
  )
}

onCartChange(() => {
  problem.textContent = ''
  show()
})
show()
startShop('cart')
