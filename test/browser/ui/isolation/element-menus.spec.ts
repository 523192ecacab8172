// Menus of the page stay open while the visitor answers a question, so that the approved click finds its target. With
// the real pointer and the real keyboard; the model is a script.
import type { Locator, Page } from 'playwright/test'
import type { ScriptItem } from '../../../support/lab/endpoint.js'
import { expect, settled, test } from '../../../support/page/session-page.js'

declare global {
  interface Window {
    chosen: string[]
    kinds: string[]
  }
}

const kinds = [
  'click on the document',
  'captured click on the window',
  'captured click on the document',
  'pointerdown on the document',
  'captured mousedown on the document',
  'mouseup on the body',
  'pointermove on the window',
  'focusin on the document',
  'captured focus on the window',
  'focusout of the menu',
  'blur of the button',
]
/** One step for the button of each menu, one for its item. */
const script = (names: readonly string[]): ScriptItem[] => [
  ...names.flatMap((name) =>
    [`Open: ${name}`, `Choose: ${name}`].map((target, index) => ({
      calls: [{ id: `${name}-${index}`, name: 'page_click', arguments: { target } }],
    })),
  ),
  { text: 'Done.' },
]

/** Presses the middle of an element with the mouse, as a visitor does. */
async function press(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox()
  if (box === null) throw new Error('The element is not visible')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 3 })
  await page.mouse.down()
  await page.mouse.up()
}

async function sendTyped(page: Page, text: string): Promise<void> {
  await press(page, page.locator('tool-agent textarea'))
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

/** Allows this number of calls, one question after the other. */
async function allow(page: Page, calls: number): Promise<void> {
  const card = page.locator('tool-agent-approval')
  for (let index = 0; index < calls; index++) {
    await expect(card.locator('.decision[data-ready]')).toBeVisible()
    await press(page, card.locator('.approve'))
    await expect(card.locator('.approve:enabled')).toBeHidden()
  }
}

/** A turn has at most twenty steps. */
const turns = [kinds.slice(0, 6), kinds.slice(6)]
/** What closes a menu most easily. */
const strict = ['captured click on the window', 'captured focus on the window', 'focusout of the menu']

for (const [place, names] of Object.entries({ document: turns, 'a shadow root': [strict], 'a modal dialog': [strict] }))
  test(`an option of each menu is chosen: in ${place}`, async ({ page, site, serveModel }) => {
    const endpoint = await serveModel(names.flatMap(script))
    await page.goto(`${site}/test/pages/panel/menus.html?${new URLSearchParams({ in: place, endpoint: endpoint.url })}`)
    expect(await page.evaluate(() => window.kinds)).toEqual(kinds)
    for (const part of names) {
      // The panel beside a modal dialog cannot be used, except for its questions.
      if (place === 'a modal dialog') await page.evaluate(() => void window.agent.send('Choose'))
      else await sendTyped(page, 'Choose')
      await allow(page, 2 * part.length)
      await settled(page)
    }
    expect(await page.evaluate(() => window.chosen)).toEqual(names.flat())
  })
