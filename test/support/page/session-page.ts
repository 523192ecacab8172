// The session page in a real browser, with model endpoints whose requests must be valid histories.
import type { Page } from 'playwright/test'
import type { Agent } from '../../../src/page/agent.js'
import { startEndpoint, type Endpoint, type Handler, type ScriptItem } from '../lab/endpoint.js'
import { historyFaults } from '../lab/history.js'
import { expect, test as base } from './site.js'

declare global {
  interface Window {
    agent: Agent
  }
}

export const test = base.extend<{
  serveModel(script: readonly ScriptItem[] | Handler): Promise<Endpoint>
  open(endpoint: Endpoint, more?: string): string
}>({
  serveModel: async ({}, use) => {
    const endpoints: Endpoint[] = []
    await use(async (script) => {
      const endpoint = await startEndpoint(script)
      endpoints.push(endpoint)
      return endpoint
    })
    try {
      for (const endpoint of endpoints) {
        for (const { body } of endpoint.requests) if (body) expect(historyFaults(body)).toEqual([])
        await endpoint.close()
      }
    } finally {
      for (const endpoint of endpoints) await endpoint.stop()
    }
  },
  open: async ({ site }, use) =>
    use(
      (endpoint, more = '') =>
        `${site}/test/pages/session/session.html?endpoint=${encodeURIComponent(endpoint.url)}${more}`,
    ),
})

/** All that was sent has ended. The status is still that of the turn before while a message is prepared. */
export const settled = (page: Page) =>
  page.waitForFunction(
    () => window.agent?.status === 'idle' && window.agent.queue.length === 0 && window.agent.session?.end !== undefined,
  )
/** How often a tool of the page ran, over reloads and tabs. */
export const runs = (page: Page, name: string) => page.evaluate((key) => Number(localStorage.getItem(key) ?? 0), name)
export const send = (page: Page, text: string) =>
  page.evaluate((said) => {
    void window.agent.send(said).catch(() => undefined)
  }, text)
export const calls = (page: Page) =>
  page.evaluate(() =>
    window.agent.messages
      .flatMap((message) => (message.role === 'assistant' ? message.parts : []))
      .flatMap((part) =>
        part.type === 'tool-call'
          ? [`${part.call.name}:${String(part.result?.output ?? part.result?.error?.code)}`]
          : [],
      ),
  )

export { expect }
