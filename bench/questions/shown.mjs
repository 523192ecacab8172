// Whether a page shows what its server holds: the same page, opened anew in a browser of its own and without the assistant,
// must show the same.
import { setTimeout as pause } from 'node:timers/promises'

/** The longest time that a page has to show what its server answered, in milliseconds. */
const patience = 4_000

/** What is only shown and never sent: an open menu or form, and the boxes that choose rows. */
const viewOnly = '.menu, .form, .box'

/** @param {import('playwright').Page} page @param {string} region */
async function textOf(page, region) {
  const text = await page
    .locator(region)
    .first()
    .evaluate(
      (shown, hidden) => {
        const copy = /** @type {Element} */ (shown.cloneNode(true))
        for (const one of copy.querySelectorAll(hidden)) one.remove()
        return copy.textContent
      },
      viewOnly,
      { timeout: 2_000 },
    )
  return text.replaceAll(/\s+/g, ' ').trim()
}

/**
 * What the page shows and what the server holds, if that is not the same.
 * @param {{ page: import('playwright').Page, region: string, url: string }} options `region`: a selector
 */
export async function differsFromServer({ page, region, url }) {
  const context = await page
    .context()
    .browser()
    ?.newContext({ viewport: { width: 1280, height: 800 } })
  if (!context) throw new Error('The page has no browser')
  try {
    await context.route('**/tool-agent/**', (route) => route.abort())
    const fresh = await context.newPage()
    await fresh.goto(url)
    for (const end = Date.now() + patience; ; await pause(100)) {
      const held = await textOf(fresh, region)
      // The page may have closed the part, so that it shows nothing of it.
      const shown = await textOf(page, region).catch(() => held)
      if (shown === held) return undefined
      if (Date.now() > end) return { shown, held }
    }
  } finally {
    await context.close()
  }
}
