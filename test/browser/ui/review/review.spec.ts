// A receipt leads to the page: changed fields are marked, one line leads to its field, and a bar leads through all of
// them, with the values from before drawn over the fields. The page notices nothing of it.
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Page } from 'playwright/test'
import { expect, send, settled, test } from '../../../support/page/session-page.js'
import { drawn, watchStage } from '../../../support/page/stage.js'

const receipt = (page: Page) => page.locator('tool-agent .receipt')
const bar = (page: Page) => page.locator('tool-agent .review')
const marks = async (page: Page) => (await drawn(page)).filter(({ name }) => name === 'mark')

/** What axe-core reports about the bar, with its contrast. */
async function axe(page: Page): Promise<readonly string[]> {
  await page.evaluate(await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  return page.evaluate(async () => {
    const { axe } = window as never as { axe: typeof import('axe-core') }
    const { violations } = await axe.run({ fromShadowDom: ['tool-agent', '.review'] } as never)
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
}

/** The page with two more fields, which keeps what was typed, and counts the events that it gets. */
async function ready(page: Page): Promise<void> {
  await page.waitForFunction(() => ['ready', 'idle'].includes(window.agent?.status) && window.agent.tools.length > 10)
  await page.evaluate(() => {
    const form = document.querySelector('form')!
    for (const name of ['Street', 'City']) {
      const label = document.createElement('label')
      label.innerHTML = `${name} <input name="${name.toLowerCase()}">`
      form.prepend(label)
    }
    form.addEventListener('submit', (event) => event.preventDefault())
    for (const input of form.querySelectorAll('input')) input.value = localStorage.getItem(`field ${input.name}`) ?? ''
    const street = form.querySelector<HTMLInputElement>('[name=street]')!
    street.value ||= 'Strandgaten 3'
    Object.assign(window, { events: [] as string[] })
    for (const type of ['input', 'change', 'focusin', 'focusout', 'keydown', 'click', 'submit'])
      document.addEventListener(type, ({ target }) => {
        if (!(target instanceof HTMLInputElement)) return
        localStorage.setItem(`field ${target.name}`, target.value)
        ;(window as never as { events: string[] }).events.push(`${type} ${target.name}`)
      })
  })
}

test('a turn that filled a form is reviewed on the page, after a reload too', async ({ page, site, serveModel }) => {
  await watchStage(page)
  const fields = [
    ['Name', 'Kari'],
    ['Street', 'Storgata 12'],
    ['City', 'Bergen'],
  ].map(([field, value]) => ({ field, value }))
  const endpoint = await serveModel([
    { calls: [{ id: 'f', name: 'form_fill', arguments: { fields } }] },
    { text: 'Enter your card.' },
  ])
  await page.goto(`${site}/test/pages/page-tools/act-turn.html?endpoint=${encodeURIComponent(endpoint.url)}`)
  await ready(page)
  await send(page, 'Fill it in')
  await settled(page)
  const street = page.locator('[name=street]')
  await expect(street).toHaveValue('Storgata 12')

  await test.step('the receipt says what is different, and what is left', async () => {
    await expect(receipt(page).locator('.head .title')).toHaveText('3 changes · nothing was sent or paid')
    await expect(receipt(page).locator('.activity')).toHaveText('1 replaced, 2 were empty')
    await expect(receipt(page).locator('.left')).toHaveText('Left for you: Card number, Order now')
    await expect.poll(() => marks(page)).toHaveLength(3)
  })
  await test.step('after a reload it is there, except for what was edited', async () => {
    // By keys: in Firefox Playwright fills a field by a script.
    await page.locator('[name=city]').selectText()
    await page.keyboard.type('Oslo')
    await expect.poll(() => marks(page)).toHaveLength(2)
    await page.reload()
    await ready(page)
    await expect(street).toHaveValue('Storgata 12')
    await expect(receipt(page).locator('.left')).toHaveText('Left for you: Card number, Order now')
    await expect.poll(() => marks(page)).toHaveLength(2)
    const [mark, field] = [(await marks(page))[0]!.box, (await page.locator('[name=name]').boundingBox())!]
    expect(mark.width).toBe(3)
    expect(Math.abs(mark.x - field.x)).toBeLessThanOrEqual(3)
  })
  const events = () => page.evaluate(() => (window as never as { events: string[] }).events.splice(0))
  await events()

  await test.step('a line leads to its field, by keyboard', async () => {
    await receipt(page).locator('.call > summary').press('Enter')
    await page.getByRole('button', { name: 'Show on the page: Street' }).press('Enter')
    await expect.poll(async () => (await drawn(page)).filter(({ name }) => name === 'ring').length).toBe(1)
    await expect(street).toBeInViewport()
  })
  await test.step('the bar leads through the fields, and draws what they held', async () => {
    await page.getByRole('button', { name: 'Review on the page' }).press('Enter')
    await expect(bar(page)).toBeVisible()
    await expect(bar(page).locator('.where')).toHaveText('1 of 2 Name')
    await expect(bar(page).getByRole('button', { name: 'After' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(bar(page).locator('.where')).toHaveText('2 of 2 Street')
    await bar(page).getByRole('button', { name: 'Before' }).press('Enter')
    const veils = async () =>
      page.evaluate(() => {
        const { stageRoot } = window as never as { stageRoot: ShadowRoot }
        return [...stageRoot.querySelectorAll('.veil')].map((one) => one.textContent)
      })
    await expect.poll(veils).toEqual(['', 'Strandgaten 3'])
    await expect(street).toHaveValue('Storgata 12')
    expect(await axe(page)).toEqual([])
    await bar(page).getByRole('button', { name: 'After' }).press('Enter')
    await expect.poll(veils).toEqual([])
    expect(await events()).toEqual([])
  })
  await test.step('one field is put back, and the others stay', async () => {
    await bar(page).getByRole('button', { name: 'Undo: This field' }).press('Enter')
    await expect(street).toHaveValue('Strandgaten 3')
    await expect(page.locator('[name=name]')).toHaveValue('Kari')
    await expect(bar(page).locator('.where')).toHaveText('1 of 1 Name')
  })
  await test.step('what looks good has no marks any more, also after a reload', async () => {
    await bar(page).getByRole('button', { name: 'Looks good' }).press('Enter')
    await expect(bar(page)).toHaveCount(0)
    await expect(page.getByRole('button', { name: 'Review on the page' })).toBeFocused()
    await expect.poll(() => marks(page)).toHaveLength(0)
    await page.reload()
    await ready(page)
    await expect(receipt(page).locator('.left')).toBeVisible()
    await expect.poll(() => marks(page)).toHaveLength(0)
  })
})

test('a field that is reviewed is free, also where a floating panel covers it', async ({ page, site, serveModel }) => {
  const fields = ['Street', 'City', 'Name'].map((field) => ({ field, value: `${field} of Kari` }))
  const endpoint = await serveModel([
    { calls: [{ id: 'f', name: 'form_fill', arguments: { fields } }] },
    { text: 'Done.' },
  ])
  await page.goto(`${site}/test/pages/page-tools/act-turn.html?endpoint=${encodeURIComponent(endpoint.url)}`)
  await ready(page)
  await page.evaluate(() => {
    document.querySelector('form')!.style.cssText = 'position: absolute; right: 40px; top: 260px'
    Object.assign(document.querySelector('tool-agent')!, { layout: 'floating', open: true })
  })
  await send(page, 'Fill it in')
  await settled(page)
  await page.evaluate(() => {
    const panel = document.querySelector('tool-agent')!.shadowRoot!.querySelector<HTMLElement>('.panel')!
    // As after a question about something at the other side.
    delete panel.dataset['place']
  })
  await receipt(page).locator('[part=review-button]').click()
  await expect(bar(page)).toBeVisible()
  for (const { field } of fields) {
    await expect(bar(page).locator('.where')).toContainText(field)
    const isFree = () =>
      page.locator(`[name=${field.toLowerCase()}]`).evaluate((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect()
        return [left + 3, (left + right) / 2, right - 3].every(
          (x) => document.elementFromPoint(x, (top + bottom) / 2) === one,
        )
      })
    await expect.poll(isFree).toBe(true)
    await bar(page).getByRole('button', { name: 'Next' }).click()
  }
})

for (const [name, html, left] of [
  ['a form with one button names it', '<button>Order now</button>', 'PIN, Order now'],
  // Which one is meant, nobody knows: the first may be the one that deletes.
  ['a form with several names none', '<button>წაშლა</button><button>შენახვა</button>', 'PIN'],
  // By markup it sends what was filled in, and the others do not.
  [
    'what sends unchecked is not meant',
    '<button formnovalidate>წაშლა</button><button formmethod=dialog>უკან</button><button>შენახვა</button>',
    'PIN, შენახვა',
  ],
  ['what nobody sees is not named', '<button hidden>Delete order</button><button>შენახვა</button>', 'PIN, შენახვა'],
] as const)
  test(`left for the visitor: ${name}`, async ({ page, site, serveModel }) => {
    const fields = [{ field: 'Name', value: 'Kari' }]
    const calls = [{ id: 'f', name: 'form_fill', arguments: { fields } }]
    const endpoint = await serveModel([{ calls }, { text: 'Done.' }])
    await page.goto(`${site}/test/pages/page-tools/act-turn.html?endpoint=${encodeURIComponent(endpoint.url)}`)
    await ready(page)
    await page.evaluate((buttons) => {
      document.querySelector('form')!.innerHTML =
        `<label>Name <input name=name></label><label>PIN <input type=password name=pin></label>${buttons}`
    }, html)
    await send(page, 'Fill it in')
    await settled(page)
    await expect(receipt(page).locator('.left')).toHaveText(`Left for you: ${left}`)
  })
