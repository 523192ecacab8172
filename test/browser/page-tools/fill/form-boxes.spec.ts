// Selects and fields as libraries draw them: placeholders beside the field, folded values, transparent text fields,
// labels that the markup ties to nothing, and a select inside of a radio button.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'

const fill = (page: Page, values: Record<string, unknown>): Promise<Record<string, unknown>[]> =>
  call(page, 'form_fill', { fields: Object.entries(values).map(([field, value]) => ({ field, value })) })
const read = async (page: Page): Promise<Record<string, unknown>> => {
  const { fields } = await call<{ fields: { label: string; value: unknown }[] }>(page, 'form_read')
  return Object.fromEntries(fields.map(({ label, value }) => [label, value]))
}

const css =
  '.box { position: relative; border: 1px solid; width: 240px; height: 28px } .box span { position: absolute } ' +
  '.box input { border: 0; background: none; width: 150px; color: black } .grey { color: #999 } [hidden] { display: none }'

/** A select of boxes: `text` is shown beside its text field. `fold`: shows one value and the number of the others. */
interface Select {
  readonly label: string
  readonly text?: string
  readonly className?: string
  readonly options?: readonly string[]
  readonly multiple?: true
  readonly filterable?: true
  readonly isTransparent?: true
  /** The number of other values that it shows, if that is wrong. */
  readonly others?: number
}

const drawSelects = (page: Page, selects: readonly Select[]): Promise<void> =>
  page.evaluate((all) => {
    for (const [at, select] of all.entries()) {
      const { label, text = 'Choose one', className = '', options = ['High', 'Medium', 'Low'] } = select
      const row = document.createElement('div')
      row.innerHTML = `<label for="s${at}">${label}</label><div class="box"><i><input id="s${at}" role="combobox" autocomplete="off"
        aria-haspopup="listbox" aria-expanded="false" aria-controls="l${at}"></i><span></span></div>
        <ul id="l${at}" role="listbox" hidden>${options.map((name) => `<li role="option">${name}</li>`).join('')}</ul>`
      document.body.append(row)
      const input = row.querySelector('input')!
      const shown = row.querySelector('span')!
      const list = row.querySelector('ul')!
      const chosen = new Set<string>()
      input.readOnly = !select.filterable
      const draw = (isOpen: boolean): void => {
        const [first, ...others] = chosen
        shown.textContent =
          first === undefined ? text : first + (others.length > 0 ? ` + ${select.others ?? others.length} …` : '')
        shown.className = `${className} ${first === undefined ? 'grey' : ''}`
        list.hidden = !isOpen
        input.setAttribute('aria-expanded', String(isOpen))
        if (select.isTransparent) input.parentElement!.style.opacity = isOpen ? '1' : '0'
        for (const option of list.children) {
          option.toggleAttribute('hidden', !option.textContent!.toLowerCase().includes(input.value.toLowerCase()))
          option.setAttribute('aria-selected', String(chosen.has(option.textContent!)))
        }
        row.dataset['chosen'] = [...chosen].join()
      }
      input.addEventListener('input', () => draw(true))
      input.addEventListener('keydown', ({ key }) => key === 'Escape' && draw(false))
      row.querySelector('.box')!.addEventListener('click', () => draw(true))
      list.addEventListener('click', ({ target }) => {
        const name = (target as Element).textContent!
        if (!select.multiple) chosen.clear()
        if (!chosen.delete(name)) chosen.add(name)
        input.value = ''
        draw(select.multiple === true)
      })
      draw(false)
    }
  }, selects)

