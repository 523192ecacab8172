import { readFileSync } from 'node:fs'
import { preparePage, saySentence } from '../../support/playground/say-sentence.js'
import { isIn } from '../../support/playground/verdict.js'
import { test } from '../../support/page/site.js'
test('dev', async ({ browser, site }) => {
  test.setTimeout(580_000)
  const only = process.env['ONLY']
  for (const demo of ['booking', 'shop', 'orders'] as const) {
    const page = await browser.newPage()
    page.on('pageerror', (e) => console.log('ERR', e.message))
    await preparePage(page)
    for (const line of readFileSync(process.env['DEV'] ?? '/tmp/pgdev/dev.txt', 'utf8').split('\n')) {
      const [, name, rest] = /^(booking|shop|orders)\s+(.*)$/.exec(line) ?? []
      if (name !== demo || (only && !line.includes(only))) continue
      const parts = rest!.split(' || ')
      const cart = demo === 'shop' ? { 'pot-glass': 1, 'kettle-hob': 2 } : undefined
      const { answer, calls, wrong, isChanged } = await saySentence(page, site, { demo, ...(cart ? { cart } : {}), ...(parts.length > 1 ? { before: parts.slice(0, -1) } : {}), say: parts.at(-1)!, useful: {} })
      console.log(`>> ${rest}\n   ${answer.replaceAll('\n', ' ⏎ ')}\n   ${calls.join(' ')}  ${isChanged ? 'CHANGED ' : ''}${wrong.filter((w) => !/the page is/.test(w)).join('; ')}`)
      void isIn
    }
    await page.close()
  }
})
