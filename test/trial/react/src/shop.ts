export type Product = { id: string; name: string; price: number; stock: number }
export type Line = { productId: string; quantity: number }
export type Form = { name: string; address: string }
export type Order = Form & { customerId: string; cart: Line[]; total: number }

export const products: Product[] = [
  { id: 'sencha', name: 'Sencha green tea', price: 9.5, stock: 40 },
  { id: 'jasmine', name: 'Jasmine green tea', price: 14.9, stock: 12 },
  { id: 'assam', name: 'Assam black tea', price: 12, stock: 25 },
  { id: 'teapot', name: 'Cast iron teapot', price: 48, stock: 5 },
]
export const euro = (amount: number) => amount.toLocaleString('en', { style: 'currency', currency: 'EUR' })
export const productOf = (id: string) => {
  const product = products.find((one) => one.id === id)
  if (!product) throw new Error(`There is no product "${id}". Find its id with find_products.`)
  return product
}
export const totalOf = (cart: Line[]) =>
  cart.reduce((sum, { productId, quantity }) => sum + productOf(productId).price * quantity, 0)

export function findProducts(query = '', maxPrice = Infinity): Product[] {
  const words = query.toLowerCase().split(/\s+/)
  return products.filter(
    ({ name, price }) => price <= maxPrice && words.every((word) => name.toLowerCase().includes(word)),
  )
}

/** The cart with this many more of a product, or less. */
export function withMore(cart: Line[], productId: string, more: number): Line[] {
  const { name, stock } = productOf(productId)
  const quantity = (cart.find((line) => line.productId === productId)?.quantity ?? 0) + more
  if (quantity > stock) throw new Error(`Only ${stock} of ${name} are in stock.`)
  const others = cart.filter((line) => line.productId !== productId)
  return quantity > 0 ? [...others, { productId, quantity }] : others
}

export async function placeOrder(order: Order, key: string, signal?: AbortSignal): Promise<{ number: number }> {
  const response = await fetch('/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(order),
    ...(signal && { signal }),
  })
  if (!response.ok) throw new Error(`The shop answered ${response.status}`)
  return response.json()
}
