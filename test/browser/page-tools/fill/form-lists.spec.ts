// Lists that plain scripts draw under a field: boxes over the page stay open, the field has the real focus, and `ok`
// means that something was chosen or nothing had to be.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'

interface Filled {
  field: string
  now: unknown
  ok: boolean
  problem?: string
  suggestions?: string[]
}
const fill = (page: Page, values: Record<string, unknown>): Promise<Filled[]> =>
  call<Filled[]>(page, 'form_fill', { fields: Object.entries(values).map(([field, value]) => ({ field, value })) })

interface Listing {
  readonly items: readonly string[]
  /** Markup of an item, by its text. */
  readonly item?: string
  readonly delay?: number
  /** What must hold when the list is drawn. */
  readonly when?: 'active' | 'always'
  /** Milliseconds after which a text that was not chosen is dropped. */
  readonly drops?: number
  readonly picksOn?: 'click' | 'mousedown'
  /** The list closes when the field is left. */
  readonly hides?: boolean
}

/** Lists matching items under the field `#f` in `#list`, and notes what was picked. */
const suggest = (page: Page, listing: Listing): Promise<void> =>
  page.evaluate((given) => {
    const { items, item = '<div class="item">*</div>', delay = 0, when, drops, picksOn = 'click', hides } = given
    const field = document.querySelector<HTMLInputElement>('#f')!
    const list = document.querySelector<HTMLElement>('#list')!
    let chosen = field.value
    const draw = (): void => {
      if (when === 'active' && document.activeElement !== field) return
      list.innerHTML = ''
      for (const text of items.filter((one) => one.toLowerCase().includes(field.value.toLowerCase()))) {
        list.insertAdjacentHTML('beforeend', item.replace('*', text))
        list.lastElementChild!.addEventListener('mousedown', (event) => event.preventDefault())
        list.lastElementChild!.addEventListener(picksOn, () => {
          chosen = field.value = text
          Object.assign(window, { picked: text })
          list.replaceChildren()
        })
      }
    }
    field.addEventListener('input', () => void (delay === 0 ? draw() : setTimeout(draw, delay)))
    field.addEventListener('blur', () => {
      if (hides) list.replaceChildren()
      if (drops !== undefined) setTimeout(() => field.value !== chosen && (field.value = chosen), drops)
    })
  }, listing)
const picked = (page: Page): Promise<unknown> => page.evaluate(() => (window as { picked?: unknown }).picked)

const css = `.shade { position: fixed; inset: 0; background: #0008 }
  .panel { background: white; margin: 80px auto; width: 400px; padding: 20px; position: relative }
  .drawer { position: absolute; right: 0; top: 0; bottom: 0; width: 300px; background: white }
  .item { cursor: pointer } [hidden] { display: none }
  .within:not(:focus-within) .list { display: none } .over { position: absolute; background: white }`
const fields = `<h2>Order</h2><p><label>Notes <input id="n"></label></p>
  <div><label>Medicine <input id="f" autocomplete="off"></label><div id="list"></div></div>`
const drugs = {
  items: ['Lisinopril 10mg', 'Lisinopril 20mg'],
  item: '<div class="item"><span>*</span> <em>Rx</em></div>',
}

for (const [name, box] of [
  ['fixed, without a role', `<div class="shade"><div class="panel">${fields}</div></div>`],
  ['at the side, absolute', `<div class="drawer" dir="rtl">${fields}</div>`],
  ['a dialog by its role', `<div role="dialog" aria-label="Order">${fields}</div>`],
  ['a popover', `<div popover id="pop">${fields}</div>`],
] as const)
  test(
    `a box over the page stays open with its values: ${name}`,
    { tag: name.startsWith('fixed') ? [] : ['@long'] },
    async ({ page, site }) => {
      await openMarkup(page, site, `<main><button>Prescribe</button></main><div id="root">${box}</div>`, css)
      await suggest(page, drugs)
      await page.evaluate(() => {
        document.querySelector<HTMLElement>('#pop')?.showPopover()
        document.addEventListener('keydown', ({ key }) => {
          if (key === 'Escape') document.querySelector('#root')!.replaceChildren()
        })
        document.querySelector('.shade')?.addEventListener('click', (event) => {
          if (event.target === event.currentTarget) document.querySelector('#root')!.replaceChildren()
        })
      })
      expect(await fill(page, { Notes: 'x', Medicine: 'lisinopril' })).toMatchObject([
        { now: 'x', ok: true },
        { now: 'lisinopril', suggestions: ['Lisinopril 10mg Rx', 'Lisinopril 20mg Rx'] },
      ])
      // The page finds nothing for name and badge together.
      expect(await fill(page, { Medicine: 'Lisinopril 20mg Rx' })).toMatchObject([{ now: 'Lisinopril 20mg', ok: true }])
      expect(await picked(page)).toBe('Lisinopril 20mg')
      expect(await page.locator('#n').inputValue()).toBe('x')
    },
  )

