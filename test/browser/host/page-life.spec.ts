// What can happen to a page during a session: the back/forward cache, crashes, moved elements, scripts that are loaded
// twice, duplicated tabs, hidden pages.
import type { BrowserContext, Page } from 'playwright/test'
import { isObject, type JsonObject } from '../../../src/core/data/json.js'
import type * as entry from '../../../src/index.js'
import { candidates } from '../../../scripts/browsers.mjs'
import { deferred } from '../../support/lab/lab.js'
import { resultsOf } from '../../support/lab/requests.js'
import { calls, expect, runs, send, settled, test } from '../../support/page/session-page.js'

// Playwright switches the back/forward cache off, and Chromium's headless shell has none.
test.use({
  launchOptions: [
    async ({}, use, { project }) => {
      const [found] = project.name === 'chromium' ? candidates('chromium') : []
      const executable = found && { executablePath: found.path }
      const ignoreDefaultArgs = ['--disable-back-forward-cache']
      await use({ ...project.use.launchOptions, ...executable, ignoreDefaultArgs })
    },
    { scope: 'worker' },
  ],
})

const shared = '&session=shared'
const becomes = (page: Page, wanted: 'mirror' | 'driver') =>
  page.waitForFunction((one) => window.agent?.role === one, wanted)
const status = (page: Page, wanted: string) => page.waitForFunction((one) => window.agent?.status === one, wanted)
const texts = (page: Page) =>
  page.evaluate(() =>
    window.agent.messages.map((message) =>
      message.role === 'summary' ? '' : message.parts.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    ),
  )
const lastOf = (body: JsonObject): string => {
  const last: unknown = Array.isArray(body['messages']) ? body['messages'].at(-1) : undefined
  return isObject(last) ? String(last['content']) : ''
}
const tabOf = (page: Page) => page.evaluate(() => sessionStorage.getItem('tool-agent:tab'))

/** Leaves for a page without an agent; the one before goes into the cache. */
const leave = (page: Page, site: string) => leaveFor(page, `${site}/test/pages/session/blank.html`)

async function leaveFor(page: Page, address: string): Promise<void> {
  await page.evaluate(() => {
    Object.assign(window, { mark: 'alive' })
    addEventListener('pageshow', ({ persisted }) => {
      Object.assign(window, { persisted })
    })
  })
  await page.evaluate((url) => {
    location.href = url
  }, address)
  await page.waitForURL(address)
  await page.waitForLoadState()
}
/** `page.goBack` waits for a load that does not come. */
async function back(page: Page): Promise<void> {
  await page
    .evaluate(() => {
      history.back()
    })
    .catch(() => undefined)
  await page.waitForURL(/session\.html/, { waitUntil: 'commit' })
}
const wasCached = (page: Page) =>
  page.evaluate(() => [(window as { mark?: string }).mark, (window as { persisted?: boolean }).persisted])

