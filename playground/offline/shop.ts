// The tea shop: lists and prices, the cart, stock, delivery, the coupon and the checkout form. A kind of thing, such as
// "a teapot", is never taken for one of several things: the visitor is asked.
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'
import { fieldsOf, fillFields } from './booking.js'
import {
  all,
  dayIn,
  done,
  escape,
  failed,
  failureIn,
  fits,
  has,
  isTwice,
  listOf,
  moneyIn,
  one,
  say,
  tried,
  valueOf,
  type Context,
  type Intent,
  type Outcome,
} from './grammar.js'
import type { Token } from './lexer.js'
import { call, type Plan } from './replay.js'
import type { Call } from './transcript.js'

interface Product {
  readonly id: string
  readonly name: string
  readonly category: string
  readonly price: number
}

/** What a message names: a product, or a kind of which one or all are meant. */
interface Item {
  readonly token: Token
  readonly quantity: number | undefined
  readonly best: 'cheapest' | 'dearest' | undefined
}

const labels: Record<string, string> = {
  pots: 'Teapots',
  cups: 'Cups',
  kettles: 'Kettles',
  tea: 'Tea',
  extras: 'Extras',
}
const things = 'product_|category|product'
const itemKinds = 'product_ category product num count cheapest dearest'

/** The items with their quantities. Undefined where a number belongs to none, or to two. */
function itemsOf(tokens: readonly Token[]): Item[] | undefined {
  const line = tokens.filter(({ kind }) => /^(?:product_|category|product|num|cheapest|dearest)$/.test(kind))
  const isNumber = ({ kind }: Token): boolean => kind === 'num'
  const isBest = ({ kind }: Token): boolean => kind === 'cheapest' || kind === 'dearest'
  const named = line.filter((token) => !isNumber(token) && !isBest(token))
  const isBehind = line.length > 1 && line.some(isNumber) && !isNumber(line[0]!) && isNumber(line.at(-1)!)
  const ordered = isBehind ? [...line].reverse() : line
  const items: Item[] = []
  let quantity: number | undefined
  let best: Item['best']
  for (const token of ordered) {
    if (isNumber(token)) {
      if (quantity !== undefined) return undefined
      quantity = Number(token.value)
    } else if (isBest(token)) best = token.kind as Item['best']
    else {
      items.push({ token, quantity, best })
      quantity = undefined
      best = undefined
    }
  }
  // "The most expensive one" and "the tea that is cheapest".
  if (best !== undefined && items.length === 1 && named.length === 1) items[0] = { ...items[0]!, best }
  else if (best !== undefined) return undefined
  return quantity === undefined || items.length === 0 ? items : undefined
}

