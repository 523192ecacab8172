// Real libraries while the visitor takes 20 seconds for the question: what they send is sent once or never, and they see
// what they see by hand or on a lost network. What measures the page goes on meanwhile, and is never asked about.
import type { Page } from 'playwright/test'
import { resultsOf } from '../../../support/lab/requests.js'
import { allow, asked, card, click, deny, fill } from '../../../support/page/held-page.js'
import { expect } from '../../../support/page/frameworks.js'
import { cases, fixture, openWithElement, steady, test } from '../../../support/page/library-page.js'
import { send, settled } from '../../../support/page/session-page.js'

// Each test waits in real time, because the time limits of libraries and of the browser follow no clock of a test.
test.describe.configure({ mode: 'parallel' })

/** In Chromium alone: without the Navigation API each press asks before, and nothing is held. */
const inOneEngine = { tag: '@long' }
/** Milliseconds that the visitor takes. A hold ends after 25 seconds. */
const hesitation = 20_000

interface Watched {
  /** When the page got its newest click. */
  clickedAt: number
}

/** Notes when the page is clicked. */
const watchClicks = (page: Page) =>
  page.addInitScript(() => {
    const note = () => {
      ;(window as unknown as Watched).clickedAt = performance.now()
    }
    addEventListener('click', note, true)
  })

/** Waits until the press of the assistant is as old as the visitor hesitates. */
const hesitate = (page: Page) =>
  page.waitForFunction((time) => performance.now() - (window as unknown as Watched).clickedAt >= time, hesitation, {
    polling: 100,
    timeout: 2 * hesitation,
  })

/** A library whose own time limit is shorter: it gives up, and the question is about another press. */
const isImpatient = (library: string): boolean => library === 'ky.js'

for (const { library, button, sends, kept, stopped } of cases) {
  test.describe(`${library}, ${button}`, inOneEngine, () => {
    if (!isImpatient(library))
      test('allowed after 20 s: is sent once, and the library sees what it sees by hand', async ({
        page,
        libraries: site,
        serveModel,
      }) => {
        const endpoint = await serveModel([click(button), { text: 'Done.' }])
        const byHand = page.locator('#app').getByRole('button', { name: button, exact: true })
        await watchClicks(page)
        await openWithElement(page, site, library, { endpoint })
        await byHand.click()
        const seen = await steady(page, kept)
        const sent = site.received.splice(0)
        expect(sent).toEqual([expect.objectContaining(sends)])

        await openWithElement(page, site, library, { endpoint })
        await send(page, 'Go')
        await asked(page)
        await hesitate(page)
        expect(site.received).toEqual([])
        await allow(page)
        await settled(page)
        expect(await steady(page, kept)).toBe(seen)
        expect(site.received).toEqual(sent)
        expect(resultsOf(endpoint.requests[1])[0]).toMatch(new RegExp(`sent: ${sends.method} ${sends.path}.*, 20[01]`))

        // The page works on.
        await byHand.click()
        await expect.poll(() => site.received).toEqual([...sent, ...sent])
      })

    test('denied: nothing is sent, and the library sees a lost network', async ({
      page,
      libraries: site,
      serveModel,
    }) => {
      const endpoint = await serveModel([click(button), { text: 'Done.' }])
      await openWithElement(page, site, library, { endpoint })
      await send(page, 'Go')
      await deny(page)
      await settled(page)
      await expect.poll(() => fixture<unknown>(page, kept)).toMatchObject(stopped)
      expect(site.received).toEqual([])
      const [told] = resultsOf(endpoint.requests[1])
      expect(told).toContain(`would send ${sends.method} ${sends.path}`)
      expect(told).toContain('The page may show it.')
    })
  })
}

test(
  'ky gives up after its own 10 s: the question is about another press, which sends once',
  inOneEngine,
  async ({ page, libraries: site, serveModel }) => {
    const endpoint = await serveModel([click('Send'), { text: 'Done.' }])
    await watchClicks(page)
    await openWithElement(page, site, 'ky.js', { endpoint })
    await send(page, 'Go')
    await asked(page)
    await expect.poll(() => fixture(page, 'seen')).toMatchObject([{ error: { name: 'TimeoutError' } }])
    await hesitate(page)
    expect(site.received).toEqual([])
    await allow(page)
    await settled(page)
    await expect.poll(() => fixture(page, 'seen')).toMatchObject([{ error: { name: 'TimeoutError' } }, { value: 201 }])
    expect(site.received).toHaveLength(1)
    expect(resultsOf(endpoint.requests[1])[0]).toContain('sent: POST /api/orders, 201')
  },
)

test(
  'what a service worker sends itself is not held, and the next press asks before',
  inOneEngine,
  async ({ page, libraries: site, serveModel }) => {
    const endpoint = await serveModel([click('By the worker', 'a'), click('Send', 'b'), { text: 'Done.' }])
    await openWithElement(page, site, 'worker.js', { endpoint })
    await send(page, 'Go')
    await asked(page)
    expect(site.received).toEqual([expect.objectContaining({ body: 'by the worker' })])
    expect(await fixture(page, 'seen')).toEqual([])
    await allow(page)
    await settled(page)
    expect(site.received.map(({ body }) => body)).toEqual(['by the worker', 'one'])
  },
)

