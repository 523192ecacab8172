// Fields that offer suggestions while text is typed: the exact one is chosen, and others are reported.
import type { Page } from 'playwright/test'
import { expect, openFramework, pickers, test } from '../../../support/page/frameworks.js'
import { call, open } from '../../../support/page/page-tools-call.js'

interface Filled {
  field: string
  now: unknown
  ok: boolean
  problem?: string
  note?: string
  suggestions?: string[]
}

const fill = async (page: Page, field: string, value: unknown): Promise<Filled | undefined> =>
  (await call<Filled[]>(page, 'form_fill', { fields: [{ field, value }] }))[0]
const picked = (page: Page): Promise<unknown> => page.evaluate(() => (window as unknown as { picked: unknown }).picked)

test.describe('a list under a plain field', () => {
  test.beforeEach(({ page, site }) => open(page, `${site}/test/pages/page-tools/fill/form-suggestions.html`))

  for (const [field, name, when] of [
    ['From', 'from', '300 ms after typing'],
    ['To', 'to', '600 ms after typing'],
    ['Via', 'via', 'without a sign, at once'],
  ] as const) {
    test(`chooses the exact suggestion of a list that opens ${when}`, async ({ page }) => {
      expect(await fill(page, field, 'berlin')).toEqual({ field, asked: 'berlin', now: 'Berlin', ok: true })
      expect(await picked(page)).toEqual({ [name]: 'Berlin' })
      await expect(page.locator('.menu:visible')).toHaveCount(0)
    })

    test(`reports the suggestions of a list that opens ${when}, and chooses none of them`, async ({ page }) => {
      expect(await fill(page, field, 'Ber')).toEqual({
        field,
        asked: 'Ber',
        now: 'Ber',
        ok: true,
        suggestions: ['Berlin', 'Bern', 'Bergen'],
        note: expect.stringContaining('fill the field again with exactly this suggestion'),
      })
      expect(await picked(page)).toEqual({})
      await expect(page.locator('.menu:visible')).toHaveCount(0)
    })
  }

  test('does not click a suggestion that would submit the form', async ({ page }) => {
    await page.evaluate(() => {
      document.querySelector('.errors')?.insertAdjacentHTML('beforebegin', '<div class="suggestions"></div>')
      document.querySelector('[name=slogan]')?.addEventListener('input', () => {
        const item = document.querySelector('.suggestions')
        if (item) item.innerHTML = '<button style="display: block">Lyon</button>'
      })
      document.querySelector('#trip')?.addEventListener('submit', (event) => {
        event.preventDefault()
        Object.assign(window, { sent: true })
      })
    })
    await page.locator('[name=slogan]').evaluate((field) => field.setAttribute('autocomplete', 'off'))
    expect(await fill(page, 'Slogan', 'Lyon')).toMatchObject({ now: 'Lyon', suggestions: ['Lyon'] })
    expect(await page.evaluate(() => 'sent' in window)).toBe(false)
  })

  test('undo restores the text of a field with suggestions', async ({ page }) => {
    await fill(page, 'From', 'Berlin')
    expect(await call(page, 'form_undo')).toMatchObject([{ field: 'From', now: '', ok: true }])
  })

  test('accepts the label of a datalist option, and reports the options otherwise', async ({ page }) => {
    expect(await fill(page, 'Airline', 'Air France')).toEqual({
      field: 'Airline',
      asked: 'Air France',
      now: 'AF',
      ok: true,
    })
    expect(await fill(page, 'Airline', 'Air')).toMatchObject({
      now: 'Air',
      ok: true,
      suggestions: ['Lufthansa', 'Air France'],
    })
  })

  test('reports suggestions that are links, and follows none', async ({ page }) => {
    const address = page.url()
    expect(await fill(page, 'Search', 'Lyon')).toMatchObject({ now: 'Lyon', ok: true, suggestions: ['Lyon'] })
    expect(page.url()).toBe(address)
  })

  test('a field without suggestions and a list that is no menu are plain text', async ({ page }) => {
    expect(await fill(page, 'Nickname', 'Bo')).toEqual({ field: 'Nickname', asked: 'Bo', now: 'Bo', ok: true })
    expect(await fill(page, 'Slogan', 'Go')).toEqual({ field: 'Slogan', asked: 'Go', now: 'Go', ok: true })
    expect(await picked(page)).toEqual({})
  })

  test('fields that offer nothing cost at most 15 s of one call', { tag: '@long' }, async ({ page }) => {
    await page.evaluate(() => {
      for (let number = 0; number < 60; number++) {
        const label = Object.assign(document.createElement('label'), { textContent: `Quiet ${number} ` })
        const input = document.createElement('input')
        input.autocomplete = 'off'
        label.append(input)
        document.forms[0]?.append(label)
      }
    })
    const since = Date.now()
    const results = await call<Filled[]>(page, 'form_fill', {
      fields: Array.from({ length: 60 }, (_, number) => ({ field: `Quiet ${number}`, value: 'x' })),
    })
    expect(results.filter(({ ok }) => !ok)).toEqual([])
    expect(Date.now() - since).toBeLessThan(25_000)
  })
})

