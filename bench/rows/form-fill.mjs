// Filling 100 plain text fields: one call of form_fill beside 100 inputs of page-agent. page-agent waits about 0.7 s for
// each field, so it fills five and the result is multiplied by 20.
import { peerPage, ourPage, wake } from '../support/ours.mjs'

const body = `<form>${Array.from({ length: 100 }, (_, at) => `<p><label>Field ${at} <input name="f${at}"></label></p>`).join('')}</form>`
const sample = 5

/** Fills all fields in one call, as a model does. */
async function fillWithOurs() {
  const fields = Array.from({ length: 100 }, (_, at) => ({ field: `Field ${at}`, value: `value ${at}` }))
  const begin = performance.now()
  await /** @type {any} */ (document.querySelector('tool-agent')).callTool('form_fill', { fields })
  return performance.now() - begin
}

/** Fills the first fields one after the other. @param {number} count */
async function fillWithPageAgent(count) {
  const { peer } = /** @type {any} */ (window)
  const { content } = await peer.read()
  const begin = performance.now()
  for (let at = 0; at < count; at++) {
    const [, index] = new RegExp(`\\[(\\d+)\\]<input[^>]*name=f${at}\\b`).exec(content) ?? []
    await peer.type(Number(index), `value ${at}`)
  }
  return performance.now() - begin
}

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const { site } = lab
  const filled = (/** @type {import('playwright').Page} */ page) =>
    page.evaluate(
      () => [...document.querySelectorAll('input')].filter(({ value }, at) => value === `value ${at}`).length,
    )
  const expectFilled = async (/** @type {import('playwright').Page} */ page, /** @type {number} */ count) => {
    const found = await filled(page)
    if (found !== count) throw new Error(`Expected ${count} filled fields, received ${found}`)
  }
  const ours = async () => {
    const page = await lab.open(
      site.add(ourPage({ endpoint: '/none', body, attributes: 'layout="floating" page-tools="read fill"' })),
    )
    await wake(page, 'form_fill')
    let time = 0
    const { sum, longest } = await lab.tasks(page, async () => {
      time = await page.evaluate(fillWithOurs)
    })
    await expectFilled(page, 100)
    await page.context().close()
    return { '100 fields': time, 'main CPU': sum, 'longest task': longest }
  }
  const pageAgent = async () => {
    const page = await lab.open(site.add(peerPage('page-agent', { body })))
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await page.evaluate(() => {
      const scope = /** @type {any} */ (window)
      scope.peer = scope.startPeer({ endpoint: '/none' })
    })
    let time = 0
    const { sum, longest } = await lab.tasks(page, async () => {
      time = await page.evaluate(fillWithPageAgent, sample)
    })
    await expectFilled(page, sample)
    await page.context().close()
    const factor = 100 / sample
    return { '100 fields': time * factor, 'main CPU': sum * factor, 'longest task': longest }
  }
  return lab.inTurns(lab.isQuick ? 2 : 4, { ours, 'page-agent': pageAgent }, {})
}
