// What part of the request before it a request begins with, in the order in which a provider reads it: that part costs a
// tenth. Conversations in which a request is tempted to change what was sent. A request after a compaction, a clearing,
// an edited message or a late tool may begin differently and is left out. Beside it what all requests of a conversation
// cost, as a share of what they would cost without a cache.
import { cachePrices } from '../support/cache-prices.mjs'
import { median } from '../support/numbers.mjs'
import { converseWithPeer, peerPage, startPeer } from '../support/ours.mjs'
import { commonPrefix, keptShare, providerText } from '../support/provider-order.mjs'
import { resultsIn } from '../support/site.mjs'
import { bookingBody, fillOneByOne, task } from './booking.mjs'

/** @typedef {import('../support/site.mjs').Reply} Reply */

const add = (/** @type {number} */ a) => ({ calls: [{ name: 'add', arguments: { a, b: 1 } }] })
const look = (/** @type {number} */ shelf) => ({ calls: [{ name: 'look', arguments: { shelf } }] })
/** @param {string} status @param {number} count */
const write = (status, count = 3) => ({
  calls: [
    {
      name: 'todo_write',
      arguments: { items: Array.from({ length: count }, (_, index) => ({ text: `Step ${index + 1}`, status })) },
    },
  ],
})
const answer = { pieces: ['It is', ' done.'] }
/** Calls `times`, then an answer. @param {number} times @returns {(body: any) => Reply} */
const steps = (times) => (body) => (resultsIn(body) < times ? add(resultsIn(body)) : answer)