test.describe('boxes below a field that removes its text on blur', () => {
  test.beforeEach(async ({ page, site }) => {
    await open(page, `${site}/test/pages/session/blank.html`)
    await page.evaluate(() => {
      document.body.innerHTML = `<label>From <input autocomplete="off"></label><div id="list"></div>
        <p style="margin-top: 300px" id="far"></p>`
      const input = document.querySelector('input') as HTMLInputElement
      const [list, far] = ['list', 'far'].map((id) => document.getElementById(id) as HTMLElement)
      const show = (name: string): HTMLElement => {
        const item = Object.assign(document.createElement('div'), { innerHTML: `<b>${name}</b>` })
        item.style.cursor = 'pointer'
        item.onmousedown = (event) => event.preventDefault()
        item.onclick = () => {
          Object.assign(window, { picked: name })
          input.value = name
          list?.replaceChildren()
        }
        return item
      }
      const names = (): string[] =>
        ['Oslo Central', 'Oslo Airport'].filter((name) => input.value !== '' && name.startsWith(input.value))
      input.oninput = () =>
        setTimeout(() => {
          list?.replaceChildren(...names().map(show))
          far?.replaceChildren(...names().map((name) => show(`Trips to ${name}`)))
        }, 200)
      input.onblur = () => {
        if ((window as unknown as { picked?: string }).picked === undefined) input.value = ''
        list?.replaceChildren()
      }
    })
  })

  test('chooses the box with exactly the text', async ({ page }) => {
    expect(await fill(page, 'From', 'Oslo Airport')).toMatchObject({ now: 'Oslo Airport', ok: true })
    expect(await picked(page)).toBe('Oslo Airport')
  })

  test('reports the boxes below the field, and not those elsewhere', async ({ page }) => {
    expect(await fill(page, 'From', 'Oslo')).toMatchObject({
      now: '',
      ok: false,
      suggestions: ['Oslo Central', 'Oslo Airport'],
    })
    expect(await picked(page)).toBeUndefined()
  })
})

test.describe('jQuery UI autocomplete', () => {
  test.beforeEach(({ page, site }) => openFramework(page, site, pickers))
  const state = (page: Page): Promise<Record<string, unknown>> =>
    page.evaluate(() => (window as unknown as { fixture: { state(): Record<string, unknown> } }).fixture.state())

  test('chooses the exact suggestion, so that the widget has its item', async ({ page }) => {
    expect(await fill(page, 'City', 'Bern')).toEqual({ field: 'City', asked: 'Bern', now: 'Bern', ok: true })
    expect((await state(page))['city']).toBe('BRN')
    await expect(page.locator('.ui-menu:visible')).toHaveCount(0)
  })

  test('reports a suggestion whose text the field replaces by its value as chosen', async ({ page }) => {
    expect(await fill(page, 'Airport', 'Bern')).toEqual({ field: 'Airport', asked: 'Bern', now: 'BRN', ok: true })
  })

  test('reports the suggestions if none equals the value', async ({ page }) => {
    expect(await fill(page, 'City', 'Ber')).toMatchObject({
      now: 'Ber',
      ok: true,
      suggestions: ['Bergen', 'Berlin', 'Bern'],
    })
    expect((await state(page))['city']).toBe('')
    await expect(page.locator('.ui-menu:visible')).toHaveCount(0)
  })
})
