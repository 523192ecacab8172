// A message waits for page tools that are being loaded, because they name the forms of the page.
import { namesForms } from '../../../../src/core/data/tool.js'
import { formNamer } from '../../../../src/page/client/page-facts.js'
import type { AnyTool } from '../../../../src/page/tools/tool.js'
import { deferred, expect, test } from '../../../support/lab/lab.js'
import { messagesOf } from '../../../support/lab/requests.js'

/** A `form_fill` that `load`s the function which names the forms. */
const filling = (load?: () => Promise<() => string>): AnyTool => ({
  name: 'form_fill',
  description: 'Fills the fields of the form on this page and returns their values',
  ...(load && { [namesForms]: load }),
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
  expect(messagesOf(endpoint.requests[0])[0]?.['content']).toContain('Forms: Order: Name (text)')
})

test('a message is sent without the forms if the load takes too long, or fails', async () => {
  const begin = performance.now()
  expect(await formNamer(filling(() => new Promise(() => undefined)))).toBeUndefined()
  // A timer may fire one millisecond early.
  expect(performance.now() - begin).toBeGreaterThan(298)
  expect(await formNamer(filling(() => Promise.reject(new TypeError('Failed to fetch'))))).toBeUndefined()
})

test('a tool that names no forms costs no time', async () => {
  let isOver = false
  void formNamer(filling()).then(() => {
    isOver = true
  })
  await Promise.resolve()
  await Promise.resolve()
  expect(isOver).toBe(true)
})