/** @param {{ endpoint: string, title: string, options: string }} given */
const agentPage = ({ endpoint, title, options }) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head>
<body><script type="module">
import { agentTool, createAgent } from '/tool-agent/agent.js'
const add = {
  name: 'add',
  description: 'Add two numbers and return their sum.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
  annotations: { readOnlyHint: true },
  execute: ({ a, b }) => ({ sum: a + b }),
}
const look = {
  name: 'look',
  description: 'Look at one shelf of the shop and return what is on it.',
  inputSchema: { type: 'object', properties: { shelf: { type: 'number' } }, required: ['shelf'] },
  annotations: { readOnlyHint: true },
  execute: ({ shelf }) => 'Shelf ' + shelf + ': ' + 'tea, cups and pots, '.repeat(60),
}
const helper = () => agentTool({
  name: 'helper',
  description: 'Looks at the shelves and says what is on them.',
  instructions: 'You look at shelves.',
  tools: [look],
})
const agent = createAgent({ endpoint: '${endpoint}', model: 'bench', sessionId: 'cache', limits: { steps: 40 }, ${options} })
agent.registerTool([add, look])
window.peer = { agent, add, look, helper, send: async (text) => { await agent.send(text) } }
// After which requests something was left out or summarized.
window.cuts = []
let steps = 0
let isCut = false
agent.subscribe(({ type }) => {
  if (type === 'clear' || type === 'compact') isCut = true
  if (type !== 'step-start') return
  if (isCut) window.cuts.push(steps)
  isCut = false
  steps++
})
await agent.connect()
document.documentElement.dataset.ready = ''
</script></body></html>`

/** @typedef {import('playwright').Page} Page */

/**
 * A conversation of ours.
 * @typedef {object} Visit
 * @property {Page} page
 * @property {(title: string, page?: Page) => Promise<void>} go to a page of this title
 * @property {(text: string, page?: Page) => Promise<unknown>} send
 * @property {() => Promise<Page>} otherTab
 * @property {number[]} exceptions indexes of requests that may begin differently
 * @property {() => number} count of the requests so far
 */

/** @type {Record<string, { reply: (body: any, index: number) => Reply, options?: string, play: (visit: Visit) => Promise<void> }>} */
const conversations = {
  'three pages': {
    reply: steps(2),
    async play({ go, send }) {
      for (const title of ['Tea', 'Cups', 'Your order']) {
        await go(title)
        await send(`What is on the page ${title}?`)
        await send('And what else?')
      }
    },
  },
  '20 steps': { reply: steps(19), play: async ({ send }) => void (await send('Add them up.')) },
  'todos with reminders': {
    reply: (body, index) => {
      if (index === 0) return write('pending')
      if (index < 9) return add(index)
      if (index === 9) return write('in_progress', 1)
      if (index < 14) return add(index)
      if (index === 15) return write('completed', 1)
      return answer
    },
    async play({ send }) {
      await send('Do all of it.')
      await send('Thank you.')
    },
  },
  clearing: {
    reply: (body) => (resultsIn(body) < 24 ? look(resultsIn(body)) : answer),
    options: 'contextWindow: { clearAt: 4_000 }',
    play: async ({ send }) => void (await send('Look at all shelves.')),
  },
  compaction: {
    reply: (body) =>
      String(body.messages?.[0]?.content).startsWith('Summarize')
        ? { pieces: ['They asked about tea.'] }
        : { pieces: ['Tea '.repeat(400)] },
    options: 'contextWindow: { tokens: 4_000 }',
    async play({ send }) {
      for (let index = 0; index < 14; index++) await send(`Question ${index} about tea`)
    },
  },
  'a late tool': {
    reply: steps(1),
    async play({ send, page, exceptions, count }) {
      await send('First')
      await send('Second')
      exceptions.push(count())
      await page.evaluate(() => {
        const { agent, add: own } = /** @type {any} */ (window).peer
        agent.registerTool({ ...own, name: 'late' })
      })
      await send('Third')
      await send('Fourth')
    },
  },
  'a provider': {
    reply: steps(2),
    async play({ send, page }) {
      await page.evaluate(() => {
        const { agent, add: own } = /** @type {any} */ (window).peer
        agent.registerToolProvider(async () => [{ ...own, name: 'found' }])
      })
      await send('First')
      await send('Second')
    },
  },
  edit: {
    reply: steps(1),
    async play({ send, page, exceptions, count }) {
      await send('First')
      await send('Second')
      exceptions.push(count())
      await page.evaluate(() => /** @type {any} */ (window).peer.agent.editLast('Second, but better'))
      await send('Third')
    },
  },
  regenerate: {
    reply: steps(0),
    async play({ send, page }) {
      await send('First')
      await send('Second')
      await page.evaluate(() => /** @type {any} */ (window).peer.agent.regenerate())
      await send('Third')
    },
  },
  'a reload': {
    reply: steps(3),
    async play({ send, go }) {
      await send('First')
      await go('Bench')
      await send('Second')
    },
  },
  'another tab': {
    reply: steps(3),
    async play({ send, otherTab }) {
      await send('First')
      const other = await otherTab()
      await send('Second', other)
    },
  },
  'a sub-agent': {
    reply: (body) => {
      if (String(body.messages?.[0]?.content).includes('You look at shelves.'))
        return resultsIn(body) < 4 ? look(resultsIn(body)) : answer
      return resultsIn(body) < 2
        ? { calls: [{ name: 'helper', arguments: { task: 'Look at four shelves.' } }] }
        : answer
    },
    async play({ send, page }) {
      await page.evaluate(() => {
        const { agent, helper } = /** @type {any} */ (window).peer
        agent.registerTool(helper())
      })
      await send('Look twice.')
    },
  },
}

/** @param {import('../support/lab.mjs').Lab} lab */
export async function run(lab) {
  /** @type {import('../support/lab.mjs').Figure[]} */
  const figures = []
  /** @param {string} what @param {string} product @param {number} value */
  const note = (what, product, value) =>
    figures.push({ what, product, unit: '%', values: [Math.round(value * 10_000) / 100] })
  /** @param {string} name @param {string} product @param {readonly any[][]} threads @param {readonly any[]} changed */
  const noteAll = (name, product, threads, changed = []) => {
    const pairs = threads.flatMap((bodies) => bodies.slice(1).map((body, index) => ({ before: bodies[index], body })))
    const lost = pairs
      .filter(({ body }) => !changed.includes(body))
      .map(({ before, body }) => 1 - keptShare('chat', before, body))
    note(`${name}: most that is lost`, product, Math.max(...lost))
    note(`${name}: lost in the median`, product, median(lost))
    for (const [provider, price] of Object.entries(cachePrices))
      note(`${name}: cost, ${provider}`, product, costOf(threads, price))
  }
  for (const [name, conversation] of Object.entries(conversations)) {
    const { bodies, exceptions } = await converse(lab, conversation)
    const changed = exceptions.map((index) => bodies[index])
    noteAll(name, 'ours', threadsOf(bodies), changed)
    if (name === '20 steps')
      for (const [product, requests] of Object.entries(await peersInSteps(lab))) noteAll(name, product, [requests])
  }
  return figures
}

/** The requests of each conversation: those of an agent inside a call are one of their own, with its system text. */
function threadsOf(/** @type {readonly any[]} */ bodies) {
  /** @type {any[][]} */
  const threads = []
  for (const body of bodies) {
    const isFirst = body.messages.every((/** @type {any} */ { role }) => role !== 'assistant')
    const own = isFirst ? undefined : threads.findLast(([one]) => one.messages[0].content === body.messages[0].content)
    if (own) own.push(body)
    else threads.push([body])
  }
  return threads
}

/**
 * What the requests cost, as a share of what they would cost without a cache.
 * @param {readonly any[][]} threads @param {{ read: number, write: number }} price
 */
function costOf(threads, { read, write: written }) {
  let all = 0
  let paid = 0
  for (const bodies of threads)
    for (const [index, body] of bodies.entries()) {
      const text = providerText('chat', body)
      const cached = index === 0 ? 0 : commonPrefix(providerText('chat', bodies[index - 1]), text)
      all += text.length
      paid += (text.length - cached) * written + cached * read
    }
  return paid / all
}

/**
 * @param {import('../support/lab.mjs').Lab} lab
 * @param {(typeof conversations)[string]} conversation
 */
async function converse(lab, { reply, options = '', play }) {
  const { site } = lab
  /** @type {any[]} */
  const own = []
  const isSummary = (/** @type {any} */ body) => String(body.messages?.[0]?.content).startsWith('Summarize')
  const model = site.model((body) => {
    if (!isSummary(body)) own.push(body)
    return reply(body, own.length - 1)
  })
  const context = await lab.newContext()
  const page = await lab.open(undefined, { context })
  /** @type {number[]} */
  const exceptions = []
  /** Requests before the page was opened. @type {Map<Page, number>} */
  const openedAt = new Map()
  const collect = async (/** @type {Page} */ from) => {
    const cuts = /** @type {number[]} */ (await from.evaluate(() => /** @type {any} */ (window).cuts ?? []))
    exceptions.push(...cuts.map((index) => index + (openedAt.get(from) ?? 0)))
  }
  const go = async (/** @type {string} */ title, /** @type {Page} */ to = page) => {
    if (openedAt.has(to)) await collect(to)
    openedAt.set(to, own.length)
    await to.goto(site.url + site.add(agentPage({ endpoint: model.path, title, options })))
    await to.locator('html[data-ready]').waitFor({ state: 'attached' })
  }
  try {
    await go('Bench')
    await play({
      page,
      go,
      exceptions,
      count: () => own.length,
      send: (text, to = page) => converseWithPeer(to, text),
      async otherTab() {
        const other = await lab.open(undefined, { context })
        await go('Bench', other)
        return other
      },
    })
    for (const one of openedAt.keys()) await collect(one)
  } finally {
    await context.close()
  }
  return { bodies: own, exceptions }
}

/** The same steps with the other products, as far as they have them. @param {import('../support/lab.mjs').Lab} lab */
async function peersInSteps(lab) {
  /** @type {Record<string, any[]>} */
  const all = {}
  for (const product of ['ai', 'tanstack', 'page-agent']) {
    const isPageAgent = product === 'page-agent'
    const model = lab.site.model(isPageAgent ? fillOneByOne : steps(19))
    const page = await lab.open(
      lab.site.add(peerPage(product, isPageAgent ? { body: bookingBody, endpoint: model.path } : {})),
    )
    if (isPageAgent) await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    else await startPeer(page, { endpoint: model.path })
    await converseWithPeer(page, isPageAgent ? task : 'Add them up.')
    await page.context().close()
    all[product] = model.requests.map(({ body }) => body)
  }
  return all
}
