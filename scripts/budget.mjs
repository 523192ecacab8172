// Measures what a visitor downloads: the sum of gzip of every file of the package that a real browser fetches in a
// scenario. `npm run budget` prints the files of each scenario and fails above a limit; a test checks the same limits.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { chromium } from 'playwright'
import { candidates, launchSettings } from './browsers.mjs'
import { requireNode } from './node-version.mjs'

/** @typedef {{ file: string, size: number }} Download A file of the package, and its bytes with gzip. */
/** @typedef {{ name: string, arguments: object }[]} Calls The calls of one answer of the model. */
/**
 * What a visitor does, and at most how many KiB and files it may fetch. A limit may have slack: no code exists for bytes
 * alone.
 * @typedef {{ about: string, kib: number, files: number, attributes: string, calls?: Calls[], allows?: number }} Scenario
 */

const items = ['Read', 'Fill', 'Tell'].map((text) => ({ text, status: 'completed' }))
const fields = [
  { field: 'Name', value: 'Ada' },
  { field: 'Country', value: 'Spain' },
  { field: 'Seat', value: 'Window' },
  { field: 'Day', value: '2026-11-27' },
]
/** @type {Calls[]} */
const job = [
  [{ name: 'page_read', arguments: {} }],
  [
    { name: 'form_fill', arguments: { fields } },
    { name: 'todo_write', arguments: { items } },
  ],
  [{ name: 'order', arguments: {} }],
]

/** @type {Record<'closed' | 'visible' | 'job' | 'act', Scenario>} */
export const scenarios = {
  closed: { about: 'a closed launcher', kib: 33.8, files: 4, attributes: 'layout="floating" page-tools="read fill"' },
  visible: {
    about: 'a visible panel, with the code for the first message; nobody has typed',
    kib: 159.3,
    files: 6,
    attributes: 'layout="floating" open page-tools="read fill"',
  },
  job: {
    about: 'a message, a page read, a form filled, todos, a question, a list and a link, and a reload',
    kib: 383.3,
    files: 14,
    attributes: 'layout="floating" open page-tools="read fill"',
    calls: job,
    allows: 1,
  },
  act: {
    about: 'the same, with `act` and a click that asks',
    kib: 422.3,
    files: 16,
    attributes: 'layout="floating" open page-tools="read fill act"',
    calls: [...job, [{ name: 'page_click', arguments: { target: 'Book' } }]],
    allows: 2,
  },
}

const html = (/** @type {string} */ attributes) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Shop</title><link rel="icon" href="data:,">
<script type="module" src="/tool-agent/tool-agent.js"></script><script type="module" src="/page.js"></script></head>
<body><form aria-label="Booking" onsubmit="return false"><label>Name <input name="name"></label>
<label>Country <select name="country"><option>France</option><option>Spain</option></select></label>
<fieldset><legend>Seat</legend><label><input type="radio" name="seat" value="a"> Aisle</label>
<label><input type="radio" name="seat" value="w"> Window</label></fieldset>
<label>Day <input name="day" type="date"></label><button type="button">Book</button></form>
<tool-agent endpoint="/v1" model="m" ${attributes}></tool-agent></body></html>`
const script = `await customElements.whenDefined('tool-agent')
document.querySelector('tool-agent').registerTool({
  name: 'order', description: 'Orders what the form says', needsApproval: true, execute: () => 'ordered',
})`
const answer = 'Done:\n\n- **Ada**\n- one seat\n\nSee [the shop](https://shop.example/).'

/**
 * The files of the package that `scenario` fetches. Serves the package and a scripted model on a loopback port.
 * @param {import('playwright').Browser} browser @param {string} dist @param {Scenario} scenario
 * @returns {Promise<Download[]>}
 */
export async function downloadsOf(browser, dist, { attributes, calls, allows = 0 }) {
  /** @type {Map<string, number>} */
  const fetched = new Map()
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    if (path.startsWith('/v1/')) {
      let body = ''
      request.on('data', (part) => (body += part))
      request.on('end', () => reply(response, calls ?? [], JSON.parse(body)))
      return
    }
    const file = path.startsWith('/tool-agent/') ? join(dist, path.slice('/tool-agent/'.length)) : undefined
    if (file !== undefined && extname(file) === '.js' && existsSync(file)) {
      const code = readFileSync(file)
      fetched.set(path.slice('/tool-agent/'.length), gzipSync(code, { level: 9 }).length)
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(code)
    } else if (path === '/page.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(script)
    else if (path === '/') response.writeHead(200, { 'content-type': 'text/html' }).end(html(attributes))
    else response.writeHead(404).end()
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, locale: 'en' })
  try {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${address.port}/`)
    await page.locator('tool-agent').getByRole('button').first().waitFor()
    if (calls) await haveDone(page, allows)
    await page.waitForLoadState('networkidle')
  } finally {
    await context.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return [...fetched].map(([file, size]) => ({ file, size }))
}

