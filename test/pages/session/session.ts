// A page as an author writes it: an agent, a few tools that count their runs where a reload cannot lose them.
import { createAgent } from '../../../src/page/agent.js'
import type { ToolRun } from '../../../src/page/tools/tool.js'

const query = new URLSearchParams(location.search)
const count = (name: string) => localStorage.setItem(name, String(Number(localStorage.getItem(name) ?? 0) + 1))
const agent = createAgent({
  endpoint: query.get('endpoint') ?? '',
  model: 'm',
  toolContext: { tenant: 'secret-tenant' },
  // The file does not exist, so the host runs in the page.
  ...(query.get('rung') === 'page' ? { workerUrl: '/test/pages/no-worker.js' } : {}),
  ...(query.has('chars') ? { limits: { resultChars: Number(query.get('chars')) } } : {}),
  ...(query.has('session') ? { sessionId: query.get('session') ?? '' } : {}),
})
const inputSchema = { type: 'object', properties: {} }
agent.registerTool([
  {
    name: 'look',
    description: 'Looks at the page; hangs until the page has been loaded again',
    inputSchema,
    annotations: { readOnlyHint: true },
    execute: (_: unknown, run: ToolRun) => {
      count('look')
      run.remember('looked', run.toolContext['tenant'])
      return sessionStorage.getItem('again') ? 'looked' : new Promise(() => undefined)
    },
  },
  {
    name: 'large',
    description: 'Gives all rows that there are, for reading',
    inputSchema,
    annotations: { readOnlyHint: true },
    execute: () => {
      count('large')
      return Array.from({ length: 60_000 }, (_, index) => `row ${index} `.padEnd(97, 'x'))
    },
  },
  {
    name: 'buy',
    description: 'Buys; hangs until the page has been loaded again',
    inputSchema,
    execute: () => {
      count('buy')
      return sessionStorage.getItem('again') ? 'bought' : new Promise(() => undefined)
    },
  },
  {
    name: 'go',
    description: 'Buys and then leads to another page, as shops do',
    inputSchema,
    execute: () => {
      count('go')
      location.search = `${location.search}&there`
      return 'gone there'
    },
  },
  {
    name: 'pay',
    description: 'Pays what was bought after the user has agreed',
    inputSchema,
    needsApproval: true,
    execute: () => {
      count('pay')
      return 'paid'
    },
  },
])
addEventListener('pagehide', () => sessionStorage.setItem('again', 'yes'))
Object.assign(window, { agent })
