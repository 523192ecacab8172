// Faults of the model endpoint that depend on the browser: its network stack, its policies, its threads. One session in
// one page plays the whole list, with the host in a worker and in the page.
import type { Page } from 'playwright/test'
import type { Met } from '../../pages/session/endpoint-faults.js'
import { startEndpoint, type RawChunk } from '../../support/lab/endpoint.js'
import { chunk, faults } from '../../support/faults/faults.js'
import { historyFaults } from '../../support/lab/history.js'
import { deferred } from '../../support/lab/lab.js'
import { sample } from '../../support/project/long.js'
import { expect, test as base } from '../../support/page/session-page.js'
import { serveStatic } from '../../support/page/static-server.js'

declare global {
  interface Window {
    meet(text: string): Promise<Met>
    faultSeen: Promise<void>
    runs: Map<string, number>
    unheard: string[]
  }
}

const pageUrl = (site: string, endpoint: string, more = '') =>
  `${site}/test/pages/session/endpoint-faults.html?endpoint=${encodeURIComponent(endpoint)}${more}`
const rungs = { worker: '', page: '&worker=/test/pages/no-worker.js' }
const meet = (page: Page, text: string) => page.evaluate((said) => window.meet(said), text)
const test = base.extend<{ faultPage(endpoint: string, more?: string): Promise<Page> }>({
  faultPage: async ({ page, site }, use) => {
    await use(async (endpoint, more) => {
      await page.goto(pageUrl(site, endpoint, more))
      await page.waitForFunction(() => window.agent !== undefined)
      return page
    })
    expect(await page.evaluate(() => window.unheard ?? []), 'no rejection is unhandled').toEqual([])
  },
})

