// `node playground/sessions/record.mjs`: records the sessions that the playground replays. Run it after a change of the
// demos or of the trace format. It uses the demos with the offline model, and approves what they ask for.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { createServer } from 'vite'
import { candidates, launchSettings } from '../../scripts/browsers.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const sessions = [
  {
    name: 'booking',
    path: 'booking/',
    says: [
      'A table for 4 on Friday at 19:30 for Ada Lovelace, ada@example.org, no shellfish',
      'move it to next Sunday',
      // The model asks which Sunday is meant, and offers both.
      { offer: 1 },
      'what did you fill in?',
      'undo that',
    ],
  },
  {
    name: 'cart',
    path: 'shop/cart.html',
    says: ['What is in my cart?', 'Apply the coupon TEA10', 'Apply the coupon FREETEA'],
    cart: { lines: [{ productId: 'pot-kyoto', quantity: 1 }] },
  },
  {
    name: 'orders',
    path: 'orders/',
    says: ['Show the orders from London', 'Mark order 4148 as packed', 'delete order 4140'],
  },
]

const server = await createServer({
  root,
  logLevel: 'error',
  cacheDir: 'node_modules/.vite/recordings',
  server: { port: 0, hmr: false, ws: false },
})
await server.listen()
const base = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
const found = candidates('chromium')[0]
const browser = await chromium.launch(found ? launchSettings(found).launchOptions : {})
try {
  for (const { name, path, says, cart } of sessions) {
    const page = await browser.newPage({ locale: 'en-GB' })
    await page.addInitScript(
      ([stored]) => {
        sessionStorage.setItem('playground-pace', '0')
        if (stored) localStorage.setItem('kettle-and-leaf-cart', stored)
      },
      [cart && JSON.stringify(cart)],
    )
    await page.goto(`${base}/playground/${path}`)
    await page.waitForFunction(() => /** @type {any} */ (document.querySelector('tool-agent'))?.tools?.length > 4)
    const trace = await page.evaluate(async (texts) => {
      const agent = /** @type {any} */ (document.querySelector('tool-agent'))
      agent.addEventListener('tool-agent-approval-request', (/** @type {any} */ { call }) => agent.approve(call.id))
      for (const text of texts) await agent.send(typeof text === 'string' ? text : agent.followUps[text.offer])
      return agent.exportTrace()
    }, says)
    // The inspector records requests and responses as well, which no replay needs.
    trace.events = trace.events.filter(
      (/** @type {any} */ { event }) => !/^step-(?:request|response)$/.test(event?.type ?? ''),
    )
    writeFileSync(`${root}playground/sessions/${name}.session.json`, `${JSON.stringify(trace)}\n`)
    process.stdout.write(`${name}: ${trace.events.length} events, ${JSON.stringify(trace).length} characters\n`)
    await page.close()
  }
} finally {
  await browser.close()
  await server.close()
}
