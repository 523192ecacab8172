// Many plain fields are written before the page renders. Fields that depend on others still wait for them.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Filled {
  field: string
  now: unknown
  ok: boolean
  problem?: string
}

const fill = (page: Page, values: Record<string, unknown>): Promise<Filled[]> =>
  call(page, 'form_fill', { fields: Object.entries(values).map(([field, value]) => ({ field, value })) })

test.beforeEach(({ page, site }) => open(page, `${site}/test/pages/page-tools/fill/form-batch.html`))

test('fills 100 plain fields without a frame for each', async ({ page }) => {
  const values = Object.fromEntries(Array.from({ length: 100 }, (_, number) => [`Field ${number}`, `text ${number}`]))
  const frames = await page.evaluate(() => {
    const scope = window as unknown as { waits: number }
    scope.waits = 0
    const request = window.requestAnimationFrame.bind(window)
    window.requestAnimationFrame = (step) => {
      scope.waits++
      return request(step)
    }
    return scope.waits
  })
  expect(frames).toBe(0)
  const since = Date.now()
  const results = await fill(page, values)
  console.log(`100 plain fields: ${Date.now() - since} ms`)
  expect(results.filter(({ ok }) => !ok)).toEqual([])
  expect(results.map(({ now }) => now)).toEqual(Object.values(values))
  expect(await page.evaluate(() => (window as unknown as { waits: number }).waits)).toBeLessThan(10)
})

test('a field that depends on a plain one waits until the page has rendered it', async ({ page }) => {
  expect(await fill(page, { 'Post code': '10115', Street: 'Invalidenstraße' })).toMatchObject([
    { ok: true },
    { ok: true, now: 'Invalidenstraße' },
  ])
})

test('writes a value again that the page lost because several fields changed in one frame', async ({ page }) => {
  expect(await fill(page, { 'Given name': 'Ada', Surname: 'Lovelace' })).toMatchObject([
    { ok: true, now: 'Ada' },
    { ok: true, now: 'Lovelace' },
  ])
  await expect(page.locator('#given')).toHaveValue('Ada')
  await expect(page.locator('#surname')).toHaveValue('Lovelace')
})

test('reports a plain value that the page changes one frame later, and undo restores it', async ({ page }) => {
  expect(await fill(page, { Code: 'abc', 'Field 0': 'x' })).toMatchObject([
    { ok: true, now: 'ABC' },
    { ok: true, now: 'x' },
  ])
  expect(await call(page, 'form_undo')).toMatchObject([
    { field: 'Code', now: '', ok: true },
    { field: 'Field 0', now: '', ok: true },
  ])
})
