// Read-only date fields that take their value from a calendar drawn by a script, without ARIA roles.
import type { Page } from 'playwright/test'
import { expect, openFramework, pickers, test } from '../../../support/page/frameworks.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Filled {
  field: string
  now: unknown
  ok: boolean
  problem?: string
}

const fill = async (page: Page, field: string, value: unknown): Promise<Filled | undefined> =>
  (await call<Filled[]>(page, 'form_fill', { fields: [{ field, value }] }))[0]
const undo = async (page: Page): Promise<Filled | undefined> => (await call<Filled[]>(page, 'form_undo'))[0]

test.describe('jQuery UI datepicker', () => {
  test.beforeEach(({ page, site }) => openFramework(page, site, pickers))
  const state = async (page: Page, key: string): Promise<unknown> =>
    page.evaluate(
      (key) => (window as unknown as { fixture: { state(): Record<string, unknown> } }).fixture.state()[key],
      key,
    )
  test.afterEach(({ page }) => expect(page.locator('.ui-datepicker:visible')).toHaveCount(0))

  test('chooses days in this, a later and an earlier month, and undo restores each', async ({ page }) => {
    for (const [value, now] of [
      ['2026-11-27', '11/27/2026'],
      ['3 February 2027', '02/03/2027'],
      ['2026-09-01', '09/01/2026'],
    ] as const) {
      expect(await fill(page, 'Arrival', value)).toEqual({ field: 'Arrival', asked: value, now, ok: true })
      expect(await state(page, 'arrival')).toBe(now.replace(/(..)\/(..)\/(....)/, '$3-$1-$2'))
    }
    expect(await undo(page)).toEqual({ field: 'Arrival', now: '02/03/2027', ok: true })
    expect(await state(page, 'arrival')).toBe('2027-02-03')
  })

  test('undo clears a field that was empty', async ({ page }) => {
    await fill(page, 'Arrival', '2026-11-27')
    expect(await undo(page)).toEqual({ field: 'Arrival', now: '', ok: true })
    expect(await state(page, 'arrival')).toBe('')
  })

  test('fills two dates that share one calendar in one call', async ({ page }) => {
    expect(
      await call(page, 'form_fill', {
        fields: [
          { field: 'Arrival', value: '2026-12-01' },
          { field: 'Departure', value: '2026-12-05' },
        ],
      }),
    ).toMatchObject([
      { now: '12/01/2026', ok: true },
      { now: 'Sat, 5 Dec 26', ok: true },
    ])
  })

  test('uses the selects for month and year', async ({ page }) => {
    expect(await fill(page, 'Birthday', '1985-03-09')).toMatchObject({ now: '03/09/1985', ok: true })
    expect(await state(page, 'birthday')).toBe('1985-03-09')
  })

  test('opens the calendar by the button beside the field', async ({ page }) => {
    expect(await fill(page, 'Check-up', '2026-12-24')).toMatchObject({ now: '12/24/2026', ok: true })
  })

  test('chooses a day of the second of two months', async ({ page }) => {
    expect(await fill(page, 'Two months', '2026-12-31')).toMatchObject({ now: '12/31/2026', ok: true })
  })

  test('refuses days that cannot be chosen, with the reason, and changes nothing', async ({ page }) => {
    for (const [value, problem] of [
      ['2026-11-29', /does not offer that day.*Days of November 2026 that it offers: 10, 11, 12, 13, 14, 16/],
      ['2026-11-09', /does not offer that day.*Days of November 2026 that it offers: 10, 11/],
      ['2027-03-01', /does not go beyond January 2027/],
      ['2026-10-30', /does not go beyond November 2026/],
    ] as const) {
      expect(await fill(page, 'Departure', value), value).toMatchObject({
        ok: false,
        now: '',
        problem: expect.stringMatching(problem),
      })
      expect(await state(page, 'departure')).toBe('')
    }
  })

  test('writes a field that can be typed into in the format of its calendar', async ({ page }) => {
    expect(await fill(page, 'Renewal', '2026-12-05')).toMatchObject({ now: '05.12.2026', ok: true })
    expect(await state(page, 'renewal')).toBe('2026-12-05')
    await expect(page.locator('.ui-datepicker:visible')).toHaveCount(0)
    expect(await fill(page, 'Renewal', '2026-12-06')).toMatchObject({ now: '06.12.2026', ok: true })
    expect(await state(page, 'renewal')).toBe('2026-12-06')
    await expect(page.locator('.ui-datepicker:visible')).toHaveCount(0)
    expect(await fill(page, 'Renewal', '07.12.2026')).toMatchObject({ now: '07.12.2026', ok: true })
    expect(await state(page, 'renewal')).toBe('2026-12-07')
  })

  test('reports a day that the calendar of a text field does not offer, and writes nothing', async ({ page }) => {
    expect(await fill(page, 'Renewal', '2027-01-25')).toMatchObject({
      now: '',
      ok: false,
      problem: expect.stringContaining('does not offer that day'),
    })
    expect(await state(page, 'renewal')).toBe('')
  })

  test('refuses a read-only field without calendar, and a text that is no date', async ({ page }) => {
    expect(await fill(page, 'Customer number', '2026-11-27')).toMatchObject({
      ok: false,
      now: '4711',
      problem: expect.stringMatching(/^The field is read-only.*no calendar opened/),
    })
    for (const field of ['Arrival', 'Customer number'])
      expect(await fill(page, field, 'soon'), field).toMatchObject({
        ok: false,
        problem: expect.stringMatching(/^The field is read-only.*2026-11-27/),
      })
  })
})

test.describe('a calendar without names', () => {
  test.beforeEach(({ page, site }) => open(page, `${site}/test/pages/page-tools/fill/form-calendars.html`))

  test('finds the buttons for months by their place', async ({ page }) => {
    expect(await fill(page, 'Visit', '2027-01-15')).toMatchObject({ now: '2027-01-15', ok: true })
    expect(await fill(page, 'Visit', '2026-10-02')).toMatchObject({ now: '2026-10-02', ok: true })
    await expect(page.locator('.cal')).toHaveCount(0)
  })

  test('waits until all days of a month are drawn', async ({ page, site }) => {
    await open(page, `${site}/test/pages/page-tools/fill/form-calendars.html#late`)
    expect(await fill(page, 'Visit', '2027-01-31')).toMatchObject({ now: '2027-01-31', ok: true })
    expect(await fill(page, 'Visit', '2026-09-30')).toMatchObject({ now: '2026-09-30', ok: true })
  })

  test('stops after a bounded number of months, and says so', async ({ page }) => {
    expect(await fill(page, 'Visit', '1900-01-15')).toMatchObject({
      ok: false,
      now: '',
      problem: expect.stringMatching(/1900-01-15 is \d+ months from .*; choose a date nearer to that/),
    })
    await expect(page.locator('.cal')).toHaveCount(0)
  })
})
