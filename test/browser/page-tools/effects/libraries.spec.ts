// Real libraries that send requests, on a page whose requests are watched: without an action they work as on a page
// without the SDK, and a request that is stopped fails for them as on a bad network, so that they recover.
import type { Page } from 'playwright/test'
import { expect, test as withPackages } from '../../../support/page/frameworks.js'
import { act } from '../../../support/page/effects.js'
import { serveLibraries, type LibrarySite, type Order, type Received } from '../../../support/page/library-site.js'

type Result = Record<string, unknown>
type Answer = Awaited<ReturnType<typeof act>>

const test = withPackages.extend<{ page: Page }, { libraries: LibrarySite }>({
  libraries: [
    async ({}, use) => {
      const site = await serveLibraries()
      await use(site)
      await site.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  // A context of its own, because libraries keep sessions and workers.
  page: async ({ browser, browserName, libraries }, use) => {
    libraries.received.length = 0
    libraries.telemetry.length = 0
    const context = await browser.newContext()
    const page = await context.newPage()
    const broken: string[] = []
    page.on('pageerror', ({ message }) => broken.push(message))
    await use(page)
    // Turbo throws each failed request once more. Firefox also reports what a service worker passes on, and what the
    // page has handled by `unhandledrejection`.
    const failing = browserName === 'firefox' ? /library=(turbo|worker|platform)/ : /library=turbo/
    const isFailure = (message: string): boolean =>
      failing.test(page.url()) &&
      /^(Failed to fetch|NetworkError when attempting to fetch resource\.(’\.)?)$/.test(message)
    expect(broken.filter((message) => !isFailure(message))).toEqual([])
    await context.close()
  },
})

async function open(page: Page, { url }: LibrarySite, library: string, order: Order): Promise<void> {
  await page.goto(`${url}/page?library=${library}&order=${order}`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  if (order !== 'none') await page.waitForFunction(() => 'pageTools' in window)
}

/** Calls a member of the page's `fixture`, or reads it. */
const fixture = <T = Result>(page: Page, name: string): Promise<T> =>
  page.evaluate((name) => {
    const member = (window as unknown as { fixture: Record<string, unknown> }).fixture[name]
    return typeof member === 'function' ? (member as () => unknown)() : member
  }, name) as Promise<T>

const press = (page: Page, target: string, permission: { effect: string; by: string }) =>
  act(page, 'page_click', { target }, permission)

const unasked = { effect: 'view', by: 'rule' }
const allowed = { effect: 'send', by: 'user' }
const orders: readonly Order[] = ['before', 'after']

/** What is sent by the button of a library, and what the library makes of a bad network. */
interface Case {
  readonly library: string
  readonly button: string
  /** What reaches the server when it is allowed. */
  readonly sends: Partial<Received>
  /** Where the page keeps what came of it. */
  readonly kept: string
  readonly stopped: unknown[]
  readonly retried: unknown[]
}

const offline = (more = {}): object => ({
  name: 'TypeError',
  message: 'Failed to fetch',
  isTypeError: true,
  isException: false,
  ...more,
})
const axiosError = { name: 'AxiosError', message: 'Network Error', code: 'ERR_NETWORK', isTypeError: false }
const post = { method: 'POST', path: '/api/orders' }
const xhrFailure = { state: 4, status: 0, text: '' }

const cases: readonly Case[] = [
  {
    library: 'axios.js',
    button: 'By xhr',
    sends: { ...post, type: 'application/json', body: '{"by":"xhr"}' },
    kept: 'seen',
    stopped: [{ error: axiosError }],
    retried: [{ error: axiosError }, { value: 201 }],
  },
  {
    library: 'axios.js',
    button: 'By fetch',
    sends: { ...post, type: 'application/json', body: '{"by":"fetch"}' },
    kept: 'seen',
    stopped: [{ error: axiosError }],
    retried: [{ error: axiosError }, { value: 201 }],
  },
  {
    library: 'ky.js',
    button: 'Send',
    sends: { ...post, type: 'application/json', marker: 'ky', body: '{"by":"ky"}' },
    kept: 'seen',
    stopped: [{ error: { name: 'NetworkError' } }],
    retried: [{ error: { name: 'NetworkError' } }, { value: 201 }],
  },
  {
    library: 'htmx.js',
    button: 'Send',
    sends: { method: 'POST', path: '/api/html', marker: 'htmx', body: 'name=Zo%C3%AB' },
    kept: 'events',
    // The upload fails first.
    stopped: ['beforeRequest 0', 'loadstart', 'loadstart', 'loadend', 'afterRequest 0', 'sendError 0', 'loadend'],
    retried: expect.arrayContaining(['afterRequest 200', 'afterSwap 200']) as string[],
  },
  {
    library: 'turbo.js',
    button: 'Send',
    sends: { method: 'POST', path: '/api/turbo', marker: 'turbo', body: 'name=Zo%C3%AB' },
    kept: 'events',
    stopped: ['start', offline(), { success: false, error: offline() }],
    retried: ['start', offline(), { success: false, error: offline() }, 'start', { success: true, status: 200 }],
  },
  {
    library: 'react-query.jsx',
    button: 'Send',
    sends: { method: 'POST', path: '/api/list', marker: 'query', body: '{"name":"tea"}' },
    kept: 'shown',
    stopped: ['', 'tea …', ''],
    retried: ['', 'tea …', '', 'tea …', 'tea'],
  },
  {
    library: 'swr.jsx',
    button: 'Send',
    sends: { method: 'POST', path: '/api/list', marker: 'swr', body: '{"name":"tea"}' },
    kept: 'shown',
    stopped: ['', 'tea …', ''],
    retried: ['', 'tea …', '', 'tea …', 'tea'],
  },
  {
    library: 'apollo.js',
    button: 'Send',
    sends: { method: 'POST', path: '/api/graphql', marker: 'apollo' },
    kept: 'shown',
    stopped: ['', 'tea …', ''],
    retried: ['', 'tea …', '', 'tea …', 'tea'],
  },
  {
    library: 'zone.js',
    button: 'Fetch',
    sends: { ...post, body: 'one' },
    kept: 'seen',
    stopped: [{ value: { error: offline(), zone: 'page', isIdle: true } }],
    retried: [
      { value: { error: offline(), zone: 'page', isIdle: true } },
      { value: { value: 201, zone: 'page', isIdle: true } },
    ],
  },
  {
    library: 'zone.js',
    button: 'XHR',
    sends: { ...post, marker: 'xhr', body: 'one' },
    kept: 'seen',
    stopped: [{ value: { value: [4, 0], zone: 'page', isIdle: true } }],
    retried: [
      { value: { value: [4, 0], zone: 'page', isIdle: true } },
      { value: { value: [4, 201], zone: 'page', isIdle: true } },
    ],
  },
  {
    library: 'worker.js',
    button: 'Send',
    sends: { ...post, body: 'one' },
    kept: 'seen',
    stopped: [{ error: offline() }],
    retried: [{ error: offline() }, { value: 201 }],
  },
  ...(['platform.js', 'sentry.js', 'datadog.js', 'observers.js'] as const).flatMap((library): Case[] => {
    // Sentry adds the host to the failures that it sees.
    const message = /^Failed to fetch( \(127\.0\.0\.1:\d+\))?$/
    const error = offline({ message: expect.stringMatching(message) })
    return [
      {
        library,
        button: 'Fetch',
        sends: { ...post, body: 'one' },
        kept: 'seen',
        stopped: [{ error }],
        retried: [{ error }, { value: expect.anything() }],
      },
      {
        library,
        button: 'XHR',
        sends: { ...post, marker: 'xhr', body: 'one' },
        kept: 'seen',
        stopped: [{ value: xhrFailure }],
        retried: [{ value: xhrFailure }, { value: { state: 4, status: 201, text: '{"saved":true}' } }],
      },
    ]
  }),
]

const libraries = [...new Set(cases.map(({ library }) => library))]

/** The boundary of a form has another length each time in Firefox, and its upload with it. */
const withoutLengths = (result: unknown): unknown =>
  JSON.parse(
    JSON.stringify(result, (key, value: unknown) =>
      key === 'xhrForm'
        ? (JSON.parse(JSON.stringify(value).replaceAll(/(upload \w+ 1) \d+/g, '$1')) as unknown)
        : value,
    ),
  )

test.describe('without an action', () => {
  for (const library of libraries)
    test(`${library} sends and fails as without the SDK`, async ({ page, libraries: site }) => {
      const seen: [unknown, unknown][] = []
      for (const order of ['none', ...orders] as const) {
        await open(page, site, library, order)
        site.received.length = 0
        const result = withoutLengths(await fixture(page, 'idle'))
        // A beacon has no answer to wait for.
        if (library === 'platform.js')
          await expect.poll(() => site.received.map(({ path }) => path)).toContain('/api/beacon')
        seen.push([result, [...site.received]])
      }
      const [without, before, after] = seen
      expect(without?.[1]).not.toEqual([])
      expect(before).toEqual(without)
      expect(after).toEqual(without)
    })
})

test.describe('a request that nobody was asked about', () => {
  for (const { library, button, sends, kept, stopped, retried } of cases)
    for (const order of orders)
      test(`${library}, ${button}, installed ${order}: fails, and is sent once after the question`, async ({
        page,
        libraries: site,
      }) => {
        await open(page, site, library, order)
        const first = await press(page, button, unasked)
        expect(first).toMatchObject({ error: 'needs-approval', details: { stopped: [{ does: 'request' }] } })
        await expect.poll(() => fixture<unknown>(page, kept)).toMatchObject(stopped)
        expect(site.received).toEqual([])
        // The page works as before.
        await page.evaluate(() => fetch('/api/echo').then((answer) => answer.text()))

        const second = await press(page, button, allowed)
        expect(second.changes).toMatch(new RegExp(`^sent: ${sends.method} ${sends.path}( \\(\\w+\\))?, 20[01]`))
        await expect.poll(() => fixture<unknown>(page, kept)).toMatchObject(retried)
        expect(site.received).toEqual([expect.objectContaining(sends)])
      })
})

/** Presses with a question: what is held, and the answer to give to it. */
const pressHeld = (page: Page, target: string): Promise<{ held: object[] }> =>
  page.evaluate(async (target) => {
    const scope = window as unknown as {
      pageTools: Map<string, { execute(input: object, run: object): Promise<object> }>
      decide: (permission: object | undefined) => Promise<Answer>
    }
    const abort = new AbortController()
    const held = new Promise<object[]>((resolve) => {
      const ask = (effects: object[]) =>
        new Promise((allow, refuse) => {
          resolve(effects)
          scope.decide = async (permission) => {
            if (permission) allow(permission)
            else refuse(new Error('denied'))
            return ended
          }
        })
      const run = {
        signal: abort.signal,
        toolContext: {},
        sessionId: 'session',
        toolCallId: 'held',
        messages: [],
        shared: new Map(),
        permission: { effect: 'view', by: 'rule' },
        ask,
        remember() {},
        report() {},
      }
      const ended = scope.pageTools
        .get('page_click')!
        .execute({ target }, run)
        .catch((error: Error) => ({ error: error.message })) as Promise<Answer>
      void ended.then(() => resolve([]))
    })
    return { held: await held }
  }, target)
const decide = (page: Page, allows: boolean): Promise<Answer> =>
  page.evaluate(
    (allows) =>
      (window as unknown as { decide: (permission: object | undefined) => Promise<Answer> }).decide(
        allows ? { effect: 'send', by: 'user' } : undefined,
      ),
    allows,
  )

test.describe('a request that is held', () => {
  for (const { library, button, sends, kept, stopped } of cases) {
    test(`${library}, ${button}: is sent once when it is allowed, and the library sees what it sees by hand`, async ({
      page,
      libraries: site,
    }) => {
      await open(page, site, library, 'none')
      await page.getByRole('button', { name: button, exact: true }).click()
      await expect.poll(() => site.received.length).toBe(1)
      const byHand: { value?: unknown } = {}
      await expect
        .poll(
          async () => {
            const now = JSON.stringify(await fixture<unknown>(page, kept))
            const isSame = now === byHand.value && now !== '[]'
            byHand.value = now
            return isSame
          },
          { intervals: [300] },
        )
        .toBe(true)
      for (const order of orders) {
        await open(page, site, library, order)
        site.received.length = 0
        expect((await pressHeld(page, button)).held).toMatchObject([{ does: 'request' }])
        // The page goes on with what does not send.
        await page.evaluate(() => fetch('/api/echo').then((answer) => answer.text()))
        expect(site.received).toEqual([])
        const told = new RegExp(`^sent: ${sends.method} ${sends.path}(?: \\(\\w+\\))?, 20[01]`)
        expect((await decide(page, true)).changes).toMatch(told)
        await expect.poll(async () => JSON.stringify(await fixture<unknown>(page, kept))).toBe(byHand.value)
        expect(site.received).toEqual([expect.objectContaining(sends)])
      }
    })

    test(`${library}, ${button}: fails as without a network when it is refused`, async ({ page, libraries: site }) => {
      await open(page, site, library, 'after')
      await pressHeld(page, button)
      expect(await decide(page, false)).toEqual({ error: 'denied' })
      await expect.poll(() => fixture<unknown>(page, kept)).toMatchObject(stopped)
      expect(site.received).toEqual([])
    })
  }
})

test.describe('XMLHttpRequest', () => {
  for (const button of ['XHR', 'XHR without a body'])
    test(`${button}: a stopped one has the events and the state of one without a network`, async ({
      page,
      browserName,
      libraries: site,
    }) => {
      await open(page, site, 'platform.js', 'after')
      expect(await press(page, button, unasked)).toMatchObject({ error: 'needs-approval' })
      await expect.poll(() => fixture<unknown[]>(page, 'seen')).toHaveLength(1)
      await page.context().setOffline(true)
      await page.getByRole('button', { name: button, exact: true }).click()
      await expect.poll(() => fixture<unknown[]>(page, 'seen')).toHaveLength(2)
      const results = await fixture<{ value: { events: string[] } }[]>(page, 'seen')
      // Against the standard, Chromium reports the failure of an upload that has no body.
      const [stopped, offline] = results.map(({ value }) => ({
        ...value,
        events: value.events.filter((one) => button === 'XHR' || !one.startsWith('upload ')),
      }))
      // Against the standard, Firefox keeps the address of a request that failed.
      expect(stopped).toEqual(browserName === 'firefox' ? { ...offline, url: '/' } : offline)
    })

  test('one that is aborted after it was stopped is aborted', async ({ page, libraries: site }) => {
    await open(page, site, 'platform.js', 'after')
    expect(await press(page, 'Cancelled', unasked)).toMatchObject({ error: 'needs-approval' })
    await expect.poll(() => fixture<unknown[]>(page, 'seen')).toHaveLength(1)
    await page.getByRole('button', { name: 'Cancelled' }).click()
    await expect.poll(() => fixture<unknown[]>(page, 'seen')).toHaveLength(2)
    const [stopped, aborted] = await fixture<{ value: { events: string[] } }[]>(page, 'seen')
    expect(stopped?.value.events).toEqual(aborted?.value.events)
  })
})

test('a request that is aborted before it begins is not stopped', async ({ page, libraries: site }) => {
  await open(page, site, 'platform.js', 'after')
  expect(await press(page, 'Aborted', unasked)).not.toHaveProperty('error')
  expect(await fixture(page, 'seen')).toMatchObject([{ error: { name: 'AbortError' } }])
})

test('what a library tries again after the stop is not sent, and what was allowed then is sent once', async ({
  page,
  libraries: site,
}) => {
  await open(page, site, 'ky.js', 'after')
  expect(await press(page, 'Replace', unasked)).toMatchObject({ error: 'needs-approval' })
  // Has tried three times.
  await expect.poll(() => fixture(page, 'seen')).toMatchObject([{ error: { name: 'NetworkError' } }])
  expect(site.received).toEqual([])
  expect((await press(page, 'Replace', allowed)).changes).toContain('sent: PUT /api/orders, 201')
  expect(site.received).toHaveLength(1)
  // By hand it is another deed.
  await page.getByRole('button', { name: 'Replace' }).click()
  await expect.poll(() => site.received.length).toBe(2)
})

test.describe('telemetry', () => {
  for (const [library, path] of [
    ['sentry.js', /^\/api\/1\/envelope\/$/],
    ['datadog.js', /^\/api\/datadog$/],
  ] as const) {
    test(`${library} sends to its origin during an action, as before it`, async ({ page, libraries: site }) => {
      await open(page, site, library, 'before')
      await page.evaluate(() => (window as unknown as { fixture: { flush(): unknown } }).fixture.flush())
      // A request of a page before may arrive as late as now.
      const sent = () => site.telemetry.filter((one) => path.test(one.path)).length
      await expect.poll(sent).toBeGreaterThan(0)
      const before = sent()
      expect(await press(page, 'Report', unasked)).not.toHaveProperty('error')
      await expect.poll(sent).toBeGreaterThan(before)
    })

    for (const order of orders)
      test(`${library}, installed ${order}: notes its requests once, and none of its own`, async ({
        page,
        libraries: site,
      }) => {
        const kept = library === 'sentry.js' ? 'crumbs' : 'resources'
        await open(page, site, library, order)
        const noted = await fixture<unknown[][]>(page, kept)
        await page.evaluate(() => fetch('/api/echo', { method: 'POST', body: 'x' }).then((answer) => answer.text()))
        await expect
          .poll(() => fixture<unknown[][]>(page, kept))
          .toEqual([...noted, ['fetch', 'POST', '/api/echo', 200]])
        await fixture(page, 'flush')
        await expect.poll(() => site.telemetry.length).toBeGreaterThan(0)
        expect(site.telemetry.length).toBeLessThan(10)
        expect(await fixture(page, kept)).toHaveLength(noted.length + 1)
      })
  }

  for (const order of orders)
    test(`observers that are taken away and put back, installed ${order}, leave the wrappers in place`, async ({
      page,
      libraries: site,
    }) => {
      await open(page, site, 'observers.js', order)
      const call = (name: string): Promise<void> =>
        page.evaluate((name) => (window as unknown as { fixture: Record<string, () => void> }).fixture[name]?.(), name)
      await call('unwatch')
      await fixture(page, 'idle')
      expect(await fixture(page, 'observed')).toEqual([])
      for (const button of ['Fetch', 'XHR'])
        expect(await press(page, button, unasked)).toMatchObject({ error: 'needs-approval' })
      await call('watch')
      await fixture(page, 'idle')
      const starts = (await fixture<unknown[][]>(page, 'observed')).filter(([, state]) => state === 'start')
      expect(starts).toEqual([
        ['fetch', 'start', 'POST', undefined],
        ['xhr', 'start', 'POST', undefined],
      ])
      for (const button of ['Fetch', 'XHR'])
        expect(await press(page, button, unasked)).toMatchObject({ error: 'needs-approval' })
      expect(site.received.filter(({ path }) => path === '/api/orders')).toEqual([])
    })
})
