// The fields of a call are put back as they were, and as the assistant had them, for each kind of field: what the
// visitor changed since stays. Also after a reload of the page.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, open, openMarkup, putBack, valuesBefore } from '../../../support/page/page-tools-call.js'

interface Filled {
  readonly field: string
  readonly ok: boolean
  readonly problem?: string
}

const markup = `
<form onsubmit="return false">
  <label>Name <input id="name" value="Grace"></label>
  <label>Notes <textarea id="notes">one\ntwo</textarea></label>
  <label>Country <select id="country"><option>France<option>Spain<option>Norway</select></label>
  <label>Diet <select id="diet" multiple><option>Vegan<option selected>Halal<option>Kosher</select></label>
  <fieldset><legend>Seat</legend><label><input type="radio" name="seat" value="a" checked> Aisle</label>
    <label><input type="radio" name="seat" value="w"> Window</label></fieldset>
  <label><input type="checkbox" id="gift"> Gift wrap</label>
  <button type="button" role="switch" aria-checked="true" id="mail"
    onclick="this.ariaChecked = String(this.ariaChecked !== 'true')">Newsletter</button>
  <label>Day <input type="date" id="day" value="2026-11-01"></label>
  <div id="text" contenteditable role="textbox" aria-label="Message"><p>A <b>bold</b></p></div>
  <div role="group" aria-label="Price">
    <input type="range" id="from" min="0" max="100" value="20" aria-label="Price from"
      oninput="this.value = Math.min(this.value, to.value)">
    <input type="range" id="to" min="0" max="100" value="40" aria-label="Price to"
      oninput="this.value = Math.max(this.value, from.value)"></div>
  <div role="group" aria-label="Style" id="style">
    <button type="button" aria-pressed="true">Bold</button><button type="button" aria-pressed="false">Italic</button>
    <button type="button" aria-pressed="false">Underline</button></div>
</form>`

const prepare = async (page: Page, site: string): Promise<void> => {
  await openMarkup(page, site, markup)
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLElement>('#style button'))
      button.onclick = () => {
        button.ariaPressed = String(button.ariaPressed !== 'true')
      }
  })
}

const values = {
  Name: 'Ada',
  Notes: 'three',
  Country: 'Spain',
  Diet: ['Vegan', 'Kosher'],
  Seat: 'Window',
  'Gift wrap': true,
  Newsletter: false,
  Day: '2026-12-24',
  Message: 'Plain words',
  Price: '60 to 80',
  Style: ['Italic', 'Underline'],
}
const labels = [...Object.keys(values).filter((name) => name !== 'Price'), 'Price from', 'Price to'].sort()

/** What the page itself holds. */
const held = (page: Page): Promise<unknown> =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLInputElement>('input,select,textarea')]
    return [
      ...all.map((one) => {
        if (one instanceof HTMLSelectElement) return [...one.selectedOptions].map(({ text }) => text)
        return one.matches('[type=checkbox],[type=radio]') ? one.checked : one.value
      }),
      ...[...document.querySelectorAll('[aria-pressed],[role=switch]')].map(
        (one) => one.ariaPressed ?? one.ariaChecked,
      ),
      document.getElementById('text')?.innerHTML,
    ]
  })

const fill = async (page: Page, fields: object, toolCallId: string): Promise<void> => {
  const list = Object.entries(fields).map(([field, value]) => ({ field, value: value as unknown }))
  const filled = await call<Filled[]>(page, 'form_fill', { fields: list }, { toolCallId })
  expect(filled.filter(({ ok }) => !ok)).toEqual([])
}

test('every kind of field is put back, filled again, and put back again', { tag: '@R8.3' }, async ({ page, site }) => {
  await prepare(page, site)
  const before = await held(page)
  await fill(page, values, 'all')
  const after = await held(page)
  expect(after).not.toEqual(before)
  expect(await valuesBefore(page, 'all')).toEqual({
    Name: 'Grace',
    Notes: 'one\ntwo',
    Country: 'France',
    Diet: ['Halal'],
    Seat: 'Aisle',
    'Gift wrap': false,
    Newsletter: true,
    Day: '2026-11-01',
    Message: 'A bold',
    'Price from': '20',
    'Price to': '40',
    Style: 'Bold',
  })
  for (const [to, wanted] of [
    ['before', before],
    ['after', after],
    ['before', before],
  ] as const) {
    const { done, ...left } = (await putBack(page, 'all', to)) as { done: string[] }
    expect(left).toEqual({ kept: [], lost: [] })
    expect([...done].sort()).toEqual(labels)
    expect(await held(page)).toEqual(wanted)
  }
})

test(
  'what the visitor changed since stays and is named, in both directions',
  { tag: '@R8.3' },
  async ({ page, site }) => {
    await prepare(page, site)
    await fill(page, { Name: 'Ada', Day: '2026-12-24', 'Gift wrap': true }, 'since')
    await page.locator('#name').fill('Mary')
    expect(await putBack(page, 'since', 'before')).toEqual({ done: ['Day', 'Gift wrap'], kept: ['Name'], lost: [] })
    await page.locator('#gift').check()
    // The box has the value of the assistant again, by the visitor.
    expect(await putBack(page, 'since', 'after')).toEqual({ done: ['Day', 'Gift wrap'], kept: ['Name'], lost: [] })
    await expect(page.locator('#name')).toHaveValue('Mary')
    await page.locator('#day').evaluate((element) => element.remove())
    expect(await putBack(page, 'since', 'before')).toEqual({ done: ['Gift wrap'], kept: ['Name'], lost: ['Day'] })
  },
)

