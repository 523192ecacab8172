import { expect, openFramework, longLists, test } from '../../../support/page/frameworks.js'
import { call } from '../../../support/page/page-tools-call.js'
import { writeFileSync } from 'node:fs'
const count = Number(process.env['COUNT'] ?? 1000)
test(`prof`, async ({ page, site }) => {
  await openFramework(page, site, longLists)
  await page.evaluate(([kind, count]) => (window as any).fixture.draw(kind, count), [process.env['KINDS'] ?? 'tanstack', count])
  await page.getByText('Ann No0').first().waitFor()
  const cdp = await page.context().newCDPSession(page)
  await cdp.send('Profiler.enable'); await cdp.send('Profiler.start')
  const t = Date.now()
  console.log(await call(page, 'page_read', {filter: `No${count - 50}`}), Date.now() - t)
  const { profile } = await cdp.send('Profiler.stop') as any
  const self = new Map<string, number>(); const byId = new Map(profile.nodes.map((n: any) => [n.id, n]))
  const d = profile.timeDeltas; profile.samples.forEach((id: number, i: number) => { const n: any = byId.get(id); const k = n.callFrame.functionName + ' ' + n.callFrame.url.split('/').pop() + ':' + n.callFrame.lineNumber; self.set(k, (self.get(k) ?? 0) + d[i] / 1000) })
  console.log([...self].sort((a, b) => b[1] - a[1]).slice(0, 25).map(([k, v]) => v.toFixed(0) + ' ' + k).join('\n'))
  expect(1).toBe(1)
})
