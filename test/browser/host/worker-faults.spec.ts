// The worker is killed, hangs or cannot reach the endpoint, while the page stays open.
import type { Page } from 'playwright/test'
import { deferred } from '../../support/lab/lab.js'
import { calls, expect, runs, send, settled, test } from '../../support/page/session-page.js'

/** Keeps the workers that the page starts, so that a test can kill one; and the page's clock in the test's hand. */
async function withWorkers(page: Page): Promise<void> {
  await page.clock.install()
  await page.addInitScript(() => {
    const workers: Worker[] = []
    Object.assign(window, {
      workers,
      Worker: class extends Worker {
        constructor(...given: ConstructorParameters<typeof Worker>) {
          super(...given)
          workers.push(this)
        }
      },
    })
  })
}
const kill = (page: Page) =>
  page.evaluate(() => (window as unknown as { workers: Worker[] }).workers.at(-1)?.terminate())

test(
  'a killed worker is replaced; the new one adopts running calls, and nothing runs twice',
  { tag: '@F15' },
  async ({ page, open, serveModel }) => {
    const endpoint = await serveModel([
      {
        calls: [
          { id: 'b', name: 'buy', arguments: {} },
          { id: 's', name: 'slow', arguments: {} },
        ],
      },
      { text: 'done' },
      { text: 'next' },
    ])
    await withWorkers(page)
    await page.goto(open(endpoint))
    await page.waitForFunction(() => window.agent?.host === 'worker')
    await page.evaluate(() => {
      const one: { resolve: (text: string) => void } = { resolve: () => {} }
      const held = new Promise<string>((resolve) => {
        one.resolve = resolve
      })
      Object.assign(window, { finish: () => one.resolve('slowly') })
      window.agent.registerTool({
        name: 'slow',
        description: 'Ends when it is told to',
        timeout: 0,
        execute: () => held,
      })
      sessionStorage.setItem('again', 'yes')
    })
    const sent = page.evaluate(() => window.agent.send('Go').then(({ text, reason }) => `${reason} ${text}`))
    await page.waitForFunction(() => window.agent.messages.at(-1)?.role === 'assistant')
    await expect.poll(() => calls(page)).toEqual(['buy:bought', 'slow:undefined'])
    await kill(page)
    await page.clock.runFor(30_000)
    await page.waitForFunction(() => window.agent.error?.code === 'host-lost')
    await page.evaluate(() => (window as unknown as { finish(): void }).finish())
    expect(await sent).toBe('stop done')
    expect(await calls(page)).toEqual(['buy:bought', 'slow:slowly'])
    expect(await runs(page, 'buy')).toBe(1)
    expect(await page.evaluate(() => window.agent.send('Again').then(({ text }) => text))).toBe('next')
  },
)

test(
  'after a worker is killed while the model streams, the step repeats and the queue is sent once',
  { tag: '@F15' },
  async ({ page, open, serveModel }) => {
    const hold = deferred()
    const endpoint = await serveModel([
      { text: ['half ', 'lost'], hold: hold.promise },
      { text: 'whole' },
      { text: 'second' },
    ])
    await withWorkers(page)
    await page.goto(open(endpoint))
    await page.waitForFunction(() => window.agent?.host === 'worker')
    const both = page.evaluate(() =>
      Promise.all(['One', 'Two'].map((text) => window.agent.send(text).then((result) => result.text))),
    )
    await page.waitForFunction(() => window.agent.session?.draft?.parts.length === 1)
    await kill(page)
    await page.clock.runFor(30_000)
    expect(await both).toEqual(['whole', 'second'])
    expect(await page.evaluate(() => window.agent.messages.map(({ role }) => role))).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    hold.resolve()
  },
)

