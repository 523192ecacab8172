// One button for what the assistant did for one message: a fill, a click on a checkbox and a call with `undo`. It works
// after a reload, in the order of the calls from the last to the first, and the model is told.
import type { Page } from 'playwright/test'
import { expect, send, settled, test } from '../../../support/page/session-page.js'

const register = (page: Page) =>
  page.evaluate(() => {
    document.querySelector('tool-agent')!.registerTool({
      name: 'add_to_cart',
      description: 'Adds a product to the cart of the visitor',
      execute: () => ({ line: 7 }),
      undo: (_input: object, output: object) => {
        const held = document.querySelector<HTMLInputElement>('[name=name]')?.value
        const undone = JSON.parse(localStorage.getItem('undone') ?? '[]') as unknown[]
        localStorage.setItem('undone', JSON.stringify([...undone, output, held]))
      },
    })
  })

const ready = async (page: Page, address?: string): Promise<void> => {
  if (address) await page.goto(address)
  await page.waitForFunction(() => ['ready', 'idle'].includes(window.agent?.status) && window.agent.tools.length > 10)
  // A field whose value the page keeps itself.
  await page.evaluate(() => {
    const box = document.createElement('label')
    box.innerHTML = '<input type="checkbox" id="gift"> Gift wrap'
    document.querySelector('main')?.prepend(box)
    const gift = document.querySelector<HTMLInputElement>('#gift')!
    gift.checked = localStorage.getItem('gift') === 'true'
    const name = document.querySelector<HTMLInputElement>('[name=name]')!
    name.value = localStorage.getItem('name') ?? 'Grace'
    document.addEventListener('change', () => {
      localStorage.setItem('gift', String(gift.checked))
      localStorage.setItem('name', name.value)
    })
  })
  await register(page)
}

test('one press undoes a fill, a click and a call after a reload, and another puts the fields back', async ({
  page,
  site,
  serveModel,
}) => {
  const endpoint = await serveModel([
    { calls: [{ id: 'f', name: 'form_fill', arguments: { fields: [{ field: 'Name', value: 'Ada' }] } }] },
    { calls: [{ id: 'a', name: 'add_to_cart', arguments: {} }] },
    { calls: [{ id: 'c', name: 'page_click', arguments: { target: 'Gift wrap' } }] },
    { text: 'Done.' },
    { text: 'I see.' },
  ])
  const address = `${site}/test/pages/page-tools/act-turn.html?endpoint=${encodeURIComponent(endpoint.url)}`
  await ready(page, address)
  await send(page, 'Go')
  await settled(page)
  const [name, gift] = [page.locator('[name=name]'), page.locator('#gift')]
  await expect(name).toHaveValue('Ada')
  await expect(gift).toBeChecked()
  await page.reload()
  await ready(page)
  await expect(name).toHaveValue('Ada')
  const button = page.locator('tool-agent button.undo')
  await expect(button).toHaveAccessibleName('Undo all')
  await button.press('Enter')
  await expect(button).toHaveAccessibleName('Redo')
  await expect(name).toHaveValue('Grace')
  await expect(gift).not.toBeChecked()
  // The fill was before the call, so its value was still there when the call was undone.
  expect(await page.evaluate(() => localStorage.getItem('undone'))).toBe('[{"line":7},"Ada"]')
  await button.press('Enter')
  await expect(button).toHaveAccessibleName('Undo all')
  await expect(name).toHaveValue('Ada')
  await expect(gift).toBeChecked()
  await name.fill('Mary')
  await button.press('Enter')
  await expect(page.locator('tool-agent .undo-note')).toHaveText('1 field was changed since and stayed: Name.')
  await expect(name).toHaveValue('Mary')
  await expect(gift).not.toBeChecked()
  await send(page, 'And?')
  await expect.poll(() => endpoint.requests.length).toBe(5)
  await settled(page)
  const { raw = '' } = endpoint.requests[4] ?? {}
  expect(raw).toContain('Undone by the user: form_fill')
  expect(raw).toContain('(left as they are now: Name); add_to_cart {}; page_click')
})
