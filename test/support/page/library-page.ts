// Pages with real libraries that send requests, what each of them sends by its button, and what it makes of a bad
// network.
import { mergeTests, type Page } from 'playwright/test'
import { expect, test as withPackages } from './frameworks.js'
import { readyPage } from './held-page.js'
import { serveLibraries, type LibrarySite, type Order, type Received } from './library-site.js'
import { test as withModel } from './session-page.js'

type Result = Record<string, unknown>

export const test = mergeTests(withPackages, withModel).extend<{ page: Page }, { libraries: LibrarySite }>({
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

/** Opens the page of a library. */
export async function open(page: Page, { url }: LibrarySite, library: string, order: Order): Promise<void> {
  await page.goto(`${url}/page?library=${library}&order=${order}`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  if (order !== 'none') await page.waitForFunction(() => 'pageTools' in window)
}

/** Opens it with the whole element, ready for a message. `isProven`: its border is tight if it can be. */
export async function openWithElement(
  page: Page,
  { url }: LibrarySite,
  library: string,
  { endpoint, order = 'before', isProven = true }: Opened,
): Promise<void> {
  // The whole question must be on the screen.
  await page.setViewportSize({ width: 1280, height: 1400 })
  const query = new URLSearchParams({ library, order, endpoint: endpoint.url })
  await page.goto(`${url}/page?${query}`)
  await page.locator('html[data-ready]').waitFor({ state: 'attached' })
  await readyPage(page)
  // Something of the page has passed that could have been held.
  if (isProven) await page.evaluate(() => fetch('/api/proof').then((answer) => answer.text()))
}
interface Opened {
  /** That of the model. */
  readonly endpoint: { readonly url: string }
  readonly order?: Order
  readonly isProven?: boolean
}

/** Calls a member of the page's `fixture`, or reads it. */
export const fixture = <T = Result>(page: Page, name: string): Promise<T> =>
  page.evaluate((name) => {
    const member = (window as unknown as { fixture: Record<string, unknown> }).fixture[name]
    return typeof member === 'function' ? (member as () => unknown)() : member
  }, name) as Promise<T>

/** What the page keeps, as text, once it stays as it is. */
export async function steady(page: Page, kept: string): Promise<string> {
  let last = '[]'
  await expect
    .poll(
      async () => {
        const before = last
        last = JSON.stringify(await fixture<unknown>(page, kept))
        return last !== '[]' && last === before
      },
      { intervals: [300] },
    )
    .toBe(true)
  return last
}

/** What is sent by the button of a library, and what the library makes of a bad network. */
export interface LibraryCase {
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

export const cases: readonly LibraryCase[] = [
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
    // Not a word that sends: a press of that asks before, in a form with values.
    button: 'Next',
    sends: { method: 'POST', path: '/api/html', marker: 'htmx', body: 'name=Zo%C3%AB' },
    kept: 'events',
    // The upload fails first.
    stopped: ['beforeRequest 0', 'loadstart', 'loadstart', 'loadend', 'afterRequest 0', 'sendError 0', 'loadend'],
    retried: expect.arrayContaining(['afterRequest 200', 'afterSwap 200']) as string[],
  },
  {
    library: 'turbo.js',
    // Not a word that sends: a press of that asks before, in a form with values.
    button: 'Next',
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
    library: 'rtk-query.js',
    button: 'Send',
    sends: { method: 'POST', path: '/api/list', marker: 'rtk', body: '{"name":"tea"}' },
    kept: 'shown',
    stopped: ['', 'tea …', ''],
    retried: ['', 'tea …', '', 'tea …', 'tea'],
  },
  {
    library: 'jquery.js',
    button: 'Send',
    sends: { ...post, marker: 'jquery', body: 'by=jquery' },
    kept: 'seen',
    stopped: [{ error: { name: 'Error', message: '0 error' } }],
    retried: [{ error: { message: '0 error' } }, { value: 201 }],
  },
  ...['xhr', 'fetch'].map((by): LibraryCase => ({
    library: 'angular-http.js',
    button: `By ${by}`,
    sends: { ...post, marker: by, body: `{"by":"${by}"}` },
    kept: 'seen',
    stopped: [{ error: { name: 'HttpErrorResponse' } }],
    retried: [{ error: { name: 'HttpErrorResponse' } }, { value: 201 }],
  })),
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
  {
    library: 'worker.js',
    button: 'Queue',
    sends: { ...post, body: 'queued' },
    kept: 'outbox',
    stopped: ['queued', 'failed'],
    retried: ['queued', 'failed', 'queued', 'sent'],
  },
  ...(['platform.js', 'sentry.js', 'datadog.js', 'observers.js'] as const).flatMap((library): LibraryCase[] => {
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

/** The pages of the cases. */
export const libraries = [...new Set(cases.map(({ library }) => library))]