test('a combobox and a calendar in a box over the page close without Escape', async ({ page, site }) => {
  await openMarkup(
    page,
    site,
    `<div class="shade"><div class="panel"><h2>Trip</h2><p><label>Notes <input id="n" value="kept"></label></p>
      <div id="box"><label>City <input id="c" role="combobox" aria-expanded="false" aria-controls="cities"></label>
        <div id="cities" role="listbox" hidden><div role="option">Bern</div><div role="option">Basel</div></div></div>
      <div id="when"><label>Day <input id="d" readonly></label><div id="days" hidden>May 2026 <span id="cells"></span></div></div>
      <button type="button">Book</button></div></div>`,
    css,
  )
  await page.evaluate(() => {
    const find = (id: string): HTMLElement => document.getElementById(id)!
    const set = (isOpen: boolean): void => {
      find('cities').hidden = !isOpen
      find('c').setAttribute('aria-expanded', String(isOpen))
    }
    find('c').addEventListener('input', () => set(true))
    find('cells').innerHTML = Array.from(
      { length: 31 },
      (_, day) => `<button disabled class="disabled">${day + 1}</button>`,
    ).join('')
    find('d').addEventListener('click', () => (find('days').hidden = false))
    document.addEventListener('mousedown', ({ target }) => {
      if (!find('box').contains(target as Node)) set(false)
      if (!find('when').contains(target as Node)) find('days').hidden = true
    })
    document.addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') document.querySelector('.shade')!.remove()
    })
  })
  expect(await fill(page, { City: 'Atlantis', Day: '2026-05-04' })).toMatchObject([
    { ok: false, problem: expect.stringContaining('Options: "Bern", "Basel"') },
    { ok: false },
  ])
  expect(await page.locator('#n').inputValue()).toBe('kept')
  await expect(page.locator('#cities:visible, #days:visible')).toHaveCount(0)
})

test('what a search shows stays, because it is the result', async ({ page, site }) => {
  await openMarkup(
    page,
    site,
    `<main><button>Other</button><div><label>Search <input type=search id=f></label><div id=list></div></div></main>`,
    css,
  )
  await suggest(page, { items: ['Soup with potatoes', 'Potatoes and salt'] })
  await page.evaluate(() => {
    document.addEventListener('mousedown', (event) => {
      if (!(event.target as Element).closest('label,#list')) document.querySelector('#list')!.replaceChildren()
    })
  })
  expect(await fill(page, { Search: 'potatoes' })).toMatchObject([
    { now: 'potatoes', ok: true, suggestions: ['Soup with potatoes', 'Potatoes and salt'] },
  ])
  await expect(page.locator('#list .item')).toHaveCount(2)
})

test('a suggestion that is no longer offered is an error', async ({ page, site }) => {
  await openMarkup(page, site, fields, css)
  await suggest(page, drugs)
  expect(await fill(page, { Medicine: 'lisinopril' })).toMatchObject([{ suggestions: expect.arrayContaining([]) }])
  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('#f')!
    field.addEventListener('input', (event) => event.stopImmediatePropagation(), { capture: true })
    document.querySelector('#list')!.replaceChildren()
  })
  expect(await fill(page, { Medicine: 'Lisinopril 20mg Rx' })).toMatchObject([
    { ok: false, problem: expect.stringContaining('no longer offers "Lisinopril 20mg Rx"') },
  ])
})

test(
  'a part of a name that the page marks as typed is not taken for a suggestion',
  { tag: '@long' },
  async ({ page, site }) => {
    await openMarkup(page, site, fields, css)
    await suggest(page, { items: ['New York'], item: '<div class="item"><b>New</b><span> York</span></div>' })
    await page.evaluate(() => document.querySelector('#list')!.setAttribute('class', 'suggestions'))
    expect(await fill(page, { Medicine: 'New' })).toMatchObject([{ suggestions: ['New York'] }])
    expect(await picked(page)).toBeUndefined()
  },
)

for (const [sign, input, list] of [
  ['autocomplete=off', 'autocomplete="off"', '<ul id="list"></ul>'],
  ['a search field', 'type="search"', '<div id="list"></div>'],
  ['a class of a typeahead', 'class="my-typeahead"', '<div id="list"></div>'],
  ['a class of suggestions', 'class="suggest-input"', '<div id="list"></div>'],
  ['an empty list beside it', '', '<ul id="list"></ul>'],
  ['a combobox', 'role="combobox" aria-controls="list" aria-expanded="true"', '<ul id="list" role="listbox"></ul>'],
] as const)
  test(
    `a list that needs the real focus opens: ${sign}`,
    { tag: sign === 'a search field' ? [] : ['@long'] },
    async ({ page, site }) => {
      const item = sign === 'a combobox' ? '<li role="option">*</li>' : '<li class="item">*</li>'
      await openMarkup(
        page,
        site,
        `<input id="mine" aria-label="Mine"><div><label>Town <input id="f" ${input}></label>${list}</div>`,
        css,
      )
      await suggest(page, {
        items: ['Bern', 'Bern West'],
        item,
        delay: 300,
        when: 'active',
        picksOn: 'mousedown',
        hides: true,
      })
      await page.locator('#mine').focus()
      expect(await fill(page, { Town: 'Bern West' })).toMatchObject([{ now: 'Bern West', ok: true }])
      expect(await picked(page)).toBe('Bern West')
      await expect(page.locator('#mine')).toBeFocused()
    },
  )

