// A store in Chinese, in React with Redux. Searches are posted to the address of the orders.
import { drop, entry, graphqlApi, spa } from './serve.mjs'

const product = (/** @type {number} */ id, /** @type {string} */ name, /** @type {number} */ price) => ({
  id,
  name,
  price,
})

export const app = spa({
  name: '文具店',
  group: 'spa',
  language: 'zh',
  title: '文具店',
  page: 'store.jsx',
  region: '.cart',
  data: () => ({
    products: [product(1, '钢笔', 58), product(2, '笔记本', 25), product(3, '铅笔盒', 32)],
    cart: [product(2, '笔记本', 25)],
    orders: [],
  }),
  handle: graphqlApi({
    SearchProducts: ({ products }, { words }) =>
      products.filter((/** @type {{ name: string }} */ { name }) => name.includes(words)),
    Cart: ({ cart }) => cart,
    AddToCart: ({ products, cart }, { id }) => void cart.push(entry(products, id)),
    RemoveFromCart: ({ cart }, { id }) => drop(cart, id),
    PlaceOrder({ cart, orders }) {
      orders.push({ id: orders.length + 1, name: cart.map((/** @type {{ name: string }} */ one) => one.name).join() })
      cart.length = 0
    },
  }),
  jobs: [
    {
      name: '搜索',
      task: '有铅笔盒吗？多少钱？',
      effects: [],
      changes: [],
      async policy({ read, fill }) {
        await read()
        await fill({ 搜索商品: '铅笔' })
        await read()
      },
    },
    {
      name: '加入',
      task: '把钢笔放进购物车。',
      effects: [],
      changes: [{ what: 'add cart "钢笔"', effect: 'send', says: ['加入购物车', '钢笔'] }],
      async policy({ read, click }) {
        await read()
        await click('加入购物车', { inside: '钢笔' })
      },
    },
    {
      name: '下单',
      task: '购物车里的东西，下单吧。',
      effects: [],
      changes: [
        { what: 'remove cart "笔记本"', effect: 'destroy', says: ['结算'] },
        { what: 'add orders "笔记本"', effect: 'destroy', says: ['结算'] },
      ],
      async policy({ read, click }) {
        await read()
        await click('购物车 (1)')
        await read()
        await click('去结算')
        await read()
        await click('确定')
      },
    },
    {
      name: '移除',
      task: '笔记本不要了，从购物车里移除。',
      effects: [],
      changes: [{ what: 'remove cart "笔记本"', effect: 'destroy', says: ['移除', '笔记本'] }],
      async policy({ read, click }) {
        await read()
        await click('购物车 (1)')
        await read()
        await click('移除')
      },
    },
  ],
})