test(
  'waits for the network without using an attempt',
  { tag: '@F69' },
  async ({ page, context, open, serveModel, browserName }) => {
    test.skip(browserName !== 'chromium', 'Only Chromium takes its workers offline with the page')
    const endpoint = await serveModel([{ text: 'online again' }])
    await page.goto(open(endpoint))
    await page.waitForFunction(() => window.agent?.host !== undefined)
    await page.evaluate(() => {
      Object.assign(window, { retries: [] })
      window.agent.subscribe((event) => {
        if (event.type === 'step-retry') (window as unknown as { retries: string[] }).retries.push(event.error.code)
      })
    })
    await context.setOffline(true)
    // The browser notifies the worker shortly after the page.
    await expect.poll(() => page.workers()[0]?.evaluate(() => navigator.onLine)).toBe(false)
    await send(page, 'Hello')
    await page.waitForFunction(() => (window as unknown as { retries: string[] }).retries.length === 1)
    expect(endpoint.requests).toHaveLength(0)
    await context.setOffline(false)
    await settled(page)
    // The browser takes page and worker online one after the other, so one attempt may run between.
    expect(
      await page.evaluate(() => [
        (window as unknown as { retries: string[] }).retries.join(),
        window.agent.messages.length,
      ]),
    ).toEqual([expect.stringMatching(/^offline(,offline)*(,network)?$/), 2])
  },
)

const headers = { 'content-type': 'text/javascript' }
for (const { tag, title, reply } of [
  { tag: '@F16', title: 'a missing worker file', reply: { status: 404, body: 'nothing here' } },
  {
    tag: '@F16',
    title: 'a worker file with a wrong content type',
    reply: { contentType: 'text/html', body: '<!doctype html>' },
  },
  { tag: '@F17', title: 'a worker file that does not parse', reply: { headers, body: 'const = 1' } },
  {
    tag: '@F17',
    title: 'a worker file that throws when it starts',
    reply: { headers, body: 'throw new Error("boot")' },
  },
  {
    tag: '@F20',
    title: 'a worker file of another version',
    reply: {
      headers,
      body: 'postMessage({ type: "ready", protocol: -1 }); onmessage = () => postMessage({ type: "error", error: { code: "host-lost", message: "another version" } })',
    },
  },
]) {
  test(`${title}: the host runs in the page and stores sessions`, { tag }, async ({ page, open, serveModel }) => {
    const endpoint = await serveModel([{ text: 'from the page' }])
    await page.route(/\/src\/host\/worker\.ts/, (route) => route.fulfill(reply))
    await page.goto(open(endpoint))
    expect(await page.evaluate(() => window.agent.send('Hello').then(({ text }) => text))).toBe('from the page')
    expect(await page.evaluate(() => [window.agent.host, window.agent.storage, window.agent.error])).toEqual([
      'page',
      'indexeddb',
      null,
    ])
  })
}

test(
  'a page blocked by an alert does not stop its worker, and then shows everything in order',
  { tag: '@F18' },
  async ({ page, context, open, serveModel }) => {
    const hold = deferred()
    const words = Array.from({ length: 200 }, (_, number) => `${number} `)
    const endpoint = await serveModel([{ text: words, hold: hold.promise }])
    await page.goto(open(endpoint, '&session=blocked'))
    const sent = page.evaluate(() => {
      Object.assign(window, { heard: '' })
      window.agent.subscribe((event) => {
        if (event.type === 'text-delta')
          Object.assign(window, { heard: (window as unknown as { heard: string }).heard + event.delta })
      })
      return window.agent.send('Count').then(({ text }) => text)
    })
    await page.waitForFunction(() => window.agent.session?.draft?.parts.length === 1)
    const second = await context.newPage()
    await second.goto(open(endpoint, '&session=blocked'))
    await second.waitForFunction(() => window.agent?.role === 'mirror')
    const dialog = page.waitForEvent('dialog')
    void page.evaluate(() => {
      setTimeout(() => {
        alert('Stand still')
      })
    })
    const blocking = await dialog
    hold.resolve()
    // The worker reports the end of the turn to the other tab, while its own page is blocked.
    await second.waitForFunction(() => window.agent.status === 'idle' && window.agent.messages.length === 2)
    await blocking.accept()
    expect(await sent).toBe(words.join(''))
    expect(await page.evaluate(() => (window as unknown as { heard: string }).heard)).toBe(words.join(''))
  },
)
