// The tea shop: lists and prices, the cart, stock, delivery and the coupon. A kind of thing, such as "a teapot", is never
// taken for one of several things: the visitor is asked.
import { isObject, type JsonObject } from '../../src/core/data/json.js'
import { escape, Refused, refuse, use, type Message, type Rule } from './grammar.js'
import type { Token } from './lexer.js'
import type { Plan } from './replay.js'
import type { Call } from './transcript.js'

interface Product {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly price: number
}
interface Line {
  readonly productId: string
  readonly name: string
  readonly quantity: number
  readonly sum: number
}
/** What a message names: a product, or a kind of which one or all are meant. */
interface Item {
  readonly token: Token
  readonly quantity: number | undefined
  readonly best: string | undefined
}

/**
 * The plan of one call: its input by the kinds that say it, and the sentence for its result with fields of it, some of them
 * as money or as a day.
 */
function tell(tool: string, kinds: Readonly<Record<string, string>>, sentence: string, fields: string): Rule[2] {
  return function* (message) {
    const given = Object.entries(kinds).flatMap(([name, kind]) => message.all(kind).map((value) => [name, value]))
    const input = Object.fromEntries(given) as JsonObject
    const value: JsonObject = { ...input, ...(yield* use(message, tool, input)).value }
    const shown = fields.split(' ').map((field) => {
      const [name = '', form] = field.split(':')
      if (form === 'money') return message.money(value[name])
      return form === 'day' ? message.day(String(value[name])) : escape(String(value[name]))
    })
    return message.say(sentence, ...shown)
  }
}

const things = 'product_|category|product'
const anyItem = 'product_ category product num count best prop'
const coupon = tell('apply_coupon', { code: 'code' }, 'coupon', 'code percent total:money')
const delivery = tell('estimate_delivery', { city: 'place' }, 'delivery', 'city workingDays arrives:day')
const remember = tell('set_delivery_city', { city: 'place' }, 'place', 'city')
const isOne = (message: Message): boolean => !message.isTwice('num') && !message.isTwice('place')
const isNamed = (message: Message): boolean => (itemsOf(message)?.length ?? 2) < 2
const hasItems = (message: Message): boolean => itemsOf(message) !== undefined

export const shopRules: readonly Rule[] = [
  ['private', 'f q it num add total howmuch', refuse('private')],
  ['code coupon|apply|add', 'coupon apply add q cart it for', coupon, (message) => !message.isTwice('code')],
  ['clear cart', 'all q', empty],
  ['remove all', 'cart fromcart product q', empty],
  [`remove ${things}|it|num`, `${anyItem} cart fromcart it q`, take, hasItems],
  [
    'change|instead num',
    `${anyItem} it instead change add cart q`,
    change,
    (message) => isOne(message) && isNamed(message),
  ],
  ['remember place', 'delivery it', remember, isOne],
  ['delivery howlong|when|q', 'howlong place when it q what add product', delivery, isOne],
  ['howlong place', 'it q what', delivery, isOne],
  ['stock', `${anyItem} it q have howmany what show`, stock, isNamed],
  [`add ${things}|num|nth|best`, `${anyItem} cart it q nth have`, add, hasItems],
  // "Two cups into the cart" and "one more of those" need no verb.
  ['num it|count', 'add q', add],
  [`${things} num`, 'product_ category product count prop', add, hasItems],
  [`${things} cart num`, anyItem, add, hasItems],
  ['cart what|show|contents|howmuch|howmany|total|have|q', 'contents total it all count product q what', cart],
  ['total|howmuch', 'total howmuch cart it all q what', cart, (message) => message.has('total', 'cart')],
  [`howmuch ${things}|it`, 'product_ category product best it q what', price, hasItems],
  [
    `${things}|most|best`,
    'product_ category product best most show what have q all only contents howmuch',
    find,
    isNamed,
  ],
  // "A kettle that whistles": a word of its description.
  ['prop', 'product_ category product it show what have q', find, isNamed],
  // "What is cheapest?" is about all products.
  ['best', 'show what have q', find],
]

/** The items with their quantities. Undefined where a number belongs to none, or to two. */
function itemsOf({ tokens }: Message): Item[] | undefined {
  const line = tokens.filter(({ kind }) => /^(?:product_|category|product|num|best)$/.test(kind))
  const isBehind = line.at(-1)?.kind === 'num' && line[0]?.kind !== 'num'
  const items: Item[] = []
  let quantity: number | undefined
  let best: string | undefined
  for (const token of isBehind ? line.toReversed() : line) {
    if (token.kind === 'num') {
      if (quantity !== undefined) return undefined
      quantity = Number(token.value)
    } else if (token.kind === 'best') best = String(token.value)
    else {
      items.push({ token, quantity, best })
      quantity = undefined
      best = undefined
    }
  }
  const bare = line.find(({ kind }) => kind === 'best')
  // "The cheapest": of what was listed.
  if (bare !== undefined && items.length === 0) return [{ token: bare, quantity, best }]
  // "The tea that is cheapest."
  if (best !== undefined && items.length === 1) items[0] = { ...items[0]!, best }
  else if (best !== undefined) return undefined
  return quantity === undefined || items.length === 0 ? items : undefined
}

