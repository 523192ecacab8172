// Mistakes of page authors in apps of React and Vue, with the built package: the app lives, the panel shows a notice, the
// console names the mistake once, and a later render with a valid value removes the notice.
import { mergeTests, type Page } from 'playwright/test'
import type { Agent } from '../../../src/page/agent.js'
import { expect, test as withDist } from '../../support/project/dist.js'
import { test as withFrameworks } from '../../support/page/frameworks.js'
import { serveStatic } from '../../support/page/static-server.js'
import { wrapperApp, wrappers, type Wrapper } from '../../support/project/wrappers.js'

interface Globals {
  readonly app: { readonly agent?: Agent; readonly heard: string[]; set(change: object): void }
}
interface Opened {
  /** What the console and uncaught errors said, without the page's own network errors. */
  readonly said: string[]
}

const apps = new Map<string, Promise<string>>()
function appOf(name: Wrapper, dist: string, mode: string): Promise<string> {
  const key = `${name} ${mode}`
  const made = apps.get(key) ?? wrapperApp(name, dist, '/tool-agent/', { app: 'mistakes', mode })
  apps.set(key, made)
  return made
}

const test = mergeTests(withDist, withFrameworks).extend<{
  open: (name: Wrapper, mode: string, state: object) => Promise<Opened>
}>({
  open: async ({ page, dist }, use) => {
    const closing: (() => Promise<void>)[] = []
    await use(async (name, mode, state) => {
      const said: string[] = []
      page.on('console', (message) => {
        if (['warning', 'error'].includes(message.type())) said.push(message.text())
      })
      page.on('pageerror', (error) => said.push(`uncaught ${String(error)}`))
      const code = await appOf(name, dist, mode)
      const site = await serveStatic({
        folders: { '/tool-agent/': dist },
        files: {
          '/index.html':
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>App</title><link rel="icon" href="/icon.svg"><main></main><script type="module" src="/app.js"></script></html>',
          '/app.js': code.replace('errors: []', `errors: [], ...${JSON.stringify(state)}`),
          '/icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
        },
      })
      closing.push(() => site.close())
      await page.goto(`${site.url}/`)
      return { said }
    })
    for (const close of closing) await close()
  },
})

const set = (page: Page, change: object) =>
  page.evaluate((change) => {
    ;(window as unknown as Globals).app.set(change)
  }, change)
/** The events, without repetitions: React in development mounts each component twice, and a mistake with it. */
const heard = async (page: Page) => [...new Set(await page.evaluate(() => (window as unknown as Globals).app.heard))]
const notices = (page: Page) => page.locator('tool-agent').getByRole('alert')
/** The state of the app still follows its buttons. */
async function lives(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: /^count/ })
  const before = Number((await button.textContent())?.slice(6))
  await button.click()
  await expect(button).toHaveText(`count ${before + 1}`)
}
const found = (page: Page) =>
  page.evaluate(async () => {
    const target = document.querySelector('tool-agent') as unknown as Agent
    const { agent } = (window as unknown as Globals).app
    try {
      return await (agent ?? target).callTool('find')
    } catch (error) {
      return (error as { code?: string }).code
    }
  })

/** The wrong value, the valid one, and what is said. */
const wrongProps = [
  [{ pageTools: 'read fil' }, { pageTools: 'read fill' }, 'pageTools'],
  [{ approval: 'allways' }, { approval: 'always' }, 'approval'],
  [{ layout: 'side-bar' }, { layout: 'inline' }, 'layout'],
  [{ toolContext: { user: 'function' } }, { toolContext: { user: 'u1' } }, 'toolContext.user'],
  [{ limits: { step: 3 } }, { limits: { steps: 3 } }, 'limits.step'],
  [{ agent: { wrong: true } }, {}, 'agent'],
] as const
const wrongOptions = [
  [{ toolContext: { user: 'function' } }, { toolContext: { user: 'u1' } }, 'toolContext.user'],
  [{ approval: 'allways' }, { approval: 'always' }, 'approval'],
  [{ endpiont: '/v1' }, {}, 'endpiont'],
] as const

