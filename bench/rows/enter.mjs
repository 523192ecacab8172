// From the Enter key to the arrival of the request at the model. A panel is open; a person clicks its text field, types for
// one second and presses Enter. All keys are events of the browser. Each page has the same form.
import { ourPage, peerPage } from '../support/ours.mjs'

const form = `<form aria-label="Booking"><label>Name <input name="name"></label>
<label>Country <select name="country"><option>France</option><option>Spain</option></select></label>
<label>Guests <input name="guests" type="number"></label><label>Day <input name="day" type="date"></label>
<button>Book</button></form>`
const message = 'A table for four'

/** @typedef {(given: { endpoint: string, body: string }) => string} HtmlOf */

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const { site } = lab
  /** @param {HtmlOf} htmlOf @param {string} selector of the text field */
  const enter = async (htmlOf, selector) => {
    const model = site.model(() => ({ pieces: ['Which day?'] }))
    const page = await lab.open(site.add(htmlOf({ endpoint: model.path, body: form })))
    await site.quiet()
    await page.locator(selector).last().click()
    await page.keyboard.type(message, { delay: 1000 / message.length })
    await page.keyboard.press('Enter')
    await lab.until(() => model.requests.length > 0)
    await page.getByText('Which day?').first().waitFor()
    await site.quiet()
    const sentAt = await page.evaluate(() => performance.timeOrigin + /** @type {any} */ (window).sentAt)
    await page.context().close()
    return {
      'Enter to request': (model.requests[0]?.at ?? 0) - sentAt,
      'files after Enter': site.fetched.filter(({ at }) => at > sentAt).length,
    }
  }
  return lab.inTurns(
    lab.isQuick ? 5 : 15,
    {
      ours: () => enter(ourPage, 'tool-agent textarea'),
      'ours, page tools': () =>
        enter((given) => ourPage({ ...given, attributes: 'page-tools="read fill"' }), 'tool-agent textarea'),
      'deep-chat': () => enter((given) => peerPage('deep-chat', given), 'deep-chat #text-input'),
    },
    { 'files after Enter': '' },
  )
}