const linesOf = (value: unknown): Line[] =>
  (Array.isArray(value) ? value : []).filter(isObject).map((line) => line as unknown as Line)

function* cart(message: Message): Plan<string> {
  const { lines, coupon: code, total } = (yield* use(message, 'cart_read')).value
  const shown = linesOf(lines).map(({ quantity, name, sum }) => `${quantity} × ${escape(name)} (${message.money(sum)})`)
  if (shown.length === 0) return message.say('empty')
  const all = [...shown, ...(code === undefined ? [] : [escape(String(code))])]
  return message.say('cart', message.list(all), message.money(total))
}

function* empty(message: Message): Plan<string> {
  const { removed } = (yield* use(message, 'empty_cart')).value
  const lines = linesOf(removed).map(({ quantity, name }) => `${quantity} × ${escape(name)}`)
  return lines.length === 0 ? message.say('empty') : message.say('emptied', message.list(lines))
}

/** All products, or those "of glass". All are asked for once. */
function* catalogue(message: Message): Plan<Product[]> {
  const productsIn = (value: unknown): Product[] =>
    isObject(value) && Array.isArray(value['products']) ? (value['products'] as unknown as Product[]) : []
  const query = message.all('prop').join(' ')
  if (query !== '') return productsIn((yield* use(message, 'find_products', { query })).value)
  const known = message.context.calls().findLast(({ name, input }) => name === 'find_products' && input['query'] === '')
  const found = productsIn(known?.result?.value)
  return found.length > 0 ? found : productsIn((yield* use(message, 'find_products', { query: '' })).value)
}

const labels: Record<string, string> = {
  pots: 'Teapots',
  cups: 'Cups',
  kettles: 'Kettles',
  tea: 'Tea',
  extras: 'Extras',
}

/** The products that an item can mean. */
function fitting({ token, best }: Item, products: readonly Product[]): readonly Product[] {
  const found = products.filter(({ id, category }) => {
    if (token.kind === 'product_') return id === token.value
    return /^(?:product|best)$/.test(token.kind) || category === labels[token.value]
  })
  if (best === undefined) return found
  const sorted = found.toSorted((a, b) => (best === 'low' ? a.price - b.price : b.price - a.price))
  return sorted.filter(({ price: each }) => each === sorted[0]?.price)
}

const priced = (message: Message, { name, price: each }: Product): string => `${escape(name)} (${message.money(each)})`

/** The one product, or the question which. Each offer is the message with that product in place of the kind. */
function oneOf(message: Message, found: readonly Product[], token?: Token): Product {
  if (found.length === 1) return found[0]!
  if (found.length === 0) throw new Refused(message.say('nothing'))
  const few = found.slice(0, 4)
  const names = few.map((each) => priced(message, each))
  throw new Refused(
    message.say('which', message.list(names, 'disjunction')),
    few.map(({ name }) => (token && message.text.includes(token.text) ? message.text.replace(token.text, name) : name)),
  )
}

/** The products that an answer listed, in its order. */
function listedIn(text: string, products: readonly Product[]): readonly Product[] {
  const listed = products.filter(({ name }) => text.includes(name))
  return listed.toSorted((a, b) => text.indexOf(a.name) - text.indexOf(b.name))
}

/** What "the cheapest" is one of: the last list, if there was one. */
function meant({ token }: Item, products: readonly Product[], { context }: Message): readonly Product[] {
  if (token.kind !== 'best') return products
  const lists = context.answers.map((text) => listedIn(text, products)).filter(({ length }) => length > 1)
  return lists.at(-1) ?? products
}

/** The product of this page, or the only one that was spoken of last. */
function* shownProduct(message: Message, products: readonly Product[]): Plan<readonly Product[]> {
  const { calls, answers } = message.context
  if (message.canCall('product_read')) {
    const { value } = yield* use(message, 'product_read')
    return products.filter(({ id }) => id === value['id'])
  }
  const last = calls().findLast(
    ({ name, result }) => /^(?:add_to_cart|set_quantity|check_stock)$/.test(name) && result?.failed === false,
  )
  const listed = listedIn(answers.at(-1) ?? '', products)
  return listed.length > 0 ? listed : products.filter(({ id }) => id === last?.input['productId'])
}

function* find(message: Message): Plan<string> {
  const products = yield* catalogue(message)
  const [item] = itemsOf(message) ?? []
  const most = Number(message.one('most') ?? Infinity)
  const found = (item ? fitting(item, meant(item, products, message)) : products).filter(
    ({ price: each }) => each <= most,
  )
  return found.length === 0 ? message.say('nothing') : `${message.list(found.map((each) => priced(message, each)))}.`
}