export function shopIntent(all_: readonly Token[], text: string): Intent | undefined {
  // A code is in capitals.
  const isCoupon = all_.some(({ kind }) => kind === 'coupon' || kind === 'apply')
  const tokens = all_.map((token) =>
    isCoupon && token.kind === 'unknown' && /^[A-Z][A-Z0-9]{3,}$/.test(token.text)
      ? { ...token, kind: 'code', value: token.text }
      : token,
  )
  const items = itemsOf(tokens)
  const kinds = new Set(tokens.map(({ kind }) => kind))
  const has_ = (...names: string[]): boolean => names.some((name) => kinds.has(name))
  if (fits(tokens, 'private', 'f q it num add total howmuch unknown'))
    return (context) => failed(say(context, 'private'))
  if (fits(tokens, 'code', 'coupon apply add q cart it for'))
    return (context) => coupon(context, all(tokens, 'code').map(String))
  if (fits(tokens, 'clear cart', 'all q') || fits(tokens, 'remove|delete all', 'cart fromcart from product q'))
    return empty
  if (
    fits(tokens, `remove|delete ${things}|it`, `${itemKinds} cart fromcart from all it q`) &&
    items &&
    !has_('cheapest', 'dearest', 'all')
  )
    return (context) => take(context, items, text)
  if (
    fits(tokens, 'change num', `${itemKinds} it instead cart q`) &&
    all(tokens, 'num').length === 1 &&
    (items?.length ?? 0) < 2
  )
    return (context) => change(context, tokens, items ?? [], text)
  if (fits(tokens, 'remember place', 'delivery it city') && !has_('q', 'howlong'))
    return (context) => remember(context, String(one(tokens, 'place')))
  if (
    fits(tokens, 'delivery|howlong', 'delivery howlong remember place when it q what how add product howmuch_') &&
    has_('howlong', 'delivery', 'when') &&
    !isTwice(tokens, 'place')
  )
    return (context) => delivery(context, one(tokens, 'place'))
  if (fits(tokens, `stock`, `${itemKinds} it q have howmany howmuch what show`) && items && items.length < 2)
    return (context) => stock(context, tokens, items, text)
  if (fits(tokens, 'add', `${itemKinds} cart it q nth`) && items && !has_('all'))
    return (context) => add(context, tokens, items, text)
  // "Two cups into the cart" needs no verb.
  if (fits(tokens, `${things} cart num`, itemKinds) && items) return (context) => add(context, tokens, items, text)
  if (
    fits(tokens, 'cart', 'what show contents howmuch howmany total have q it all count product') &&
    has_('what', 'show', 'contents', 'howmuch', 'total', 'have', 'q', 'howmany')
  )
    return cart
  if (fits(tokens, 'howmuch|total', 'howmuch total it cart all q what') && has_('total', 'cart')) return cart
  if (fits(tokens, `howmuch ${things}|it`, `${itemKinds} total it q what`) && items)
    return (context) => price(context, tokens, items)
  if (
    fits(tokens, `${things}|most|cheapest|dearest`, `${itemKinds} most show what have q all only howmuch`) &&
    items &&
    items.length < 2 &&
    !has_('num')
  )
    return (context) => list(context, items, one(tokens, 'most'))
  if (
    fits(tokens, 'email|delivery_|gift|name|forname', 'email delivery_ gift name forname delivery it f add') &&
    !isTwice(tokens, 'email', 'delivery_', 'name')
  )
    return (context) => address(context, tokens)
  return undefined
}

/** All products, as the shop's function lists them. */
function* catalogue(context: Context): Plan<readonly Product[] | Outcome> {
  const known = context.log.findLast(({ name, result }) => name === 'find_products' && result?.failed === false)
  const made = known ?? (yield* tried(context, 'find_products', { query: '' }))
  const list = valueOf(made, 'products')
  if (made.result?.failed !== false || !Array.isArray(list)) return failed(failureIn(context, made.result))
  return list.filter(isObject).map((one_) => one_ as unknown as Product)
}

const isOutcome = (value: readonly Product[] | Outcome): value is Outcome => 'isDone' in value

function candidates({ token, best }: Item, products: readonly Product[]): Product[] {
  const fitting = products.filter(({ id, category }) =>
    token.kind === 'product_' ? id === token.value : token.kind === 'product' || category === labels[token.value],
  )
  if (best === undefined) return fitting
  const sorted = fitting.toSorted((a, b) => (best === 'cheapest' ? a.price - b.price : b.price - a.price))
  return sorted.filter(({ price }) => price === sorted[0]?.price)
}

const priced = (context: Context, { name, price }: Product): string => `${escape(name)} (${moneyIn(context, price)})`

/** Asks which of several is meant; each offer is the message with that product in place of the kind. */
function which(context: Context, products: readonly Product[], token: Token | undefined, text: string): Outcome {
  if (products.length === 0) return failed(say(context, 'nothing'))
  const offers = products.map(({ name }) =>
    token === undefined || !text.includes(token.text) ? name : text.replace(token.text, name),
  )
  return {
    ...failed(
      say(
        context,
        'which',
        listOf(
          context,
          products.slice(0, 4).map((one_) => priced(context, one_)),
          'disjunction',
        ),
      ),
    ),
    offers: offers.slice(0, 4),
  }
}

function* list(context: Context, items: readonly Item[], most: string | number | undefined): Plan<Outcome> {
  const products = yield* catalogue(context)
  if (isOutcome(products)) return products
  const [item] = items
  const found = (item ? candidates(item, products) : products).filter(
    ({ price }) => most === undefined || price <= Number(most),
  )
  return found.length === 0
    ? done(say(context, 'nothing'))
    : done(
        `${listOf(
          context,
          found.map((one_) => priced(context, one_)),
        )}.`,
      )
}

