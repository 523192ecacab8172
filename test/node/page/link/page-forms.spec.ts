// A message waits for page tools that are being loaded, because they name the forms of the page.
import { pageForms } from '../../../../src/core/prompt/page-forms.js'
import { untilFormsNamed } from '../../../../src/page/link/page-facts.js'
import { deferred, expect, test } from '../../../support/lab/lab.js'
import { messagesOf } from '../../../support/lab/requests.js'

test.afterEach(() => {
  delete pageForms.describe
  delete pageForms.loading
})

test('a message names the forms if what names them is being loaded', async ({ lab }) => {
  const { agent, endpoint } = await lab.start([{ text: 'Hello.' }])
  agent.registerTool({
    name: 'form_fill',
    description: 'Fills the fields of the form on this page and returns their values',
    execute: () => 'filled',
  })
  await agent.connect()
  const loaded = deferred()
  pageForms.loading = loaded.promise.then(() => {
    pageForms.describe = () => 'Order: Name (text)'
  })
  const turn = agent.send('Hi')
  // Without the wait, the message is posted in microtasks.
  setImmediate(() => loaded.resolve())
  await turn
  expect(messagesOf(endpoint.requests[0])[0]?.['content']).toContain('Forms: Order: Name (text)')
})

test('a message is sent without the forms if the load takes too long', async () => {
  pageForms.loading = new Promise(() => undefined)
  const begin = performance.now()
  await untilFormsNamed()
  // A timer may fire one millisecond early.
  expect(performance.now() - begin).toBeGreaterThan(298)
})

test('a page that loads no page tools waits for nothing', async () => {
  let isOver = false
  void untilFormsNamed().then(() => {
    isOver = true
  })
  await Promise.resolve()
  await Promise.resolve()
  expect(isOver).toBe(true)
})
