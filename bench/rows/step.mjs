// The time of one step of a turn: from the request of one model call to the request of the next one, with a tool call
// and its result between them. Measured at the model, in turns of 20 steps: 19 calls and an answer. The other products
// have no interface here, so the aims are for the agent without its panel. The tool only reads, except in one of our
// pages: there the start of each call is on the disk before it runs, because it must not run twice.
import { bareFetch } from '../support/bare-fetch.mjs'
import { agentPage, composer, converse, converseWithPeer, ourPage, peerPage, startPeer } from '../support/ours.mjs'
import { resultsIn } from '../support/site.mjs'

/** Calls of the tool in a turn. 20 model calls are the default limit of a turn. */
const steps = 19

/** @param {any} body @returns {import('../support/site.mjs').Reply} */
function addUp(body) {
  const results = resultsIn(body)
  if (results < steps) return { calls: [{ name: 'add', arguments: { a: results, b: 1 } }] }
  return { pieces: ['The sum', ' is known.'] }
}

/** The worker of the package, in which there is no database. */
const withoutDatabase = `Object.defineProperty(globalThis, 'indexedDB', { value: undefined })\n`

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  const { site } = lab
  site.add(withoutDatabase, '/tool-agent/bench-no-database.js')
  site.add("import './bench-no-database.js'\nimport './worker.js'\n", '/tool-agent/bench-memory-worker.js')

  /**
   * Runs one turn to warm up. Returns a function that runs and measures one turn.
   * @param {import('playwright').Page} page @param {import('../support/site.mjs').Model} model
   * @param {() => Promise<unknown>} turn
   */
  const prepared = async (page, model, turn) => {
    await turn()
    return async () => {
      await page.bringToFront()
      const from = model.requests.length
      const { main } = await lab.cpu(page, turn)
      const [first, ...rest] = model.requests.slice(from)
      if (rest.length !== steps) throw new Error(`The turn had ${rest.length + 1} requests instead of ${steps + 1}`)
      return { 'one step': ((rest.at(-1)?.at ?? 0) - (first?.at ?? 0)) / steps, 'main CPU per step': main / steps }
    }
  }
  /** @param {import('playwright').Page} page @param {string} storage */
  const expectWorker = async (page, storage) => {
    const facts = await page.evaluate(() => {
      const scope = /** @type {any} */ (window)
      const agent = scope.peer?.agent ?? document.querySelector('tool-agent')
      return `${agent.host} ${agent.storage}`
    })
    if (facts !== `worker ${storage}`) throw new Error(`Expected worker ${storage}, received ${facts}`)
  }
  /** @param {string} storage @param {{ options?: string, onlyReads?: boolean }} [given] */
  const ours = async (storage, given = {}, model = site.model(addUp)) => {
    const page = await lab.open(site.add(agentPage({ endpoint: model.path, ...given })))
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    return prepared(page, model, async () => {
      await converseWithPeer(page, 'Add them up.')
      await expectWorker(page, storage)
    })
  }
  const withPanel = async () => {
    const model = site.model(addUp)
    const page = await lab.open(site.add(ourPage({ endpoint: model.path, hasTool: true })))
    await composer(page).waitFor()
    return prepared(page, model, async () => {
      await converse(page, 'Add them up.')
      await expectWorker(page, 'indexeddb')
    })
  }
  const peer = async (/** @type {string} */ name, isStored = false) => {
    const model = site.model(addUp)
    const page = await lab.open(site.add(peerPage(name)))
    await startPeer(page, { endpoint: model.path, isStored })
    return prepared(page, model, () => converseWithPeer(page, 'Add them up.'))
  }
  const measured = site.model(addUp)
  /** The requests of the newest turn, as long as those of `ours, memory`. */
  const floor = async () => {
    const send = await bareFetch(
      lab,
      site.model(() => ({ calls: [{ name: 'add', arguments: { a: 1, b: 1 } }] })),
    )
    return async () => {
      const sizes = measured.requests.slice(-steps).map(({ characters }) => characters)
      return { 'one step': lab.median(await send(sizes)) }
    }
  }
  // All pages stay open, so that the turns of the products follow each other closely.
  const products = {
    'ours, durable': await ours('indexeddb'),
    'ours, durable, not repeatable': await ours('indexeddb', { onlyReads: false }),
    'ours, memory': await ours('memory', { options: "workerUrl: '/tool-agent/bench-memory-worker.js'," }, measured),
    'ours with panel, durable': await withPanel(),
    'AI SDK stream': await peer('ai'),
    TanStack: await peer('tanstack'),
    'TanStack client, IndexedDB': await peer('tanstack', true),
    'fetch alone': await floor(),
  }
  const figures = await lab.inTurns(lab.isQuick ? 6 : 14, products, {})
  await Promise.all(lab.browser.contexts().map((context) => context.close()))
  return figures
}
