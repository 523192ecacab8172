// The page of the test: the same shop with a scripted model.
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { scriptedModel } from 'tool-agent/testing'
import { App } from './App'

const fields = [
  { field: 'Name', value: 'Ada Lovelace' },
  { field: 'Address', value: '12 St James Square, London' },
]
const model = scriptedModel([
  {
    calls: [
      { name: 'todo_write', input: { items: [{ text: 'Find green tea', status: 'completed' }, { text: 'Order it' }] } },
      { name: 'find_products', input: { query: 'green tea', maxPrice: 15 } },
    ],
  },
  {
    calls: [
      { name: 'add_to_cart', input: { productId: 'sencha' } },
      { name: 'add_to_cart', input: { productId: 'jasmine', quantity: 2 } },
    ],
  },
  { calls: [{ name: 'form_fill', input: { fields } }, { name: 'check_out' }] },
  'Your order is on its way.',
])
Object.assign(window, { model })
createRoot(document.getElementById('app')!).render(
  <StrictMode>
    <App model={{ modelAdapter: model }} />
  </StrictMode>,
)