test.describe('back/forward cache', () => {
  test.skip(
    ({ browserName }) => browserName !== 'chromium',
    'Firefox decides before pagehide, and does not cache a page whose agent holds locks until then',
  )

  test(
    'a page restored from the cache works, and so does its worker',
    { tag: '@F7' },
    async ({ page, site, open, serveModel }) => {
      await page.goto(open(await serveModel([{ text: 'one' }, { text: 'two' }])))
      await page.evaluate(() => window.agent.send('Hello'))
      await leave(page, site)
      await back(page)
      await page.waitForFunction(() => (window as { persisted?: boolean }).persisted === true)
      expect(await wasCached(page)).toEqual(['alive', true])
      expect(await page.evaluate(() => window.agent.send('Again').then(({ text }) => text))).toBe('two')
      expect(await page.evaluate(() => [window.agent.host, window.agent.storage])).toEqual(['worker', 'indexeddb'])
    },
  )

  test(
    'a page cached while the model streams ends its turn when restored, and the next message works',
    { tag: ['@F8', '@C126'] },
    async ({ page, site, open, serveModel }) => {
      const hold = deferred()
      const endpoint = await serveModel((body) =>
        lastOf(body) === 'Again' ? { text: 'again' } : { text: ['first ', 'second'], hold: hold.promise },
      )
      await page.goto(open(endpoint))
      await send(page, 'Hello')
      await page.waitForFunction(() => window.agent.session?.draft?.parts.length === 1)
      await leave(page, site)
      hold.resolve()
      await back(page)
      await settled(page)
      const [, answer] = await texts(page)
      // It went on, the step was run again, or it was interrupted with what there was.
      expect(answer).toMatch(/^first (second)?$/)
      expect(await page.evaluate(() => window.agent.send('Again').then(({ text }) => text))).toBe('again')
      expect(await texts(page)).toEqual(['Hello', answer, 'Again', 'again'])
    },
  )

  test(
    'another tab takes the session of a cached page immediately, with a valid history',
    { tag: ['@F9', '@C126'] },
    async ({ page, context, site, open, serveModel }) => {
      const endpoint = await serveModel([{ calls: [{ id: 'b', name: 'buy', arguments: {} }] }, { text: 'on it goes' }])
      await page.goto(open(endpoint, shared))
      await send(page, 'Go')
      await expect.poll(() => runs(page, 'buy')).toBe(1)
      await leave(page, site)
      const second = await context.newPage()
      await second.goto(open(endpoint, shared))
      await becomes(second, 'driver')
      await status(second, 'interrupted')
      expect(await second.evaluate(() => window.agent.session?.end?.reason)).toBe('interrupted')
      expect(await second.evaluate(() => window.agent.continue().then(({ text }) => text))).toBe('on it goes')
      expect(resultsOf(endpoint.requests[1])[0]).toMatch(/may still have happened/)
      expect(await runs(second, 'buy')).toBe(1)
      // The page in the cache holds no lock, so it stays there, and watches when it comes back.
      await back(page)
      await becomes(page, 'mirror')
      expect(await wasCached(page)).toEqual(['alive', true])
      expect(await texts(page)).toEqual(['Go', '', 'on it goes'])
    },
  )

  test('a restored page shows what the next page of its tab added, and drives', async ({ page, open, serveModel }) => {
    const endpoint = await serveModel([{ text: 'one' }, { text: 'two' }, { text: 'three' }])
    await page.goto(open(endpoint))
    await page.evaluate(() => window.agent.send('Hello'))
    await leaveFor(page, open(endpoint, '&next'))
    await becomes(page, 'driver')
    expect(await texts(page)).toEqual(['Hello', 'one'])
    await page.evaluate(() => window.agent.send('Again'))
    await back(page)
    await page.waitForFunction(
      () => (window as { persisted?: boolean }).persisted === true && window.agent.messages.length === 4,
    )
    expect(await wasCached(page)).toEqual(['alive', true])
    expect(await page.evaluate(() => window.agent.send('And again').then(({ text }) => text))).toBe('three')
    expect(await texts(page)).toEqual(['Hello', 'one', 'Again', 'two', 'And again', 'three'])
  })

  test('a turn that continues in the next page of its tab resolves the send of the restored page', async ({
    page,
    open,
    serveModel,
  }) => {
    const endpoint = await serveModel([{ calls: [{ id: 'l', name: 'look', arguments: {} }] }, { text: 'looked there' }])
    await page.goto(open(endpoint))
    await page.evaluate(() => {
      void window.agent.send('Go').then(({ text }) => {
        Object.assign(window, { answer: text })
      })
    })
    await expect.poll(() => runs(page, 'look')).toBe(1)
    await leaveFor(page, open(endpoint, '&next'))
    await settled(page)
    expect(await calls(page)).toEqual(['look:looked'])
    await back(page)
    await page.waitForFunction(() => (window as { answer?: string }).answer === 'looked there')
    expect(await wasCached(page)).toEqual(['alive', true])
    expect(await calls(page)).toEqual(['look:looked'])
  })

  test('a restored page whose agent never connected shows the conversation of the next page of its tab', async ({
    page,
    site,
  }) => {
    const put = () =>
      page.evaluate(async () => {
        await window.load()
        const element = document.createElement('tool-agent')
        element.modelAdapter = window.model(window.says('said there'))
        document.body.append(element)
      })
    await elements(page, site)
    await put()
    await leaveFor(page, `${site}/test/pages/panel/element.html?next`)
    await put()
    await page.evaluate(() => document.querySelector('tool-agent')!.send('Hello'))
    await page
      .evaluate(() => {
        history.back()
      })
      .catch(() => undefined)
    await page.waitForFunction(() => (window as { persisted?: boolean }).persisted === true)
    await expect(page.locator('tool-agent article')).toHaveText([/Hello/, /said there/])
    expect(await wasCached(page)).toEqual(['alive', true])
  })

  test(
    'a cached page does not block a storage upgrade by another tab',
    { tag: '@F10' },
    async ({ page, context, site, open, serveModel }) => {
      await page.goto(open(await serveModel([{ text: 'one' }])))
      await page.evaluate(() => window.agent.send('Hello'))
      await leave(page, site)
      const second = await context.newPage()
      await second.goto(`${site}/test/pages/session/blank.html`)
      expect(
        await second.evaluate(
          () =>
            new Promise((resolve) => {
              const request = indexedDB.open('tool-agent', 99)
              request.onsuccess = () => resolve(request.result.version)
              request.onblocked = () => resolve('blocked')
              request.onerror = () => resolve(String(request.error))
            }),
        ),
      ).toBe(99)
    },
  )
})

