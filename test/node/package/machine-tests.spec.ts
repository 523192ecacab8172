// Which tests `npm run test:elsewhere` runs on another machine.
import { expect, test } from 'playwright/test'
import { machineTests, noticingLines } from '../../../scripts/machine-tests.mjs'

const spec = `import { recorded } from './corpora.js'
const size = (page) => page.locator('a').boundingBox()
const twice = (page) => [size(page), size(page)]
test('plain', async ({ page }) => {})
test.describe('some', () => {
  test('measures', async ({ page }) => { await page.evaluate(() => document.body.clientHeight) })
  test('measures by a function', async ({ page }) => { twice(page) })
  for (const one of [1, 2])
    test(\`names a property only \${one}\`, async () => { settings.size })
})
test('reads', { tag: '@x' }, () => { recorded('a') })
`

test('a test may notice the machine if it, or what it uses, measures or reads recorded material', () => {
  expect(noticingLines(spec, ['recorded'])).toEqual([6, 7, 11])
  expect(noticingLines(`${spec}test.beforeEach(async ({ page }) => { await size(page) })\n`)).toBe('all')
})

test('specs that measure layout are among them, and those of the loop are not', () => {
  const found = machineTests('.')
  expect(found.some((one) => one.startsWith('test/browser/ui/panel/panel-scroll.spec.ts:'))).toBe(true)
  expect(found.some((one) => one.startsWith('test/node/host/models/openai/recorded-streams.spec.ts:'))).toBe(true)
  expect(found.filter((one) => one.startsWith('test/node/core/'))).toEqual([])
})
