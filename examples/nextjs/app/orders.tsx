'use client'
import { useState } from 'react'
import { useTool } from 'tool-agent/react'

const orders = [
  { id: 1, product: 'Sencha' },
  { id: 2, product: 'Assam' },
]

export function Orders() {
  const [shown, setShown] = useState(orders)
  useTool({
    name: 'find_orders',
    description: 'Finds the orders of the signed-in customer by a part of the product’s name. Returns a list.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    annotations: { readOnlyHint: true },
    execute: ({ query }) => {
      const found = orders.filter(({ product }) => product.toLowerCase().includes(query.toLowerCase()))
      setShown(found)
      return found
    },
  })
  return (
    <ul>
      {shown.map(({ id, product }) => (
        <li key={id}>{product}</li>
      ))}
    </ul>
  )
}
