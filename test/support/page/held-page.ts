// A page of its own with the element, whose requests to `/api/` are counted where they arrive, for specs about what is
// held.
import type { Locator, Page, Route } from 'playwright/test'
import type { JsonObject } from '../../../src/core/data/json.js'
import type { ScriptItem } from '../lab/endpoint.js'
import { expect } from './session-page.js'
import { pressInPlace } from './press.js'

/** One call, as the model makes it. */
export const calling = (name: string, input: JsonObject, id = name): ScriptItem => ({
  calls: [{ id, name, arguments: input }],
})
/** A press. */
export const click = (target: string, id = 'c'): ScriptItem => calling('page_click', { target }, id)
/** A fill. */
export const fill = (fields: Readonly<Record<string, string | boolean>>, id = 'f'): ScriptItem =>
  calling('form_fill', { fields: Object.entries(fields).map(([field, value]) => ({ field, value })) }, id)

export interface HeldPage {
  readonly html: string
  readonly script: string
  /** The first scripts of the page. @default the one that comes before all others */
  readonly head?: string
  readonly answer?: (route: Route) => Promise<void>
  /** Properties of the element. */
  readonly options?: object
  /** Code that runs with `agent`, before anything is sent. */
  readonly setup?: string
}

/** Opens the page. Returns what arrived: method, path and body. */
export async function openHeld(
  page: Page,
  site: string,
  endpoint: { readonly url: string },
  { html, script, head = '', answer = accept, options = {}, setup = '' }: HeldPage,
): Promise<string[]> {
  const arrived: string[] = []
  const element = { endpoint: endpoint.url, model: 'm', pageTools: 'read fill act', resume: 'auto', ...options }
  const body = `<!doctype html><html lang=en><meta charset=utf-8><title>Wallet</title>
    ${head}
    <link rel=stylesheet href=/test/pages/panel/panel.css><main><h1>Wallet</h1>${html}</main>
    <tool-agent page-tools="read fill act"></tool-agent>
    <script>window.handled = 0;${script}</script>
    <script type=module>
      await import('/src/index.ts')
      // The page has sent something that could have been held, so its border is tight.
      await (await fetch('/proof')).text()
      const element = Object.assign(document.querySelector('tool-agent'), ${JSON.stringify(element)})
      const { agent } = element
      ${setup}
      window.agent = agent
    </script>`
  const context = page.context()
  await context.route('**/wallet**', (route) => route.fulfill({ contentType: 'text/html', body }))
  await context.route('**/proof', (route) => route.fulfill({ json: {} }))
  await context.route('**/api/**', async (route) => {
    const request = route.request()
    arrived.push(`${request.method()} ${new URL(request.url()).pathname} ${request.postData() ?? ''}`.trim())
    await answer(route)
  })
  // The whole question must be on the screen.
  await page.setViewportSize({ width: 1280, height: 1400 })
  await page.goto(`${site}/wallet`)
  await readyPage(page)
  return arrived
}

const accept = (route: Route): Promise<void> =>
  route.fulfill({ json: { ok: true }, headers: { 'access-control-allow-origin': '*' } })

/** The agent answers, and offers its tools. */
export const readyPage = (page: Page) =>
  page.waitForFunction(
    () =>
      ['ready', 'idle'].includes(window.agent?.status) && window.agent.tools.some(({ name }) => name === 'page_click'),
  )

export const card = (page: Page): Locator => page.locator('tool-agent-approval')
/** The question can be answered. */
export const asked = (page: Page) => expect(card(page).locator('.decision[data-ready]')).toBeVisible()
export async function allow(page: Page): Promise<void> {
  await asked(page)
  await pressInPlace(card(page).locator('.approve'))
}
export async function deny(page: Page): Promise<void> {
  await asked(page)
  await pressInPlace(card(page).locator('.deny'))
}
