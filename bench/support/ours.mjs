// Drives the built package as a page author and a visitor do: one tag, one script, the text field, the Enter key.

/** @typedef {import('playwright').Page} Page */

/** The source of a tool. @param {boolean} [onlyReads] otherwise a call of it must not run twice */
const tool = (onlyReads = true) => `{
  name: 'add',
  description: 'Add two numbers.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  annotations: { readOnlyHint: ${onlyReads} },
  execute: ({ a, b }) => ({ sum: a + b }),
}`

/**
 * The HTML of a page with the element.
 * @param {{ endpoint: string, attributes?: string, body?: string, hasTool?: boolean }} options
 */
export const ourPage = ({ endpoint, attributes = '', body = '', hasTool = false }) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Bench</title><link rel="icon" href="data:,">
<script type="module" src="/tool-agent/tool-agent.js"></script></head>
<body>${body}<tool-agent endpoint="${endpoint}" model="bench" ${attributes}></tool-agent>
${hasTool ? `<script type="module">await customElements.whenDefined('tool-agent'); document.querySelector('tool-agent').registerTool(${tool()})</script>` : ''}
</body></html>`

/**
 * The HTML of a page with an agent and without a panel.
 * @param {{ endpoint: string, options?: string, onlyReads?: boolean }} given `options`: the source text of further
 *   options; `onlyReads`: what the tool says of itself
 */
export const agentPage = ({ endpoint, options = '', onlyReads }) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Bench</title><link rel="icon" href="data:,"></head>
<body><script type="module">
import { createAgent } from '/tool-agent/agent.js'
const agent = createAgent({ endpoint: '${endpoint}', model: 'bench', ${options} })
agent.registerTool(${tool(onlyReads)})
window.peer = { agent, send: async (text) => { await agent.send(text) } }
document.documentElement.dataset.ready = ''
</script></body></html>`

/** The HTML of a page with a bundled peer. @param {string} peer @param {{ body?: string, endpoint?: string }} [options] */
export const peerPage = (peer, { body = '', endpoint } = {}) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Bench</title><link rel="icon" href="data:,">
${endpoint === undefined ? '' : `<script>window.peerOptions = { endpoint: '${endpoint}' }</script>`}
<script type="module" src="/peers/${peer}/index.js"></script></head>
<body>${body}</body></html>`

/** The text field of the panel. @param {Page} page */
export const composer = (page) => page.locator('tool-agent textarea').last()

/**
 * Opens the panel of a closed launcher, focuses the text field as a visitor does, and waits until a tool is there. Then
 * closes the panel.
 * @param {Page} page @param {string} tool
 */
export async function wake(page, tool) {
  await page.waitForFunction(() => customElements.get('tool-agent') !== undefined)
  await page.evaluate(() => {
    ;/** @type {any} */ (document.querySelector('tool-agent')).open = true
  })
  await page.waitForFunction(() => {
    const field = /** @type {any} */ (window).findDeep('textarea', document.querySelector('tool-agent')?.shadowRoot)
    field?.focus()
    return Boolean(field)
  })
  await page.waitForFunction(
    (name) =>
      /** @type {any} */ (document.querySelector('tool-agent')).tools.some(
        (/** @type {{ name: string }} */ one) => one.name === name,
      ),
    tool,
  )
  await page.evaluate(() => {
    ;/** @type {any} */ (document.querySelector('tool-agent')).open = false
  })
}

/**
 * Sends a message and waits until its turn has ended. Returns the milliseconds from the key to the end, as the page
 * measured them. Waits for an event: `waitForFunction` looks in every frame, so that the page draws frames without need.
 * @param {Page} page @param {string} text @returns {Promise<number>}
 */
export async function converse(page, text) {
  const before = await page.evaluate(() => /** @type {any} */ (window).turnsEnded)
  await composer(page).fill(text)
  await composer(page).press('Enter')
  return page.evaluate(async (count) => {
    const scope = /** @type {any} */ (window)
    while (scope.turnsEnded <= count)
      await new Promise((resolve) => document.addEventListener('tool-agent-turn-end', resolve, { once: true }))
    return scope.turnTime
  }, before)
}

/** Starts a bundled peer. @param {Page} page @param {{ endpoint: string, isStored?: boolean }} options */
export async function startPeer(page, options) {
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await page.evaluate((given) => {
    const scope = /** @type {any} */ (window)
    scope.peer = scope.startPeer(given)
  }, options)
}

/** Sends a message to a bundled peer and waits for its answer. @param {Page} page @param {string} text */
export const converseWithPeer = (page, text) =>
  page.evaluate((given) => /** @type {any} */ (window).peer.send(given), text)