for (const [rung, more] of Object.entries(rungs)) {
  test(
    `one session survives every endpoint fault, host in the ${rung}`,
    {
      tag: [
        '@matrix',
        '@F45',
        '@F46',
        '@F47',
        '@F48',
        '@F50',
        '@F51',
        '@F52',
        '@F53',
        '@F56',
        '@F57',
        '@F58',
        '@F59',
        '@F60',
        '@F61',
        '@F62',
        '@F63',
        '@F64',
      ],
    },
    async ({ faultPage }) => {
      test.setTimeout(240_000)
      const endpoint = await startEndpoint([{ text: 'saved' }], { keepAlive: false })
      try {
        const page = await faultPage(endpoint.url, more)
        expect(await meet(page, 'Before')).toMatchObject({ how: 'stop', kept: 'saved' })
        expect(await page.evaluate(() => window.agent.host)).toBe(rung)
        const table: string[] = []
        // The node specs play every fault in the default run.
        for (const [index, fault] of sample(faults, rung === 'worker' ? 4 : 8).entries()) {
          const seen = deferred()
          endpoint.push(...fault.script(seen.promise, false))
          await page.evaluate(
            (limits) => {
              window.agent.configure({ ...window.agent.options, limits })
            },
            (fault.limits as object) ?? {},
          )
          const turn = meet(page, `Meet ${index}`)
          void page
            .evaluate(() => window.faultSeen)
            .then(
              () => seen.resolve(),
              () => undefined,
            )
          const { how, says, shown, kept, buys, codes } = await turn
          table.push(`${fault.name.padEnd(92)} ${how}`)
          expect([fault.name, how]).toEqual([fault.name, fault.outcome])
          if (fault.says) expect(says).toMatch(fault.says)
          if (shown !== '')
            expect([fault.name, kept === shown || [kept.slice(0, 200), shown.slice(0, 200)]]).toEqual([
              fault.name,
              true,
            ])
          if (fault.text !== undefined && fault.text !== 'flood')
            expect([fault.name, shown === fault.text || shown.slice(0, 200)]).toEqual([fault.name, true])
          if (fault.buys !== -1) expect([fault.name, buys]).toEqual([fault.name, fault.buys ?? 0])
          expect(codes).toEqual(fault.codes ?? [])
          expect(endpoint.left).toBe(0)
          endpoint.push({ text: `next ${index}` })
          await page.evaluate(() => {
            window.agent.configure({ ...window.agent.options, limits: {} })
          })
          expect(await meet(page, 'Next')).toMatchObject({ how: 'stop', kept: `next ${index}` })
        }
        console.log([`fault, met in the ${rung}`.padEnd(92) + ' ends as', ...table].join('\n'))
        expect(await page.evaluate(() => [...window.runs.values()].every((count) => count === 1))).toBe(true)
        const before = await page.evaluate(() => [
          window.agent.messages.length,
          JSON.stringify(window.agent.messages.slice(-40)),
        ])
        expect(await page.evaluate(() => window.unheard)).toEqual([])
        await page.reload()
        await page.waitForFunction(() => window.agent?.session !== undefined || (void window.agent?.connect(), false))
        expect(await page.evaluate(() => JSON.stringify(window.agent.messages.slice(-40)))).toBe(before[1])
        endpoint.push({ text: 'and again' })
        expect(await meet(page, 'After a reload')).toMatchObject({ how: 'stop', kept: 'and again' })
        for (const { body } of endpoint.requests) if (body) expect(historyFaults(body)).toEqual([])
        await endpoint.close()
      } finally {
        await endpoint.stop()
      }
    },
  )

  test(
    `a CORS failure is a network error that lists the possible causes, host in the ${rung}`,
    { tag: '@F55' },
    async ({ faultPage }) => {
      const endpoint = await startEndpoint(() => ({ text: 'never read' }), { cors: false })
      try {
        const page = await faultPage(endpoint.url, more)
        const { how, says } = await meet(page, 'Hello')
        expect(how).toBe('network')
        for (const cause of ['server is down', 'CORS', 'mixed content', 'connect-src']) expect(says).toContain(cause)
      } finally {
        await endpoint.stop()
      }
    },
  )

  test(
    `an endpoint blocked by Content-Security-Policy is reported and not retried, host in the ${rung}`,
    { tag: '@F55' },
    async ({ page, site }) => {
      const endpoint = await startEndpoint([])
      const server = await serveStatic({
        files: {
          '/page.html':
            '<!doctype html><title>Strict</title><script type="module" src="/test/pages/session/endpoint-faults.ts"></script>',
          '/worker.js': "import '/src/host/worker.ts'",
        },
        headers: { 'content-security-policy': "connect-src 'self'" },
        relay: Object.fromEntries(
          ['/src', '/test', '/node_modules', '/@id', '/@fs', '/@vite'].map((prefix) => [prefix, `${site}${prefix}`]),
        ),
      })
      try {
        await page.goto(
          `${server.url}/page.html?endpoint=${encodeURIComponent(endpoint.url)}&worker=${rung === 'worker' ? '/worker.js' : '/no-worker.js'}`,
        )
        await page.waitForFunction(() => window.agent !== undefined)
        await page.evaluate(() => {
          window.agent.subscribe(({ type }) => {
            if (type === 'step-retry') window.unheard.push(type)
          })
        })
        const { how, says } = await meet(page, 'Hello')
        expect([how, says]).toEqual([
          'network',
          expect.stringMatching(
            /^The Content-Security-Policy blocks http:\/\/127\.0\.0\.1:\d+\. Add it to connect-src/,
          ),
        ])
        expect(await page.evaluate(() => [window.agent.host, window.agent.status, window.unheard])).toEqual([
          rung,
          'idle',
          [],
        ])
        expect(endpoint.requests).toHaveLength(0)
        // A page that may call it: its own origin.
        await page.evaluate(() => {
          window.agent.configure({ ...window.agent.options, endpoint: '/v1' })
        })
        expect(await meet(page, 'And now?')).toMatchObject({ how: 'not-found' })
      } finally {
        await server.close()
        await endpoint.stop()
      }
    },
  )
}

