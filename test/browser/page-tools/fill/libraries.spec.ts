// form_fill on the form components of libraries: chosen values reach the page's own state, a refused value is reported
// with the possible ones, no list stays open, and undo reports what it restored. Printed as a table.
import type { Page } from 'playwright/test'
import { expect, libraries, openFramework, test } from '../../../support/page/frameworks.js'
import { call } from '../../../support/page/page-tools-call.js'

interface Filled {
  field: string
  asked?: unknown
  now: unknown
  ok: boolean
  problem?: string
}
interface Row {
  field: string
  key: string
  asked: unknown
  now?: string
  empty: unknown
  /** What a person could not take back either: there is no empty choice. */ stays?: true
  wrong?: unknown
}
const rows: readonly Row[] = [
  { field: 'Mui country', key: 'muiSelect', asked: 'France', empty: '', stays: true, wrong: 'Atlantis' },
  {
    field: 'Mui countries',
    key: 'muiSeveral',
    asked: ['Belgium', 'Spain'],
    now: 'Belgium, Spain',
    empty: [],
    wrong: ['Spain', 'Atlantis'],
  },
  { field: 'Mui search', key: 'muiAutocomplete', asked: 'Germany', empty: null, wrong: 'Atlantis' },
  { field: 'Mui level', key: 'muiSlider', asked: 40, now: '40', empty: 10 },
  { field: 'Mui date', key: 'muiDate', asked: '2026-12-24', empty: null },
  { field: 'Headless country', key: 'headlessListbox', asked: 'France', empty: null, stays: true, wrong: 'Atlantis' },
  { field: 'Headless search', key: 'headlessCombobox', asked: 'Spain', empty: null, wrong: 'Atlantis' },
  { field: 'Aria country', key: 'ariaSelect', asked: 'Spain', empty: null, stays: true, wrong: 'Atlantis' },
  { field: 'Aria search', key: 'ariaCombobox', asked: 'Belgium', empty: null, wrong: 'Atlantis' },
  { field: 'Aria date', key: 'ariaDate', asked: '2026-12-24', empty: null },
  { field: 'Radix country', key: 'radix', asked: 'Austria', empty: '', stays: true, wrong: 'Atlantis' },
  { field: 'React-select country', key: 'reactSelect', asked: 'France', empty: null, stays: true, wrong: 'Atlantis' },
  {
    field: 'React-select countries',
    key: 'reactSelectSeveral',
    asked: ['France', 'Spain'],
    now: 'France Spain',
    empty: [],
    wrong: ['Spain', 'Atlantis'],
  },
  { field: 'Rc country', key: 'rcSelect', asked: 'Germany', empty: null, stays: true, wrong: 'Atlantis' },
]

const fill = (page: Page, field: string, value: unknown): Promise<Filled[]> =>
  call(page, 'form_fill', { fields: [{ field, value }] })
const kept = (page: Page): Promise<Record<string, unknown>> =>
  page.evaluate(() => (window as unknown as { fixture: { state(): Record<string, unknown> } }).fixture.state())

test.describe('component libraries', () => {
  test.beforeEach(({ page, site }) => openFramework(page, site, libraries))

  test('each control is one field with its visible label', async ({ page }) => {
    const { fields } = await call<{ fields: { label: string }[] }>(page, 'form_read', {})
    expect(fields.map(({ label }) => label)).toEqual(rows.map(({ field }) => field))
  })

  test('a choice is in the field and in the page’s state, and no list stays open', async ({ page, browserName }) => {
    test.slow()
    const outcomes: string[] = []
    for (const { field, key, asked, now = asked } of rows) {
      const [filled] = await fill(page, field, asked)
      expect.soft(filled, field).toEqual({ field, asked, now, ok: true })
      expect.soft((await kept(page))[key], field).toEqual(asked)
      await expect.soft(page.locator('[aria-expanded=true]'), field).toHaveCount(0)
      outcomes.push(`${field.padEnd(26)}${filled?.ok ? 'yes' : filled?.problem}`)
    }
    console.log(`Component libraries in ${browserName}\n${outcomes.join('\n')}`)
    // A second value takes the place of the first; of several, these and no others.
    for (const [field, value, now, key] of [
      ['Mui country', 'Spain', 'Spain', 'muiSelect'],
      ['Mui countries', ['Austria'], 'Austria', 'muiSeveral'],
      ['Radix country', 'Austria', 'Austria', 'radix'],
      ['React-select countries', ['Austria', 'Belgium'], 'Austria Belgium', 'reactSelectSeveral'],
    ] as const) {
      expect.soft(await fill(page, field, value)).toEqual([{ field, asked: value, now, ok: true }])
      expect.soft((await kept(page))[key], field).toEqual(value)
    }
  })

  test(
    'a missing option is reported with the options, changes nothing, and leaves no list open',
    { tag: '@long' },
    async ({ page }) => {
      test.slow()
      for (const { field, key, wrong, empty } of rows) {
        if (wrong === undefined) continue
        const [filled] = await fill(page, field, wrong)
        expect
          .soft(filled, field)
          .toMatchObject({ ok: false, problem: expect.stringContaining('There is no option "Atlantis"') })
        if (!Array.isArray(wrong))
          expect.soft(filled?.problem, field).toContain('"Austria", "Belgium", "France", "Germany", "Spain"')
        // Of several typed one after another those before the wrong one are in, and told.
        if (field !== 'React-select countries') expect.soft((await kept(page))[key], field).toEqual(empty)
        await expect.soft(page.locator('[aria-expanded=true]'), field).toHaveCount(0)
      }
    },
  )

  test('undo clears what a user could clear, and reports the rest', { tag: '@long' }, async ({ page }) => {
    test.slow()
    for (const { field, key, asked, empty, stays = false } of rows) {
      await fill(page, field, asked)
      const [undone] = await call<Filled[]>(page, 'form_undo', {})
      expect.soft(undone, field).toMatchObject({ field, ok: !stays })
      expect.soft((await kept(page))[key], field).toEqual(stays ? asked : empty)
      await expect.soft(page.locator('[aria-expanded=true]'), field).toHaveCount(0)
    }
  })
})
