// Menus of the page stay open while the visitor answers a question, so that the approved click finds its target. With
// the real pointer and the real keyboard; the model is a script.
import type { ScriptItem } from '../../../support/lab/endpoint.js'
import { expect, settled, test } from '../../../support/page/session-page.js'
import { allow, sendTyped } from '../../../support/page/visitor.js'

declare global {
  interface Window {
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

/** What closes a menu most easily. */
const strict = ['captured click on the window', 'captured focus on the window', 'focusout of the menu']

// A turn has at most twenty steps.
for (const { place, names, title } of [
  { place: 'the document', names: kinds.slice(0, 5), title: 'that presses close' },
  { place: 'the document', names: kinds.slice(5), title: 'that a movement closes' },
  { place: 'a shadow root', names: strict, title: 'that is closed most easily' },
  { place: 'a modal dialog', names: strict, title: 'that is closed most easily' },
])
  test(
    `an option of each menu ${title} is chosen: in ${place}`,
    { tag: place === 'a shadow root' ? ['@one-engine', '@R7.8'] : ['@R7.8', '@long'] },
    async ({ page, site, serveModel }) => {
      const endpoint = await serveModel(script(names))
      await page.goto(
        `${site}/test/pages/panel/menus.html?${new URLSearchParams({ in: place, endpoint: endpoint.url })}`,
      )
      expect(await page.evaluate(() => window.kinds)).toEqual(kinds)
      // The panel beside a modal dialog cannot be used, except for its questions.
      if (place === 'a modal dialog') await page.evaluate(() => void window.agent.send('Choose'))
      else await sendTyped(page, 'Choose')
      await allow(page, 2 * names.length)
      await settled(page)
      expect(await page.evaluate(() => window.chosen)).toEqual(names)
    },
  )