function* price(context: Context, tokens: readonly Token[], items: readonly Item[]): Plan<Outcome> {
  const products = yield* catalogue(context)
  if (isOutcome(products)) return products
  if (items.length === 0) {
    const shown = yield* thisProduct(context, products)
    return shown === undefined ? which(context, [], undefined, '') : done(`${priced(context, shown)}.`)
  }
  const each = items.map((item) => ({ item, found: candidates(item, products) }))
  const isSum = items.length > 1 || items.some(({ quantity }) => quantity !== undefined)
  if (!isSum || (each.some(({ found }) => found.length !== 1) && !tokens.some(({ kind }) => kind === 'num')))
    return done(
      `${listOf(
        context,
        each.flatMap(({ found }) => found.map((one_) => priced(context, one_))),
      )}.`,
    )
  const unclear = each.find(({ found }) => found.length !== 1)
  if (unclear) return which(context, unclear.found, unclear.item.token, '')
  const lines = each.map(({ item, found }) => ({ quantity: item.quantity ?? 1, product: found[0]! }))
  const sum = lines.reduce((total, { quantity, product }) => total + quantity * product.price, 0)
  return done(
    say(
      context,
      'sum',
      listOf(
        context,
        lines.map(({ quantity, product }) => `${quantity} × ${priced(context, product)}`),
      ),
      moneyIn(context, sum),
    ),
  )
}

interface Line {
  readonly productId: string
  readonly name: string
  readonly quantity: number
  readonly sum: number
}
const linesOf = (made: Call): Line[] => {
  const lines = valueOf(made, 'lines')
  return Array.isArray(lines) ? lines.filter(isObject).map((line) => line as unknown as Line) : []
}

function* cart(context: Context): Plan<Outcome> {
  const made = yield* tried(context, 'cart_read', {})
  if (made.result?.failed !== false) return failed(failureIn(context, made.result))
  const lines = linesOf(made)
  if (lines.length === 0) return done(say(context, 'empty'))
  const code = valueOf(made, 'coupon')
  const words = lines.map(({ quantity, name, sum }) => `${quantity} × ${escape(name)} (${moneyIn(context, sum)})`)
  return done(
    say(
      context,
      'cart',
      listOf(context, [...words, ...(code === undefined ? [] : [escape(String(code))])]),
      moneyIn(context, valueOf(made, 'total')),
    ),
  )
}

/** The product of this page, or the only one that was spoken of last. */
function* thisProduct(context: Context, products: readonly Product[]): Plan<Product | undefined> {
  const last = context
    .calls()
    .findLast(
      ({ name, result }) =>
        /^(?:add_to_cart|set_quantity|check_stock|find_products)$/.test(name) &&
        result?.failed === false &&
        name !== 'find_products',
    )
  if (has(context, 'product_read')) {
    const made = yield* call('product_read', {})
    return products.find(({ id }) => id === valueOf(made, 'id'))
  }
  return products.find(({ id }) => id === last?.input['productId'])
}

function* add(context: Context, tokens: readonly Token[], items: readonly Item[], text: string): Plan<Outcome> {
  if (!has(context, 'add_to_cart')) return failed(say(context, 'elsewhere', 'Shop'))
  const products = yield* catalogue(context)
  if (isOutcome(products)) return products
  const nth = one(tokens, 'nth')
  const wanted: { product: Product; quantity: number }[] = []
  const generic = items.every(({ token }) => token.kind === 'product')
  if (generic && !items.some(({ best }) => best)) {
    // "Add two": the product of this page, or what was listed before.
    const quantity = Number(one(tokens, 'num') ?? 1)
    const shown = nth === undefined ? yield* thisProduct(context, products) : undefined
    const before = listedBefore(context, products)
    const product =
      nth === undefined
        ? (shown ?? (before.length === 1 ? before[0] : undefined))
        : before.at(Number(nth) - (Number(nth) > 0 ? 1 : 0))
    if (product === undefined) return which(context, before.length > 0 ? before : products.slice(0, 4), undefined, text)
    wanted.push({ product, quantity })
  } else
    for (const item of items) {
      const found = candidates(item, products)
      if (found.length !== 1) return which(context, found, item.token, text)
      wanted.push({ product: found[0]!, quantity: item.quantity ?? 1 })
    }
  if (wanted.some(({ quantity }) => !Number.isInteger(quantity) || quantity < 1))
    return failed(say(context, 'together', escape(text)))
  const added: string[] = []
  for (const { product, quantity } of wanted) {
    const made = yield* tried(context, 'add_to_cart', { productId: product.id, quantity })
    if (made.result?.failed !== false)
      return failed(
        added.length > 0 ? say(context, 'added', listOf(context, added)) : '',
        failureIn(context, made.result),
      )
    added.push(
      `${String(valueOf(made, 'added') ?? quantity)} × ${escape(String(valueOf(made, 'product') ?? product.name))}`,
    )
  }
  return done(say(context, 'added', listOf(context, added)))
}

