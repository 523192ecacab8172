// Radio buttons that are labelled alike or not at all: they are told apart, and every name that an error prints works.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Filled {
  field: string
  now: unknown
  ok: boolean
  problem?: string
}
const address = '/test/pages/page-tools/fill/form-radios.html'

const fill = async (page: Page, field: string, value: unknown): Promise<Filled | undefined> =>
  (await call<Filled[]>(page, 'form_fill', { fields: [{ field, value }] }))[0]
const chosen = (page: Page, name: string): Promise<number[]> =>
  page
    .locator(`[name=${name}]`)
    .evaluateAll((radios) => radios.flatMap((radio, index) => ((radio as HTMLInputElement).checked ? [index] : [])))
/** The names in quotes of an error. */
const quoted = (text = ''): string[] => [...text.matchAll(/"([^"]+)"/g)].map(([, name]) => name ?? '')

test.beforeEach(({ page, site }) => open(page, site + address))

test('numbers options that are labelled alike, and names unlabelled ones by their value', async ({ page }) => {
  const { fields } = await call<{ fields: { label: string; options?: string[] }[] }>(page, 'form_read')
  const options = new Map(fields.map(({ label, options: names }) => [label, names]))
  expect(options.get('Plan')).toEqual(['radio 1 of 3', 'radio 2 of 3', 'radio 3 of 3'])
  expect(options.get('Flight')).toEqual(['Select 1 of 2', 'Select 2 of 2', 'Other'])
  expect(options.get('Room')).toEqual(['Twin 1 of 2', 'Twin 2 of 2'])
  expect(options.get('Speed')).toEqual(['standard', 'express'])
})

test('a sentence before the first button of a group is not the label of this button', async ({ page }) => {
  const { fields } = await call<{ fields: { label: string; options?: string[] }[] }>(page, 'form_read')
  const names = fields.flatMap(({ options = [] }) => options).join()
  expect(names).not.toContain('Every plan')
  expect(names).not.toContain('How fast')
  // The label of each button is before it: the first one must not get the label of the second.
  expect(fields.find(({ options }) => options?.includes('No'))?.options).toEqual(['Do you smoke? Yes', 'No'])
})

test('accepts each name that the error for an ambiguous radio prints', async ({ page }) => {
  for (const [field, name, asked, count] of [
    ['Plan', 'plan', 'radio', 3],
    ['Flight', 'flight', 'Select', 2],
  ] as const) {
    const refused = await fill(page, field, asked)
    expect(refused).toMatchObject({ ok: false, now: '', problem: expect.stringContaining('Several options match') })
    const names = quoted(refused?.problem)
    expect(names).toHaveLength(count)
    for (const [index, option] of names.entries()) {
      expect(await fill(page, field, option)).toEqual({ field, asked: option, now: option, ok: true })
      expect(await chosen(page, name)).toEqual([index])
    }
  }
})

test('accepts the value of a radio', async ({ page }) => {
  expect(await fill(page, 'Plan', 3)).toMatchObject({ ok: true, now: 'radio 3 of 3' })
  expect(await chosen(page, 'plan')).toEqual([2])
  expect(await fill(page, 'Flight', 'b')).toMatchObject({ ok: true, now: 'Select 2 of 2' })
  expect(await chosen(page, 'flight')).toEqual([1])
})

test('chooses the second of two equal ARIA radios', async ({ page }) => {
  expect(await fill(page, 'Room', 'Twin 2 of 2')).toMatchObject({ ok: true, now: 'Twin 2 of 2' })
  await expect(page.locator('[role=radio]').nth(1)).toHaveAttribute('aria-checked', 'true')
})

test('reports no success when the page keeps another radio of the same label', async ({ page, site }) => {
  await open(page, `${site}${address}?keep`)
  expect(await fill(page, 'Flight', 'b')).toMatchObject({
    ok: false,
    now: 'Select 1 of 2',
    problem: 'The page did not accept the value',
  })
  expect(await chosen(page, 'flight')).toEqual([0])
})

test('accepts the names that the error for equal options of a select prints', async ({ page }) => {
  const refused = await fill(page, 'Town', 'Springfield')
  expect(quoted(refused?.problem)).toEqual(['Springfield (value il)', 'Springfield (value ma)'])
  expect(await fill(page, 'Town', 'Springfield (value ma)')).toMatchObject({ ok: true })
  await expect(page.locator('[name=town]')).toHaveValue('ma')
})

test('equal checkboxes of a group are ambiguous, and the names in the error work', async ({ page }) => {
  const refused = await fill(page, 'Extras', ['Add'])
  expect(refused).toMatchObject({ ok: false, problem: expect.stringContaining('Several options match "add"') })
  expect(await chosen(page, 'x1')).toEqual([])
  const [, , second = ''] = quoted(refused?.problem)
  expect(await fill(page, 'Extras', [second])).toMatchObject({ ok: true })
  expect([await chosen(page, 'x1'), await chosen(page, 'x2')]).toEqual([[], [0]])
})
