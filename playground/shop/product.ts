// One product, named by `?id=`.
import { byId, h } from '../shared/dom.js'
import { addToCart, mostPieces } from './cart.js'
import { categories, euros, productOf } from './products.js'
import { startShop } from './shop.js'

const place = byId('product', HTMLElement)
const product = productOf(new URLSearchParams(location.search).get('id') ?? '')

if (product) {
  document.title = `${product.name} · Kettle & Leaf`
  const quantity = h('input', {
    id: 'quantity',
    name: 'quantity',
    type: 'number',
    min: 1,
    max: mostPieces,
    value: 1,
    required: true,
  })
  place.replaceChildren(
    h('img', { src: `art/${product.art}.svg`, alt: '', width: 480, height: 400 }),
    h(
      'div',
      { class: 'product-text' },
      h('p', { class: 'soft' }, h('a', { href: './' }, 'Shop'), ` / ${categories.get(product.category) ?? ''}`),
      h('h1', {}, product.name),
      h('p', { class: 'soft' }, product.short),
      h('p', {}, product.text),
      h('p', { class: 'price big' }, euros(product.price)),
      h(
        'form',
        {
          class: 'form buy',
          'aria-label': 'Buy',
          onsubmit: (event) => {
            event.preventDefault()
            addToCart(product.id, quantity.valueAsNumber)
            location.assign('cart.html')
          },
        },
        h('div', { class: 'field' }, h('label', { for: 'quantity' }, 'Quantity'), quantity),
        h('button', { class: 'button primary', type: 'submit' }, 'Add to the cart'),
      ),
    ),
  )
} else {
  place.replaceChildren(
    h(
      'div',
      { class: 'product-text' },
      h('h1', {}, 'Not in our shop'),
      h('p', {}, 'There is no product at this address. ', h('a', { href: './' }, 'See what we have.')),
    ),
  )
}
startShop('product')
