// Sliders and spin buttons that show a word, a unit or a position instead of their number.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Filled {
  now: unknown
  ok: boolean
  problem?: string
}

const fill = (page: Page, value: unknown, field = 'Value'): Promise<Filled[]> =>
  call(page, 'form_fill', { fields: [{ field, value }] })

const months = 'January February March April May June July August September October November December'.split(' ')

interface Widget {
  readonly role: 'slider' | 'spinbutton'
  readonly texts: readonly string[]
  /** The number of the first text. */
  readonly first?: number
  readonly start: number
  readonly wraps?: true
  /** Whether `aria-valuenow` is left out. */
  readonly textOnly?: true
  /** Whether it has `aria-valuemin` and `aria-valuemax`. */
  readonly open?: true
  /** Texts that no key reaches. */
  readonly closed?: readonly string[]
  /** Whether it only moves by the left and right arrow. */
  readonly horizontal?: true
  /** Milliseconds until the page shows the new value. */
  readonly late?: number
  /** The number that stands on the control, or in a box beside it, for its first text. */
  readonly seen?: number
  readonly beside?: number
  /** Whether the page is read from right to left, and only these arrows move it, in the other direction. */
  readonly rtl?: true
  /** Whether it has no value at first, which no key brings back but Delete. */
  readonly unset?: string
}

