// What the demos suggest, and what the home page quotes: the offline model understands each sentence.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'playwright/test'
import type { JsonObject } from '../../../src/core/data/json.js'
import { factsText } from '../../../src/core/prompt/facts.js'
import { parseRequest } from '../../../playground/server/chat.js'
import { offlineModel } from '../../../playground/offline/offline-model.js'

const pageOf = (path: string): string =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')
const own = ['find_products', 'cart_read', 'set_quantity', 'empty_cart', 'check_stock', 'estimate_delivery']
const tools = {
  booking: ['check_tables'],
  shop: [...own, 'set_delivery_city', 'add_to_cart'],
  product: [...own, 'set_delivery_city', 'add_to_cart', 'product_read'],
  cart: [...own, 'set_delivery_city', 'add_to_cart', 'apply_coupon'],
  orders: ['page_click'],
} as const
const builtIn = ['page_read', 'page_find', 'form_read', 'form_fill', 'form_undo', 'todo_write', 'page_navigate']

/** The demos: the file, and the tools of the page that the offline model knows it by. */
const demos = [
  ['playground/booking/index.html', tools.booking],
  ['playground/launcher/index.html', tools.booking],
  ['playground/shop/index.html', tools.shop],
  ['playground/shop/product.html', tools.product],
  ['playground/shop/cart.html', tools.cart],
  ['playground/orders/index.html', tools.orders],
] as const

/** Whether it does something for the sentence, or says what it can do. */
function isUnderstood(sentence: string, names: readonly string[]): boolean {
  const facts = factsText(
    [
      { name: 'Today', text: '2026-11-20 (Fri)' },
      {
        name: 'Page title',
        text: names.includes('page_click') ? 'Orders · Fernhill Nursery' : 'A page',
        untrusted: true,
      },
      { name: 'Page address', text: 'https://example.org/x', untrusted: true },
    ],
    '3f',
  )
  const parameters: JsonObject = { type: 'object', properties: {} }
  const parts = offlineModel(
    parseRequest({
      model: 'm',
      messages: [
        { role: 'system', content: 'You are an assistant inside a web page.' },
        { role: 'user', content: `${facts}\n\n${sentence}` },
      ],
      tools: [...names, ...builtIn].map((name) => ({
        type: 'function',
        function: { name, description: name, parameters },
      })),
    }),
  )
  const isHelp = parts.some((part) => part.type === 'text' && part.text.includes('I am the offline model'))
  return isHelp || parts.some(({ type }) => type === 'tool-call')
}

/** The suggestions of the element, and what the page says that one can ask. */
function sentencesOf(html: string): string[] {
  const suggestions = JSON.parse(/suggestions='([^']+)'/.exec(html)?.[1] ?? '[]') as string[]
  return [...suggestions, ...quotesOf(html)]
}

const quotesOf = (html: string): string[] =>
  [...html.matchAll(/“([^”]+)”<\/(?:em|q|li)>/g)].map(([, text = '']) => text)

for (const [file, names] of demos) {
  test(`the offline model understands what ${file} suggests`, () => {
    const sentences = sentencesOf(pageOf(file))
    expect(sentences.length).toBeGreaterThan(1)
    expect(sentences.filter((sentence) => !isUnderstood(sentence, names))).toEqual([])
    // As a visitor would write it.
    expect(sentences.filter((sentence) => !/^\p{Lu}/u.test(sentence))).toEqual([])
  })
}

test('the offline model understands what the home page quotes', () => {
  const [booking = '', shop = '', orders = '', launcher = ''] = quotesOf(pageOf('index.html'))
  expect([
    isUnderstood(booking, tools.booking),
    isUnderstood(shop, tools.shop),
    isUnderstood(orders, tools.orders),
    isUnderstood(launcher, tools.booking),
  ]).toEqual([true, true, true, true])
})

test('a sentence that it does not understand is found', () => {
  expect(isUnderstood('Recite a poem about teapots and whales', tools.shop)).toBe(false)
})
