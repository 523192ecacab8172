// Widgets that are no native controls, under the strict policy.
import { expect, test } from '../../../support/page/one-page.js'
import { call, open } from '../../../support/page/page-tools-call.js'
import { drawn, watchStage } from '../../../support/page/stage.js'

interface Filled {
  field: string
  now: unknown
  ok: boolean
  problem?: string
}

test.beforeEach(async ({ page, site }) => {
  await open(page, `${site}/test/pages/page-tools/form-widgets.html`)
})

test('switches, sliders, radio groups, listboxes, comboboxes and form-associated elements are read and filled', async ({
  page,
}) => {
  const { fields } = await call<{ fields: { label: string; type: string; value: unknown; options?: string[] }[] }>(
    page,
    'form_read',
  )
  expect(fields.map(({ label, type, value }) => [label, type, value])).toEqual([
    ['Newsletter', 'switch', false],
    ['Volume', 'slider', '3'],
    ['Plan', 'radio', 'Basic'],
    ['Colours', 'listbox', ['Green']],
    ['Country', 'text', ''],
    ['Size', 'combobox', 'Choose'],
    ['Rating', 'custom', ''],
    ['Plain', 'text', ''],
  ])
  expect(fields[3]?.options).toEqual(['Red', 'Green', 'Blue'])
  const wanted = {
    Newsletter: 'yes',
    Volume: 7,
    Plan: 'pro',
    Colours: ['Red', 'Blue'],
    Country: 'Germany',
    Size: 'Large',
    Rating: '4',
  }
  const results = await call<Filled[]>(page, 'form_fill', {
    fields: Object.entries(wanted).map(([field, value]) => ({ field, value })),
  })
  expect(results.filter(({ ok }) => !ok)).toEqual([])
  expect(results.map(({ now }) => now)).toEqual([true, '7', 'Pro', ['Red', 'Blue'], 'Germany', 'Large', '4'])
  expect(await page.locator('#country').getAttribute('data-picked')).toBe('Germany')
  expect(await page.evaluate(() => new FormData(document.querySelector('#f') as HTMLFormElement).get('rating'))).toBe(
    '4',
  )
})

test('chooses from a listbox that the page does not link to its field, and closes what it opened', async ({
  page,
  site,
}) => {
  await open(page, `${site}/test/pages/session/blank.html`)
  await page.evaluate(() => {
    document.body.innerHTML = `<span id="l">Theme</span>
      <div id="field" role="combobox" tabindex="0" aria-haspopup="listbox" aria-expanded="false" aria-labelledby="l field">Light</div>
      <div id="portal"></div>`
    const [field, portal] = ['field', 'portal'].map((id) => document.getElementById(id) as HTMLElement)
    const close = (): void => {
      portal?.replaceChildren()
      field?.setAttribute('aria-expanded', 'false')
    }
    field?.addEventListener('mousedown', () => {
      field.setAttribute('aria-expanded', 'true')
      if (portal)
        portal.innerHTML = `<div id="backdrop" style="position: fixed; inset: 0"></div>
          <ul role="listbox" style="position: relative; z-index: 1"><li role="option">Light</li><li role="option">Dark</li></ul>`
      document.getElementById('backdrop')?.addEventListener('click', close)
      for (const option of document.querySelectorAll('[role=option]'))
        option.addEventListener('click', () => {
          field.textContent = option.textContent
          close()
        })
    })
  })
  const fill = (value: string): Promise<Filled[]> =>
    call<Filled[]>(page, 'form_fill', { fields: [{ field: 'Theme', value }] })
  expect(await fill('Blue')).toMatchObject([{ ok: false, now: 'Light', problem: expect.stringContaining('Dark') }])
  await expect(page.locator('[role=listbox]')).toHaveCount(0)
  expect(await fill('Dark')).toMatchObject([{ ok: true, now: 'Dark' }])
  await expect(page.locator('[role=listbox]')).toHaveCount(0)
})

test('a missing option of a combobox is a problem that lists the options', async ({ page }) => {
  const results = await call<Filled[]>(page, 'form_fill', {
    fields: [
      { field: 'Size', value: 'Huge' },
      { field: 'Country', value: 'Gabon' },
    ],
  })
  expect(results[0]).toMatchObject({ ok: false, problem: expect.stringMatching(/no option "Huge".*"Small", "Large"/) })
  expect(results[1]).toMatchObject({
    ok: false,
    problem: expect.stringMatching(/no option "Gabon".*"Germany", "Greece"/),
  })
})

test('refuses a number outside the range of a slider, which keeps its value', async ({ page }) => {
  const results = await call<Filled[]>(page, 'form_fill', { fields: [{ field: 'Volume', value: 20 }] })
  expect(results).toMatchObject([{ ok: false, now: '3', problem: '20 is not between 0 and 10' }])
})

