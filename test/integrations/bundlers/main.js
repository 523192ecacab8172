// The same page for webpack, esbuild and Rollup. The address names the endpoint and, where the bundler leaves the worker
// out, the place of the worker.
import { createAgent } from 'tool-agent'

const query = new URLSearchParams(location.search)
const orders = [
  { id: 1, product: 'Sencha' },
  { id: 2, product: 'Assam' },
]
const agent = createAgent({
  endpoint: query.get('endpoint') ?? '/v1',
  model: 'test',
  ...(query.has('worker') ? { workerUrl: query.get('worker') } : {}),
})
agent.registerTool({
  name: 'find_orders',
  description: 'Finds the orders of the signed-in customer by a part of the product’s name. Returns a list.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  annotations: { readOnlyHint: true },
  execute: ({ query }) => orders.filter(({ product }) => product.toLowerCase().includes(query.toLowerCase())),
})
const element = document.createElement('tool-agent')
Object.assign(element, { agent, pageTools: 'read fill' })
document.body.append(element)
