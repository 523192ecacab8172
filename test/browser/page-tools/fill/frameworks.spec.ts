// form_fill and form_undo on forms of real frameworks: a value is accepted, the framework's own state has it, the events
// come as a person would cause them, and undo takes all of it back. What each control of each framework did is a table.
import type { Page } from 'playwright/test'
import { expect, frameworks, openFramework, selectableRows, test } from '../../../support/page/frameworks.js'
import { call } from '../../../support/page/page-tools-call.js'

interface Filled {
  field: string
  asked: unknown
  now: unknown
  ok: boolean
  problem?: string
}
type State = Record<string, unknown>
interface Fixture {
  fixture: { state(): State; redraw(): void; rename(): void }
  log: string[]
}

const typed = ['focus', 'beforeinput', 'input', 'change', 'blur']
const set = ['focus', 'input', 'change', 'blur']
const toggled = ['focus', 'click', 'input', 'change', 'blur']

interface Row {
  control: string
  field: string
  asked: unknown
  now?: unknown
  key: string
  state: unknown
  events?: string[]
}
const rows: readonly Row[] = [
  { control: 'text', field: 'Name', asked: 'Ada Lovelace', key: 'name', state: 'Ada Lovelace', events: typed },
  { control: 'email', field: 'Email', asked: 'ada@example.org', key: 'email', state: 'ada@example.org', events: typed },
  { control: 'tel', field: 'Phone', asked: '+44 20 7946 0000', key: 'phone', state: '+44 20 7946 0000', events: typed },
  {
    control: 'url',
    field: 'Website',
    asked: 'https://example.org',
    key: 'website',
    state: 'https://example.org',
    events: typed,
  },
  { control: 'search', field: 'Search', asked: 'quiet', key: 'search', state: 'quiet', events: typed },
  {
    control: 'textarea',
    field: 'Notes',
    asked: 'no shellfish\nby the window',
    key: 'notes',
    state: 'no shellfish\nby the window',
    events: typed,
  },
  { control: 'number', field: 'Guests', asked: '4 people', now: '4', key: 'guests', state: 4, events: typed },
  { control: 'range', field: 'Spice', asked: '6', key: 'spice', state: 6, events: set },
  {
    control: 'date',
    field: 'Date',
    asked: '27 November 2026',
    now: '2026-11-27',
    key: 'date',
    state: '2026-11-27',
    events: set,
  },
  { control: 'time', field: 'Time', asked: '7:30 pm', now: '19:30', key: 'time', state: '19:30', events: set },
  {
    control: 'month',
    field: 'Month',
    asked: 'December 2026',
    now: '2026-12',
    key: 'month',
    state: '2026-12',
    events: set,
  },
  { control: 'week', field: 'Week', asked: '2026-W48', key: 'week', state: '2026-W48', events: set },
  {
    control: 'datetime-local',
    field: 'Starts',
    asked: '2026-11-27 19:30',
    now: '2026-11-27T19:30',
    key: 'starts',
    state: '2026-11-27T19:30',
    events: set,
  },
  { control: 'colour', field: 'Colour', asked: 'teal', now: '#008080', key: 'colour', state: '#008080', events: set },
  { control: 'checkbox', field: 'Send me news', asked: 'yes', now: true, key: 'news', state: true, events: toggled },
  { control: 'radio group', field: 'Seating', asked: 'Terrace', key: 'seat', state: 'out', events: toggled },
  { control: 'checkbox group', field: 'No nuts', asked: true, key: 'diet', state: ['nuts'], events: toggled },
  { control: 'select, by label', field: 'Occasion', asked: 'Birthday', key: 'occasion', state: 'b', events: set },
  {
    control: 'select, by value',
    field: 'Occasion',
    asked: 'a',
    now: 'Anniversary',
    key: 'occasion',
    state: 'a',
    events: set,
  },
  {
    control: 'select, several',
    field: 'Wines',
    asked: ['Red', 'Rosé'],
    key: 'wines',
    state: ['Red', 'Rosé'],
    events: set,
  },
  { control: 'datalist', field: 'City', asked: 'Bern', key: 'city', state: 'Bern', events: typed },
  {
    control: 'contenteditable',
    field: 'Memo',
    asked: 'new text',
    key: 'memo',
    state: 'new text',
    // All is selected by its key, to write, and to ask what is held. The focus comes and goes once.
    events: ['focus', 'keydown', 'beforeinput', 'input', 'keydown', 'blur'],
  },
  { control: 'combobox, editable', field: 'Country', asked: 'Germany', key: 'country', state: 'Germany' },
  { control: 'combobox, select-only', field: 'Size', asked: 'Large', key: 'size', state: 'Large' },
  { control: 'listbox', field: 'Crust', asked: 'Filled', key: 'crust', state: 'Filled' },
  {
    control: 'listbox, several',
    field: 'Toppings',
    asked: ['Onions', 'Peppers'],
    key: 'toppings',
    state: ['Onions', 'Peppers'],
  },
  { control: 'switch', field: 'Alerts', asked: 'on', now: true, key: 'alerts', state: true },
  { control: 'slider', field: 'Volume', asked: 7, now: '7', key: 'volume', state: 7 },
  { control: 'spinbutton', field: 'Nights', asked: '4 nights', key: 'nights', state: 4 },
  { control: 'radio group, ARIA', field: 'Room', asked: 'Lively', key: 'room', state: 'Lively' },
  {
    control: 'date picker, text',
    field: 'Arrival',
    asked: '2026-11-27',
    now: '11/27/2026',
    key: 'arrival',
    state: '2026-11-27',
    events: typed,
  },
  {
    control: 'date picker, grid',
    field: 'Departure',
    asked: '2027-02-03',
    now: '02/03/2027',
    key: 'departure',
    state: '2027-02-03',
  },
  { control: 'form-associated element', field: 'Rating', asked: '4', key: 'rating', state: '4', events: set },
]

