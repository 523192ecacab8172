// The jobs of the playground: a booking, a purchase over two pages, and the order desk. Run after `npm run build` with
// `node dist/cli.mjs eval evals/playground.mjs`. The offline model does the first two.
import { defineEvals } from 'tool-agent/testing'

/** @typedef {import('playwright').Page} Page */

const port = 5187
const url = `http://127.0.0.1:${port}`

/** The page has a model of its own, so it is told to ask the server, whose requests the runner answers. @param {Page} page */
const useServer = async (page) => {
  await page.evaluate(() => sessionStorage.setItem('playground-model', JSON.stringify({ kind: 'server' })))
  await page.reload()
  await page.waitForFunction(() => document.querySelector('tool-agent')?.endpoint === '/v1')
}

/** What the booking form would send. @param {Page} page */
const booked = (page) =>
  page.evaluate(() => {
    const form = document.querySelector('#booking')
    return Object.fromEntries(form instanceof HTMLFormElement ? new FormData(form) : [])
  })

/** The orders, as the desk keeps them. @param {Page} page */
const statusesOf = (page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('tbody tr')].map((row) => row.textContent?.replaceAll(/\s+/g, ' ').trim() ?? ''),
  )

export default defineEvals(
  /** @type {import('tool-agent/testing').EvalSuite<Page>} */ ({
    webServer: { command: `npx vite --port ${port} --strictPort`, url },
    evals: [
      {
        name: 'booking',
        page: '/playground/booking/',
        prompt:
          'Book a table for four on Friday at 19:30 for Ada Lovelace, ada@example.org. No shellfish. ' +
          'Only fill in the form, I send it myself.',
        setup: useServer,
        async check({ page }) {
          const { guests, time, lastName, email, notes } = await booked(page)
          const isFilled = guests === '4' && time === '19:30' && lastName === 'Lovelace' && email === 'ada@example.org'
          return isFilled && /shellfish/i.test(String(notes)) && !(await page.isVisible('#confirmation'))
        },
      },
      {
        name: 'shop',
        page: '/playground/shop/',
        prompt: 'find the cheapest teapot, then add two to the cart, then apply the coupon TEA10',
        setup: useServer,
        async check({ page }) {
          const cart = await page.evaluate(() => JSON.parse(localStorage.getItem('kettle-and-leaf-cart') ?? '{}'))
          return cart.coupon === 'TEA10' && cart.lines?.length === 1 && cart.lines[0].quantity === 2
        },
      },
      {
        name: 'order-desk',
        page: '/playground/orders/',
        prompt: 'Sort the orders by total and cancel the first order on the second page.',
        setup: useServer,
        check: async ({ page }) => (await statusesOf(page)).some((row) => /cancelled/i.test(row)),
      },
    ],
  }),
)
