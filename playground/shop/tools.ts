// The shop's functions as tools, with zod schemas. Each page offers what makes sense on it, so the offer changes with
// every navigation.
import { z } from 'zod'
import type { ToolRun } from '../../src/page/tools/tool.js'
import type { ToolAgentElement } from '../../src/ui/element/tool-agent-element.js'
import { pause } from '../shared/pause.js'
import { addToCart, applyCoupon, emptyCart, mostPieces, readCart, setQuantity, totalsOf } from './cart.js'
import { categories, findProducts, productOf, type Product } from './products.js'
import { workingDaysAfter } from './working-days.js'

export type ShopPage = 'catalogue' | 'product' | 'cart' | 'checkout'

// Under a policy without `unsafe-eval` zod must not try to compile its schemas.
z.config({ jitless: true })

const productId = z.string().describe('The id of a product, as find_products gives it')

/** What a summary learns of a call. Ids are for the model; visitors read names. */
interface Ended<Input> {
  readonly state: 'done' | 'failed'
  readonly input: Input
}

/** Offers the tools of this page to the assistant. */
export function registerTools(agent: ToolAgentElement, page: ShopPage): void {
  // Facts for the tools, never for the model: who is signed in here.
  agent.toolContext = { customerId: 'c-1042', warehouse: 'north' }
  agent.registerTool([findTool(), cartTool(), quantityTool(), emptyTool(), stockTool(), deliveryTool(), cityTool()])
  // A turn that goes on after a navigation waits for the tools it was offered before. Here the offer differs by page
  // and all of it is there at once, so there is little to wait for.
  agent.limits = { resumeWait: 1500 }
  if (page !== 'checkout') agent.registerTool(addTool(agent, page))
  if (page === 'product') agent.registerTool(productTool())
  if (page === 'cart') agent.registerTool(couponTool())
}

const line = ({ id, name, category, price, short }: Product): object => ({
  id,
  name,
  category: categories.get(category),
  price,
  about: short,
})

function findTool() {
  return {
    name: 'find_products',
    title: 'Find products',
    description:
      'Find products of the shop by free text. Returns at most 12, best first, with id, name and price in euros.',
    inputSchema: z.object({
      query: z.string().describe('What to look for; empty for all'),
      maxPrice: z.number().positive().optional().describe('Highest price in euros'),
    }),
    annotations: { readOnlyHint: true },
    execute: ({ query, maxPrice }: { query: string; maxPrice?: number }) => ({
      products: findProducts(query, maxPrice).map(line),
    }),
  }
}

function productTool() {
  return {
    name: 'product_read',
    title: 'Look at this product',
    description: 'Read the product that this page shows: its id, name, price and description.',
    annotations: { readOnlyHint: true },
    execute() {
      const product = productOf(new URLSearchParams(location.search).get('id') ?? '')
      if (!product) throw new Error('This page shows no product')
      return { ...line(product), text: product.text }
    },
  }
}

function addTool(agent: ToolAgentElement, page: ShopPage) {
  return {
    name: 'add_to_cart',
    title: 'Add to the cart',
    description: 'Add a product to the cart. The cart page opens afterwards.',
    inputSchema: z.object({
      productId,
      quantity: z.int().min(1).max(mostPieces).default(1).describe('How many pieces'),
    }),
    execute({ productId: id, quantity }: { productId: string; quantity: number }, { toolCallId }: ToolRun) {
      const product = productOf(id)
      if (!product) throw new Error(`There is no product ${JSON.stringify(id)}. Use find_products for the ids`)
      addToCart(id, quantity)
      if (page !== 'cart') leaveAfter(agent, toolCallId, 'cart.html')
      return { added: quantity, product: product.name, message: `${quantity} × ${product.name} put into the cart.` }
    },
    summary: ({ state, input: { productId: id, quantity } }: Ended<{ productId: string; quantity: number }>) =>
      state === 'done' ? `Put ${quantity} × ${productOf(id)?.name} into the cart` : undefined,
  }
}

/**
 * As many shops do, this one goes to another page: once the result is known, so that it is not lost with this one. What
 * comes next is asked of the next page, with its tools: a provider that does not answer holds the step back meanwhile.
 */
function leaveAfter(agent: ToolAgentElement, callId: string, address: string): void {
  agent.registerToolProvider(() => new Promise(() => {}))
  const leave = (): void => {
    agent.removeEventListener('tool-agent-tool-result', onresult)
    clearTimeout(timer)
    location.assign(address)
  }
  const onresult = (event: HTMLElementEventMap['tool-agent-tool-result']): void => {
    if (event.call.id === callId) leave()
  }
  agent.addEventListener('tool-agent-tool-result', onresult)
  // `callTool` runs a tool by hand, without a result in a session.
  const timer = setTimeout(leave, 2000)
}

function couponTool() {
  return {
    name: 'apply_coupon',
    title: 'Apply a coupon',
    description: 'Apply a coupon code to the cart. A coupon can be used once.',
    inputSchema: z.object({ code: z.string().min(3).max(20).describe('The coupon code') }),
    // It uses up what belongs to the customer, so the customer is asked.
    needsApproval: true,
    execute({ code }: { code: string }, { toolContext }: ToolRun) {
      if (typeof toolContext['customerId'] !== 'string') throw new Error('Coupons are for signed-in customers')
      applyCoupon(code)
      const { coupon, subtotal, total } = totalsOf(readCart())
      return { code: coupon?.code, percent: coupon?.percent, before: subtotal, total }
    },
  }
}