const draw = (page: Page, widget: Widget): Promise<void> =>
  page.evaluate((widget) => {
    const { role, texts, first = 0, start, wraps, textOnly, open, closed = [], horizontal, late = 0 } = widget
    const { seen, beside, rtl, unset } = widget
    const box = document.createElement('div')
    const output = document.createElement('b')
    let at = unset === undefined ? start : -1
    const show = (): void => {
      if (!textOnly) box.setAttribute('aria-valuenow', String(at + first))
      box.setAttribute('aria-valuetext', texts[at] ?? unset ?? '')
      box.textContent = seen === undefined ? 'x' : String(at + seen)
      if (beside !== undefined) output.textContent = String(at + beside)
    }
    document.documentElement.dir = rtl ? 'rtl' : 'ltr'
    box.setAttribute('role', role)
    box.setAttribute('aria-label', 'Value')
    box.tabIndex = 0
    if (!open) {
      box.setAttribute('aria-valuemin', String(first))
      box.setAttribute('aria-valuemax', String(texts.length - 1 + first))
    }
    box.addEventListener('keydown', ({ key }) => {
      if ((horizontal || rtl) && /Up|Down/.test(key)) return
      if (key === 'Delete' && unset !== undefined) at = -1
      else if (!key.startsWith('Arrow')) return
      const forward = Number(/^Arrow(Up|Right)$/.test(key)) - Number(/^Arrow(Down|Left)$/.test(key))
      const by = rtl ? -forward : forward
      const next = wraps ? (at + by + texts.length) % texts.length : Math.min(texts.length - 1, Math.max(0, at + by))
      if (by !== 0 && !closed.includes(texts[next] ?? '')) at = next
      if (late > 0) setTimeout(show, late)
      else show()
    })
    show()
    document.body.replaceChildren(box, output)
  }, widget)

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/session/blank.html`)
})

test('steps to the word in both directions, with and without limits, numbers and a wrap', async ({ page }) => {
  const month = { texts: months, start: 10 } as const
  const size = { role: 'slider', texts: ['Small', 'Medium', 'Large'], start: 1 } as const
  const cases: readonly (readonly [Widget, string])[] = [
    [{ ...month, role: 'spinbutton' }, 'February'],
    [{ ...month, role: 'spinbutton' }, 'december'],
    [{ ...month, role: 'spinbutton', wraps: true }, 'February'],
    [{ ...month, role: 'spinbutton', open: true, wraps: true }, 'January'],
    [{ ...month, role: 'spinbutton', open: true }, 'January'],
    [{ ...month, role: 'spinbutton', textOnly: true }, 'March'],
    [{ ...month, role: 'spinbutton', first: 1, late: 30 }, 'September'],
    [size, 'Large'],
    [{ ...size, start: 2, horizontal: true }, 'Small'],
    [{ ...size, start: 0, horizontal: true }, 'Large'],
    [size, 'small'],
    [{ role: 'slider', texts: ['Off', '1 h', '2 h', 'Unlimited'], start: 1 }, 'Unlimited'],
    [{ role: 'slider', texts: ['Off', '1 h', '2 h', 'Unlimited'], start: 2 }, 'Off'],
  ]
  for (const [widget, asked] of cases) {
    await draw(page, widget)
    const now = widget.texts.find((text) => text.toLowerCase() === asked.toLowerCase())
    expect([asked, ...(await fill(page, asked))]).toMatchObject([asked, { now, ok: true }])
  }
})

test('a word that is not there is refused with what there is, and the former value is back', async ({ page }) => {
  for (const wraps of [true, undefined]) {
    await draw(page, { role: 'spinbutton', texts: months, start: 10, ...(wraps ? { wraps } : {}) })
    expect(await fill(page, 'Smarch')).toMatchObject([
      { now: 'November', ok: false, problem: expect.stringMatching(/"Smarch".*"January"/) },
    ])
  }
  await draw(page, { role: 'slider', texts: ['Small', 'Medium', 'Large'], start: 1, closed: ['Large'] })
  expect(await fill(page, 'Large')).toMatchObject([
    { now: 'Medium', ok: false, problem: expect.stringMatching(/"Small", "Medium"|"Medium", "Small"/) },
  ])
})

test('a number is never taken for the place of a word', async ({ page }) => {
  await draw(page, { role: 'spinbutton', texts: months, start: 10 })
  for (const asked of [2, '2', 11])
    expect(await fill(page, asked)).toMatchObject([
      { now: 'November', ok: false, problem: expect.stringContaining('"November"') },
    ])
  await draw(page, { role: 'slider', texts: ['Small', 'Medium', 'Large'], start: 0 })
  expect(await fill(page, 1)).toMatchObject([{ now: 'Small', ok: false }])
  // Months that are numbered as people do are not ambiguous.
  await draw(page, { role: 'spinbutton', texts: months, first: 1, start: 10 })
  expect(await fill(page, 2)).toMatchObject([{ now: 'February', ok: true }])
})

const counted = 'zero one two three four five six seven eight nine ten'.split(' ')

test('a number counts that the word says, or that is seen on the control or beside it', async ({ page }) => {
  const stars = { role: 'slider', texts: counted.map((word) => `${word} of ten stars`), start: 3 } as const
  const levels = ['Dreadful', 'Poor', 'Fair', 'Good', 'Superb']
  const cases: readonly (readonly [Widget, unknown, string])[] = [
    [stars, 8, 'eight of ten stars'],
    [{ ...stars, texts: stars.texts.slice(1), first: 1, unset: 'Rate from 1 to 10' }, '8', 'eight of ten stars'],
    [{ role: 'spinbutton', texts: ['first', 'second', 'third', 'fourth'], first: 1, start: 0 }, 3, 'third'],
    [{ role: 'spinbutton', texts: ['null', 'eins', 'zwei', 'drei'], start: 1 }, 3, 'drei'],
    [{ role: 'slider', texts: ['ein Stern', 'zwei Sterne', 'drei Sterne'], first: 1, start: 0 }, 3, 'drei Sterne'],
    [{ role: 'spinbutton', texts: ['thirty', 'thirty-first'], first: 30, start: 0 }, 31, 'thirty-first'],
    [{ role: 'slider', texts: levels, first: 1, start: 1, seen: 1 }, 5, 'Superb'],
    [{ role: 'slider', texts: levels, first: 1, start: 1, beside: 1 }, 5, 'Superb'],
    [{ role: 'slider', texts: levels, start: 1, seen: 1 }, 5, 'Superb'],
  ]
  for (const [widget, asked, now] of cases) {
    await draw(page, widget)
    expect.soft([asked, ...(await fill(page, asked))]).toMatchObject([asked, { now, ok: true }])
  }
  // A number that stands there by chance does not follow the value.
  await draw(page, { role: 'spinbutton', texts: months, start: 2 })
  await page.evaluate(() => document.body.append('Step 2'))
  expect(await fill(page, 5)).toMatchObject([{ now: 'March', ok: false }])
  // A value that was not there before is gone again after an attempt that fails.
  await draw(page, { role: 'slider', texts: levels, first: 1, start: 0, unset: 'Not rated' })
  expect(await fill(page, 'Brilliant')).toMatchObject([
    { now: 'Not rated', ok: false, problem: expect.stringContaining('former value is back') },
  ])
})

test('arrows that answer in the other direction turn round', async ({ page }) => {
  for (const [start, asked] of [
    [2, 5],
    [0, 10],
    [10, 0],
  ] as const) {
    await draw(page, { role: 'slider', texts: Array<string>(11).fill(''), start, rtl: true })
    expect.soft(await fill(page, asked)).toMatchObject([{ now: String(asked), ok: true }])
  }
  const sizes = ['Small', 'Medium', 'Large', 'Huge']
  await draw(page, { role: 'slider', texts: sizes, start: 0, rtl: true })
  expect.soft(await fill(page, 'Large')).toMatchObject([{ now: 'Large', ok: true }])
  await draw(page, { role: 'slider', texts: sizes, start: 1 })
})

test('units and positions mean the number that is shown', async ({ page }) => {
  const degrees = Array.from({ length: 30 }, (_, at) => `${at + 10} °C`)
  const cases: readonly (readonly [Widget, unknown, string])[] = [
    [{ role: 'slider', texts: degrees, first: 10, start: 5 }, 21, '21 °C'],
    [{ role: 'slider', texts: degrees, first: 10, start: 15 }, '21 °C', '21 °C'],
    [{ role: 'slider', texts: ['0:00', '1:00', '2:00', '3:00', '4:00'], start: 1 }, '3:00', '3:00'],
    [{ role: 'slider', texts: ['0%', '25%', '50%', '75%', '100%'], start: 1 }, '75', '75%'],
    [{ role: 'slider', texts: ['1 of 5', '2 of 5', '3 of 5', '4 of 5', '5 of 5'], start: 0 }, 3, '3 of 5'],
  ]
  for (const [widget, asked, now] of cases) {
    await draw(page, widget)
    expect([asked, ...(await fill(page, asked))]).toMatchObject([asked, { now, ok: true }])
  }
  // Seconds as minutes: the number of the value is the only one that can be meant.
  const times = Array.from({ length: 301 }, (_, at) => `${Math.floor(at / 60)} minutes ${at % 60} seconds`)
  await draw(page, { role: 'slider', texts: times, start: 90 })
  expect(await fill(page, 180)).toMatchObject([{ now: '3 minutes 0 seconds', ok: true }])
  await draw(page, { role: 'slider', texts: degrees, first: 10, start: 5 })
  expect(await fill(page, 'warm')).toMatchObject([{ now: '15 °C', ok: false }])
})

test('a value that cannot be reached leaves the former one', async ({ page }) => {
  await draw(page, { role: 'slider', texts: degreesBy(5), start: 1 })
  expect(await fill(page, 12)).toMatchObject([{ now: '5 °C', ok: false, problem: expect.stringContaining('12') }])
  await page.evaluate(() => {
    const box = document.createElement('div')
    Object.assign(box, { tabIndex: 0, textContent: 'x' })
    for (const [name, value] of Object.entries({ role: 'slider', 'aria-label': 'Value', 'aria-valuenow': '10' }))
      box.setAttribute(name, value)
    box.addEventListener('keydown', ({ key }) => {
      const by = 10 * (Number(key === 'ArrowRight') - Number(key === 'ArrowLeft'))
      box.setAttribute('aria-valuenow', String(Number(box.getAttribute('aria-valuenow')) + by))
    })
    document.body.replaceChildren(box)
  })
  expect(await fill(page, 34)).toMatchObject([{ now: '10', ok: false, problem: expect.stringContaining('34') }])
})

function degreesBy(step: number): string[] {
  return Array.from({ length: 6 }, (_, at) => `${at * step} °C`)
}

test('a native slider with words and a text field with the role of a spin button take them as well', async ({
  page,
}) => {
  await page.evaluate(() => {
    document.body.innerHTML = `
      <label>Size <input type="range" min="0" max="2" value="1" aria-valuetext="Medium" id="size"></label>
      <label>Month <input role="spinbutton" aria-valuenow="10" aria-valuetext="November" value="November" id="month"></label>`
    const size = document.getElementById('size') as HTMLInputElement
    size.addEventListener('input', () =>
      size.setAttribute('aria-valuetext', ['Small', 'Medium', 'Large'][Number(size.value)] ?? ''),
    )
    const month = document.getElementById('month') as HTMLInputElement
    month.addEventListener('input', () => month.setAttribute('aria-valuetext', month.value))
  })
  const { fields } = await call<{ fields: { value: unknown }[] }>(page, 'form_read')
  expect(fields.map(({ value }) => value)).toEqual(['Medium', 'November'])
  expect(await fill(page, 'Large', 'Size')).toMatchObject([{ now: 'Large', ok: true }])
  expect(await fill(page, 0, 'Size')).toMatchObject([{ now: 'Large', ok: false }])
  expect(await fill(page, 'Huge', 'Size')).toMatchObject([
    { now: 'Large', ok: false, problem: expect.stringContaining('"Small"') },
  ])
  expect(await fill(page, 'February', 'Month')).toMatchObject([{ now: 'February', ok: true }])
})

test('undo brings the former word back', async ({ page }) => {
  for (const textOnly of [true, undefined]) {
    await draw(page, { role: 'spinbutton', texts: months, start: 10, ...(textOnly ? { textOnly } : {}) })
    expect(await fill(page, 'February')).toMatchObject([{ ok: true }])
    expect(await call(page, 'form_undo')).toMatchObject([{ now: 'November', ok: true }])
  }
})
