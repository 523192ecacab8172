// Reading a page: the first answer of page_read beside the browser state of page-agent. The first two pages are recorded
// ones, without their scripts; they are not part of the project. The third one is synthetic.
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readPages } from '../rows.mjs'
import { wake } from '../support/ours.mjs'

const corpora = process.env['TOOL_AGENT_CORPORA'] || fileURLToPath(new URL('../../../shared/corpora', import.meta.url))
const files = new Map([
  ['google_store', 'google_store_checkout.html'],
  ['singaporeair', 'www_singaporeair_com_signup.html'],
])

/** A page of a shop with about nine elements for each product. @param {number} products */
export function shopPage(products) {
  const rows = Array.from(
    { length: products },
    (_, at) =>
      `<tr><td><a href="/p/${at}">Teapot ${at}</a><td><p>Cast iron, ${at % 9} cups</p><td><input aria-label="Number of teapot ${at}" value="1"><td><button>Add teapot ${at}</button>`,
  )
  return `<h1>Teapots</h1><table><thead><tr><th>Name<th>About<th>Number<th>Buy<tbody>${rows.join('')}</table>`
}

/** The body of a page, without scripts; undefined if the recording is not there. @param {string} name */
function bodyOf(name) {
  const file = files.get(name)
  if (file === undefined) return shopPage(568)
  const path = resolve(corpora, 'forms', file)
  if (!existsSync(path)) return undefined
  return readFileSync(path, 'utf8')
    .replace(/<script[\s\S]*?<\/script>/gi, '')
    .replace(/<base\b[^>]*>|<meta[^>]*http-equiv[^>]*>/gi, '')
}

/** A page with this body and the closed element. @param {string} body */
const withOurs = (body) =>
  `<!doctype html>${body}<tool-agent layout="floating" page-tools="read" endpoint="/none" model="bench"></tool-agent><script type="module" src="/tool-agent/tool-agent.js"></script>`

/** @param {string} body */
const withPageAgent = (body) => `<!doctype html>${body}<script type="module" src="/peers/page-agent/index.js"></script>`

/** Reads once with page_read, and the rest of the outline with its cursors if `isWhole`. @param {boolean} isWhole */
async function readWithOurs(isWhole) {
  const agent = /** @type {any} */ (document.querySelector('tool-agent'))
  const begin = performance.now()
  const first = await agent.callTool('page_read', {}, { forModel: true })
  const time = performance.now() - begin
  let all = String(first)
  for (let cursor = /next: cursor "([^"]+)"/.exec(all)?.[1]; isWhole && cursor !== undefined;) {
    const next = String(await agent.callTool('page_read', { cursor, maxChars: 40_000 }, { forModel: true }))
    all += next
    cursor = /next: cursor "([^"]+)"/.exec(next)?.[1]
  }
  return { time, first: String(first).length, all: all.length, controls: all.match(/\[ref=e\d+\]/g)?.length ?? 0 }
}

/** Reads once with page-agent, as before each of its steps. */
async function readWithPageAgent() {
  const { peer } = /** @type {any} */ (window)
  const begin = performance.now()
  const { content } = await peer.read()
  const time = performance.now() - begin
  return { time, first: content.length, all: content.length, controls: content.match(/^\s*\*?\[\d+\]</gm)?.length ?? 0 }
}

/**
 * Reads a fresh page with one of the products. Ours then reads the rest of the page, for its characters.
 * @param {import('../support/lab.mjs').Lab} lab @param {{ body: string, product: 'ours' | 'page-agent' }} options
 */
export async function readOnce(lab, { body, product }) {
  const page = await lab.open(lab.site.add(product === 'ours' ? withOurs(body) : withPageAgent(body)))
  const elements = await page.evaluate(() => document.querySelectorAll('body *').length)
  if (product === 'ours') {
    await wake(page, 'page_read')
    // Loads what the first call loads, so that the measured call only reads.
    await page.evaluate(() =>
      /** @type {any} */ (document.querySelector('tool-agent')).callTool('page_read', {
        scope: 'body',
        filter: 'headings',
      }),
    )
  } else {
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await page.evaluate(() => {
      const scope = /** @type {any} */ (window)
      scope.peer = scope.startPeer({ endpoint: '/none' })
    })
  }
  const read = () => (product === 'ours' ? page.evaluate(readWithOurs, false) : page.evaluate(readWithPageAgent))
  let answer = { time: 0, first: 0, all: 0, controls: 0 }
  const { longest, sum } = await lab.tasks(page, async () => {
    answer = await read()
  })
  const { time, first } = answer
  const { all, controls } = product === 'ours' ? await page.evaluate(readWithOurs, true) : answer
  await page.context().close()
  return { elements, time, longest, sum, first, all, controls }
}

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const figures = []
  for (const name of readPages) {
    const body = bodyOf(name)
    if (body === undefined) {
      lab.log(`  ${name}: skipped, because ${resolve(corpora, 'forms')} does not have it (set TOOL_AGENT_CORPORA)`)
      continue
    }
    const read = async (/** @type {'ours' | 'page-agent'} */ product) => {
      const { elements, time, longest, sum, first, all, controls } = await readOnce(lab, { body, product })
      return {
        [`${name}: elements`]: elements,
        [`${name}: time`]: time,
        [`${name}: main CPU`]: sum,
        [`${name}: longest task`]: longest,
        [`${name}: characters, one reading`]: first,
        [`${name}: characters, whole page`]: all,
        [`${name}: controls with a reference`]: controls,
      }
    }
    const units = Object.fromEntries(
      ['elements', 'characters, one reading', 'characters, whole page', 'controls with a reference'].map((what) => [
        `${name}: ${what}`,
        '',
      ]),
    )
    figures.push(
      ...(await lab.inTurns(
        lab.isQuick ? 1 : 3,
        { ours: () => read('ours'), 'page-agent': () => read('page-agent') },
        units,
      )),
    )
  }
  return figures
}
