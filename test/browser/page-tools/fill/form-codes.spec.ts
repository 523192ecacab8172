// Options that are named in another way than the value: months as word, short word and number, and states as code.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Filled {
  field: string
  now: unknown
  ok: boolean
  problem?: string
}

const fill = async (page: Page, field: string, value: unknown): Promise<Filled | undefined> =>
  (await call<Filled[]>(page, 'form_fill', { fields: [{ field, value }] }))[0]

test.beforeEach(({ page, site }) => open(page, `${site}/test/pages/page-tools/fill/form-codes.html`))

for (const [field, asked, now] of [
  ['Month in words', 'Dec', 'December'],
  ['Month in words', '12', 'December'],
  ['Month in words', 1, 'January'],
  ['Month in words', '02', 'February'],
  ['Month in short words', 'December', 'Dec'],
  ['Month in short words', '12', 'Dec'],
  ['Month in numbers', 'December', '12'],
  ['Month in numbers', 'Sep', '09'],
  ['Month in numbers', 9, '09'],
  ['Month from zero', 'Dec', 'December'],
  ['Month from zero', '12', 'December'],
  ['Month from zero', '0', 'January'],
  ['Monat', 'December', 'Dezember'],
  ['Monat', 'Dez', 'Dezember'],
  ['Monat', '3', 'März'],
  ['State in words', 'CA', 'California'],
  ['State in words', 'wv', 'West Virginia'],
  ['State in words', 'Virginia', 'Virginia'],
  ['State in codes', 'California', 'CA'],
  ['State in codes', 'Indiana', 'IN'],
  ['State with codes', 'CA', 'California'],
  ['State with codes', 'New York', 'New York'],
] as const)
  test(`${JSON.stringify(asked)} chooses ${JSON.stringify(now)} in "${field}"`, async ({ page }) => {
    expect(await fill(page, field, asked)).toEqual({ field, asked, now, ok: true })
  })

test('a number that is the value of one month and the number of another is an error that lists both', async ({
  page,
}) => {
  expect(await fill(page, 'Month from zero', '11')).toMatchObject({
    ok: false,
    now: 'Choose',
    problem: 'Several options match: "December (value 11)", "November (value 10)". Pass exactly one of these',
  })
  expect(await fill(page, 'Month from zero', 'November (value 10)')).toMatchObject({ ok: true, now: 'November' })
})

test('translates no months and states for lists of other things', async ({ page }) => {
  for (const [field, asked] of [
    ['Number of guests', 'December'],
    ['Direction', 'Indiana'],
    ['Country', 'GA'],
    ['State in words', 'PR'],
    ['Month in words', '13'],
  ])
    expect(await fill(page, field ?? '', asked), field).toMatchObject({
      ok: false,
      now: 'Choose',
      problem: expect.stringMatching(/^There is no option .* Options: "Choose", "/),
    })
})