test('what a select shows while nothing is chosen is not its value', async ({ page, site }) => {
  await openMarkup(
    page,
    site,
    `<label id="owner">Owner</label><div role="combobox" tabindex="0" aria-labelledby="owner" aria-expanded="false"
      aria-controls="owners" style="width: 200px"><span class="grey">Nobody yet</span></div>
    <ul id="owners" role="listbox" hidden><li role="option">Ann</li></ul>
    <label id="team">Team</label><button role="combobox" aria-labelledby="team" data-placeholder>Pick a team</button>
    <label id="town">Town</label><div role="combobox" tabindex="0" aria-labelledby="town" aria-expanded="false"
      style="width: 200px"><em>Bern</em></div>`,
    css,
  )
  await drawSelects(page, [
    { label: 'By its name', className: 'my-select__placeholder' },
    { label: 'By its options' },
    // The value takes the place of the placeholder, and keeps its name.
    { label: 'Filled', className: 'placeholder' },
    { label: 'Without options', className: 'placeholder', options: [] },
  ])
  expect(await fill(page, { Filled: 'Low' })).toEqual([{ field: 'Filled', asked: 'Low', now: 'Low', ok: true }])
  expect(await read(page)).toEqual({
    Owner: '',
    Team: '',
    Town: 'Bern',
    'By its name': '',
    'By its options': '',
    Filled: 'Low',
    'Without options': '',
  })
})

test('several values of which only some are shown, with a number for the others, are held', async ({ page, site }) => {
  await openMarkup(page, site, '', css)
  await drawSelects(page, [{ label: 'Colors', multiple: true }])
  await page.locator('ul').evaluate((list) => list.setAttribute('aria-multiselectable', 'true'))
  expect(await fill(page, { Colors: ['High', 'Low'] })).toEqual([
    { field: 'Colors', asked: ['High', 'Low'], now: 'High + 1 …', ok: true },
  ])
  await expect(page.locator('[data-chosen]')).toHaveAttribute('data-chosen', 'High,Low')
  expect(await fill(page, { Colors: ['High', 'Medium', 'Low'] })).toMatchObject([{ ok: true }])
  // A number that is not that of the others is a difference.
  await openMarkup(page, site, '', css)
  await drawSelects(page, [{ label: 'Colors', multiple: true, others: 5 }])
  await page.locator('ul').evaluate((list) => list.setAttribute('aria-multiselectable', 'true'))
  expect(await fill(page, { Colors: ['High', 'Low'] })).toMatchObject([{ ok: false }])
})

test('a text field that is transparent until its list opens is a field, and a trap is none', async ({ page, site }) => {
  await openMarkup(
    page,
    site,
    `<div style="opacity: 0; position: absolute"><label>Leave me <input name="url"></label></div>
    <div style="opacity: 0; position: absolute"><label>Me too <input role="combobox"></label></div>`,
    css,
  )
  await drawSelects(page, [{ label: 'Labels', filterable: true, isTransparent: true }])
  expect(await read(page)).toEqual({ Labels: '' })
  expect(await fill(page, { Labels: 'Medium' })).toMatchObject([{ field: 'Labels', ok: true }])
  await expect(page.locator('[data-chosen]')).toHaveAttribute('data-chosen', 'Medium')
})

test('a label that is tied to nothing names the field in the box behind it', async ({ page, site }) => {
  const row = (label: string, box: string): string =>
    `<div><label>${label}</label><div><div><div><div><div><div><div>${box}</div></div></div></div></div></div></div></div>`
  await openMarkup(
    page,
    site,
    `<form>${row('Due', '<input placeholder="Select date">')}
    ${row('Note', '<input><button type="button">Clear</button>')}
    ${row('Period', '<input placeholder="Start"><input placeholder="End">')}
    ${row('Room', '<label><input type="radio" value="s">Single</label><label><input type="radio" value="d">Double</label>')}
    ${row('Level', '<label><input type="radio" value="h">High</label><label><input type="radio" value="l">Low</label>')}
    <label>Tied <input></label><div><input placeholder="Alone"></div></form>`,
  )
  const values = { Due: '2026-11-27', Note: 'x', Room: 'Double', Level: 'Low', Tied: 'y', Alone: 'z' }
  expect(await fill(page, values)).toMatchObject(
    Object.entries(values).map(([field, now]) => ({ field, now, ok: true })),
  )
  expect(await fill(page, { Period: '3 to 7' })).toMatchObject([
    { field: 'Start', now: '3', ok: true },
    { field: 'End', now: '7', ok: true },
  ])
})

