// The catalogue: all products, by category and by search.
import { byId, h } from '../shared/dom.js'
import { addToCart } from './cart.js'
import { categories, euros, findProducts, type Category, type Product } from './products.js'
import { startShop } from './shop.js'

const grid = byId('products', HTMLElement)
const search = byId('search', HTMLInputElement)
const filters = byId('categories', HTMLElement)
const found = byId('found', HTMLElement)
let category: Category | undefined

function card(product: Product): HTMLElement {
  const page = `product.html?id=${product.id}`
  return h(
    'li',
    { class: 'product' },
    h(
      'a',
      { href: page, class: 'product-link' },
      h('img', { src: `art/${product.art}.svg`, alt: '', width: 240, height: 200, loading: 'lazy' }),
      h('span', { class: 'product-name' }, product.name),
    ),
    h('span', { class: 'soft' }, product.short),
    h(
      'span',
      { class: 'product-foot' },
      h('span', { class: 'price' }, euros(product.price)),
      h(
        'button',
        {
          class: 'button',
          type: 'button',
          'aria-label': `Add ${product.name} to the cart`,
          onclick: (event) => {
            put(product, event.currentTarget as HTMLButtonElement)
          },
        },
        'Add',
      ),
    ),
  )
}

function put(product: Product, button: HTMLButtonElement): void {
  addToCart(product.id, 1)
  found.textContent = `${product.name} is in the cart.`
  button.textContent = 'Added'
}

function show(): void {
  const list = findProducts(search.value).filter((product) => category === undefined || product.category === category)
  grid.replaceChildren(...list.map(card))
  found.textContent =
    list.length === 0
      ? 'Nothing fits. Try another word.'
      : `${list.length} ${list.length === 1 ? 'product' : 'products'}`
}

for (const [id, name] of [[undefined, 'All'] as const, ...categories]) {
  filters.append(
    h(
      'button',
      {
        class: 'filter',
        type: 'button',
        'aria-pressed': String(id === category),
        onclick: (event) => {
          category = id
          for (const button of filters.querySelectorAll('button'))
            button.setAttribute('aria-pressed', String(button === event.currentTarget))
          show()
        },
      },
      name,
    ),
  )
}
search.value = new URLSearchParams(location.search).get('q') ?? ''
search.addEventListener('input', show)
show()
startShop('catalogue')
