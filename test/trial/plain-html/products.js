// For the page and the server.
export const products = [
  { id: 'sencha', name: 'Sencha green tea', price: 12.5, stock: 20 },
  { id: 'assam', name: 'Assam black tea', price: 8.9, stock: 35 },
  { id: 'earl-grey', name: 'Earl Grey tea', price: 9.4, stock: 12 },
  { id: 'teapot', name: 'Glass teapot', price: 24.9, stock: 3 },
]
export const productOf = (id) => products.find((one) => one.id === id)
export const totalOf = (lines) => lines.reduce((sum, { id, quantity }) => sum + productOf(id).price * quantity, 0)
export const euro = (amount) => amount.toLocaleString('en', { style: 'currency', currency: 'EUR' })
