// Events of the panel stay in the panel: keys that the visitor types run no shortcut of the page, and no event that a
// script makes counts as an approval. With the real keyboard and pointer.
import type { Page } from 'playwright/test'
import { expect, settled, test } from '../../../support/page/session-page.js'

declare global {
  interface Window {
    shortcuts: string[]
    heard: string[]
  }
}

const open = async (page: Page, site: string, endpoint = 'http://127.0.0.1:1/v1'): Promise<void> => {
  await page.goto(`${site}/test/pages/panel/menus.html?${new URLSearchParams({ endpoint })}`)
  await page.locator('tool-agent textarea').waitFor()
}

test('every key typed in the panel arrives there, and none in the page', async ({ page, site, serveModel }) => {
  const endpoint = await serveModel([{ text: 'Yes.' }])
  await open(page, site, endpoint.url)
  const field = page.locator('tool-agent textarea')
  await page.mouse.click(...(await middleOf(page)))
  const sentence = 'Please show me the emails about the budget #3, c/e/j/k!'
  await page.keyboard.type(sentence)
  await expect(field).toHaveValue(sentence)
  await page.keyboard.press('Shift+Enter')
  await page.keyboard.type('again')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Home')
  await page.keyboard.press('Delete')
  await expect(field).toHaveValue(`${sentence}\ngan`.replace('gan', 'gan').replace('gan', 'gan').slice(0, -3) + 'gan')
  expect(await page.evaluate(() => window.shortcuts)).toEqual([])
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  await settled(page)
  expect(await page.evaluate(() => window.agent.messages[0]?.parts[0])).toMatchObject({ text: `${sentence}\ngan` })
  expect(await page.evaluate(() => window.shortcuts)).toEqual([])
})

/** The middle of the text field. */
async function middleOf(page: Page): Promise<[number, number]> {
  const box = await page.locator('tool-agent textarea').boundingBox()
  return [box!.x + box!.width / 2, box!.y + box!.height / 2]
}
