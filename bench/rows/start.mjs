// The start of a page with nothing else: when the panel is painted, and when the first request of a message reaches the
// model. The message is sent as soon as there is a text field. Both from the start of the navigation.
import { ourPage, peerPage } from '../support/ours.mjs'

/** Notes the first paint, and sends a message when the text field is there. @param {string} selector */
function sendEarly(selector) {
  const scope = /** @type {any} */ (window)
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      if (entry.name === 'first-contentful-paint') scope.firstPaint = entry.startTime
  }).observe({ type: 'paint', buffered: true })
  const look = () => {
    const field = scope.findDeep(selector)
    if (!field) {
      requestAnimationFrame(look)
      return
    }
    field.focus()
    if ('value' in field) field.value = 'Hello'
    else field.textContent = 'Hello'
    field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, data: 'Hello' }))
    // The answer of a keyboard comes in a later task than the input, also for a fast person.
    setTimeout(() => {
      const key = { key: 'Enter', code: 'Enter', bubbles: true, composed: true, cancelable: true }
      field.dispatchEvent(new KeyboardEvent('keydown', key))
    })
  }
  document.addEventListener('DOMContentLoaded', look)
}

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const { site } = lab
  const products = {
    ours: { selector: 'textarea', page: ourPage },
    'ours, page tools': {
      selector: 'textarea',
      page: (/** @type {{ endpoint: string }} */ given) => ourPage({ ...given, attributes: 'page-tools="read fill"' }),
    },
    'deep-chat': {
      selector: '#text-input',
      page: (/** @type {{ endpoint: string }} */ given) => peerPage('deep-chat', given),
    },
  }
  const start = async (/** @type {keyof typeof products} */ name) => {
    const { selector, page: html } = products[name]
    const model = site.model(() => ({ pieces: ['Hello.'] }))
    const context = await lab.newContext()
    await context.addInitScript(sendEarly, selector)
    const page = await lab.open(undefined, { context })
    const { main } = await lab.cpu(page, async () => {
      // Nothing runs in the page before the request: what Playwright evaluates takes 9 ms, and delayed the first paint.
      await page.goto(site.url + site.add(html({ endpoint: model.path })), { waitUntil: 'commit' })
      await lab.until(() => model.requests.length > 0)
      await page.waitForFunction(() => /** @type {any} */ (window).firstPaint !== undefined)
    })
    const { origin, paint } = await page.evaluate(() => ({
      origin: performance.timeOrigin,
      paint: /** @type {any} */ (window).firstPaint,
    }))
    await context.close()
    return { 'first paint': paint, 'first request': (model.requests[0]?.at ?? 0) - origin, 'main CPU': main }
  }
  return lab.inTurns(
    lab.isQuick ? 5 : 11,
    {
      ours: () => start('ours'),
      'ours, page tools': () => start('ours, page tools'),
      'deep-chat': () => start('deep-chat'),
    },
    {},
  )
}
