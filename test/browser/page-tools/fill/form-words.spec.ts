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
}

const draw = (page: Page, widget: Widget): Promise<void> =>
  page.evaluate(({ role, texts, first = 0, start, wraps, textOnly, open, closed = [], horizontal, late = 0 }) => {
    const box = document.createElement('div')
    let at = start
    const show = (): void => {
      if (!textOnly) box.setAttribute('aria-valuenow', String(at + first))
      box.setAttribute('aria-valuetext', texts[at] ?? '')
    }
    box.setAttribute('role', role)
    box.setAttribute('aria-label', 'Value')
    box.tabIndex = 0
    if (!open) {
      box.setAttribute('aria-valuemin', String(first))
      box.setAttribute('aria-valuemax', String(texts.length - 1 + first))
    }
    box.textContent = 'x'
    box.addEventListener('keydown', ({ key }) => {
      if (horizontal && /Up|Down/.test(key)) return
      const by = Number(/^Arrow(Up|Right)$/.test(key)) - Number(/^Arrow(Down|Left)$/.test(key))
      const next = wraps ? (at + by + texts.length) % texts.length : Math.min(texts.length - 1, Math.max(0, at + by))
      if (!closed.includes(texts[next] ?? '')) at = next
      if (late > 0) setTimeout(show, late)
      else show()
    })
    show()
    document.body.replaceChildren(box)
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
