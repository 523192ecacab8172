// A press of a button where it is now. `click` scrolls a button to the middle in Firefox although it is visible, and a
// question that moves must be read again before a press counts.
import { expect, type Locator, type Page } from 'playwright/test'
import type { ActionEvent } from '../../../src/ui/panel/actions.js'

export async function pressInPlace(button: Locator): Promise<void> {
  const box = await button.boundingBox()
  if (box === null) throw new Error(`${String(button)} is not drawn`)
  await button.page().mouse.click(box.x + box.width / 2, box.y + box.height / 2)
}

/** A page that came after the answer has noted nothing. */
const isUnanswered = (page: Page): Promise<boolean> =>
  page.evaluate(() => (window as unknown as { isAnswered?: boolean }).isAnswered === false).catch(() => false)

/**
 * Answers the question by a button of it. A question that moves or changes just then is read anew before a press
 * counts, so it is pressed again, as by a visitor.
 */
export async function answerQuestion(page: Page, button: string): Promise<void> {
  const card = page.locator('tool-agent-approval')
  const ready = card.locator('.decision[data-ready]')
  // A page that has just been opened has no panel yet to listen to.
  await expect(ready).toBeVisible()
  await page.evaluate(() => {
    const scope = window as unknown as { isAnswered: boolean }
    scope.isAnswered = false
    const note = (event: Event): void => {
      if ((event as ActionEvent).action.do === 'decide') scope.isAnswered = true
    }
    document.querySelector('tool-agent')!.shadowRoot!.addEventListener('action', note, { capture: true })
  })
  do {
    await expect(ready).toBeVisible()
    await pressInPlace(card.locator(button))
  } while (await isUnanswered(page))
}
