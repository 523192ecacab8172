// `node bench/page-read.mjs [dist] [other dist]`: main-thread CPU, longest task and characters of page_read on large
// pages, for one build or for two in turns. Pages: a synthetic one, and recorded ones if the corpora are there. With
// two builds it also says whether their answers are equal. `--only=word` measures the recorded pages with this word in
// their name, `--rounds=9` more often. `--all` compares the answers on every recorded page and measures nothing.
import { readFileSync, readdirSync } from 'node:fs'
import { createServer } from 'node:http'
import { join, resolve } from 'node:path'
import { chromium } from 'playwright'
import { candidates, launchSettings } from '../scripts/browsers.mjs'

const args = process.argv.slice(2)
const builds = args.filter((arg) => !arg.startsWith('--')).map((path) => resolve(path))
if (builds.length === 0) builds.push(resolve('dist'))
const isComparison = args.includes('--all')
const rounds = Number(/--rounds=(\d+)/.exec(args.join(' '))?.[1] ?? 5)
const forms = join(process.env.TOOL_AGENT_CORPORA ?? resolve('../shared/corpora'), 'forms')

/** About 5,000 elements: landmarks, tables with links and buttons, cards, forms. */
function syntheticPage() {
  const row = (/** @type {number} */ at) =>
    `<tr><td><a href="/orders/${at}">Order ${at}</a></td><td>Customer ${at}</td><td>${at * 3},00 €</td>` +
    `<td><button>Edit</button><button>Cancel order ${at}</button></td></tr>`
  const card = (/** @type {number} */ at) =>
    `<li class="card"><h3>Product ${at}</h3><p>It is <b>sturdy</b> and costs <i>${at} €</i>.</p>` +
    `<a href="/p/${at}">Details</a><button>Add to cart</button></li>`
  const field = (/** @type {number} */ at) =>
    `<p><label for="f${at}">Field ${at}</label><input id="f${at}" name="f${at}" value="value ${at}"></p>`
  const many = (/** @type {number} */ count, /** @type {(at: number) => string} */ part) =>
    Array.from({ length: count }, (_, at) => part(at + 1)).join('')
  return (
    `<!doctype html><title>Synthetic</title><main><h1>Orders</h1><table><tr><th>Order<th>Customer<th>Sum<th>Actions` +
    `${many(250, row)}</table><section><h2>Products</h2><ul>${many(250, card)}</ul></section>` +
    `<form><fieldset><legend>Data</legend>${many(150, field)}<button>Save</button></fieldset></form></main>`
  )
}

/** The recorded page without its scripts, as after they ran. @param {string} file */
const recordedPage = (file) => {
  const body = readFileSync(join(forms, file), 'utf8')
    .replace(/<script[\s\S]*?<\/script>/gi, '')
    .replace(/<base\b[^>]*>|<meta[^>]*http-equiv[^>]*>/gi, '')
  return `${/^\s*<!doctype/i.test(body) ? '' : '<!doctype html>'}<base href="https://corpus.invalid/">${body}`
}

/** @returns {string[]} */
function recordings() {
  try {
    return readdirSync(forms).filter((name) => name.endsWith('.html'))
  } catch {
    console.log(`No recorded pages at ${forms}.`)
    return []
  }
}
const only = /--only=(\S+)/.exec(args.join(' '))?.[1]
const large =
  only === undefined ? ['microfocus', 'singaporeair', 'cams_', 'opticsplanet', 'google_store', 'apple_signup'] : [only]
const recorded = recordings().filter((name) => isComparison || large.some((word) => name.includes(word)))
const pages = new Map([
  ['synthetic', syntheticPage()],
  ...recorded.map((name) => /** @type {[string, string]} */ ([name, recordedPage(name)])),
])