test('calls are put back one by one, the newest first', async ({ page, site }) => {
  await prepare(page, site)
  await fill(page, { Name: 'Ada' }, 'one')
  await fill(page, { Name: 'Ada Lovelace', Day: '2026-12-24' }, 'two')
  expect(await putBack(page, 'two', 'before')).toMatchObject({ done: ['Name', 'Day'] })
  await expect(page.locator('#name')).toHaveValue('Ada')
  expect(await putBack(page, 'one', 'before')).toMatchObject({ done: ['Name'] })
  await expect(page.locator('#name')).toHaveValue('Grace')
})

test('a second attempt of a call counts from before the first', async ({ page, site }) => {
  await prepare(page, site)
  await fill(page, { Name: 'Ada' }, 'twice')
  await fill(page, { Name: 'Ada Lovelace' }, 'twice')
  expect(await valuesBefore(page, 'twice')).toEqual({ Name: 'Grace' })
  expect(await putBack(page, 'twice', 'before')).toMatchObject({ done: ['Name'] })
  await expect(page.locator('#name')).toHaveValue('Grace')
})

test(
  'after a reload of the page, fields that still have the values are put back',
  { tag: '@R8.3' },
  async ({ page, site }) => {
    await prepare(page, site)
    const before = await held(page)
    await fill(page, values, 'reload')
    const were = await valuesBefore(page, 'reload')
    const filled = await page.locator('body').evaluate((body) => {
      // As the page renders what it has saved.
      for (const one of body.querySelectorAll('input')) {
        one.setAttribute('value', one.value)
        one.toggleAttribute('checked', one.checked)
      }
      for (const one of body.querySelectorAll('option')) one.toggleAttribute('selected', one.selected)
      for (const one of body.querySelectorAll('textarea')) one.textContent = one.value
      return body.innerHTML
    })
    await openMarkup(page, site, filled)
    await page.evaluate(() => {
      for (const button of document.querySelectorAll<HTMLElement>('#style button'))
        button.onclick = () => {
          button.ariaPressed = String(button.ariaPressed !== 'true')
        }
    })
    expect(await valuesBefore(page, 'reload')).toEqual(were)
    const { done, ...left } = (await putBack(page, 'reload', 'before')) as { done: string[] }
    expect(left).toEqual({ kept: [], lost: [] })
    expect([...done].sort()).toEqual(labels)
    // Only the markup of a rich text is lost: it is not stored.
    const plain = (state: unknown) => JSON.stringify(state).replace(/<[^>]*>/g, '')
    expect(plain(await held(page))).toBe(plain(before))
  },
)

test(
  'on another page, in another session and without a change, there is nothing to put back',
  { tag: '@R8.3' },
  async ({ page, site }) => {
    await prepare(page, site)
    await fill(page, { Name: 'Ada' }, 'one')
    await fill(page, { Name: 'Ada' }, 'same')
    const unknown = { error: 'nothing is known of this call' }
    expect(await putBack(page, 'same', 'before')).toEqual(unknown)
    expect(await putBack(page, 'one', 'before', 'another')).toEqual(unknown)
    await open(page, `${site}/test/pages/page-tools/form.html`)
    expect(await putBack(page, 'one', 'before')).toEqual(unknown)
    await prepare(page, site)
    expect(await putBack(page, 'one', 'before')).toEqual({ done: ['Name'], kept: [], lost: [] })
  },
)

test(
  'damaged records of the tab are ignored, and no private value is in them',
  { tag: '@R8.3' },
  async ({ page, site }) => {
    await prepare(page, site)
    await page.evaluate(() => {
      const secret = '<label>Password <input type="password" id="secret"></label>'
      document.querySelector('form')!.insertAdjacentHTML('beforeend', secret)
      sessionStorage.setItem('tool-agent:undo:damaged', '[{"call":"one","page":1,"fields":[]},7,{"call":"two"}]')
    })
    expect(await putBack(page, 'one', 'before', 'damaged')).toEqual({ error: 'nothing is known of this call' })
    const fields = ['Name', 'Password'].map((field) => ({ field, value: 'hunter2' }))
    await call(page, 'form_fill', { fields }, { sessionId: 'private' })
    const stored = await page.evaluate(() => sessionStorage.getItem('tool-agent:undo:private'))
    expect(JSON.parse(stored ?? '')).toMatchObject([{ fields: [{ label: 'Name', before: 'Grace', after: 'hunter2' }] }])
  },
)

test('a click on a checkbox and a key on a field are put back as a fill is', async ({ page, site }) => {
  await prepare(page, site)
  await call(page, 'page_click', { target: 'Gift wrap' }, { toolCallId: 'click' })
  await call(page, 'page_click', { target: 'Newsletter' }, { toolCallId: 'switch' })
  await call(page, 'page_click', { target: 'Window' }, { toolCallId: 'radio' })
  await expect(page.locator('#gift')).toBeChecked()
  expect(await putBack(page, 'radio', 'before')).toEqual({ done: ['Seat'], kept: [], lost: [] })
  expect(await putBack(page, 'switch', 'before')).toEqual({ done: ['Newsletter'], kept: [], lost: [] })
  expect(await putBack(page, 'click', 'before')).toEqual({ done: ['Gift wrap'], kept: [], lost: [] })
  await expect(page.locator('#gift')).not.toBeChecked()
  await expect(page.locator('#mail')).toHaveAttribute('aria-checked', 'true')
  await expect(page.locator('[value=a]')).toBeChecked()
})