test('reports an unavailable day and a dialog without calendar, and closes both', async ({ page }) => {
  await page.evaluate(() => {
    const picker = (label: string, draw: (dialog: HTMLElement) => void): void => {
      const box = Object.assign(document.createElement('label'), { textContent: label })
      const input = document.createElement('input')
      for (const [name, value] of Object.entries({
        role: 'combobox',
        readonly: '',
        'aria-haspopup': 'dialog',
        'aria-expanded': 'false',
      }))
        input.setAttribute(name, value)
      box.append(input)
      document.body.append(box)
      input.addEventListener('click', () => {
        const dialog = document.createElement('div')
        dialog.setAttribute('role', 'dialog')
        draw(dialog)
        dialog.addEventListener('keydown', ({ key }) => {
          if (key === 'Escape') dialog.remove()
        })
        input.addEventListener('keydown', ({ key }) => {
          if (key === 'Escape') dialog.remove()
        })
        document.body.append(dialog)
      })
    }
    picker('Pick-up', (dialog) => {
      const heading = Object.assign(document.createElement('h2'), { textContent: 'November 2026' })
      const table = document.createElement('table')
      const row = table.insertRow()
      for (const day of [30, 31, 1, 2, 3, 30]) row.insertCell().textContent = String(day)
      row.cells[2]?.setAttribute('aria-disabled', 'true')
      row.cells[3]?.addEventListener('click', () => {
        const input = [...document.querySelectorAll('label')]
          .find((one) => one.textContent === 'Pick-up')
          ?.querySelector('input')
        if (input) input.value = '2 November 2026'
        dialog.remove()
      })
      dialog.append(heading, table)
    })
    picker('Return', (dialog) => {
      dialog.textContent = 'Call us'
    })
  })
  const dates: [string, string, RegExp | undefined][] = [
    ['Pick-up', '2026-11-01', /does not offer that day/],
    ['Pick-up', '2026-12-24', /cannot change its month/],
    ['Pick-up', 'soon', /not a valid date; use the format 2026-11-27/],
    ['Return', '2026-11-02', /No readable calendar opened/],
    ['Pick-up', '2026-11-02', undefined],
  ]
  for (const [field, value, problem] of dates) {
    const [answer] = await call<Filled[]>(page, 'form_fill', { fields: [{ field, value }] })
    if (problem)
      expect(answer, `${field} ${value}`).toMatchObject({ ok: false, now: '', problem: expect.stringMatching(problem) })
    else expect(answer).toEqual({ field, asked: value, now: '2 November 2026', ok: true })
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('restores the focus that a field took on a simulated focus event', async ({ page }) => {
  await page.evaluate(() => {
    const plain = document.querySelector<HTMLInputElement>('#plain')
    plain?.addEventListener('focus', () => {
      plain.focus()
    })
    document.querySelector<HTMLInputElement>('#country')?.focus()
  })
  expect(await call<Filled[]>(page, 'form_fill', { fields: [{ field: 'Plain', value: 'x' }] })).toMatchObject([
    { ok: true },
  ])
  await expect(page.locator('#country')).toBeFocused()
})

test('reading, filling, outlining and undo violate no strict content security policy', async ({ page, site }) => {
  await watchStage(page)
  await open(page, `${site}/test/pages/page-tools/form-widgets.html`)
  await call(page, 'page_read')
  const [first] = await call<Filled[]>(page, 'form_fill', { fields: [{ field: 'Plain', value: 'x' }] })
  expect(first).toMatchObject({ ok: true })
  const { width } = (await page.locator('#plain').boundingBox())!
  expect(await drawn(page)).toMatchObject([{ name: 'ring', box: { width: width + 8 } }])
  expect(await call(page, 'form_undo')).toMatchObject([{ ok: true, now: '' }])
  expect(await page.evaluate(() => (window as unknown as { violations: string[] }).violations)).toEqual([])
})

test('page_wait waits for text, role and name, URL and stillness, times out, and stops when aborted', async ({
  page,
}) => {
  const waiting = call(page, 'page_wait', { text: 'arrived', role: 'heading', name: 'News', seconds: 20 })
  await page.evaluate(() =>
    document.body.append(Object.assign(document.createElement('p'), { textContent: 'It has arrived' })),
  )
  await page.evaluate(() =>
    document.body.append(Object.assign(document.createElement('h2'), { textContent: 'News today' })),
  )
  expect(await waiting).toMatchObject({ met: true })
  expect(await call(page, 'page_wait', { text: 'never', seconds: 0.3 })).toMatchObject({ met: false })
  expect(await call(page, 'page_wait', { gone: 'arrived', seconds: 0.3 })).toMatchObject({ met: false })
  expect(await call(page, 'page_wait', { url: 'form-widgets', still: true })).toMatchObject({ met: true })
  expect(await call(page, 'page_wait', {})).toMatchObject({ error: 'invalid-input' })
  expect(
    await page.evaluate(async () => {
      const abort = new AbortController()
      const tools = (
        window as unknown as { pageTools: Map<string, { execute(input: object, run: object): Promise<unknown> }> }
      ).pageTools
      const waiting = tools
        .get('page_wait')
        ?.execute({ text: 'never', seconds: 60 }, { signal: abort.signal, sessionId: 's', messages: [] })
      abort.abort()
      return waiting?.catch((error: Error) => error.name)
    }),
  ).toBe('AbortError')
})