/** Sends messages in a row. Returns the numbers of those whose turn the agent reported as complete. */
async function burst(page: Page, until: number): Promise<number[]> {
  const done: number[] = []
  const enough = deferred()
  await page.exposeFunction('done', (number: number) => {
    if (done.push(number) === until) enough.resolve()
  })
  await page.evaluate(() => {
    void (async () => {
      for (let number = 0; ; number++) {
        await window.agent.send(`message ${number}`)
        ;(window as unknown as { done(number: number): void }).done(number)
      }
    })()
  })
  await enough.promise
  return done
}

for (const [fault, tag] of [
  ['a reload', '@F3'],
  ['a crash', '@F4'],
] as const) {
  test(
    `${fault} during many messages keeps all finished ones, whole and in order`,
    { tag },
    async ({ page, context, open, serveModel, browserName }) => {
      test.skip(fault === 'a crash' && browserName !== 'chromium', 'Only Chromium can be crashed on demand')
      const endpoint = await serveModel((body) => ({ text: `answer to ${lastOf(body)}` }))
      await page.goto(open(endpoint, shared))
      await page.waitForFunction(() => window.agent?.host !== undefined)
      const done = await burst(page, 15)
      let after = page
      if (fault === 'a crash') {
        void (await context.newCDPSession(page)).send('Page.crash').catch(() => undefined)
        await page.waitForEvent('crash')
        after = await context.newPage()
      }
      await after.goto(open(endpoint, shared))
      await becomes(after, 'driver')
      await after.waitForFunction(() => window.agent.session?.turn === undefined)
      const found = await texts(after)
      expect(found.length).toBeGreaterThanOrEqual(done.length * 2)
      // The last one may have been on its way.
      const turns = Math.ceil(found.length / 2)
      expect(found).toEqual(
        Array.from({ length: turns }, (_, number) => [`message ${number}`, `answer to message ${number}`])
          .flat()
          .slice(0, found.length),
      )
      expect(await after.evaluate(() => window.agent.send('message last').then(({ text }) => text))).toBe(
        'answer to message last',
      )
    },
  )
}

// --- Elements --------------------------------------------------------------------------------------------------------

