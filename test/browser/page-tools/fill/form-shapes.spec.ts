// Fields of an unusual shape: text areas that offer a list, editors without markup, and values that a field cannot mean.
import type { Page } from 'playwright/test'
import { expect, test } from '../../../support/page/one-page.js'
import { call, openMarkup } from '../../../support/page/page-tools-call.js'

const fill = (page: Page, values: Record<string, unknown>): Promise<Record<string, unknown>[]> =>
  call(page, 'form_fill', { fields: Object.entries(values).map(([field, value]) => ({ field, value })) })

test('a text area with the role of a combobox takes a text, and a suggestion where there are some', async ({
  page,
  site,
}) => {
  await openMarkup(
    page,
    site,
    `<form id="form"><textarea id="search" role="combobox" aria-label="Search" aria-autocomplete="both"
      aria-haspopup="false" aria-expanded="false" rows="1"></textarea></form>
    <label>Bare <textarea id="bare" role="combobox"></textarea></label>
    <label>Place <textarea id="place" role="combobox" aria-expanded="false" aria-controls="places"></textarea></label>
    <ul id="places" role="listbox" hidden></ul>`,
  )
  await page.evaluate(() => {
    const place = document.getElementById('place') as HTMLTextAreaElement
    const list = document.getElementById('places')!
    const show = (isOpen: boolean): void => {
      list.hidden = !isOpen
      place.setAttribute('aria-expanded', String(isOpen))
    }
    place.addEventListener('input', () => {
      const found = ['Paris, France', 'Paris, Texas'].filter((name) => name.startsWith(place.value))
      list.innerHTML = found.map((name) => `<li role="option">${name}</li>`).join('')
      show(found.length > 0)
    })
    list.addEventListener('click', ({ target }) => {
      place.value = (target as Element).textContent ?? ''
      place.dataset['chosen'] = place.value
      show(false)
    })
  })
  expect(await fill(page, { Search: 'tea in Bern', Bare: 'two\nlines', Place: 'Paris, Texas' })).toEqual([
    { field: 'Search', asked: 'tea in Bern', now: 'tea in Bern', ok: true },
    { field: 'Bare', asked: 'two\nlines', now: 'two\nlines', ok: true },
    { field: 'Place', asked: 'Paris, Texas', now: 'Paris, Texas', ok: true },
  ])
  await expect(page.locator('#place')).toHaveAttribute('data-chosen', 'Paris, Texas')
  // What is not offered stays as text, as in an input, or is refused with the list.
  await fill(page, { Search: '' })
  await expect(page.locator('#search')).toHaveValue('')
})

test('the lines of an editor without markup are separated by line feeds', async ({ page, site, browserName }) => {
  // Where it would show no line feed, Firefox writes an element.
  const endIn = (name: string) => (browserName === 'firefox' && name === 'normal' ? '<br>' : '\n')
  await openMarkup(
    page,
    site,
    ['normal', 'pre-wrap', 'pre-line']
      .map(
        (space) =>
          `<div contenteditable="plaintext-only" aria-label="${space}" style="white-space: ${space}">old</div>`,
      )
      .join(''),
  )
  for (const name of ['normal', 'pre-wrap', 'pre-line']) {
    expect.soft(await fill(page, { [name]: 'one\n\ntwo' })).toMatchObject([{ now: 'one\n\ntwo', ok: true }])
    expect
      .soft(await page.getByLabel(name).evaluate(({ innerHTML }) => innerHTML))
      .toBe(['one', '', 'two'].join(endIn(name)))
  }
  // By keys, Enter makes a line break too.
  const editor = page.getByLabel('normal')
  await fill(page, { normal: '' })
  for (const press of [{ text: 'one\ntwo' }, { key: 'Enter' }, { text: 'three' }])
    await call(page, 'page_press', { target: 'normal', ...press })
  expect(await editor.evaluate(({ innerHTML }) => innerHTML)).toBe(['one', 'two', 'three'].join(endIn('normal')))
})

test('true is no text, unless the field has such a word', async ({ page, site }) => {
  await openMarkup(
    page,
    site,
    `<label>Comment <input id="comment" value="old"></label><label>Notes <textarea></textarea></label>
    <label>Debug <input value="False"></label><label>Cache <input placeholder="true"></label>
    <label>Strict <input list="words"></label><datalist id="words"><option value="true"><option value="false"></datalist>
    <div contenteditable="true" aria-label="Story"></div>`,
  )
  for (const name of ['Comment', 'Notes', 'Story'])
    expect
      .soft(await fill(page, { [name]: true }))
      .toMatchObject([
        { ok: false, problem: expect.stringMatching(new RegExp(`"${name}" takes a text.*Pass the text`)) },
      ])
  await expect(page.locator('#comment')).toHaveValue('old')
  for (const name of ['Debug', 'Cache', 'Strict'])
    expect.soft(await fill(page, { [name]: true })).toMatchObject([{ now: 'true', ok: true }])
  // The word itself is a text like others.
  expect(await fill(page, { Comment: 'true' })).toMatchObject([{ now: 'true', ok: true }])
})
