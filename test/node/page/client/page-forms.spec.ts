// A message waits for page tools that are being loaded, because they name the forms of the page.
import { internals } from '../../../../src/core/data/tool.js'
import { pageReader } from '../../../../src/page/facts/page-facts.js'
import type { AnyTool, PageReading } from '../../../../src/page/tools/tool.js'
import { deferred, expect, test } from '../../../support/lab/lab.js'

/** A `form_fill` that `load`s the function which names the forms. */
const filling = (load?: () => Promise<() => string>): AnyTool => ({
  name: 'form_fill',
  description: 'Fills the fields of the form on this page and returns their values',
  ...(load && {
    [internals]: {
      readsPage: async (): Promise<() => PageReading> => {
        const forms = await load()
        return () => ({ redact: String, forms })
      },
    },
  }),
  execute: () => 'filled',
})

test('a message names the forms if what names them is being loaded', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: 'Hello.' }])
  const loaded = deferred()
  agent.registerTool(filling(() => loaded.promise.then(() => () => 'Order: Name (text)')))
  await agent.connect()
  const turn = agent.send('Hi')
  // Without the wait, the message is posted in microtasks.
  setImmediate(() => loaded.resolve())
  await turn
  expect(endpoint.requests[0]?.raw).toContain('Forms: Order: Name (text)')
})

test('a message is sent without the forms if the load takes too long, or fails', async () => {
  const begin = performance.now()
  const late = await pageReader([filling(() => new Promise(() => undefined))])
  // A timer may fire one millisecond early.
  expect(performance.now() - begin).toBeGreaterThan(298)
  const failed = await pageReader([filling(() => Promise.reject(new TypeError('Failed to fetch')))])
  // Nobody knows what is private on the page, so nothing of it is told.
  for (const read of [late, failed])
    expect([read?.().redact('Orders of Ann'), read?.().forms?.()]).toEqual(['', undefined])
})

test('a tool that names no forms costs no time', async () => {
  let isOver = false
  void pageReader([filling(), undefined]).then(() => {
    isOver = true
  })
  await Promise.resolve()
  await Promise.resolve()
  expect(isOver).toBe(true)
})

test('connecting names the forms once, and a message names those that the page has then', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: 'Hello.' }])
  const named = deferred()
  let form = 'Search'
  agent.registerTool(
    filling(async () => () => {
      named.resolve()
      return `${form}: Name (text)`
    }),
  )
  await agent.connect()
  await named.promise
  form = 'Order'
  await agent.send('Hi')
  const content = endpoint.requests[0]?.raw
  expect(content).toContain('Forms: Order: Name (text)')
  expect(content).not.toContain('Search')
})

test('connecting calls no description function, and survives a function that cannot name the forms', async ({
  lab,
}) => {
  const { agent, endpoint } = await lab.start([{ text: 'Hello.' }])
  const failed = deferred()
  let isBroken = true
  let described = 0
  agent.registerTool([
    filling(async () => () => {
      if (isBroken) failed.resolve()
      if (isBroken) throw new Error('The page has no body yet')
      return ''
    }),
    { name: 'order', description: () => `Orders what the form says, call ${++described}`, execute: () => 'ordered' },
  ])
  await agent.connect()
  await failed.promise
  expect(described).toBe(0)
  isBroken = false
  await agent.send('Hi')
  expect(JSON.stringify(endpoint.requests[0])).toContain('call 1')
})

test('a message reads the page once, for its private values and its forms', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: 'Hello.' }])
  await agent.connect()
  let readings = 0
  agent.registerTool({
    ...filling(),
    [internals]: {
      readsPage: async () => () => {
        readings++
        return { redact: String, forms: () => 'Order: Name (text)' }
      },
    },
  })
  await agent.send('Hi')
  expect(endpoint.requests[0]?.raw).toContain('Forms: Order: Name (text)')
  expect(readings).toBe(1)
})
