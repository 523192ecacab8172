import { expect, openFramework, longLists, test } from '../../../support/page/frameworks.js'
import { call } from '../../../support/page/page-tools-call.js'
const count = Number(process.env['COUNT'] ?? 1000)
for (const kind of (process.env['KINDS'] ?? 'tanstack').split(','))
test(`probe ${kind}`, async ({ page, site }) => {
  await page.route('**/more?*', (route) => route.fulfill({body: '[]'}))
  await openFramework(page, site, longLists)
  await page.evaluate(([kind, count]) => (window as any).fixture.draw(kind, count), [kind, count])
  await page.getByText('Ann No0').first().waitFor()
  const plain = await call<string>(page, 'page_read', {maxChars: 30000})
  console.log(plain.split('\n').filter((l: string, i: number) => i < 4 || l.includes('list e')).join('\n'))
  let t = Date.now()
  const found = await call<string>(page, 'page_read', {filter: `No${count - 50}`})
  console.log(kind, 'FILTER', Date.now() - t, found)
  const ref = /list (e\d+)/.exec(plain + found)?.[1] ?? '#box'
  t = Date.now()
  let text = await call<string>(page, 'page_read', {scope: ref, filter: ref === '#box' ? 'No'+(count-50) : undefined, maxChars: 40000})
  let all = text
  let n = 1
  for (let m; (m = /next: cursor "(.*?)"/.exec(text)); n++) { if (n > 20) break; text = await call<string>(page, 'page_read', {cursor: m[1], maxChars: 40000}); all += '\n' + text }
  const got = [...all.matchAll(/\b\w+ No\d+/g)].map((m) => m[0])
  const want = await page.evaluate((count) => (window as any).fixture.names(count), count) as string[]
  console.log(kind, 'SCOPE', Date.now() - t, 'calls', n, got.length, JSON.stringify(got) === JSON.stringify(want), '\n', text.slice(-300))
  if (JSON.stringify(got) !== JSON.stringify(want)) { const at = want.findIndex((w, i) => got[i] !== w); console.log('diff at', at, got.slice(at-3, at+5), want.slice(at - 3, at + 5)) }
  expect(1).toBe(1)
})
