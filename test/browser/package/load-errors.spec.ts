// A file of the package that cannot be loaded: the visitor reads what helps, and the console says what is wrong and how
// to fix it. The causes are made by the server, because a worker asks it as well.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { readdirSync } from 'node:fs'
import type { Locator } from 'playwright/test'
import { expect, test } from '../../support/project/dist.js'
import { serveStatic } from '../../support/page/static-server.js'

const broken = 'The assistant cannot be loaded on this page. Reload the page. If that does not help, tell its owner.'
const remedy = 'Serve all files of one version of tool-agent'

/** What a server sends in place of a file. */
type Answer = (response: ServerResponse) => void
const send =
  (status: number, type: string, body: string): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': type }).end(body)
const missing = send(404, 'text/plain', 'Not found')
const html = send(200, 'text/html', '<!doctype html><title>Shop</title>')
const older = send(200, 'text/javascript', 'export const another = 1')
const foreign = send(
  200,
  'text/javascript',
  'import { another } from "./tool-agent.js"; export const createPanel = another',
)
const nested = send(200, 'text/javascript', 'import "./absent-file.js"')
const failing = send(200, 'text/javascript', 'throw new RangeError("The page replaced a function")')
const overloaded = send(503, 'text/plain', 'Busy')
const unreachable: Answer = (response) => response.destroy()

type Use = (element: Locator) => Promise<void>
const open: Use = (element) => element.locator('.launcher').click()
const ask: Use = async (element) => {
  await open(element)
  await element.getByRole('textbox').fill('Hello')
  await element.getByRole('textbox').press('Enter')
}
const list: Use = async (element) => {
  await open(element)
  await element.getByRole('button', { name: 'Conversations' }).click()
}

interface Case {
  /** The file that is not there as it should be. */
  file: RegExp
  answer?: Answer
  /** A policy of the page, which gets the URLs of all other files. */
  policy?: (others: string) => string
  isOffline?: true
  language?: string
  use?: Use
  seen?: string
  /** What the console says. */
  logged: readonly string[]
}

const panel = /\/panel-[\w-]+\.js/
const model = /\/models\/openai\.js/
const cases: Record<string, Case> = {
  'a missing panel': { file: panel, answer: missing, logged: ['The file is missing (status 404)', remedy] },
  'a page in place of the panel': {
    file: panel,
    answer: html,
    logged: ['The server sent text/html in place of JavaScript', remedy],
  },
  'a panel of another version': { file: panel, answer: older, logged: ['another version', remedy] },
  'a panel that imports from another version': { file: panel, answer: foreign, logged: ['another version', remedy] },
  'a panel whose code fails': { file: panel, answer: failing, logged: ['The page replaced a function'] },
  'a file that the panel imports': { file: panel, answer: nested, logged: ['status 404', remedy] },
  'a panel that the policy refuses': {
    file: panel,
    policy: (others) => `script-src ${others}`,
    logged: ['script-src-elem blocks', 'Allow the files of tool-agent'],
  },
  'a missing panel that must not be requested again': {
    file: panel,
    answer: missing,
    policy: () => "connect-src 'none'",
    logged: ['The file is missing (status 404)', remedy],
  },
  'a busy server': {
    file: panel,
    answer: overloaded,
    seen: 'The assistant cannot be loaded. Check your connection and try again.',
    logged: ['status 503'],
  },
  'a server that does not answer': {
    file: panel,
    answer: unreachable,
    seen: 'The assistant cannot be loaded. Check your connection and try again.',
    logged: ['The server cannot be reached'],
  },
  'no connection': {
    file: panel,
    isOffline: true,
    seen: 'The assistant cannot be loaded, because you are offline. Try again when you are connected.',
    logged: ['The browser is offline.'],
  },
  'a missing conversation': { file: /\/conversation-/, answer: missing, use: ask, logged: ['status 404', remedy] },
  'a conversation of another version': { file: /\/conversation-/, answer: older, use: ask, logged: [remedy] },
  'a missing client': { file: /\/agent-client-/, answer: missing, use: ask, logged: ['status 404', remedy] },
  'a missing list of conversations': {
    file: /\/session-menu-/,
    answer: html,
    use: list,
    logged: ['text/html in place of JavaScript', remedy],
  },
  'missing page tools': { file: /\/tool-lists-/, answer: missing, use: open, logged: ['status 404', remedy] },
  'a missing model file': {
    file: model,
    answer: missing,
    use: ask,
    logged: ['models/openai.js', 'status 404', remedy],
  },
  'a missing model file on a German page': {
    file: model,
    answer: missing,
    use: ask,
    language: 'de',
    seen: 'Der Assistent kann auf dieser Seite nicht geladen werden.',
    logged: ['status 404'],
  },
  'a page in place of a model file': { file: model, answer: html, use: ask, logged: ['text/html', remedy] },
  'a model file of another version': { file: model, answer: older, use: ask, logged: ['another version', remedy] },
  'a model file that the policy refuses': {
    file: model,
    policy: (others) => `script-src ${others}`,
    use: ask,
    logged: ['script-src', 'models/openai.js'],
  },
}

/** Variants that the default run need not have. */
const broad = new Set([
  'a page in place of the panel',
  'a panel that imports from another version',
  'a panel whose code fails',
  'a busy server',
  'a missing conversation',
  'a conversation of another version',
  'a missing list of conversations',
  'a missing model file on a German page',
  'a page in place of a model file',
  'a model file of another version',
])

for (const [
  title,
  { file, answer, policy, isOffline, language = 'en', use = open, seen = broken, logged },
] of Object.entries(cases)) {
  const tag = broad.has(title) ? '@long' : []
  test(`${title} is told to the visitor and to the author of the page`, { tag }, async ({ page, context, dist }) => {
    const files = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'))
    const server = await serveStatic({
      folders: { '/tool-agent/': dist },
      files: {
        '/index.html': `<!doctype html><html lang="${language}"><meta charset="utf-8"><body>
<tool-agent endpoint="/v1" model="m" layout="floating" page-tools="read"></tool-agent>
<script type="module" src="/tool-agent/tool-agent.js"></script></body></html>`,
      },
      middleware({ url = '', headers }: IncomingMessage, response, next) {
        const others = files.map((name) => `/tool-agent/${name}`).filter((path) => !file.test(path))
        const list = others.map((path) => `http://${headers.host ?? ''}${path}`).join(' ')
        if (policy) response.setHeader('content-security-policy', policy(list))
        if (answer && file.test(url)) answer(response)
        else next()
      },
    })
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    await page.goto(server.url)
    const element = page.locator('tool-agent')
    await expect(element.locator('.launcher')).toBeVisible()
    if (isOffline) await context.setOffline(true)
    await use(element)
    await expect(element.getByText(seen).first()).toBeVisible()
    for (const text of logged) await expect.poll(() => errors.join('\n')).toContain(text)
    await server.close()
  })
}
