// A page as an author writes it, on the built package: the element, a few tools that count their runs where a reload
// cannot lose them. `?attributes` of the address become attributes of the element.
import '/tool-agent/tool-agent.js'

const count = (name) => localStorage.setItem(name, String(Number(localStorage.getItem(name) ?? 0) + 1))
const element = document.createElement('tool-agent')
for (const [name, value] of new URLSearchParams(location.search)) element.setAttribute(name, value)
element.setAttribute('endpoint', '/v1')
element.setAttribute('model', 'm')
element.setAttribute('open', '')
const inputSchema = { type: 'object', properties: {} }
// Hangs in the document in which the test begins, and answers in the documents after it.
const unlessFirst = (value) => (sessionStorage.getItem('again') ? value : new Promise(() => undefined))
element.registerTool([
  {
    name: 'look',
    description: 'Looks; hangs until the page is loaded again',
    inputSchema,
    annotations: { readOnlyHint: true },
    execute: () => {
      count('look')
      return unlessFirst('looked')
    },
  },
  {
    name: 'buy',
    description: 'Buys; hangs until the page is loaded again',
    inputSchema,
    execute: () => {
      count('buy')
      return unlessFirst('bought')
    },
  },
  {
    name: 'go',
    description: 'Buys and then leads to another page, as shops do',
    inputSchema,
    execute: () => {
      count('go')
      location.search = `${location.search}&there=1`
      return 'gone there'
    },
  },
  {
    name: 'pay',
    title: 'Pay',
    description: 'Pays after the user has agreed',
    inputSchema,
    needsApproval: true,
    execute: () => {
      count('pay')
      return 'paid'
    },
  },
])
addEventListener('pagehide', ({ persisted }) => {
  sessionStorage.setItem('again', 'yes')
  sessionStorage.setItem('hidden', String(persisted))
})
addEventListener('pageshow', ({ persisted }) => {
  window.wasCached = persisted
})
document.body.append(element)
window.agent = element