const fill = (page: Page, field: string, value: unknown): Promise<Filled[]> =>
  call(page, 'form_fill', { fields: [{ field, value }] })
const state = (page: Page): Promise<State> => page.evaluate(() => (window as unknown as Fixture).fixture.state())
const events = (page: Page, key: string): Promise<string[]> =>
  page.evaluate((key) => {
    const scope = window as unknown as Fixture
    return scope.log
      .splice(0)
      .filter((entry) => entry.startsWith(`${key}:`))
      .map((entry) => entry.slice(key.length + 1))
  }, key)

const outcomes = new Map<string, Map<string, string>>()
test.afterAll(() => {
  if (outcomes.size === 0) return
  const names = [...outcomes.keys()]
  const cell = (text: string): string => text.padEnd(11)
  const lines = rows.map(
    ({ control }) =>
      `${control.padEnd(26)}${names.map((name) => cell(outcomes.get(name)?.get(control) ?? '–')).join('')}`,
  )
  process.stdout.write(`\n${''.padEnd(26)}${names.map(cell).join('')}\n${lines.join('\n')}\n`)
})

/** React runs in both browsers by default, two others in one, and the rest in the long run. */
const tags: ReadonlyMap<string, string[]> = new Map([
  ['React', []],
  ['Vue', ['@one-engine']],
  ['Angular', ['@one-engine']],
])

