// Values that the page takes and drops a moment later are not reported as held, and other pages are not waited for.
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/act-text.html`)
})

test('a value that a check of the page removes after the next render is not ok', async ({ page }) => {
  await page.locator('#title').evaluate((element) => {
    const input = element as HTMLInputElement
    input.addEventListener('input', () => {
      // As a framework renders: the state follows the field, and then a check that took a while puts it back.
      input.setAttribute('value', input.value)
      setTimeout(() => input.setAttribute('data-checking', ''), 60)
      setTimeout(() => (input.value = 'free'), 140)
    })
  })
  const filled = await call(page, 'form_fill', {
    fields: [
      { field: 'Title', value: 'taken' },
      { field: 'Notes', value: 'kept' },
    ],
  })
  expect(filled).toMatchObject([
    { field: 'Title', now: 'free', ok: false, problem: 'The page changed the value' },
    { field: 'Notes', now: 'kept', ok: true },
  ])
})

test('a page that does not react is not waited for', async ({ page }) => {
  const timers = await page.evaluate(async () => {
    const { pageTools } = window as unknown as {
      pageTools: Map<string, { execute(input: object, run: object): Promise<unknown> }>
    }
    const waits: unknown[] = []
    const { setTimeout: native } = window
    window.setTimeout = ((step: () => void, time?: number) => {
      waits.push(time)
      return native(step, time)
    }) as typeof setTimeout
    const run = {
      sessionId: 'session',
      toolCallId: 'call',
      messages: [],
      shared: new Map(),
      signal: new AbortController().signal,
      report() {},
    }
    await pageTools.get('form_fill')!.execute({ fields: [{ field: 'Notes', value: 'x' }] }, run)
    window.setTimeout = native
    return waits
  })
  expect(timers).not.toContain(30)
})