/** Sends a message, allows the calls that ask, and loads the page again. @param {import('playwright').Page} page @param {number} allows */
async function haveDone(page, allows) {
  const element = page.locator('tool-agent')
  await element.locator('textarea').click()
  await page.keyboard.type('Book a window seat for Ada')
  await page.keyboard.press('Enter')
  for (let count = 0; count < allows; count++) {
    const card = element.locator('tool-agent-approval:has(.decision[data-ready])')
    const call = await card.getAttribute('data-call')
    await card.locator('.approve').click()
    // The next question may follow at once.
    await element.locator(`tool-agent-approval[data-call="${call}"]`).waitFor({ state: 'detached' })
  }
  await element.getByRole('link', { name: 'the shop' }).waitFor()
  const day = await page.getByLabel('Day').inputValue()
  if (day !== '2026-11-27') throw new Error(`The job left ${JSON.stringify(day)} in the form`)
  await page.reload()
  await element.getByRole('link', { name: 'the shop' }).waitFor()
  await element.getByText('3 of 3 done').waitFor()
}

/**
 * Answers with the calls after as many as have results, or with the text.
 * @param {import('node:http').ServerResponse} response @param {Calls[]} calls
 * @param {{ messages: { role: string }[] }} body
 */
function reply(response, calls, { messages }) {
  const steps = messages.filter(({ role }) => role === 'assistant').length
  const next = calls[steps]
  const delta = next
    ? {
        tool_calls: next.map((one, index) => ({
          index,
          id: `call_of_step_${steps}_${index}`,
          type: 'function',
          function: { name: one.name, arguments: JSON.stringify(one.arguments) },
        })),
      }
    : { content: answer }
  const event = { choices: [{ index: 0, delta, finish_reason: next ? 'tool_calls' : 'stop' }] }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.end(`data: ${JSON.stringify(event)}\n\ndata: [DONE]\n\n`)
}

/** One sentence per limit that the files of a scenario exceed. @param {Scenario} scenario @param {readonly Download[]} files */
export function exceededLimits(scenario, files) {
  const size = kibOf(files)
  return [
    ...(size > scenario.kib ? [`${size.toFixed(1)} KiB, at most ${scenario.kib} are allowed`] : []),
    ...(files.length > scenario.files ? [`${files.length} files, at most ${scenario.files} are allowed`] : []),
  ]
}

/** @param {readonly Download[]} files */
export function kibOf(files) {
  return files.reduce((sum, { size }) => sum + size, 0) / 1024
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode()
  const dist = fileURLToPath(new URL('../dist', import.meta.url))
  const [found] = candidates('chromium')
  if (!existsSync(join(dist, 'tool-agent.js')) || found === undefined) {
    process.stderr.write(found ? 'dist/ does not exist: run `npm run build` first\n' : 'Chromium was not found\n')
    process.exit(1)
  }
  const browser = await chromium.launch(launchSettings(found).launchOptions)
  try {
    for (const [name, scenario] of Object.entries(scenarios)) {
      const files = await downloadsOf(browser, dist, scenario)
      const lines = files.map(({ file, size }) => `${(size / 1024).toFixed(1).padStart(8)}  ${file}`)
      const sum = `${kibOf(files).toFixed(1).padStart(8)} of ${scenario.kib} KiB, ${files.length} of ${scenario.files} files`
      process.stdout.write(`${name}: ${scenario.about}\n${lines.join('\n')}\n${sum}\n\n`)
      for (const line of exceededLimits(scenario, files)) {
        process.stderr.write(`Over budget: ${name}: ${line}\n`)
        process.exitCode = 1
      }
    }
  } finally {
    await browser.close()
  }
}