test('rejects an http endpoint on an https page when it is set', { tag: '@F55' }, async ({ faultPage }) => {
  const page = await faultPage('http://127.0.0.1:9/v1')
  const thrown = await page.evaluate(() => {
    try {
      window.agent.configure({ endpoint: 'http://models.example/v1' })
      return undefined
    } catch (error) {
      return { code: (error as { code?: string }).code, message: String(error) }
    }
  })
  expect(thrown).toMatchObject({ code: 'invalid-option', message: expect.stringContaining('neither https') })
})

test(
  'an answer that stalled while the device slept ends when it wakes',
  { tag: '@F11' },
  async ({ faultPage, page, serveModel }) => {
    const endpoint = await serveModel([{ raw: [chunk({ content: 'Half' })], end: 'hang' }, { text: 'next' }])
    await page.clock.install()
    await faultPage(endpoint.url, rungs.page)
    const turn = meet(page, 'Go')
    await page.waitForFunction(() => window.agent.session?.draft?.parts.length === 1)
    await page.clock.setSystemTime(Date.now() + 3_600_000)
    expect(await turn).toMatchObject({ how: 'model-timeout', kept: 'Half' })
    expect(await meet(page, 'Next')).toMatchObject({ kept: 'next' })
  },
)

test(
  'a host in the page waits for the network without using an attempt',
  { tag: '@F69' },
  async ({ faultPage, context, page, serveModel }) => {
    const endpoint = await serveModel([{ text: 'saved' }, { text: 'online again' }])
    await faultPage(endpoint.url, rungs.page)
    await meet(page, 'Before')
    await page.evaluate(() => {
      Object.assign(window, { waits: [] })
      window.agent.subscribe((event) => {
        if (event.type === 'step-retry') (window as unknown as { waits: string[] }).waits.push(event.error.code)
      })
    })
    await context.setOffline(true)
    const turn = meet(page, 'Hello')
    // More often than there are attempts.
    await page.waitForFunction(() => (window as unknown as { waits: string[] }).waits.length === 4)
    expect(endpoint.requests).toHaveLength(1)
    await context.setOffline(false)
    expect(await turn).toMatchObject({ how: 'stop', kept: 'online again' })
    expect(await page.evaluate(() => new Set((window as unknown as { waits: string[] }).waits).size)).toBe(1)
  },
)

