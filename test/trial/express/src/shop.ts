export type Product = { id: string; name: string; price: number }
export type Cart = { lines: (Product & { quantity: number })[]; total: number }

async function request<T>(path: string, init?: RequestInit): Promise<T> {
  const response = await fetch(path, init)
  const body = await response.json()
  if (!response.ok) throw new Error(body)
  return body
}
const post = <T>(path: string, body: object, headers: Record<string, string> = {}) =>
  request<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

export const euro = (amount: number) => amount.toLocaleString('en', { style: 'currency', currency: 'EUR' })
export const login = (name: string) => post<{ id: string }>('/login', { name })
export const findProducts = (q = '', maxPrice?: number) =>
  request<Product[]>(`/api/products?${new URLSearchParams({ q, ...(maxPrice && { maxPrice: String(maxPrice) }) })}`)

function drawCart({ lines, total }: Cart): Cart {
  const items = lines.map(({ name, quantity }) =>
    Object.assign(document.createElement('li'), { textContent: `${quantity} × ${name}` }),
  )
  document.querySelector('#cart')!.replaceChildren(...items)
  document.querySelector<HTMLOutputElement>('#total')!.value = euro(total)
  return { lines, total }
}
export const loadCart = async () => drawCart(await request<Cart>('/api/cart'))
export const addToCart = async (productId: string, quantity: number) =>
  drawCart(await post<Cart>('/api/cart', { productId, quantity }))
export async function order(total: number, key: string) {
  const placed = await post<{ number: number; total: number }>('/api/orders', { total }, { 'idempotency-key': key })
  document.querySelector('#message')!.textContent = `Thank you! Order ${placed.number} over ${euro(placed.total)}.`
  await loadCart()
  return placed
}

/** The card of a product, on the page and in the panel. */
export class ProductCard extends HTMLElement {
  product?: Product
  connectedCallback() {
    const { id, name, price } = this.product!
    const link = Object.assign(document.createElement('a'), { href: `#${id}`, textContent: `${name}, ${euro(price)}` })
    this.replaceChildren(link)
  }
}
customElements.define('product-card', ProductCard)
export const card = (product: Product) => Object.assign(new ProductCard(), { product })