test('a list that styles show while the focus is within opens', { tag: '@long' }, async ({ page, site }) => {
  await openMarkup(
    page,
    site,
    `<div class="within"><label>Town <input id="f" autocomplete="off"></label><div id="list" class="list over"></div></div>`,
    css,
  )
  await suggest(page, { items: ['Bern', 'Bern West'], delay: 200 })
  expect(await fill(page, { Town: 'Bern' })).toMatchObject([{ now: 'Bern', ok: true }])
  expect(await picked(page)).toBe('Bern')
})

test('rows of a floating box without any sign are suggestions, and a dropped text is not ok', async ({
  page,
  site,
}) => {
  await openMarkup(
    page,
    site,
    `<div><div>Agent</div><input id="f" aria-label="Agent"><div id="list" class="over"></div></div>`,
    css,
  )
  await suggest(page, {
    items: ['Night agent', 'Sales agent'],
    item: '<div><span>*</span> <i>777</i></div>',
    drops: 200,
  })
  expect(await fill(page, { Agent: 'agent' })).toMatchObject([
    { ok: false, now: '', suggestions: ['Night agent 777', 'Sales agent 777'] },
  ])
  expect(await fill(page, { Agent: 'Night agent' })).toMatchObject([{ ok: true, now: 'Night agent' }])
  expect(await picked(page)).toBe('Night agent')
})

test(
  'a field that drops its text at once is given more time for its list',
  { tag: '@long' },
  async ({ page, site }) => {
    await openMarkup(
      page,
      site,
      `<input id="f" autocomplete="off" aria-label="Model"><div id="list" class="over"></div>`,
      css,
    )
    await suggest(page, { items: ['small', 'large'], delay: 1000, drops: 0 })
    expect(await fill(page, { Model: 'large' })).toMatchObject([{ now: 'large', ok: true }])
    expect(await picked(page)).toBe('large')
  },
)

test('what the visitor types while a field has the focus goes to their own place', async ({ page, site }) => {
  await openMarkup(
    page,
    site,
    `<textarea id="mine" aria-label="Mine">ab</textarea><label>Town <input id="f" autocomplete="off"></label><ul id="list"></ul>`,
    css,
  )
  await suggest(page, { items: ['Bern'], delay: 400, when: 'active' })
  await page.locator('#mine').focus()
  await page.evaluate(() => {
    document.querySelector<HTMLTextAreaElement>('#mine')!.setSelectionRange(1, 1)
    const keys: string[] = []
    document.querySelector('#f')!.addEventListener('keydown', (event) => keys.push((event as KeyboardEvent).key))
    Object.assign(window, { keys })
  })
  const filling = fill(page, { Town: 'Bern' })
  await expect(page.locator('#f')).toBeFocused()
  await page.keyboard.type('xyz')
  await filling
  await expect(page.locator('#mine')).toHaveValue('axyzb')
  await expect(page.locator('#mine')).toBeFocused()
  await expect(page.locator('#f')).toHaveValue('Bern')
  expect(await page.evaluate(() => (window as unknown as { keys: string[] }).keys)).toEqual([])
})

test(
  'a read-only date field that opens its calendar on the real focus is filled',
  { tag: '@long' },
  async ({ page, site }) => {
    await openMarkup(
      page,
      site,
      `<input id="f" role="combobox" aria-haspopup="dialog" aria-expanded="false" readonly aria-label="Day" aria-controls="days">
      <div id="days" role="dialog" hidden><span role="button">2026</span> <span role="button">May</span>
      <table><tbody></tbody></table></div>`,
      css,
    )
    await page.evaluate(() => {
      const [field, days] = [
        document.querySelector<HTMLInputElement>('#f')!,
        document.querySelector<HTMLElement>('#days')!,
      ]
      const cells = Array.from({ length: 31 }, (_, day) => `<td><span>${day + 1}</span></td>`)
      days.querySelector('tbody')!.innerHTML = Array.from(
        { length: 5 },
        (_, week) => `<tr>${cells.slice(week * 7, week * 7 + 7).join('')}</tr>`,
      ).join('')
      field.addEventListener('focus', () => (days.hidden = document.activeElement !== field))
      field.addEventListener('blur', () => (days.hidden = true))
      days.addEventListener('click', ({ target }) => {
        field.value = `2026-05-${(target as HTMLElement).textContent!.padStart(2, '0')}`
      })
    })
    expect(await fill(page, { Day: '2026-05-04' })).toMatchObject([{ now: '2026-05-04', ok: true }])
    await expect(page.locator('#days')).toBeHidden()
  },
)