for (const name of wrappers) {
  for (const mode of ['development', 'production']) {
    test.describe(`${name} in ${mode}`, () => {
      for (const [wrong, valid, says] of wrongProps) {
        const shown = JSON.stringify(wrong)
        test(`the props ${shown} at first and in a later render are a notice`, async ({ page, open }) => {
          const { said } = await open(name, mode, { props: wrong })
          await expect(notices(page)).toHaveCount(1)
          await expect.poll(() => heard(page)).toEqual([expect.stringContaining(says)])
          await lives(page)
          await set(page, { props: valid })
          await expect(notices(page)).toHaveCount(0)
          await set(page, { props: { ...wrong } })
          await expect(notices(page)).toHaveCount(1)
          await lives(page)
          await set(page, { props: { ...valid } })
          await expect(notices(page)).toHaveCount(0)
          expect(said.filter((line) => !line.includes('Failed to load'))).toEqual([expect.stringContaining(says)])
        })
      }

      for (const [wrong, valid, says] of wrongOptions) {
        const shown = JSON.stringify(wrong)
        test(`the options ${shown} of useAgent at first and in a later render are a notice`, async ({ page, open }) => {
          const { said } = await open(name, mode, { options: wrong })
          await expect(notices(page)).toHaveCount(1)
          await expect.poll(() => heard(page)).toEqual([expect.stringContaining(says)])
          await lives(page)
          await set(page, { options: valid })
          await expect(notices(page)).toHaveCount(0)
          await set(page, { options: { ...wrong } })
          await expect(notices(page)).toHaveCount(1)
          await lives(page)
          await set(page, { options: { ...valid } })
          await expect(notices(page)).toHaveCount(0)
          expect(said.filter((line) => !line.includes('Failed to load'))).toEqual([expect.stringContaining(says)])
        })
      }

      for (const options of [undefined, {}]) {
        const where = options === undefined ? 'an element' : 'an agent'
        test(`two components with one tool of ${where}: the last mounted is used, then the other`, async ({
          page,
          open,
        }) => {
          const { said } = await open(name, mode, { options, tools: [{ by: 'a' }] })
          await expect.poll(() => found(page)).toBe('a')
          await set(page, { tools: [{ by: 'a' }, { by: 'b' }] })
          await expect.poll(() => found(page)).toBe('b')
          await lives(page)
          // Another definition of the first does not take the place of the last.
          await set(page, { tools: [{ by: 'a', title: 'Find it' }, { by: 'b' }] })
          await lives(page)
          expect(await found(page)).toBe('b')
          await set(page, { tools: [{ by: 'a', title: 'Find it' }] })
          await expect.poll(() => found(page)).toBe('a')
          await set(page, { tools: [{ by: 'c' }] })
          await expect.poll(() => found(page)).toBe('c')
          await set(page, { tools: [] })
          await expect.poll(() => found(page)).toBe('unknown-tool')
          await expect(notices(page)).toHaveCount(0)
          expect(said.filter((line) => !line.includes('Failed to load'))).toEqual([
            expect.stringMatching(/Tool "find": 2 mounted components .* by b\.", and not "Finds .* by a\."/),
          ])
        })

        test(`a tool of ${where} that is not valid is a notice, and is not offered`, async ({ page, open }) => {
          const wrong = { by: 'a', needApproval: true }
          const { said } = await open(name, mode, { options, tools: [wrong] })
          await expect(notices(page)).toHaveCount(1)
          await expect.poll(() => heard(page)).toEqual([expect.stringContaining('Write needsApproval')])
          expect(await found(page)).toBe('unknown-tool')
          await lives(page)
          await set(page, { tools: [{ by: 'a', needsApproval: true }] })
          await expect(notices(page)).toHaveCount(0)
          await expect.poll(() => found(page)).toBe('a')
          await set(page, { tools: [wrong, { by: 'b', inputSchema: { a: 'string' }, name: 'other' }] })
          await expect.poll(() => found(page)).toBe('unknown-tool')
          await lives(page)
          await set(page, { tools: [] })
          await expect(notices(page)).toHaveCount(0)
          expect(said.filter((line) => !line.includes('Failed to load'))).toEqual([
            expect.stringContaining('Write needsApproval'),
            expect.stringContaining('"a" is not a keyword of JSON Schema'),
          ])
        })
      }
    })
  }
}