function cartTool() {
  return {
    name: 'cart_read',
    title: 'Look into the cart',
    description: 'Read the cart: its lines, the coupon and the total in euros.',
    annotations: { readOnlyHint: true },
    execute() {
      const { lines, coupon, subtotal, total } = totalsOf(readCart())
      return {
        lines: lines.map(({ product, quantity, total: sum }) => ({
          productId: product.id,
          name: product.name,
          quantity,
          sum,
        })),
        ...(coupon ? { coupon: `${coupon.code}, ${coupon.percent} % off` } : {}),
        subtotal,
        total,
      }
    },
  }
}

function quantityTool() {
  return {
    name: 'set_quantity',
    title: 'Change the quantity',
    description:
      'Set how many pieces of a product are in the cart; 0 takes it out. Returns the quantity before and now.',
    inputSchema: z.object({
      productId,
      quantity: z.int().min(0).max(mostPieces).describe('How many pieces'),
    }),
    annotations: { idempotentHint: true },
    execute({ productId: id, quantity }: { productId: string; quantity: number }) {
      const product = productOf(id)
      if (!product) throw new Error(`There is no product ${JSON.stringify(id)}. Use find_products for the ids`)
      const piecesOf = (): number => readCart().lines.find((each) => each.productId === id)?.quantity ?? 0
      const before = piecesOf()
      setQuantity(id, quantity)
      return { product: product.name, before, now: piecesOf() }
    },
    summary: ({ state, input: { productId: id, quantity } }: Ended<{ productId: string; quantity: number }>) =>
      state === 'done' ? `${productOf(id)?.name}: ${quantity} in the cart` : undefined,
  }
}

function emptyTool() {
  return {
    name: 'empty_cart',
    title: 'Empty the cart',
    description: 'Take everything out of the cart, the coupon too. Returns what was in it; set_quantity puts it back.',
    annotations: { idempotentHint: true },
    execute() {
      const removed = totalsOf(readCart()).lines.map(({ product, quantity }) => ({
        productId: product.id,
        name: product.name,
        quantity,
      }))
      emptyCart()
      return { removed }
    },
  }
}

function stockTool() {
  return {
    name: 'check_stock',
    title: 'Ask the warehouse',
    description: 'Check how many pieces of a product are in stock. The warehouse does not always answer at once.',
    inputSchema: z.object({ productId }),
    annotations: { readOnlyHint: true },
    execute({ productId: id }: { productId: string }, { toolContext }: ToolRun) {
      const product = productOf(id)
      if (!product) throw new Error(`There is no product ${JSON.stringify(id)}. Use find_products for the ids`)
      // Every second question gets no answer, beginning with the first.
      const asked = Number(sessionStorage.getItem('kettle-and-leaf-asked') ?? '0') + 1
      sessionStorage.setItem('kettle-and-leaf-asked', String(asked))
      if (asked % 2 === 1) throw new Error('The warehouse did not answer. This happens at times; try it once more')
      const warehouse = toolContext['warehouse'] === 'north' ? 3 : 5
      return { product: product.name, inStock: (product.name.length * warehouse) % 17 }
    },
    summary: ({ state, input: { productId: id } }: Ended<{ productId: string }>) =>
      state === 'done' ? `Asked the warehouse about ${productOf(id)?.name}` : undefined,
  }
}

function deliveryTool() {
  return {
    name: 'estimate_delivery',
    title: 'Estimate the delivery',
    description:
      'Estimate when an order would arrive in a city. Takes about four seconds. Without a city the remembered one is used.',
    inputSchema: z.object({ city: z.string().min(2).optional().describe('Where to deliver to') }),
    annotations: { readOnlyHint: true },
    async execute({ city }: { city?: string }, { signal, toolContext, report }: ToolRun) {
      const { deliveryCity } = toolContext
      const target = city ?? (typeof deliveryCity === 'string' ? deliveryCity : undefined)
      if (target === undefined) throw new Error('No city was given and none is remembered. Ask for one')
      const steps = ['Looking for the nearest warehouse', 'Asking the carrier', 'Checking the calendar', 'Adding it up']
      for (const [index, message] of steps.entries()) {
        report({ message, fraction: index / steps.length })
        await pause(1000, signal)
      }
      const days = 2 + (target.length % 3)
      return { city: target, workingDays: days, arrives: workingDaysAfter(Date.now(), days) }
    },
  }
}

function cityTool() {
  return {
    name: 'set_delivery_city',
    title: 'Remember the delivery city',
    description: 'Remember the city that orders are delivered to, for later estimates.',
    inputSchema: z.object({ city: z.string().min(2).describe('The city') }),
    annotations: { idempotentHint: true },
    execute({ city }: { city: string }, { remember }: ToolRun) {
      remember('deliveryCity', city)
      return `${city} is remembered for deliveries.`
    },
  }
}
