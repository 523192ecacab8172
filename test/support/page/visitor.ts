// What a visitor does with the panel: the real pointer and the real keyboard.
import type { Locator, Page } from 'playwright/test'
import { expect } from './site.js'

declare global {
  interface Window {
    /** What was chosen in the menus of a page. */
    chosen: string[]
  }
}

/** Presses the middle of an element with the mouse. */
export async function press(
  page: Page,
  target: Locator,
  options: Parameters<Page['mouse']['click']>[2] = {},
): Promise<void> {
  const box = await target.boundingBox()
  if (box === null) throw new Error('The element is not visible')
  await page.mouse.move(box.x + box.width / 2 - 2, box.y + box.height / 2)
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2, options)
}

/** Types a message into the panel and sends it. */
export async function sendTyped(page: Page, text: string): Promise<void> {
  await press(page, page.locator('tool-agent textarea'))
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/** Allows this number of calls, one question after the other. */
export async function allow(page: Page, calls: number): Promise<void> {
  const card = page.locator('tool-agent-approval')
  for (let index = 0; index < calls; index++) {
    await expect(card.locator('.decision[data-ready]')).toBeVisible()
    const call = await card.getAttribute('data-call')
    await press(page, card.locator('.approve'))
    // The next question may follow at once.
    await expect(page.locator(`tool-agent-approval[data-call="${call}"] .approve:enabled`)).toBeHidden()
  }
}