test('a select inside of a radio button is a field of its own, and no part of its name', async ({ page, site }) => {
  await openMarkup(
    page,
    site,
    `<div role="radiogroup" aria-label="Size"><label><input type="radio" name="r" value="1" checked><span>Option 1
    <span id="in"></span></span></label><label><input type="radio" name="r" value="2"><span>Option 2</span></label></div>`,
    css,
  )
  await drawSelects(page, [{ label: '', className: 'placeholder', isTransparent: true }])
  await page.evaluate(() => {
    const row = document.querySelector('[data-chosen]')!
    row.querySelector('label')!.remove()
    document.getElementById('in')!.append(row)
  })
  const { fields } = await call<{ fields: Record<string, unknown>[] }>(page, 'form_read')
  expect(fields).toMatchObject([
    { label: 'Size', value: 'Option 1', options: ['Option 1', 'Option 2'] },
    { type: 'text', value: '' },
  ])
  expect(await fill(page, { [String(fields[1]?.['label'])]: 'Low' })).toMatchObject([{ ok: true }])
  await expect(page.locator('[data-chosen]')).toHaveAttribute('data-chosen', 'Low')
  await expect(page.locator('[value="1"]')).toBeChecked()
})

test('a question directly before a field is its label, and neither a list’s title nor a clickable box is', async ({
  page,
  site,
}) => {
  const questions = [
    'How many hours of meetings does Sarah have in total on the second Wednesday of this month?',
    'Write down the names of all people who take part in the planning, one after another, in any order you like',
  ]
  await openMarkup(
    page,
    site,
    `<p>Answer these questions about the calendar</p>
    <ol>${questions.map((question) => `<li><p>${question}</p><input></li>`).join('')}</ol>
    <div><div style="cursor: pointer">Zone 29</div><select name="fruit"><option>Apple</option></select></div>
    <div><span style="cursor: pointer">City</span> <input></div>`,
  )
  expect(Object.keys(await read(page))).toEqual([...questions, 'fruit', 'City'])
})

test('a number whose country code is in the control beside it is held, and one of another country is not', async ({
  page,
  site,
}) => {
  await openMarkup(
    page,
    site,
    `<div><button type="button" id="code" aria-label="Country">+1</button><label>Phone <input type="tel" id="phone"></label></div>`,
  )
  await page.evaluate(() => {
    const phone = document.getElementById('phone') as HTMLInputElement
    phone.addEventListener('change', () => {
      if (!phone.value.startsWith('+4')) return
      document.getElementById('code')!.textContent = phone.value.slice(0, 3)
      phone.value = phone.value.slice(3).trim()
    })
  })
  expect(await fill(page, { Phone: '+41 79 123 45 67' })).toMatchObject([{ now: '79 123 45 67', ok: true }])
  await page.evaluate(() => {
    const phone = document.getElementById('phone') as HTMLInputElement
    phone.addEventListener('change', () => (document.getElementById('code')!.textContent = '+1'))
  })
  expect(await fill(page, { Phone: '+41 79 123 45 67' })).toMatchObject([{ ok: false }])
})

test('times that a picker lists are no suggestions for a field that is right', async ({ page, site }) => {
  await openMarkup(page, site, `<label>Start <input id="start" class="autocomplete"></label><ul id="times"></ul>`)
  await page.evaluate(() => {
    document.getElementById('start')!.addEventListener('input', () => {
      const list = document.getElementById('times')!
      list.setAttribute('role', 'listbox')
      list.innerHTML = ['00:00', '00:30', '01:00'].map((time) => `<li role="option">${time}</li>`).join('')
    })
  })
  expect(await fill(page, { Start: '2026-11-27 14:30' })).toEqual([
    { field: 'Start', asked: '2026-11-27 14:30', now: '2026-11-27 14:30', ok: true },
  ])
  expect(await fill(page, { Start: 'Noon' })).toMatchObject([{ suggestions: ['00:00', '00:30', '01:00'] }])
})
