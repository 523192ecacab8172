// The cart: kept in localStorage, so that it is the same on every page and in every tab of the shop.
import { productOf, type Product } from './products.js'

export interface Cart {
  readonly lines: readonly { readonly productId: string; readonly quantity: number }[]
  readonly coupon?: string
}
export interface Totals {
  readonly lines: readonly { readonly product: Product; readonly quantity: number; readonly total: number }[]
  readonly coupon: { readonly code: string; readonly percent: number; readonly off: number } | undefined
  readonly subtotal: number
  readonly total: number
  readonly pieces: number
}

const storageKey = 'kettle-and-leaf-cart'
export const mostPieces = 20
/** Per cent off, by code. */
const coupons: ReadonlyMap<string, number> = new Map([
  ['TEA10', 10],
  ['WELCOME5', 5],
])
const changes = new EventTarget()

export function readCart(): Cart {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? 'null')
    if (typeof stored !== 'object' || stored === null || !('lines' in stored) || !Array.isArray(stored.lines))
      return { lines: [] }
    const lines = (stored.lines as unknown[]).flatMap((line) => {
      const { productId, quantity } = (line ?? {}) as { productId?: unknown; quantity?: unknown }
      return typeof productId === 'string' && productOf(productId) && Number.isInteger(quantity) && Number(quantity) > 0
        ? [{ productId, quantity: Math.min(Number(quantity), mostPieces) }]
        : []
    })
    const coupon =
      'coupon' in stored && typeof stored.coupon === 'string' && coupons.has(stored.coupon)
        ? { coupon: stored.coupon }
        : {}
    return { lines, ...coupon }
  } catch {
    // Closed storage, or not ours: an empty cart is what the visitor sees, too.
    return { lines: [] }
  }
}

function writeCart(cart: Cart): void {
  localStorage.setItem(storageKey, JSON.stringify(cart))
  changes.dispatchEvent(new Event('change'))
}

/** Called after every change, of another tab as well. */
export function onCartChange(listener: () => void): void {
  changes.addEventListener('change', listener)
  addEventListener('storage', ({ key }) => {
    if (key === storageKey || key === null) listener()
  })
}

export function addToCart(productId: string, quantity: number): void {
  const cart = readCart()
  const before = cart.lines.find((line) => line.productId === productId)?.quantity ?? 0
  setQuantity(productId, before + quantity)
}

/** 0 takes the product out. */
export function setQuantity(productId: string, quantity: number): void {
  const cart = readCart()
  const wanted = Math.min(Math.max(0, Math.trunc(quantity)), mostPieces)
  const isNew = !cart.lines.some((line) => line.productId === productId)
  const lines = isNew
    ? [...cart.lines, { productId, quantity: wanted }]
    : cart.lines.map((line) => (line.productId === productId ? { productId, quantity: wanted } : line))
  writeCart({ ...cart, lines: lines.filter((line) => line.quantity > 0) })
}

/** Throws a sentence for people where the code is not known or the cart is empty. */
export function applyCoupon(code: string): void {
  const cart = readCart()
  const known = code.trim().toUpperCase()
  if (cart.lines.length === 0) throw new Error('The cart is empty, so there is nothing to take a discount from')
  if (!coupons.has(known)) throw new Error(`There is no coupon ${JSON.stringify(code)}`)
  if (cart.coupon === known) throw new Error(`The coupon ${known} is already applied`)
  writeCart({ ...cart, coupon: known })
}

export function removeCoupon(): void {
  writeCart({ lines: readCart().lines })
}

export function emptyCart(): void {
  writeCart({ lines: [] })
}

export function totalsOf(cart: Cart): Totals {
  const lines = cart.lines.flatMap(({ productId, quantity }) => {
    const product = productOf(productId)
    return product ? [{ product, quantity, total: round(product.price * quantity) }] : []
  })
  const subtotal = round(lines.reduce((sum, line) => sum + line.total, 0))
  const percent = cart.coupon === undefined ? undefined : coupons.get(cart.coupon)
  const coupon =
    cart.coupon === undefined || percent === undefined
      ? undefined
      : { code: cart.coupon, percent, off: round((subtotal * percent) / 100) }
  return {
    lines,
    coupon,
    subtotal,
    total: round(subtotal - (coupon?.off ?? 0)),
    pieces: lines.reduce((sum, { quantity }) => sum + quantity, 0),
  }
}

function round(amount: number): number {
  return Math.round(amount * 100) / 100
}
