import { expect, openFramework, longLists, test } from '../../../support/page/frameworks.js'
import { call } from '../../../support/page/page-tools-call.js'
for (const kind of (process.env['KINDS'] ?? 'tanstack').split(','))
test(`probe ${kind}`, async ({ page, site }) => {
  await openFramework(page, site, longLists)
  await page.evaluate((kind) => (window as any).fixture.draw(kind, 1000), kind)
  await page.getByText('Ann No0').first().waitFor()
  console.log(await page.evaluate(() => {
    const cut = (e: Element, d: number): string => d > 9 ? '' : [...e.children].slice(0, 4).map((c) => ' '.repeat(d) + (c.cloneNode(false) as Element).outerHTML.slice(0, 260) + ' H' + Math.round(c.getBoundingClientRect().height) + '/' + c.children.length + '\n' + cut(c, d + 1)).join('')
    return cut(document.querySelector('#app')!, 0)
  }))
  console.log(await call(page, 'page_read', {maxChars: 1500}))
  expect(1).toBe(1)
})
