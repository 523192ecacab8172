// The time of one step of a turn: from the request of one model call to the request of the next one, with a tool call
// and its result between them. Measured at the model, in turns of 20 steps: 19 calls and an answer. The other products
// have no interface here, so the aims are for the agent without its panel.
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
  const turns = lab.isQuick ? 2 : 4
  site.add(withoutDatabase, '/tool-agent/bench-no-database.js')
  site.add("import './bench-no-database.js'\nimport './worker.js'\n", '/tool-agent/bench-memory-worker.js')

  /** @param {import('playwright').Page} page @param {import('../support/site.mjs').Model} model @param {() => Promise<unknown>} turn */
  const measure = async (page, model, turn) => {
    await turn()
    /** @type {number[]} */
    const times = []
    const { main } = await lab.cpu(page, async () => {
      for (let count = 0; count < turns; count++) {
        const from = model.requests.length
        await turn()
        const [first, ...rest] = model.requests.slice(from)
        if (rest.length !== steps) throw new Error(`The turn had ${rest.length + 1} requests instead of ${steps + 1}`)
        times.push(((rest.at(-1)?.at ?? 0) - (first?.at ?? 0)) / steps)
      }
    })
    const [best = 0] = times.toSorted((one, other) => one - other)
    await page.context().close()
    return { 'one step': lab.median(times), 'one step, best turn': best, 'main CPU per step': main / steps / turns }
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
  const ours = async (/** @type {string} */ storage, /** @type {string} */ options) => {
    const model = site.model(addUp)
    const page = await lab.open(site.add(agentPage({ endpoint: model.path, options })))
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    return measure(page, model, async () => {
      await converseWithPeer(page, 'Add them up.')
      await expectWorker(page, storage)
    })
  }
  const withPanel = async () => {
    const model = site.model(addUp)
    const page = await lab.open(site.add(ourPage({ endpoint: model.path, hasTool: true })))
    await composer(page).waitFor()
    return measure(page, model, async () => {
      await converse(page, 'Add them up.')
      await expectWorker(page, 'indexeddb')
    })
  }
  const peer = async (/** @type {string} */ name, isStored = false) => {
    const model = site.model(addUp)
    const page = await lab.open(site.add(peerPage(name)))
    await startPeer(page, { endpoint: model.path, isStored })
    return measure(page, model, () => converseWithPeer(page, 'Add them up.'))
  }
  return lab.inTurns(
    lab.isQuick ? 3 : 5,
    {
      'ours, durable': () => ours('indexeddb', ''),
      'ours, memory': () => ours('memory', "workerUrl: '/tool-agent/bench-memory-worker.js',"),
      'ours with panel, durable': withPanel,
      'AI SDK stream': () => peer('ai'),
      TanStack: () => peer('tanstack'),
      'TanStack client, IndexedDB': () => peer('tanstack', true),
    },
    {},
  )
}
