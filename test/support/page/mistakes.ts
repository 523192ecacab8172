// Apps with mistakes of page authors, with the built package: what the console says, what the visitor reads, and whether
// the application lives.
import { mergeTests, type Page } from 'playwright/test'
import type { Agent } from '../../../src/page/agent.js'
import { expect, test as withDist } from '../project/dist.js'
import { appPage, wrapperApp, type FrameworkApp } from '../project/wrappers.js'
import { test as withFrameworks } from './frameworks.js'
import { serveStatic } from './static-server.js'

export { expect }

/** A page without a framework: attributes for texts, as an author writes them, and a script for everything else. */
const plainScript = `
import '/tool-agent/tool-agent.js'
const app = { state: { errors: [] }, heard: [] }
window.app = app
document.addEventListener('tool-agent-error', ({ error }) => app.heard.push(error.code + ': ' + error.message))
const main = document.querySelector('main')
main.innerHTML = '<button>count 0</button>'
let count = 0
main.firstElementChild.onclick = ({ target }) => { target.textContent = 'count ' + ++count }
const props = { endpoint: '/v1', model: 'm', ...app.state.props }
const attribute = (name) => name.replaceAll(/[A-Z]/g, (letter) => '-' + letter.toLowerCase())
const texts = Object.entries(props).filter(([, value]) => typeof value === 'string')
main.insertAdjacentHTML('beforeend',
  '<tool-agent ' + texts.map(([name, value]) => attribute(name) + '="' + value + '"').join(' ') + '></tool-agent>')
for (const [name, value] of Object.entries(props)) if (typeof value !== 'string') main.lastElementChild[name] = value
`

export interface Globals {
  readonly app: { readonly agent?: Agent; readonly heard: string[]; set(change: object): void }
}
interface Opened {
  /** What the console and uncaught errors said, without the page's own network errors. */
  readonly said: string[]
}

const apps = new Map<string, Promise<string>>()
function appOf(name: FrameworkApp, dist: string, mode: string): Promise<string> {
  const key = `${name} ${mode}`
  const made = apps.get(key) ?? wrapperApp(name, dist, '/tool-agent/', { app: 'mistakes', mode })
  apps.set(key, made)
  return made
}

export const test = mergeTests(withDist, withFrameworks).extend<{
  open: (name: FrameworkApp | 'plain HTML', mode: string, state: object) => Promise<Opened>
}>({
  open: async ({ page, dist }, use) => {
    const closing: (() => Promise<void>)[] = []
    await use(async (name, mode, state) => {
      const said: string[] = []
      page.on('console', (message) => {
        if (['warning', 'error'].includes(message.type())) said.push(message.text())
      })
      page.on('pageerror', (error) => said.push(`uncaught ${String(error)}`))
      const code = name === 'plain HTML' ? plainScript : await appOf(name, dist, mode)
      const site = await serveStatic({
        folders: { '/tool-agent/': dist },
        files: appPage(code.replace('errors: []', `errors: [], ...${JSON.stringify(state)}`)),
      })
      closing.push(() => site.close())
      await page.goto(`${site.url}/`)
      return { said }
    })
    for (const close of closing) await close()
  },
})

/** Changes the state of the app. */
export const set = (page: Page, change: object) =>
  page.evaluate((change) => {
    ;(window as unknown as Globals).app.set(change)
  }, change)
/** The events, without repetitions: React in development mounts each component twice, and a mistake with it. */
export const heard = async (page: Page) => [
  ...new Set(await page.evaluate(() => (window as unknown as Globals).app.heard)),
]
/** What the visitor reads. */
export const notices = (page: Page) => page.locator('tool-agent').getByRole('alert')
/** The state of the app still follows its buttons. */
export async function lives(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^count/ })
  const before = Number((await button.textContent())?.slice(6))
  await button.click()
  await expect(button).toHaveText(`count ${before + 1}`)
}