for (const framework of frameworks) {
  test.describe(framework, { tag: tags.get(framework) ?? ['@long'] }, () => {
    test.beforeEach(async ({ page, site }) => {
      await openFramework(page, site, framework)
    })

    test('fills every control and the framework state with real-looking events, and undo restores both', async ({
      page,
    }) => {
      test.setTimeout(120_000)
      const done = new Map<string, string>()
      outcomes.set(framework, done)
      for (const row of rows) {
        const before = await state(page)
        if (!(row.key in before)) continue
        const problems = test.info().errors.length
        await events(page, row.key)
        const [answer] = await fill(page, row.field, row.asked)
        expect
          .soft(answer, row.control)
          .toEqual({ field: row.field, asked: row.asked, now: row.now ?? row.asked, ok: true })
        expect.soft(await state(page), `${row.control}: state`).toEqual({ ...before, [row.key]: row.state })
        const takesFocus = row.control === 'date picker, text' && framework === 'jQuery UI'
        const all = await events(page, row.key)
        // This one answers to being told of the focus by taking it, and then may be told of the loss once more.
        const seen = takesFocus ? all.filter((event, index) => event !== 'blur' || all[index - 1] !== 'blur') : all
        const wanted = takesFocus ? ['focus', ...typed.slice(0, -1), 'keydown', 'blur'] : row.events
        if (wanted) expect.soft(seen, `${row.control}: events`).toEqual(wanted)
        const [undone] = await call<Filled[]>(page, 'form_undo')
        expect.soft(undone, `${row.control}: undo`).toMatchObject({ field: row.field, ok: true })
        expect.soft(await state(page), `${row.control}: state after undo`).toEqual(before)
        done.set(row.control, test.info().errors.length === problems ? 'yes' : 'NO')
      }
    })

    test('refuses a password, and its state stays empty', async ({ page }) => {
      const [answer] = await fill(page, 'Password', 'attack')
      expect(answer).toMatchObject({ ok: false, now: 'empty', problem: expect.stringMatching(/^sensitive-field: /) })
      expect(await state(page)).toMatchObject({ password: '' })
    })

    test(
      'reports the current value if the page reformats or rejects the requested one',
      { tag: '@F76' },
      async ({ page }) => {
        const answers = await call<Filled[]>(page, 'form_fill', {
          fields: [
            { field: 'Account', value: '555-123-4567' },
            { field: 'Lower case', value: 'ABC' },
            { field: 'Guests', value: 40 },
          ],
        })
        const now = await state(page)
        expect(answers).toMatchObject([
          { ok: true, now: now['account'] },
          { ok: false, now: '', problem: expect.stringMatching(/^The page (did not accept|changed) the value/) },
          { ok: false, problem: expect.stringContaining('12') },
        ])
        expect(now).toMatchObject({ account: '555 123 456 7', lower: '' })
      },
    )

    test('a field that the user is editing keeps its text, in the state too', { tag: '@F79' }, async ({ page }) => {
      await page.locator('[name=notes]').click()
      await page.evaluate(() => {
        // Nothing is drawn, and no time passes, until the user has typed.
        const scope = window as unknown as {
          pageTools: Map<string, { execute(input: object, run: object): Promise<unknown> }>
          answer: Promise<unknown>
          go(): void
        }
        const typed = new Promise<void>((resolve) => {
          scope.go = resolve
        })
        const { execute } = scope.pageTools.get('form_fill') ?? {}
        const run = window.toolRun()
        const frame = window.requestAnimationFrame.bind(window)
        const timer = window.setTimeout.bind(window)
        window.requestAnimationFrame = (callback) => {
          void typed.then(() => frame(callback))
          return 0
        }
        window.setTimeout = ((callback: () => void, ms: number) =>
          timer(() => {
            void typed.then(callback)
          }, ms)) as typeof setTimeout
        scope.answer = execute?.(
          {
            fields: [
              { field: 'Name', value: 'Ada' },
              { field: 'Notes', value: 'from the agent' },
              { field: 'Phone', value: '123' },
            ],
          },
          run,
        ) as Promise<unknown>
      })
      await page.keyboard.type('mine')
      const answers = await page.evaluate(() => {
        const scope = window as unknown as { answer: Promise<unknown>; go(): void }
        scope.go()
        return scope.answer
      })
      expect(answers).toMatchObject([
        { ok: true },
        { ok: false, now: 'mine', problem: expect.stringContaining('the user is editing') },
        { ok: true },
      ])
      await page.locator('[name=name]').click()
      await expect.poll(() => state(page)).toMatchObject({ name: 'Ada', notes: 'mine', phone: '123' })
    })

    test('a re-rendered element is found again, a changed one is stale', { tag: '@F75' }, async ({ page }) => {
      const { fields } = await call<{ fields: { label: string; ref: string }[] }>(page, 'form_read')
      const ref = fields.find(({ label }) => label === 'Name')?.ref ?? ''
      const old = await page.locator('[name=name]').elementHandle()
      await page.evaluate(() => {
        ;(window as unknown as Fixture).fixture.redraw()
      })
      await page.waitForFunction((old) => !(old as Element).isConnected, old)
      expect(await fill(page, ref, 'Ada')).toMatchObject([{ field: 'Name', ok: true, now: 'Ada' }])
      expect(await state(page)).toMatchObject({ name: 'Ada' })
      await page.evaluate(() => {
        ;(window as unknown as Fixture).fixture.rename()
      })
      await page.locator('[name=pet]').waitFor()
      expect(await fill(page, ref, 'Grace')).toMatchObject([
        { ok: false, problem: expect.stringMatching(/^stale-ref: /) },
      ])
      expect(await state(page)).toMatchObject({ name: 'Ada' })
    })

    test('fills and undoes a form that its first field re-renders', async ({ page }) => {
      const before = await state(page)
      await page.evaluate(() => {
        const name = (document.querySelector('[name=name]') ??
          document.querySelector('order-form')?.shadowRoot?.querySelector('[name=name]')) as Element
        name.addEventListener(
          'change',
          () => {
            ;(window as unknown as Fixture).fixture.redraw()
          },
          { once: true },
        )
      })
      const answers = await call<Filled[]>(page, 'form_fill', {
        fields: [
          { field: 'Name', value: 'Ada' },
          { field: 'Guests', value: 5 },
          { field: 'Occasion', value: 'Birthday' },
        ],
      })
      expect(answers).toMatchObject([
        { ok: true, now: 'Ada' },
        { ok: true, now: '5' },
        { ok: true, now: 'Birthday' },
      ])
      expect(await state(page)).toMatchObject({ name: 'Ada', guests: 5, occasion: 'b' })
      expect(await call(page, 'form_undo')).toMatchObject([{ ok: true }, { ok: true }, { ok: true }])
      expect(await state(page)).toEqual(before)
    })
  })
}

test('boxes for all rows in React are cleared, set, put back and made mixed again', async ({ page, site }) => {
  await openFramework(page, site, selectableRows)
  const first = [true, false, false]
  const kept = (kind: string): Promise<unknown> =>
    page.evaluate((kind) => (window as unknown as { rows(): Record<string, unknown> }).rows()[kind], kind)
  for (const kind of ['native', 'roles', 'fresh'])
    for (const value of [false, true]) {
      const fields = [{ field: `All ${kind}`, value }]
      expect([kind, ...(await call<Filled[]>(page, 'form_fill', { fields }))]).toMatchObject([
        kind,
        { now: value, ok: true },
      ])
      expect(await kept(kind)).toEqual([value, value, value])
      expect([kind, await call(page, 'form_undo')]).toMatchObject([kind, [{ now: 'mixed', ok: true }]])
      expect(await kept(kind)).toEqual(first)
    }
  const fields = [{ field: 'All stubborn', value: false }]
  expect(await call(page, 'form_fill', { fields })).toMatchObject([{ now: 'mixed', ok: false }])
  expect(await kept('stubborn')).toEqual(first)
})
