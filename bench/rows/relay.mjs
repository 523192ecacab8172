// What the relay costs beside a bare proxy of twenty lines that checks nothing: time and CPU per
// request, for answers of one JSON and for streams of 200 events, with 20 connections. Model, proxies and client are
// processes of their own, and the proxies take turns.
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { startChild } from '../support/child.mjs'

const connections = 20
const tools = Array.from({ length: 4 }, (_, index) => ({
  type: 'function',
  function: {
    name: `find_${index}`,
    description: 'Finds what the visitor looks for, by words of its title',
    parameters: { type: 'object', properties: { words: { type: 'string' }, count: { type: 'integer' } } },
  },
}))
const messages = [
  { role: 'system', content: 'You are the assistant of a shop. Answer in one sentence.' },
  { role: 'user', content: 'Which teapots do you have?' },
]

/** @param {Pick<import('../support/lab.mjs').Lab, 'isQuick'>} lab */
export async function run({ isQuick }) {
  // Not above: it loads the built package, and the list of rows is read without a build.
  const { secret, signSession } = await import('../support/relay-process.mjs')
  const model = await start('model')
  const proxies = {
    'bare proxy': await start('bare', `${model.url}/v1`),
    ours: await start('relay', `${model.url}/v1`),
  }
  const paths = { 'bare proxy': '/', ours: '/models/openai/chat/completions' }
  /** @type {import('../support/lab.mjs').Figure[]} */
  const figures = []
  /** @param {string} what @param {string} product @param {number} value */
  const add = (what, product, value) => {
    const figure = figures.find((one) => one.what === what && one.product === product)
    if (figure) figure.values.push(value)
    else figures.push({ what, product, unit: 'µs', values: [value] })
  }
  try {
    const headers = { cookie: `session=${await signSession('ada', { secret })}` }
    for (const [kind, stream, count] of /** @type {const} */ ([
      ['JSON', false, isQuick ? 500 : 2_000],
      ['stream', true, isQuick ? 60 : 300],
    ])) {
      const body = JSON.stringify({ model: 'small', messages, tools, stream })
      const round = async (/** @type {'bare proxy' | 'ours'} */ product, /** @type {number} */ requests) => {
        const { url, cpu } = proxies[product]
        const [cpuBefore, before] = [await cpu(), performance.now()]
        await load(url + paths[product], { requests, body, headers })
        const wall = (performance.now() - before) * 1000
        return { wall: wall / requests, cpu: ((await cpu()) - cpuBefore) / requests }
      }
      const products = /** @type {const} */ (['bare proxy', 'ours'])
      for (const product of products) await round(product, count)
      for (let turn = 0; turn < (isQuick ? 3 : 7); turn++) {
        for (const product of turn % 2 === 0 ? products : products.toReversed()) {
          const { wall, cpu } = await round(product, count)
          add(`${kind}: time per request`, product, wall)
          add(`${kind}: CPU per request`, product, cpu)
        }
      }
    }
  } finally {
    await Promise.all([model, ...Object.values(proxies)].map(({ child }) => child.close()))
  }
  return figures
}

/** @param {string[]} args */
async function start(...args) {
  const child = await startChild('relay-process.mjs', args)
  return {
    child,
    url: `http://127.0.0.1:${child.first.port}`,
    /** Microseconds so far. */
    async cpu() {
      const { user, system } = await child.ask('cpu')
      return user + system
    },
  }
}

/** @param {string} url @param {{ requests: number, body: string, headers: Record<string, string> }} options */
async function load(url, { requests, body, headers }) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const given = {
    ...headers,
    origin: new URL(url).origin,
    accept: 'text/event-stream',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  }
  let left = requests
  const work = async () => {
    while (left-- > 0) {
      const call = request(url, { method: 'POST', agent, headers: given })
      call.end(body)
      const [answer] = await once(call, 'response')
      let text = ''
      answer.on('data', (/** @type {Buffer} */ chunk) => (text += chunk))
      await once(answer, 'end')
      if (answer.statusCode !== 200 || !text.includes('word ')) throw new Error(`${answer.statusCode}: ${text}`)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  agent.destroy()
}
