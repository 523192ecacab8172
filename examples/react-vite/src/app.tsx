import { useState } from 'react'
import { ToolAgent, useAgent, useAgentState, useTool } from 'tool-agent/react'
import { Cards } from './cards'

const orders = [
  { id: 1, product: 'Sencha' },
  { id: 2, product: 'Assam' },
]

export function App() {
  const [shown, setShown] = useState(orders)
  const agent = useAgent({
    endpoint: import.meta.env['VITE_ENDPOINT'] ?? 'http://127.0.0.1:8790/v1',
    model: import.meta.env['VITE_MODEL'] ?? 'gpt-5-mini',
  })
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
  const tasks = useAgentState(agent, ({ todos }) => todos)
  return (
    <>
      <h1>Tea shop</h1>
      <ul>
        {shown.map(({ id, product }) => (
          <li key={id}>{product}</li>
        ))}
      </ul>
      {tasks.map(({ text, status }) => (
        <p key={text}>
          {text}: {status}
        </p>
      ))}
      <label>
        Wishes <textarea name="wishes" />
      </label>
      <Cards />
      <ToolAgent agent={agent} pageTools="read fill" heading="Help" />
    </>
  )
}
