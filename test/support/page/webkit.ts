// WebKit inside Playwright Test: one screen, one driver and one browser per worker; a fresh window and a fresh origin
// per test, so that tests share no storage. Pages load the built package.
import { join } from 'node:path'
import { test as base } from 'playwright/test'
import { findWebKit, startWebKit } from '../../../scripts/webkit.mjs'
import type { ToolAgentElement } from '../../../src/ui/element/tool-agent-element.js'
import { builtFolder, root } from '../project/dist.js'
import { startEndpoint, type Endpoint, type Handler, type ScriptItem } from '../lab/endpoint.js'
import { historyFaults } from '../lab/history.js'
import { serveStatic, type StaticOptions } from './static-server.js'
import { WebDriver, type ElementReference } from './webdriver.js'

declare global {
  interface Window {
    wasCached?: boolean
  }
}

export interface Shop {
  /** The address of the page, with its query where one is given. */
  page(query?: string): string
  readonly origin: string
  readonly endpoint: Endpoint
  /** What was posted to `/reports`. */
  readonly reports: readonly unknown[]
}

interface TestFixtures {
  /** The browser, in a window of its own. */
  webkit: WebDriver
  /** Serves the test page with a scripted model at `/v1` of its own origin. */
  serve: (script: readonly ScriptItem[] | Handler, more?: StaticOptions) => Promise<Shop>
}

export const test = base.extend<TestFixtures, { dist: string; browserSession: WebDriver }>({
  dist: [async ({}, use) => use(await builtFolder()), { scope: 'worker', timeout: 120_000 }],

  browserSession: [
    async ({}, use) => {
      const found = findWebKit()
      if ('missing' in found) throw new Error(`WebKit is not installed: ${found.missing.join(', ')}`)
      const running = await startWebKit(found)
      try {
        const session = await WebDriver.start(running.url, running.capabilities)
        await use(session)
        await session.quit().catch(() => undefined) // Its processes are ended below.
      } finally {
        await running.stop()
      }
    },
    { scope: 'worker', timeout: 60_000 },
  ],

  webkit: async ({ browserSession }, use, info) => {
    const main = await browserSession.window()
    await browserSession.use(await browserSession.open())
    await use(browserSession)
    if (info.status !== info.expectedStatus) {
      await browserSession.screenshot().then(
        (body) => info.attach('webkit.png', { body, contentType: 'image/png' }),
        () => undefined,
      )
    }
    for (const handle of await browserSession.windows()) {
      if (handle === main) continue
      await browserSession.use(handle)
      await browserSession.close()
    }
    await browserSession.use(main)
  },

  serve: async ({ dist }, use) => {
    const closing: (() => Promise<void>)[] = []
    const endpoints: Endpoint[] = []
    await use(async (script, more = {}) => {
      const endpoint = await startEndpoint(script)
      endpoints.push(endpoint)
      const server = await serveStatic({
        ...more,
        folders: { '/tool-agent/': dist, '/pages/': join(root, 'test/pages'), ...more.folders },
        relay: { '/v1': endpoint.url, ...more.relay },
      })
      closing.push(
        () => server.close(),
        () => endpoint.stop(),
      )
      return {
        origin: server.url,
        endpoint,
        reports: server.reports,
        page: (query = '') => `${server.url}/pages/session/webkit.html${query}`,
      }
    })
    for (const close of closing) await close()
    for (const endpoint of endpoints) {
      for (const { body } of endpoint.requests) if (body) expect(historyFaults(body)).toEqual([])
      await endpoint.close()
    }
  },
})

const { expect } = test
export { expect }

/** The state of the assistant in the page. */
export interface Seen {
  readonly host: string | undefined
  readonly role: string | undefined
  readonly storage: string | undefined
  readonly status: string
  readonly error: string | null
  /** One line per message: its text, and each call with its output or the code of its error. */
  readonly messages: readonly string[]
}

export function seen(webkit: WebDriver): Promise<Seen> {
  return webkit.run(() => {
    const agent = document.querySelector('tool-agent') as ToolAgentElement
    const messages = agent.messages.map((message) =>
      message.role === 'summary'
        ? ''
        : message.parts
            .map((part) => {
              if (part.type === 'text') return part.text
              return part.type === 'tool-call'
                ? `${part.call.name}:${String(part.result?.error?.code ?? JSON.stringify(part.result?.output))}`
                : part.type
            })
            .join(' '),
    )
    return {
      host: agent.agent.host,
      role: agent.sessionRole,
      storage: agent.storage,
      status: agent.status,
      error: agent.agent.error?.code ?? null,
      messages,
    }
  })
}

/** Opens an address, connects the assistant, and waits until it has opened its session. */
export async function visit(webkit: WebDriver, address: string): Promise<void> {
  await webkit.goto(address)
  await webkit.until(() => document.querySelector('tool-agent')?.agent !== undefined)
  await webkit.run(() => {
    void document.querySelector('tool-agent')?.agent.connect()
  })
  await opened(webkit)
}

export function opened(webkit: WebDriver): Promise<unknown> {
  return webkit.until(() => document.querySelector('tool-agent')?.agent?.host)
}

export function isStatus(webkit: WebDriver, wanted: string): Promise<unknown> {
  return webkit.until((status) => document.querySelector('tool-agent')?.status === status, wanted)
}

/** Sends, and waits for the turn's end. */
export function send(webkit: WebDriver, text: string): Promise<string> {
  return webkit.run(
    (said) =>
      document
        .querySelector('tool-agent')!
        .send(said)
        .then(
          (result) => result.text ?? '',
          (error: { code: string }) => error.code,
        ),
    text,
  )
}

/** Sends without waiting. */
export function begin(webkit: WebDriver, text: string): Promise<unknown> {
  return webkit.run((said) => {
    void document
      .querySelector('tool-agent')!
      .send(said)
      .catch(() => undefined)
  }, text)
}

/** How often a tool of the page ran, over reloads and windows. */
export function runs(webkit: WebDriver, name: string): Promise<number> {
  return webkit.run((key) => Number(localStorage.getItem(key) ?? 0), name)
}

export async function untilRuns(webkit: WebDriver, name: string): Promise<void> {
  await webkit.until((key) => localStorage.getItem(key), name)
}

/** An element of the panel, once it is there. */
export function inPanel(webkit: WebDriver, selector: string): Promise<ElementReference> {
  return webkit.find((wanted) => document.querySelector('tool-agent')?.shadowRoot?.querySelector(wanted), selector)
}

/** Clicks a button of the question with a real pointer, after the time that the user needs to read it. */
export async function decide(webkit: WebDriver, decision: 'approve' | 'deny'): Promise<void> {
  // A question counts once it has been in view and at rest for a while.
  await webkit.show(await inPanel(webkit, `.decision .${decision}`))
  await webkit.click(await inPanel(webkit, `.decision[data-ready] .${decision}`))
}
