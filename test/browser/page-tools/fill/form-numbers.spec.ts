// Numbers in text fields that write them in their own way: masks of libraries, and formats of plain scripts. What counts
// is the number that the field holds.
import type { Page } from 'playwright/test'
import { expect, masks, openFramework, test } from '../../../support/page/frameworks.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'

interface Filled {
  readonly field: string
  readonly now: string
  readonly ok: boolean
  readonly problem?: string
}
const holds = (page: Page): Promise<Record<string, string>> =>
  page.evaluate(() => (window as unknown as { fixture: { holds(): Record<string, string> } }).fixture.holds())
const fill = (page: Page, fields: readonly string[], value: unknown): Promise<Filled[]> =>
  call<Filled[]>(page, 'form_fill', { fields: fields.map((field) => ({ field, value })) })

const whole = ['Mask integer', 'Mask numeric', 'IMask steps']
const decimal = ['Mask decimal', 'Mask decimal comma', 'Mask currency', 'Auto', 'Auto euro', 'IMask comma', 'Cleave']
const scripts = ['German', 'German filled', 'Without a sign', 'French', 'Swiss', 'English', 'Cents']

test('a number is written by what the field shows, and then by the language that the page declares', async ({
  page,
  site,
}) => {
  await openMarkup(
    page,
    site,
    `<div lang="fr"><input aria-label="Prix"><input aria-label="Reste" placeholder="0.00"></div>
      <div lang="en"><input aria-label="Sum" value="850,00"><input aria-label="Total" placeholder="1.234,56">
      <input aria-label="Rate" title="as 0,5"><input aria-label="Share"><input aria-label="Units" value="1.500"></div>`,
  )
  const fields = ['Prix', 'Reste', 'Sum', 'Total', 'Rate', 'Share', 'Units']
  const filled = await fill(page, fields, 1234.5)
  expect(filled.map(({ now }) => now)).toEqual(['1234,5', '1234.5', '1234,5', '1234,5', '1234,5', '1234.5', '1234.5'])
  expect(filled.filter(({ ok }) => !ok)).toEqual([])
})

test.describe('masks', () => {
  test.beforeEach(({ page, site }) => openFramework(page, site, masks))

  test('a field holds the number that it was filled with, also the second time', async ({ page }) => {
    for (const value of [259, 1500, '42']) {
      const filled = await fill(page, [...whole, ...decimal, ...scripts], value)
      const held = await holds(page)
      for (const { field, ok, problem } of filled)
        expect
          .soft({ field, number: Number(held[field]), ok, problem })
          .toEqual({ field, number: Number(value), ok: true })
    }
  })

  test('decimals are written as the field or its language does', async ({ page }) => {
    for (const value of [1234.56, 0.5, 912.5, '1234.56']) {
      const filled = await fill(page, [...decimal, ...scripts], value)
      const held = await holds(page)
      for (const { field, ok, problem } of filled) {
        const number = Number(held[field]?.replace(',', '.'))
        expect.soft({ field, number, ok, problem }).toEqual({ field, number: Number(value), ok: true })
      }
    }
  })

  test('a number that the field does not take leaves the former one, and the answer says so', async ({ page }) => {
    await fill(page, ['Mask integer', 'Mask percentage', 'Auto'], 42)
    expect(await fill(page, ['Mask integer', 'Mask percentage', 'Limited'], 259.75)).toMatchObject([
      { ok: false, now: '42', problem: 'The page makes "260" of 259.75. The former value is back' },
      { ok: false, now: '42 %', problem: 'The page makes "100 %" of 259.75. The former value is back' },
      { ok: false, now: '5', problem: 'The page makes "10" of 259.75. The former value is back' },
    ])
    expect(await holds(page)).toMatchObject({ 'Mask integer': '42', 'Mask percentage': '42', Limited: '5' })
  })

  test('digits that are no number keep their format', async ({ page }) => {
    expect(await fill(page, ['Mask telephone'], '2025550123')).toMatchObject([{ ok: true, now: '(202) 555-0123' }])
    expect(await fill(page, ['IMask telephone'], '9161234567')).toMatchObject([{ now: '+7(916)123-45-67' }])
  })

  test('a text that is typed reaches a mask that hears only keys', async ({ page }) => {
    for (const target of ['Auto', 'Auto euro', 'Mask currency', 'IMask comma']) {
      await call(page, 'page_press', { target, text: '42' })
      expect.soft([target, Number((await holds(page))[target])]).toEqual([target, 42])
    }
  })
})
