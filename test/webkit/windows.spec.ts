// One session in two windows of WebKit: one drives, the other watches and can take over.
import { begin, decide, expect, isStatus, opened, runs, seen, send, test, visit } from '../support/page/webkit.js'
import type { WebDriver } from '../support/page/webdriver.js'

const shared = '?session-id=shared'

/** Opens the address in a second window and switches to it; returns both handles. */
async function second(webkit: WebDriver, address: string): Promise<{ first: string; second: string }> {
  const handles = { first: await webkit.window(), second: await webkit.open() }
  await webkit.use(handles.second)
  await visit(webkit, address)
  return handles
}

test('a second window watches live, and taking over makes it the driver', async ({ webkit, serve }) => {
  const { page } = await serve([{ text: 'one' }, { text: 'two' }, { text: 'three' }])
  await visit(webkit, page(shared))
  await send(webkit, 'first')
  const handles = await second(webkit, page(shared))
  expect(await seen(webkit)).toMatchObject({ role: 'mirror', messages: ['first', 'one'] })
  await webkit.use(handles.first)
  await send(webkit, 'second')
  await webkit.use(handles.second)
  await webkit.until(() => document.querySelector('tool-agent')?.messages.length === 4)
  await webkit.run(() => document.querySelector('tool-agent')!.takeOver())
  expect(await seen(webkit)).toMatchObject({ role: 'driver', messages: ['first', 'one', 'second', 'two'] })
  expect(await send(webkit, 'third')).toBe('three')
  await webkit.use(handles.first)
  await webkit.until(
    () =>
      document.querySelector('tool-agent')?.sessionRole === 'mirror' &&
      document.querySelector('tool-agent')?.messages.length === 6,
  )
})

test('a question is answered in the window where the user acts, and the call runs once', async ({ webkit, serve }) => {
  const { page } = await serve([{ calls: [{ name: 'pay', arguments: {} }] }, { text: 'It is paid.' }])
  await visit(webkit, page(shared))
  await begin(webkit, 'Pay')
  await isStatus(webkit, 'awaiting-approval')
  await second(webkit, page(shared))
  await isStatus(webkit, 'awaiting-approval')
  await decide(webkit, 'approve')
  await isStatus(webkit, 'idle')
  expect(await seen(webkit)).toMatchObject({ role: 'driver', messages: ['Pay', 'pay:"paid"', 'It is paid.'] })
  expect(await runs(webkit, 'pay')).toBe(1)
})

test('a driver that navigates keeps its session from the other window', async ({ webkit, serve }) => {
  const { page } = await serve([{ text: 'one' }, { text: 'two' }])
  await visit(webkit, page(shared))
  await send(webkit, 'first')
  const handles = await second(webkit, page(shared))
  await webkit.use(handles.first)
  await visit(webkit, page(`${shared}&next=1`))
  expect((await seen(webkit)).role).toBe('driver')
  expect(await send(webkit, 'second')).toBe('two')
  await webkit.use(handles.second)
  await webkit.until(() => document.querySelector('tool-agent')?.messages.length === 4)
  expect((await seen(webkit)).role).toBe('mirror')
})

test('a driver that is closed leaves its session to the other window', async ({ webkit, serve }) => {
  const { page } = await serve([{ text: 'one' }, { text: 'two' }])
  await visit(webkit, page(shared))
  await send(webkit, 'first')
  const handles = await second(webkit, page(shared))
  await webkit.use(handles.first)
  await webkit.close()
  await webkit.use(handles.second)
  await opened(webkit)
  expect(await send(webkit, 'second')).toBe('two')
  expect(await seen(webkit)).toMatchObject({ role: 'driver', messages: ['first', 'one', 'second', 'two'] })
})