const server = createServer((request, response) => {
  const [, folder = '', name = ''] = /^\/(\w+)\/([^?]+)/.exec(decodeURI(request.url ?? '')) ?? []
  const html = folder === 'page' ? pages.get(name) : undefined
  const build = builds[Number(/^build(\d)$/.exec(folder)?.[1] ?? NaN)]
  try {
    const body = html ?? readFileSync(join(build ?? '', name))
    response.setHeader('content-type', html === undefined ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(body)
  } catch {
    response.writeHead(404).end()
  }
})
await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)))
const address = server.address()
const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`

/** Runs in the page. @param {{ script: string, reads: number }} given */
async function readPage({ script, reads }) {
  const { readTools } = await import(script)
  const tool = readTools().find((/** @type {{ name: string }} */ { name }) => name === 'page_read')
  const run = { signal: new AbortController().signal, sessionId: 's', toolCallId: 'c', messages: [] }
  const { port1, port2 } = new MessageChannel()
  let last = 0
  let longest = 0
  port1.onmessage = () => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
    port2.postMessage(null)
  }
  const pause = () => new Promise((done) => setTimeout(done, 5))
  await pause()
  last = performance.now()
  port2.postMessage(null)
  await pause()
  longest = 0
  for (let read = 0; read < reads; read++) {
    await tool.execute({}, run)
    await pause()
  }
  port1.close()
  return longest
}

/** The whole outline. Runs in the page. @param {string} script */
async function readWhole(script) {
  const { readTools } = await import(script)
  const tool = readTools().find((/** @type {{ name: string }} */ { name }) => name === 'page_read')
  const run = { signal: new AbortController().signal, sessionId: 's', toolCallId: 'c', messages: [] }
  let answer = await tool.execute({ maxChars: 40_000 }, run)
  let text = answer
  for (let cursor; (cursor = /next: cursor "([^"]+)"\)$/.exec(answer)?.[1]); text += `\n${answer}`)
    answer = await tool.execute({ cursor, maxChars: 40_000 }, run)
  return { text, elements: document.querySelectorAll('*').length }
}

const [found] = candidates('chromium')
const browser = await chromium.launch(found ? launchSettings(found).launchOptions : {})
const median = (/** @type {number[]} */ numbers) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0

/**
 * A new tab with the page.
 * @template T @param {string} name @param {(page: import('playwright').Page) => Promise<T>} use
 */
async function inPage(name, use) {
  const page = await browser.newPage()
  await page.route(
    (url) => url.origin !== origin,
    (route) => route.abort(),
  )
  await page.goto(`${origin}/page/${encodeURI(name)}`)
  try {
    return await use(page)
  } finally {
    await page.close()
  }
}

/** @param {string} name @param {number} build */
const whole = (name, build) => inPage(name, (page) => page.evaluate(readWhole, `${origin}/build${build}/tools.js`))

/** CPU and longest task in ms, of the first reading or of the later ones. @param {string} name @param {number} build */
const measure = (name, build) =>
  inPage(name, async (page) => {
    const session = await page.context().newCDPSession(page)
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    const cpu = async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      return 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0)
    }
    const script = `${origin}/build${build}/tools.js`
    const results = []
    for (const reads of [1, 3]) {
      const before = await cpu()
      const longest = await page.evaluate(readPage, { script, reads })
      results.push({ cpu: ((await cpu()) - before) / reads, longest })
    }
    return results
  })

const rows = []
try {
  for (const name of pages.keys()) {
    const texts = []
    for (const build of builds.keys()) texts.push(await whole(name, build))
    const [first, second] = texts
    const same = second && first?.text === second.text
    if (isComparison) {
      if (second && !same) {
        const [lines, others] = [first?.text.split('\n') ?? [], second.text.split('\n')]
        const at = lines.findIndex((line, index) => line !== others[index])
        console.log(`${name}: line ${at + 1}\n  ${lines[at]}\n  ${others[at]}`)
      }
      rows.push(same)
      continue
    }
    const times = builds.map(() => /** @type {Awaited<ReturnType<typeof measure>>[]} */ ([]))
    for (let round = 0; round < rounds; round++)
      for (const build of builds.keys()) times[build]?.push(await measure(name, build))
    for (const [build, runs] of times.entries()) {
      const of = (/** @type {number} */ at, /** @type {'cpu' | 'longest'} */ key) =>
        Number(median(runs.map((run) => run[at]?.[key] ?? 0)).toFixed(1))
      const text = texts[build]?.text ?? ''
      rows.push({
        page: name.slice(0, 24),
        build,
        elements: texts[build]?.elements,
        'first cpu': of(0, 'cpu'),
        'first longest': of(0, 'longest'),
        cpu: of(1, 'cpu'),
        longest: of(1, 'longest'),
        characters: text.length,
        refs: text.match(/\[ref=e\d+\]/g)?.length ?? 0,
        ...(builds.length > 1 ? { same } : {}),
      })
    }
    console.table(rows.slice(-builds.length))
  }
} finally {
  await browser.close()
  server.close()
}
if (isComparison) console.log(`${rows.filter(Boolean).length} of ${rows.length} pages equal`)
else console.table(rows)
