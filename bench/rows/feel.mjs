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

/** Measures frames and when the message is painted; runs in the page, before the Enter key. @param {string} text */
function watch(text) {
  const scope = /** @type {any} */ (window)
  scope.sentAt = 0
  scope.feel = { shown: 0, longest: 0 }
  /** A frame is being drawn: its callbacks run, and it is not painted yet. */
  let isDrawing = false
  let isShown = false
  let last = 0
  /** Calls back in the first task after the frame. @param {() => void} done */
  const afterFrame = (done) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = done
    port2.postMessage(null)
  }
  const frame = (/** @type {number} */ now) => {
    if (isShown && last > 0) scope.feel.longest = Math.max(scope.feel.longest, now - last)
    last = isShown ? now : 0
    isDrawing = true
    afterFrame(() => {
      isDrawing = false
    })
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
  const shown = () => {
    scope.feel.shown = performance.now() - scope.sentAt
    isShown = true
  }
  const observer = new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes])
    if (scope.sentAt === 0 || !added.some(({ textContent }) => textContent?.includes(text))) return
    observer.disconnect()
    // Drawn in a frame, it is painted with it; else with the next one.
    if (isDrawing) afterFrame(shown)
    else
      requestAnimationFrame(() => {
        afterFrame(shown)
      })
  })
  const root = document.querySelector('tool-agent')?.shadowRoot
  if (root) observer.observe(root, { childList: true, subtree: true })
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
    // Starts to wait before the key is pressed, because evaluating a script later would delay the page.
    const ended = page.evaluate(
      () =>
        new Promise((resolve) => {
          document.addEventListener('tool-agent-turn-end', () => resolve(undefined), { once: true })
        }),
    )
    await page.keyboard.press('Enter')
    await ended
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