/** What the answer before listed, in its order. */
function listedBefore({ answers }: Context, products: readonly Product[]): Product[] {
  const last = answers.at(-1) ?? ''
  return products
    .filter(({ name }) => last.includes(name))
    .toSorted((a, b) => last.indexOf(a.name) - last.indexOf(b.name))
}

/** The line of the cart that is meant. */
function* lineOf(context: Context, items: readonly Item[], text: string): Plan<Line | Outcome> {
  const made = yield* tried(context, 'cart_read', {})
  const products = yield* catalogue(context)
  if (isOutcome(products)) return products
  const lines = linesOf(made)
  if (lines.length === 0) return failed(say(context, 'empty'))
  const inCart = products.filter(({ id }) => lines.some(({ productId }) => productId === id))
  const [item] = items
  const shown = item === undefined ? yield* thisProduct(context, products) : undefined
  const found =
    item === undefined ? inCart.filter(({ id }) => shown === undefined || id === shown.id) : candidates(item, inCart)
  const line = lines.find(({ productId }) => productId === found[0]?.id)
  return found.length === 1 && line ? line : which(context, found, item?.token, text)
}

function* setQuantity(context: Context, { productId, name }: Line, quantity: number): Plan<Outcome> {
  const made = yield* tried(context, 'set_quantity', { productId, quantity })
  if (made.result?.failed !== false) return failed(failureIn(context, made.result))
  return done(say(context, 'now', escape(name), String(valueOf(made, 'now')), String(valueOf(made, 'before'))))
}

function* take(context: Context, items: readonly Item[], text: string): Plan<Outcome> {
  const outcomes: Outcome[] = []
  for (const item of items.length > 0 ? items : [undefined]) {
    const line = yield* lineOf(context, item ? [item] : [], text)
    if ('isDone' in line) return outcomes.length > 0 ? failed(...outcomes.map((each) => each.text), line.text) : line
    outcomes.push(
      yield* setQuantity(context, line, Math.max(0, item?.quantity === undefined ? 0 : line.quantity - item.quantity)),
    )
  }
  return { text: outcomes.map((each) => each.text).join(' '), isDone: outcomes.every(({ isDone }) => isDone) }
}

function* change(context: Context, tokens: readonly Token[], items: readonly Item[], text: string): Plan<Outcome> {
  const line = yield* lineOf(context, items, text)
  return 'isDone' in line ? line : yield* setQuantity(context, line, Number(one(tokens, 'num')))
}

function* empty(context: Context): Plan<Outcome> {
  const made = yield* tried(context, 'empty_cart', {})
  if (made.result?.failed !== false) return failed(failureIn(context, made.result))
  const lines = valueOf(made, 'removed')
  const words = Array.isArray(lines)
    ? lines.filter(isObject).map((line) => `${String(line['quantity'])} × ${escape(String(line['name']))}`)
    : []
  return done(words.length === 0 ? say(context, 'empty') : say(context, 'emptied', listOf(context, words)))
}

