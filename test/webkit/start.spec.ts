// The built package in WebKit: where it runs, where it stores, what a turn does, and the strict policy.
import { strictPolicy } from '../support/page/static-server.js'
import { decide, expect, isStatus, runs, seen, send, test, visit } from '../support/page/webkit.js'

test('the element starts a worker and stores in IndexedDB', async ({ webkit, serve }) => {
  const { page } = await serve([{ text: 'Green or black?' }])
  await visit(webkit, page())
  expect(await send(webkit, 'Tea')).toBe('Green or black?')
  expect(await seen(webkit)).toMatchObject({
    host: 'worker',
    storage: 'indexeddb',
    status: 'idle',
    error: null,
    messages: ['Tea', 'Green or black?'],
  })
})

test('a turn runs a tool of the page and answers with its result', async ({ webkit, serve }) => {
  const { page, endpoint } = await serve([{ calls: [{ name: 'look', arguments: {} }] }, { text: 'I have looked.' }])
  await visit(webkit, page())
  await webkit.run(() => {
    sessionStorage.setItem('again', 'yes')
  })
  expect(await send(webkit, 'Look')).toBe('I have looked.')
  expect((await seen(webkit)).messages).toEqual(['Look', 'look:"looked"', 'I have looked.'])
  expect(endpoint.requests[1]?.raw).toContain('looked')
  expect(await runs(webkit, 'look')).toBe(1)
})

test('stop ends an answer that streams', async ({ webkit, serve }) => {
  const { page, endpoint } = await serve([{ text: ['one ', 'two'], hold: new Promise(() => undefined) }])
  await visit(webkit, page())
  await webkit.run(() => {
    void document.querySelector('tool-agent')!.send('Count')
  })
  await webkit.until(() => document.querySelector('tool-agent')?.session?.draft?.parts.length)
  await webkit.run(() => {
    document.querySelector('tool-agent')!.stop()
  })
  await isStatus(webkit, 'idle')
  expect((await seen(webkit)).messages).toEqual(['Count', 'one '])
  await endpoint.requests[0]?.gone
})

test('a turn with page tools and an approval causes no report under the strict policy', async ({ webkit, serve }) => {
  const { page, reports, endpoint } = await serve(
    [
      {
        calls: [
          { name: 'form_read', arguments: {} },
          { name: 'form_fill', arguments: { fields: [{ field: 'Name', value: 'Ada' }] } },
          { name: 'pay', arguments: {} },
        ],
      },
      { text: '**Paid**, `Ada`.' },
    ],
    { headers: { 'content-security-policy': `${strictPolicy}; report-uri /reports` } },
  )
  await visit(webkit, page('?page-tools=read fill'))
  await webkit.run(() => {
    const violations: string[] = []
    addEventListener('securitypolicyviolation', (event) => {
      violations.push(`${event.violatedDirective} ${event.blockedURI}`)
    })
    Object.assign(window, { violations })
    void document.querySelector('tool-agent')!.send('Pay')
  })
  await decide(webkit, 'approve')
  await isStatus(webkit, 'idle')
  expect((await seen(webkit)).host).toBe('worker')
  expect(await webkit.run(() => document.querySelector<HTMLInputElement>('#name')?.value)).toBe('Ada')
  expect(
    await webkit.until(() => document.querySelector('tool-agent')?.shadowRoot?.querySelector('strong')?.textContent),
  ).toBe('Paid')
  expect(await webkit.run(() => (window as unknown as { violations: string[] }).violations)).toEqual([])
  expect(reports).toEqual([])
  expect(endpoint.requests).toHaveLength(2)
})