function* price(message: Message): Plan<string> {
  const products = yield* catalogue(message)
  const items = itemsOf(message) ?? []
  const found = items.flatMap((item) => fitting(item, meant(item, products, message)))
  const shown = items.length > 0 ? found : [oneOf(message, yield* shownProduct(message, products))]
  return `${message.list(shown.map((each) => priced(message, each)))}.`
}

function* add(message: Message): Plan<string> {
  const products = yield* catalogue(message)
  const items = itemsOf(message) ?? []
  const isGeneric =
    !message.has('prop') && items.every(({ token, best }) => token.kind === 'product' && best === undefined)
  const wanted: { product: Product; quantity: number }[] = []
  if (isGeneric) {
    // "Add two": the product of this page, or what was listed before; "the second one" is a place in that list.
    const shown = yield* shownProduct(message, products)
    const nth = Number(message.one('nth') ?? NaN)
    const those = Number.isNaN(nth) ? shown : [shown.at(nth > 0 ? nth - 1 : nth)].filter((each) => each !== undefined)
    wanted.push({ product: oneOf(message, those), quantity: Number(message.one('num') ?? 1) })
  } else
    for (const item of items) {
      const found = fitting(item, meant(item, products, message))
      wanted.push({ product: oneOf(message, found, item.token), quantity: item.quantity ?? 1 })
    }
  if (wanted.some(({ quantity }) => !Number.isInteger(quantity) || quantity < 1))
    throw new Refused(message.say('together', message.quote([message.text])))
  const added: string[] = []
  for (const { product, quantity } of wanted) {
    const { value } = yield* use(message, 'add_to_cart', { productId: product.id, quantity })
    added.push(`${String(value['added'] ?? quantity)} × ${escape(String(value['product'] ?? product.name))}`)
    message.soFar = message.say('added', message.list(added))
  }
  return message.soFar
}

/** The line of the cart that is meant. */
function* lineOf(message: Message, item: Item | undefined): Plan<Line> {
  const lines = linesOf((yield* use(message, 'cart_read')).value['lines'])
  const products = yield* catalogue(message)
  if (lines.length === 0) throw new Refused(message.say('empty'))
  const inCart = products.filter(({ id }) => lines.some(({ productId }) => productId === id))
  const found = item ? fitting(item, inCart) : yield* shownProduct(message, inCart)
  const product = oneOf(message, found.length > 0 || item ? found : inCart, item?.token)
  return lines.find(({ productId }) => productId === product.id)!
}

function* setQuantity(message: Message, input: { productId: string; quantity: number }): Plan<string> {
  const { product, now, before } = (yield* use(message, 'set_quantity', input)).value
  return message.say('now', escape(String(product)), String(now), String(before))
}

/** "Take a cup out" means one, and "take the cup out" all of them. */
const indefinite = /(?:^|\s)(?:an?|eine?n?|une?|una)\s+$/iu

function* take(message: Message): Plan<string> {
  const texts: string[] = []
  const items = itemsOf(message) ?? []
  for (const item of items.length > 0 ? items : [undefined]) {
    const { productId, quantity } = yield* lineOf(message, item)
    const isOneOf = item !== undefined && indefinite.test(message.text.slice(0, item.token.start))
    const count = item ? (item.quantity ?? (isOneOf ? 1 : undefined)) : message.one('num')
    const left = count === undefined ? 0 : Math.max(0, quantity - Number(count))
    texts.push(yield* setQuantity(message, { productId, quantity: left }))
    message.soFar = texts.join(' ')
  }
  return message.soFar
}

function* change(message: Message): Plan<string> {
  const [item] = itemsOf(message) ?? []
  const { productId } = yield* lineOf(message, item)
  return yield* setQuantity(message, { productId, quantity: Number(message.one('num')) })
}

function* stock(message: Message): Plan<string> {
  const products = yield* catalogue(message)
  const [item] = itemsOf(message) ?? []
  const found = item ? fitting(item, products) : yield* shownProduct(message, products)
  const { id } = oneOf(message, found.length > 0 ? found : products, item?.token)
  const { product, inStock } = (yield* use(message, 'check_stock', { productId: id })).value
  return message.say('stock', escape(String(product)), String(inStock))
}

/** Takes back the last change of the cart. */
export function* undoCart(message: Message, { name, input, result }: Call): Plan<string> {
  const value = (isObject(result?.value) ? result.value : {}) as JsonObject
  const productId = String(input['productId'])
  const texts = [message.say('undone')]
  if (name === 'empty_cart')
    for (const line of linesOf(value['removed']))
      texts.push(yield* setQuantity(message, { productId: line.productId, quantity: line.quantity }))
  else if (name === 'set_quantity')
    texts.push(yield* setQuantity(message, { productId, quantity: Number(value['before'] ?? 0) }))
  else {
    const lines = linesOf((yield* use(message, 'cart_read')).value['lines'])
    const now = lines.find((line) => line.productId === productId)?.quantity ?? 0
    const quantity = Math.max(0, now - Number(value['added'] ?? 0))
    texts.push(yield* setQuantity(message, { productId, quantity }))
  }
  return texts.join(' ')
}