/** Takes back the last change of the cart. */
export function* undoCart(context: Context, last: Call): Plan<Outcome> {
  const back: JsonObject[] = []
  if (last.name === 'empty_cart') {
    const lines = valueOf(last, 'removed')
    if (Array.isArray(lines))
      back.push(
        ...lines.filter(isObject).map(({ productId, quantity }): JsonObject => ({
          productId: productId as JsonValue,
          quantity: quantity as JsonValue,
        })),
      )
  } else if (last.name === 'set_quantity')
    back.push({ productId: last.input['productId'] ?? '', quantity: valueOf(last, 'before') ?? 0 })
  else {
    const line = linesOf(yield* tried(context, 'cart_read', {})).find(
      ({ productId }) => productId === last.input['productId'],
    )
    if (line)
      back.push({
        productId: line.productId,
        quantity: Math.max(0, line.quantity - Number(valueOf(last, 'added') ?? 0)),
      })
  }
  const texts: string[] = []
  for (const input of back) {
    const made = yield* tried(context, 'set_quantity', input)
    if (made.result?.failed !== false) return failed(failureIn(context, made.result))
    texts.push(
      say(
        context,
        'now',
        escape(String(valueOf(made, 'product'))),
        String(valueOf(made, 'now')),
        String(valueOf(made, 'before')),
      ),
    )
  }
  return texts.length === 0 ? failed(say(context, 'noundo')) : done(say(context, 'undone'), ...texts)
}

function* coupon(context: Context, codes: readonly string[]): Plan<Outcome> {
  if (codes.length !== 1) return failed(say(context, 'nothing'))
  if (!has(context, 'apply_coupon')) return failed(say(context, 'elsewhere', 'Cart'))
  const made = yield* tried(context, 'apply_coupon', { code: codes[0]! })
  if (made.result?.failed !== false) return failed(failureIn(context, made.result))
  return done(
    say(
      context,
      'coupon',
      escape(String(valueOf(made, 'code'))),
      String(valueOf(made, 'percent')),
      moneyIn(context, valueOf(made, 'total')),
    ),
  )
}

function* stock(context: Context, tokens: readonly Token[], items: readonly Item[], text: string): Plan<Outcome> {
  const products = yield* catalogue(context)
  if (isOutcome(products)) return products
  const [item] = items
  const shown = item === undefined ? yield* thisProduct(context, products) : undefined
  const found = item === undefined ? [shown].filter((one_) => one_ !== undefined) : candidates(item, products)
  if (found.length !== 1) return which(context, found.length > 0 ? found : products.slice(0, 4), item?.token, text)
  const made = yield* tried(context, 'check_stock', { productId: found[0]!.id })
  if (made.result?.failed !== false) return failed(failureIn(context, made.result))
  const cost = tokens.some(({ kind }) => kind === 'howmuch') ? `${priced(context, found[0]!)}.` : ''
  return done(
    say(context, 'stock', escape(String(valueOf(made, 'product'))), String(valueOf(made, 'inStock'))),
    made.note,
    cost,
  )
}

function* delivery(context: Context, place: string | number | undefined): Plan<Outcome> {
  const made = yield* tried(context, 'estimate_delivery', place === undefined ? {} : { city: String(place) })
  if (made.result?.failed !== false) return failed(failureIn(context, made.result))
  return done(
    say(
      context,
      'delivery',
      escape(String(valueOf(made, 'city'))),
      String(valueOf(made, 'workingDays')),
      dayIn(context, String(valueOf(made, 'arrives'))),
    ),
  )
}

function* remember(context: Context, city: string): Plan<Outcome> {
  const made = yield* tried(context, 'set_delivery_city', { city })
  return made.result?.failed === false
    ? done(say(context, 'place', escape(city)))
    : failed(failureIn(context, made.result))
}

/** The checkout form, where the page has it. */
function* address(context: Context, tokens: readonly Token[]): Plan<Outcome> {
  const fields = fieldsOf(yield* call('form_read', {}))
  const given: [string, JsonValue][] = []
  const name = one(tokens, 'name') ?? one(tokens, 'forname')
  if (name !== undefined) given.push(['name', name])
  for (const kind of ['email', 'delivery_'] as const) {
    const value = one(tokens, kind)
    if (value !== undefined) given.push([kind.replace('_', ''), value])
  }
  if (tokens.some(({ kind }) => kind === 'gift')) given.push(['gift', true])
  const found = given.map(([key, value]) => ({ field: fields.find((field) => field.name === key)?.label, value }))
  if (found.some(({ field }) => field === undefined)) return failed(say(context, 'elsewhere', 'Checkout'))
  const made = yield* fillFields(
    context,
    found.map(({ field = '', value }) => ({ field, value })),
  )
  return made.isDone ? done(made.text, say(context, 'submit', 'Place the order')) : made
}
