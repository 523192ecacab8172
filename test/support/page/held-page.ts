// A page of its own with the element, and its server, which counts what arrives under `/api/`, for specs about what is
// held.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { Locator, Page } from 'playwright/test'
import type { JsonObject } from '../../../src/core/data/json.js'
import type { ScriptItem } from '../lab/endpoint.js'
import { expect } from './session-page.js'
import { answerQuestion } from './press.js'
import { serveStatic } from './static-server.js'

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
  /** Runs before the element is there. `elsewhere` is the origin of another site, unless the tag is first. */
  readonly script: string
  /** What comes before the tag. */
  readonly head?: string
  /** The page begins with the script of the tag, which is loaded by others otherwise. */
  readonly isFirst?: boolean
  /** The page loads something that could have been held, so that its border is tight. @default unless it begins so */
  readonly isProven?: boolean
  /** What the server does with a request to `/api/`. @default answers with JSON */
  readonly answer?: (response: ServerResponse) => void
  /** Properties of the element. */
  readonly options?: object
  /** Code that runs with `agent`, before anything is sent. */
  readonly setup?: string
}

/** Opens the page at a server of its own, which ends with its context. Returns what arrived: method, path and body. */
export async function openHeld(
  page: Page,
  site: string,
  endpoint: { readonly url: string },
  {
    html,
    script,
    head = '',
    isFirst = false,
    isProven = !isFirst,
    answer = accept,
    options = {},
    setup = '',
  }: HeldPage,
): Promise<string[]> {
  const arrived: string[] = []
  const element = { endpoint: endpoint.url, model: 'm', pageTools: 'read fill act', resume: 'auto', ...options }
  const other = `<script>window.elsewhere = location.origin.replace('127.0.0.1', 'localhost')</script>`
  const body = `<!doctype html><html lang=en><meta charset=utf-8><title>Wallet</title>
    ${isFirst ? '<script type=module src=/tool-agent.js></script>' : other}${head}
    <link rel=stylesheet href=/test/pages/panel/panel.css><main><h1>Wallet</h1>${html}</main>
    <tool-agent page-tools="read fill act"></tool-agent>
    <script${isFirst ? ' type=module' : ''}>window.handled = 0;${script}</script>
    <script type=module>
      await import('/tool-agent.js')
      ${isProven ? "await (await fetch('/proof')).text()" : ''}
      const element = Object.assign(document.querySelector('tool-agent'), ${JSON.stringify(element)})
      const { agent } = element
      ${setup}
      window.agent = agent
    </script>`
  const reply = async (request: IncomingMessage, response: ServerResponse, pathname: string): Promise<void> => {
    arrived.push(`${request.method} ${pathname} ${await text(request)}`.trim())
    answer(response)
  }
  const files: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/wallet': ['text/html', body],
    '/tool-agent.js': ['text/javascript', `import '/src/index.ts'`],
    '/proof': ['application/json', '{}'],
  }
  const server = await serveStatic({
    relay: { '': site },
    middleware(request, response, next) {
      const { pathname } = new URL(request.url ?? '', 'http://localhost')
      const file = files[pathname]
      if (pathname.startsWith('/api/')) void reply(request, response, pathname)
      else if (file) response.writeHead(200, { 'content-type': file[0] }).end(file[1])
      else next()
    },
  })
  page.context().once('close', () => void server.close())
  // The whole question must be on the screen.
  await page.setViewportSize({ width: 1280, height: 1400 })
  await page.goto(`${server.url}/wallet`)
  await readyPage(page)
  return arrived
}

function accept(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/json', 'access-control-allow-origin': '*' }).end('{"ok":true}')
}

/** The origin of another site, which the server of the page answers, too. In the page it is `elsewhere`. */
export function elsewhere(page: Page): string {
  return new URL(page.url()).origin.replace('127.0.0.1', 'localhost')
}

/** The agent answers, and offers its tools. */
export const readyPage = (page: Page) =>
  page.waitForFunction(
    () =>
      ['ready', 'idle'].includes(window.agent?.status) && window.agent.tools.some(({ name }) => name === 'page_click'),
  )

/** How often a handler of the page ran that counts itself. */
export const handled = (page: Page) => page.evaluate(() => (window as unknown as { handled: number }).handled)

/** What a page sends. */
export const post = (path: string, body: string): string => `fetch('/api/${path}', { method: 'POST', body: '${body}' })`

/** A button that saves by `save()`, and shows what came of it. `html`: what follows it. */
export const button = (save: string, { html = '', ...more }: Partial<HeldPage> = {}): HeldPage => ({
  html: `<button id=go>Next</button><p id=out></p>${html}`,
  script: `document.getElementById('go').onclick = async () => {
      handled++
      const out = document.getElementById('out')
      try {
        const answer = await (${save})()
        out.textContent = String(answer?.status ?? answer)
      } catch (error) { out.textContent = error.name }
    }`,
  ...more,
})

export const card = (page: Page): Locator => page.locator('tool-agent-approval')
/** The question can be answered. */
export const asked = (page: Page) => expect(card(page).locator('.decision[data-ready]')).toBeVisible()
export const allow = (page: Page): Promise<void> => answerQuestion(page, '.approve')
export const deny = (page: Page): Promise<void> => answerQuestion(page, '.deny')