/** The page on which specs make elements, with the workers that it starts. */
async function elements(page: Page, site: string): Promise<void> {
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
  await page.goto(`${site}/test/pages/panel/element.html`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
}
const workers = (page: Page) => page.evaluate(() => (window as unknown as { workers: Worker[] }).workers.length)

test(
  'an element moved in the DOM keeps its turn, agent and worker',
  { tag: ['@F6', '@R6.7'] },
  async ({ page, site }) => {
    await elements(page, site)
    const seen = await page.evaluate(async () => {
      await window.load()
      const element = document.createElement('tool-agent')
      let runs = 0
      let finish: (text: string) => void = () => {}
      const held = new Promise<string>((resolve) => {
        finish = resolve
      })
      element.modelAdapter = window.model(window.calls('slow', {}), window.says('moved on'))
      element.registerTool({
        name: 'slow',
        description: 'Ends when it is told to',
        execute: async (_: unknown, run: { signal: AbortSignal }) => {
          runs++
          return `${await held} ${run.signal.aborted}`
        },
      } as never)
      const places = ['section', 'aside', 'div'].map((name) => document.body.appendChild(document.createElement(name)))
      places[0]!.append(element)
      const { agent } = element
      const sent = agent.send('Go')
      while (runs === 0) await new Promise((resolve) => requestAnimationFrame(resolve))
      // A route change takes it out and puts it in elsewhere; newer frameworks move it.
      element.remove()
      await new Promise((resolve) => requestAnimationFrame(resolve))
      places[1]!.append(element)
      const [, , last] = places as unknown as [
        Node,
        Node,
        { moveBefore?(node: Node, before: null): void; append(node: Node): void },
      ]
      if (last.moveBefore) last.moveBefore(element, null)
      else last.append(element)
      finish('done')
      const { text } = await sent
      return {
        text,
        same: element.agent === agent,
        output: JSON.stringify(element.messages).includes('done false'),
        runs,
      }
    })
    expect(seen).toEqual({ text: 'moved on', same: true, output: true, runs: 1 })
    expect(await workers(page)).toBe(1)
  },
)

test(
  'an element removed for a second aborts its tools and releases its session; the turn can be continued',
  { tag: ['@R6.7', '@F74'] },
  async ({ page, site }) => {
    await page.clock.install()
    await elements(page, site)
    const locked = () =>
      page.evaluate(async () => (await navigator.locks.query()).held?.some(({ name }) => name === 'tool-agent:life'))
    await page.evaluate(async () => {
      await window.load()
      const element = document.createElement('tool-agent')
      const state = { element, runs: 0, aborted: false, rejected: '' }
      Object.assign(window, { state })
      element.sessionId = 'life'
      element.modelAdapter = window.model(window.calls('buy', {}), window.says('gone on'))
      element.registerTool({
        name: 'buy',
        description: 'Hangs',
        execute: (_: unknown, { signal }: { signal: AbortSignal }) => {
          state.runs++
          signal.addEventListener('abort', () => {
            state.aborted = true
          })
          return new Promise(() => undefined)
        },
      } as never)
      document.body.append(element)
      element.send('Go').catch((error: { code: string }) => {
        state.rejected = error.code
      })
    })
    type State = { state: { element: entry.ToolAgentElement; runs: number; aborted: boolean; rejected: string } }
    await page.waitForFunction(() => (window as unknown as State).state.runs === 1)
    expect(await locked()).toBe(true)
    await page.evaluate(() => {
      ;(window as unknown as State).state.element.remove()
    })
    await page.clock.runFor(1_100)
    expect(await page.evaluate(() => (window as unknown as State).state)).toMatchObject({
      aborted: true,
      rejected: 'closed',
    })
    await expect.poll(locked).toBe(false)
    await page.evaluate(() => {
      document.body.append((window as unknown as State).state.element)
    })
    await page.waitForFunction(() => (window as unknown as State).state.element.session?.end?.reason === 'stop')
    expect(
      await page.evaluate(() => {
        const { element, runs } = (window as unknown as State).state
        return [
          runs,
          element.messages.map((message) =>
            message.role === 'assistant'
              ? message.parts
                  .map((part) => {
                    if (part.type === 'tool-call') return part.result?.error?.code
                    return part.type === 'text' ? part.text : ''
                  })
                  .join()
              : message.role,
          ),
        ]
      }),
    ).toEqual([1, ['user', 'interrupted', 'gone on']])
  },
)

test(
  'an agent created by the page keeps its lock until it is closed',
  { tag: '@R6.7' },
  async ({ page, open, serveModel }) => {
    await page.goto(open(await serveModel([{ text: 'one' }]), shared))
    await page.evaluate(() => window.agent.send('Hello'))
    const locked = () =>
      page.evaluate(async () => (await navigator.locks.query()).held?.some(({ name }) => name === 'tool-agent:shared'))
    expect(await locked()).toBe(true)
    await page.evaluate(() => {
      void window.agent.close()
    })
    await expect.poll(locked).toBe(false)
  },
)

test(
  'pagehide aborts running tools and stores no result for them',
  { tag: '@R6.7' },
  async ({ page, open, serveModel, context }) => {
    const endpoint = await serveModel([{ calls: [{ id: 'w', name: 'wait', arguments: {} }] }, { text: 'unused' }])
    await page.goto(open(endpoint, `${shared}&session=left`))
    await page.evaluate(() => {
      window.agent.registerTool({
        name: 'wait',
        description: 'Waits for its signal',
        execute: (_, { signal }) =>
          new Promise((_resolve, reject) => {
            localStorage.setItem('wait', '1')
            signal.addEventListener('abort', () => {
              localStorage.setItem('aborted', '1')
              reject(new Error('aborted'))
            })
          }),
      })
    })
    await send(page, 'Go')
    await expect.poll(() => runs(page, 'wait')).toBe(1)
    await page.evaluate(() => {
      dispatchEvent(new PageTransitionEvent('pagehide', { persisted: false }))
    })
    expect(await runs(page, 'aborted')).toBe(1)
    await page.close()
    // Closing the page requested nothing and settled nothing.
    const second = await context.newPage()
    await second.goto(open(endpoint, `${shared}&session=left`))
    await status(second, 'interrupted')
    expect(await calls(second)).toEqual([expect.stringMatching(/wait:(interrupted|execution-failed|cancelled)/)])
    expect(await second.evaluate(() => window.agent.session?.end?.reason)).toBe('interrupted')
    expect(await second.evaluate(() => window.agent.continue().then(({ text }) => text))).toBe('unused')
  },
)

test(
  'two elements of one page have their own session and worker, also after a reload',
  { tag: '@F13' },
  async ({ page, site }) => {
    await elements(page, site)
    const put = () =>
      page.evaluate(async () => {
        await window.load()
        const both = [0, 1].map(() => document.createElement('tool-agent'))
        for (const [index, element] of both.entries()) {
          element.modelAdapter = window.model(window.says(`answer ${index}`))
          document.body.append(element)
        }
        const answers = await Promise.all(both.map(async (element) => (await element.send('Hello')).text))
        return {
          answers,
          hosts: both.map(({ agent }) => agent.host),
          sessions: new Set(both.map(({ session }) => session?.id)).size,
        }
      })
    const expected = { answers: ['answer 0', 'answer 1'], hosts: ['worker', 'worker'], sessions: 2 }
    expect(await put()).toEqual(expected)
    expect(await workers(page)).toBe(2)
    await page.reload()
    await page.locator('html[data-ready]').waitFor({ state: 'attached' })
    expect(await put()).toEqual(expected)
  },
)

test(
  'two elements without a session id find their own sessions again after a reload',
  { tag: ['@F13', '@R6.2'] },
  async ({ page, site }) => {
    await elements(page, site)
    const put = (text?: string) =>
      page.evaluate(async (text) => {
        await window.load()
        const both = [document.createElement('tool-agent'), document.createElement('tool-agent')] as const
        for (const element of both) {
          element.modelAdapter = window.model(window.says('answer'), window.says('answer'))
          document.body.append(element)
        }
        const [first] = both
        if (text !== undefined) {
          for (const [index, element] of both.entries()) await element.send(`${text} ${index}`)
          await first.sessions.create()
          await first.send(`${text}, newer`)
        } else await Promise.all(both.map((element) => element.sessions.list()))
        return both.map(({ messages }) => JSON.stringify(messages[0]?.role === 'user' && messages[0].parts))
      }, text)
    const said = (text: string) => JSON.stringify([{ type: 'text', text }])
    const expected = [said('Hello, newer'), said('Hello 1')]
    expect(await put('Hello')).toEqual(expected)
    for (let time = 0; time < 2; time++) {
      await page.reload()
      await page.locator('html[data-ready]').waitFor({ state: 'attached' })
      expect(await put()).toEqual(expected)
    }
  },
)

test(
  'a script loaded twice defines its element once, and an agent of the second copy mirrors the first',
  { tag: '@F13' },
  async ({ page, site }) => {
    // `/second/` serves the same modules under other addresses, as a second bundle does.
    await elements(page, site)
    const seen = await page.evaluate(async () => {
      const first = await window.load()
      const second = (await import('/second/src/index.ts' as string)) as typeof entry
      const one = first.createAgent({ modelAdapter: window.model(window.says('one')), scope: 's' })
      await one.send('Hello')
      const tab = sessionStorage.getItem('tool-agent:tab')
      const other = second.createAgent({ modelAdapter: window.model(window.says('two')), scope: 's' })
      await other.connect()
      const hosts = [
        one.host,
        other.role,
        one.session?.id === other.session?.id,
        first.createAgent === second.createAgent,
        tab === sessionStorage.getItem('tool-agent:tab'),
      ]
      return { hosts, text: (await other.send('Here')).text, messages: other.messages.length }
    })
    expect(seen).toEqual({ hosts: ['worker', 'mirror', true, false, true], text: 'two', messages: 4 })
  },
)

test('an element parsed before its script is upgraded and works', { tag: '@F13' }, async ({ page, site }) => {
  await elements(page, site)
  const text = await page.evaluate(async () => {
    const element = document.createElement('tool-agent')
    element.modelAdapter = window.model(window.says('upgraded'))
    document.body.append(element)
    await window.load()
    return (await element.send('Hello')).text
  })
  expect(text).toBe('upgraded')
  expect(await workers(page)).toBe(1)
})

test(
  'a prerendered page starts no worker and opens no database until it is shown',
  { tag: '@F14' },
  async ({ page, site, open, serveModel }) => {
    // An automated browser does not prerender, so the page reports that it does.
    const endpoint = await serveModel([{ text: 'one' }])
    const prerender = () =>
      page.addInitScript(() => {
        Object.defineProperty(document, 'prerendering', { value: true, configurable: true })
        Object.assign(window, {
          seen: () => {
            Object.defineProperty(document, 'prerendering', { value: false })
            document.dispatchEvent(new Event('prerenderingchange'))
          },
        })
      })
    const nothing = async () => [
      await workers(page),
      await page.evaluate(async () => ('databases' in indexedDB ? (await indexedDB.databases()).length : 0)),
    ]
    await prerender()
    await elements(page, site)
    await page.evaluate(async () => {
      await window.load()
      const element = document.createElement('tool-agent')
      element.sessionId = 'named'
      document.body.append(element)
      await new Promise((resolve) => {
        setTimeout(resolve)
      })
    })
    expect(await nothing()).toEqual([0, 0])
    await page.evaluate(() => {
      ;(window as unknown as { seen(): void }).seen()
    })
    await page.waitForFunction(() => document.querySelector('tool-agent')?.status === 'idle')
    expect(await workers(page)).toBe(1)

    const before = await page.context().newPage()
    await before.goto(`${site}/test/pages/session/blank.html`)
    await page.goto(open(endpoint))
    await page.waitForFunction(() => window.agent !== undefined)
    expect(await page.evaluate(() => window.agent.status)).toBe('ready')
    expect(await workers(page)).toBe(0)
    await page.evaluate(() => {
      ;(window as unknown as { seen(): void }).seen()
    })
    expect(await page.evaluate(() => window.agent.send('Hello').then(({ text }) => text))).toBe('one')
  },
)

test(
  'a hidden page without frames finishes a turn with tools and renders it when shown',
  { tag: '@F12' },
  async ({ page, site }) => {
    await page.addInitScript(() => {
      const frames: FrameRequestCallback[] = []
      const draw = window.requestAnimationFrame.bind(window)
      Object.assign(window, {
        requestAnimationFrame: (callback: FrameRequestCallback) => frames.push(callback),
        show: () => {
          Object.assign(window, { requestAnimationFrame: draw })
          for (const one of frames.splice(0)) draw(one)
        },
      })
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      Object.defineProperty(document, 'hidden', { value: true, configurable: true })
    })
    await elements(page, site)
    const text = await page.evaluate(async () => {
      await window.load()
      const element = document.createElement('tool-agent')
      element.modelAdapter = window.model(window.calls('look', {}), window.says('all seen'))
      element.registerTool({ name: 'look', description: 'Looks', execute: () => 'looked' } as never)
      document.body.append(element)
      return (await element.send('Hello')).text
    })
    expect(text).toBe('all seen')
    await page.evaluate(() => {
      ;(window as unknown as { show(): void }).show()
    })
    await expect(page.locator('tool-agent')).toContainText('all seen')
  },
)

test(
  'closing the lid while the model is silent ends the turn with its reason on wake-up',
  { tag: '@F11' },
  async ({ page, open, serveModel }) => {
    const hold = deferred()
    const endpoint = await serveModel([{ text: ['half ', 'lost'], hold: hold.promise }, { text: 'awake' }])
    await page.clock.install()
    // The host in the page, so that its clock is in the test's hand.
    await page.goto(open(endpoint, '&rung=page'))
    const ended = page.evaluate(() =>
      window.agent.send('Hello').then(
        ({ reason }) => reason,
        (error: { code: string }) => error.code,
      ),
    )
    await page.waitForFunction(() => window.agent?.session?.draft?.parts.length === 1)
    await page.clock.fastForward(30 * 60_000)
    expect(await ended).toMatch(/^(model-timeout|max-time)$/)
    expect(await page.evaluate(() => window.agent.status)).toBe('idle')
    expect(await page.evaluate(() => window.agent.send('Again').then(({ text }) => text))).toBe('awake')
    expect(await texts(page)).toEqual(['Hello', 'half ', 'Again', 'awake'])
    hold.resolve()
  },
)

// --- A tab that is duplicated
// ------------------------------------------------------------------------------------------

/** A tab as "duplicate" makes it: with a copy of all that the other noted. */
async function duplicate(page: Page, context: BrowserContext): Promise<Page> {
  const noted = await page.evaluate(() => Object.fromEntries(Object.entries(sessionStorage)))
  const copy = await context.newPage()
  await copy.addInitScript((items) => {
    if (sessionStorage.length === 0)
      for (const [key, value] of Object.entries(items)) sessionStorage.setItem(key, String(value))
  }, noted)
  await copy.goto(page.url())
  return copy
}

test(
  'a duplicated tab mirrors the session under its own tab id and does not resume the turn',
  { tag: ['@F26', '@R6.2'] },
  async ({ page, context, open, serveModel, browserName }) => {
    const endpoint = await serveModel([{ calls: [{ id: 'b', name: 'buy', arguments: {} }] }, { text: 'answered' }])
    await page.goto(open(endpoint))
    await send(page, 'Go')
    await expect.poll(() => runs(page, 'buy')).toBe(1)
    const copy = await duplicate(page, context)
    await becomes(copy, 'mirror')
    expect(await copy.evaluate(() => window.agent.session?.id)).toBe(
      await page.evaluate(() => window.agent.session?.id),
    )
    expect(await tabOf(copy)).not.toBe(await tabOf(page))
    // The one it was made from dies in mid-turn; whoever acts here does not set that turn going again.
    if (browserName === 'chromium') void (await context.newCDPSession(page)).send('Page.crash').catch(() => undefined)
    else await page.close()
    await status(copy, 'interrupted')
    expect(await copy.evaluate(() => window.agent.send('Here').then(({ text }) => text))).toBe('answered')
    expect(await calls(copy)).toEqual(['buy:interrupted'])
    expect(await texts(copy)).toEqual(['Go', '', 'Here', 'answered'])
    expect(await runs(copy, 'buy')).toBe(1)
  },
)

test(
  'the original tab keeps its id across reloads and resumes its turn',
  { tag: '@F26' },
  async ({ page, context, open, serveModel }) => {
    const endpoint = await serveModel([
      { calls: [{ id: 'l', name: 'look', arguments: {} }] },
      { text: 'looked around' },
    ])
    await page.goto(open(endpoint))
    await send(page, 'Go')
    await expect.poll(() => runs(page, 'look')).toBe(1)
    const id = await tabOf(page)
    const copy = await duplicate(page, context)
    await becomes(copy, 'mirror')
    await page.reload()
    await settled(page)
    expect(await tabOf(page)).toBe(id)
    expect(await calls(page)).toEqual(['look:looked'])
    await copy.waitForFunction(() => window.agent.status === 'idle' && window.agent.messages.length === 3)
    expect(await copy.evaluate(() => window.agent.role)).toBe('mirror')
  },
)
