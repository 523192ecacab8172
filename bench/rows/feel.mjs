// How the panel feels on a processor that is 4 times slower: from the Enter key until the message is on the screen, and the
// longest frame while a usual answer streams. With `--before folder` also for another build, in turns with this one.
import { ourPage } from '../support/ours.mjs'
import { tokens } from './burst.mjs'

const slowdown = 4
const message = 'Which tea is the strongest?'
const answer = `## Strong teas

- **Assam**, malty
- **Lapsang Souchong**, smoky

| Tea | Minutes |
|---|---|
| Assam | 4 |
| Sencha | 2 |

`
/** As a model writes it: a word every 25 ms. */
const pieces = [...(answer.match(/\S+\s*/g) ?? []), ...tokens(160)]

/** Measures frames and when the message is drawn; runs in the page, before the Enter key. @param {string} text */
function watch(text) {
  const scope = /** @type {any} */ (window)
  scope.feel = { shown: 0, longest: 0 }
  /** @param {ParentNode} root @returns {boolean} */
  const shows = (root) =>
    [...root.querySelectorAll('*')].some(
      ({ shadowRoot, children, textContent }) =>
        (shadowRoot && shows(shadowRoot)) || (children.length === 0 && textContent?.includes(text)),
    )
  let last = 0
  const frame = (/** @type {number} */ now) => {
    if (scope.feel.shown === 0) {
      // Drawn by the frame before.
      if (scope.sentAt > 0 && shows(document)) scope.feel.shown = now - scope.sentAt
    } else scope.feel.longest = Math.max(scope.feel.longest, now - last)
    last = now
    requestAnimationFrame(frame)
  }
  scope.sentAt = 0
  requestAnimationFrame(frame)
}

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const { site } = lab
  /** @param {string} dist path of the build on the site */
  const feel = async (dist) => {
    const model = site.model(() => ({ pieces, perWrite: 1, pauseMs: 25 }))
    const page = await lab.open(site.add(ourPage({ endpoint: model.path, dist })))
    const session = await page.context().newCDPSession(page)
    await page.locator('tool-agent textarea').last().click()
    await page.keyboard.type(message)
    await site.quiet()
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.evaluate(watch, message)
    await page.keyboard.press('Enter')
    await page.waitForFunction(() => /** @type {any} */ (window).turnsEnded > 0, undefined, { timeout: 60_000 })
    const { shown, longest } = await page.evaluate(() => /** @type {any} */ (window).feel)
    await page.context().close()
    return { 'Enter to message': shown, 'longest frame': longest }
  }
  return lab.inTurns(
    lab.isQuick ? 3 : 15,
    {
      ours: () => feel('/tool-agent'),
      ...(lab.before === undefined ? {} : { before: () => feel('/before') }),
    },
    {},
  )
}