/** Where each library sends to. */
const measuring = [
  ['Sentry', 'sentry-measured.js', /^\/api\/1\/envelope\/$/],
  ['Datadog', 'datadog-measured.js', /^\/api\/datadog$/],
  ['PostHog', 'telemetry/posthog.js', /^\/e\/$/],
  ['Segment', 'telemetry/segment.js', /^\/v1\/t$/],
  ['Google Analytics by beacons', 'telemetry/ga4.js', /^\/g\/collect$/],
  ['Google Analytics by fetch', 'telemetry/gtag.js', /^\/g\/collect$/],
] as const

/** What sends nothing that anybody must be asked about. */
const harmless = [click('Details', 'a'), click('Opening hours', 'b'), fill({ Name: 'Zoë Quill' }, 'c')]

for (const [name, library, path] of measuring)
  test(
    `${name} measures presses, fills, and while something is held for 20 s, without a question`,
    inOneEngine,
    async ({ page, libraries: site, serveModel }) => {
      const endpoint = await serveModel([...harmless, click('Details', 'd'), click('Save', 'e'), { text: 'Done.' }])
      /** What the library has told of since. */
      const measured = (what: string): number =>
        site.telemetry.filter((one) => path.test(one.path) && `${one.query} ${one.body}`.includes(what)).length
      await watchClicks(page)
      await openWithElement(page, site, library, { endpoint })
      await send(page, 'Go')
      await asked(page)
      expect(await card(page).getAttribute('data-call')).toBe('e')
      await page.evaluate(() => (window as unknown as { fixture: { note(): void } }).fixture.note())
      for (const what of ['details', 'hours', 'filled', 'saved', 'while-held'])
        await expect.poll(() => measured(what), { message: what }).toBeGreaterThan(0)
      await hesitate(page)
      expect(site.received).toEqual([])
      await allow(page)
      await settled(page)
      expect(site.received).toEqual([expect.objectContaining({ method: 'POST', path: '/api/orders', body: 'one' })])
      await expect.poll(() => fixture(page, 'seen')).toHaveLength(1)
      expect(resultsOf(endpoint.requests.at(-1)).every((told) => !told.includes('would send'))).toBe(true)
    },
  )

for (const [name, library, path] of measuring)
  test(
    `${name}, loaded before the tag: presses that only show something need no question`,
    inOneEngine,
    async ({ page, libraries: site, serveModel }) => {
      const endpoint = await serveModel([...harmless, click('Opening hours', 'd'), { text: 'Done.' }])
      const measured = (): number => site.telemetry.filter((one) => path.test(one.path)).length
      await openWithElement(page, site, library, { endpoint, order: 'after' })
      await send(page, 'Go')
      // A question would wait for ever.
      await settled(page)
      await expect.poll(measured).toBeGreaterThan(0)
      expect(resultsOf(endpoint.requests.at(-1)).filter((told) => told.startsWith('Error'))).toEqual([])
    },
  )

test(
  'what only a library that measures has sent says nothing about the page: a press asks before',
  inOneEngine,
  async ({ page, libraries: site, serveModel }) => {
    const endpoint = await serveModel([click('Opening hours'), { text: 'Done.' }])
    await openWithElement(page, site, 'sentry-measured.js', { endpoint, isProven: false })
    await expect.poll(() => site.telemetry.length).toBeGreaterThan(0)
    await send(page, 'Go')
    await asked(page)
    await expect(card(page)).toContainText('Press “Opening hours”?')
    await allow(page)
    await settled(page)
  },
)

test(
  'Sentry through the site of the page sends by a function that is watched',
  inOneEngine,
  async ({ page, libraries: site, serveModel }) => {
    const endpoint = await serveModel([click('Details', 'a'), click('Opening hours', 'b'), { text: 'Done.' }])
    await openWithElement(page, site, 'sentry-tunnel.js', { endpoint })
    await expect.poll(() => site.received.map(({ path }) => path)).toContain('/api/tunnel')
    await send(page, 'Go')
    // A question would wait for ever.
    await settled(page)
    await expect.poll(() => site.received.filter(({ body }) => /details|hours/.test(body)).length).toBe(2)
  },
)

test(
  'what is packed is read: with a value that was filled in, it is no telemetry',
  inOneEngine,
  async ({ page, libraries: site, serveModel }) => {
    const endpoint = await serveModel([
      fill({ Name: 'Zoë Quill' }, 'a'),
      click('Opening hours', 'b'),
      { text: 'Done.' },
    ])
    await openWithElement(page, site, 'telemetry/posthog.js', { endpoint })
    await page.evaluate((address) => {
      const track = async () => {
        const properties = { name: document.querySelector('input')?.value }
        const body = new Blob([JSON.stringify({ api_key: 'k', batch: [{ uuid: 'u', event: 'x', properties }] })])
        const packed = await new Response(body.stream().pipeThrough(new CompressionStream('gzip'))).blob()
        await fetch(address, { method: 'POST', body: packed })
      }
      document.getElementById('card')?.addEventListener('click', () => void track().catch(() => undefined))
    }, `${site.telemetryUrl}/e/`)
    await send(page, 'Go')
    await asked(page)
    expect(await card(page).getAttribute('data-call')).toBe('b')
    await expect(card(page)).toContainText('Zoë Quill')
    await deny(page)
    await settled(page)
    expect(site.telemetry.filter(({ body }) => body.includes('Quill'))).toEqual([])
  },
)