test.describe('in the panel', () => {
  /** The element on an empty page, with a real endpoint. */
  const put = async (page: Page, site: string, endpoint: string) => {
    await page.goto(`${site}/test/pages/panel/element.html`)
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    await page.evaluate(async (url) => {
      await (window as unknown as { load(): Promise<unknown> }).load()
      const element = document.createElement('tool-agent')
      element.setAttribute('endpoint', url)
      element.setAttribute('model', 'm')
      document.body.append(element)
    }, endpoint)
    const element = page.locator('tool-agent')
    const say = async (text: string) => {
      await element.locator('textarea').last().fill(text)
      await page.keyboard.press('Enter')
    }
    return { element, say, stop: element.getByRole('button', { name: 'Stop' }) }
  }

  test(
    'shows a countdown for Retry-After, and Stop ends the wait',
    { tag: '@F51' },
    async ({ page, site, serveModel }) => {
      const endpoint = await serveModel([
        { status: 429, headers: { 'retry-after': '30' }, body: { error: { message: 'Slow down' } } },
        { text: 'Here I am' },
      ])
      const { element, say, stop } = await put(page, site, endpoint.url)
      await say('Hello')
      const timer = element.getByRole('timer')
      await expect(timer).toHaveText(/^Trying again in (30|29) s\. The assistant is busy\.$/)
      // What the server said is for the console, unless `debug` is set.
      await expect(element).not.toContainText('Slow down')
      await expect(timer).toHaveText(/^Trying again in (28|27) s/)
      await stop.click()
      await expect(timer).toHaveCount(0)
      await expect(stop).toHaveCount(0)
      expect(endpoint.requests).toHaveLength(1)
      await say('Still there?')
      await expect(element).toContainText('Here I am')
    },
  )

  test(
    'requests new headers once after a 401, then reports it; retrying requests them again',
    { tag: '@F53' },
    async ({ page, site, serveModel }) => {
      const endpoint = await serveModel([{ status: 401 }, { status: 401 }, { status: 401 }, { text: 'Welcome' }])
      const { element, say } = await put(page, site, endpoint.url)
      await page.evaluate(() => {
        const asked: string[] = []
        Object.assign(document.querySelector('tool-agent') ?? {}, {
          headers: (reason: string) => {
            asked.push(reason)
            return { authorization: `Bearer token-number-${asked.length}` }
          },
        })
        Object.assign(window, { asked })
      })
      await say('Hello')
      await expect(element.getByRole('alert')).toContainText('The assistant is not available right now')
      await element.getByRole('button', { name: 'Try again' }).click()
      await expect(element).toContainText('Welcome')
      expect(await page.evaluate(() => (window as unknown as { asked: string[] }).asked)).toEqual([
        'request',
        'unauthorized',
        'request',
        'unauthorized',
      ])
      expect(endpoint.requests.map(({ headers }) => headers.authorization)).toEqual(
        [1, 2, 3, 4].map((count) => `Bearer token-number-${count}`),
      )
    },
  )

  test(
    'keeps the text of a cut answer, shows the reason and lets the user continue',
    { tag: '@F45' },
    async ({ page, site, serveModel }) => {
      const cut = deferred()
      const endpoint = await serveModel([
        { raw: [chunk({ content: 'The first half' }), cut.promise], end: 'reset' },
        { text: 'and the second' },
      ])
      const { element, say } = await put(page, site, endpoint.url)
      await say('Hello')
      await expect(element).toContainText('The first half')
      cut.resolve()
      await element.getByRole('alert').getByRole('button').first().click()
      await expect(element).toContainText('and the second')
      await expect(element).toContainText('The first half')
      await expect(element.getByRole('alert')).toHaveCount(0)
    },
  )

  test(
    'fifty thousand tiny chunks and one of five megabytes do not leak memory',
    { tag: '@F62' },
    async ({ page, site, serveModel, browserName }) => {
      test.skip(browserName !== 'chromium', 'Only Chromium says how much memory a page has in use')
      test.setTimeout(120_000)
      function* tiny(): Generator<RawChunk> {
        for (let count = 0; count < 500; count++)
          yield Array.from({ length: 100 }, () => chunk({ content: 'x' })).join('')
        yield `${chunk({}, 'stop')}data: [DONE]\n\n`
      }
      const endpoint = await serveModel([
        { raw: tiny() },
        { raw: [chunk({ content: 'y'.repeat(5_000_000) }), chunk({}, 'stop')] },
        { text: 'Calm again' },
      ])
      const { element, say } = await put(page, site, endpoint.url)
      const cdp = await page.context().newCDPSession(page)
      const used = async () => {
        await cdp.send('HeapProfiler.collectGarbage')
        return (await cdp.send('Runtime.getHeapUsage')).usedSize
      }
      await page.evaluate(async () => {
        await document.querySelector('tool-agent')?.agent?.connect()
      })
      const before = await used()
      await page.evaluate(() => document.querySelector('tool-agent')?.agent?.send('Tiny'))
      expect(
        await page.evaluate(() =>
          document
            .querySelector('tool-agent')
            ?.agent?.messages.flatMap((message) => (message.role === 'assistant' ? message.parts : []))
            .map((part) => (part.type === 'text' ? part.text.length : 0)),
        ),
      ).toEqual([50_000])
      // Longer than an answer may be.
      expect(
        await page.evaluate(() =>
          document
            .querySelector('tool-agent')
            ?.agent?.send('Large')
            .catch((error: { code: string }) => error.code),
        ),
      ).toBe('bad-response')
      await expect(element.getByRole('alert')).toContainText('The answer cannot be read')
      const growth = ((await used()) - before) / 2 ** 20
      console.log(`Heap growth after both: ${growth.toFixed(1)} MiB`)
      expect(growth).toBeLessThan(20)
      await say('And now?')
      await expect(element).toContainText('Calm again')
    },
  )
})
