// The components for React and Vue with the built package, in development mode: one worker whatever is mounted twice,
// tools that follow their component, a conversation that outlives a route.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mergeTests, type Page } from 'playwright/test'
import type { Agent } from '../../../src/page/agent.js'
import { startEndpoint, type Endpoint, type ScriptItem } from '../../support/lab/endpoint.js'
import { builtFolder, expect, test as withDist } from '../../support/project/dist.js'
import { test as withFrameworks } from '../../support/page/frameworks.js'
import { serveStatic } from '../../support/page/static-server.js'
import { appPage, wrapperApp, wrappers, type Wrapper } from '../../support/project/wrappers.js'

interface App {
  readonly agent: Agent
  readonly element: (HTMLElement & { readonly agent: Agent; readonly host?: string }) | null
  readonly ran: string[]
  set(change: Record<string, unknown>): void
  unmount(): void
}
interface Globals {
  readonly app: App
  readonly workers: { started: number; ended: number }
}

const apps = new Map<Wrapper, Promise<string>>()
/** The bundle of an app. Made once for each test worker. */
function appOf(name: Wrapper, dist: string): Promise<string> {
  const made = apps.get(name) ?? wrapperApp(name, dist, '/tool-agent/')
  apps.set(name, made)
  return made
}

const test = mergeTests(withDist, withFrameworks).extend<{
  open: (name: Wrapper, script: ScriptItem[], query?: string) => Promise<Endpoint>
}>({
  /** Opens the app. The test fails if the console has a warning or an error, or if a reply is left over. */
  open: async ({ page, dist }, use) => {
    const problems: string[] = []
    const closing: (() => Promise<void>)[] = []
    page.on('console', (message) => {
      if (['warning', 'error'].includes(message.type())) problems.push(message.text())
    })
    page.on('pageerror', (error) => problems.push(String(error)))
    await page.addInitScript(() => {
      const workers = { started: 0, ended: 0 }
      const { terminate } = Worker.prototype
      Worker.prototype.terminate = function () {
        workers.ended += 1
        terminate.call(this)
      }
      window.Worker = class extends Worker {
        constructor(...args: ConstructorParameters<typeof Worker>) {
          super(...args)
          workers.started += 1
        }
      }
      Object.assign(window, { workers })
    })
    await use(async (name, script, query = '') => {
      const endpoint = await startEndpoint(script)
      const site = await serveStatic({
        folders: { '/tool-agent/': dist },
        files: appPage(await appOf(name, dist)),
        relay: { '/v1': endpoint.url },
      })
      closing.push(
        () => site.close(),
        () => endpoint.close(),
      )
      await page.goto(`${site.url}/${query}`)
      return endpoint
    })
    for (const close of closing) await close()
    expect(problems).toEqual([])
  },
})

const hosted = (page: Page) =>
  expect.poll(() => page.evaluate(() => (window as unknown as Globals).app.agent.host)).toBe('worker')
const workers = (page: Page) => page.evaluate(() => (window as unknown as Globals).workers)
const ran = (page: Page) => page.evaluate(() => (window as unknown as Globals).app.ran)
const set = (page: Page, change: Record<string, unknown>) =>
  page.evaluate((change) => {
    ;(window as unknown as Globals).app.set(change)
  }, change)
const send = (page: Page, text: string) =>
  page.evaluate(async (text) => {
    const { text: answer } = await (window as unknown as Globals).app.agent.send(text)
    return answer
  }, text)
/** The description and the schema of the tool `search`, as the agent offers it. */
const offered = (page: Page) =>
  page.evaluate(() => {
    const tool = (window as unknown as Globals).app.agent.tools.find(({ name }) => name === 'search')
    return tool && `${tool.description} ${JSON.stringify(tool.inputSchema)}`
  })
const search: ScriptItem = { calls: [{ name: 'search', arguments: { text: 'tea' } }] }

for (const name of wrappers) {
  test.describe(name, () => {
    test('one worker starts, and a call runs the newest function of a tool that is registered once', async ({
      page,
      open,
    }) => {
      await open(name, [search, { text: 'Found.' }])
      await hosted(page)
      await page.evaluate(() =>
        Object.assign(window, { first: (window as unknown as Globals).app.agent.tools[0]?.tool }),
      )
      await page.getByRole('button', { name: 'count 0' }).click()
      await page.getByRole('button', { name: 'count 1' }).click()
      await expect(page.getByRole('button', { name: 'count 2' })).toBeVisible()
      expect(await send(page, 'Tea?')).toBe('Found.')
      // The text of an answer is drawn before its turn has ended.
      await expect.poll(() => ran(page)).toEqual(['tea 2', 'Home stop'])
      const isSame = await page.evaluate(() => {
        const { app, first } = window as unknown as Globals & { first: unknown }
        return first !== undefined && app.agent.tools[0]?.tool === first
      })
      expect(isSame).toBe(true)
      expect(await workers(page)).toEqual({ started: 1, ended: 0 })
      // What the component passes on.
      await expect(page.locator('tool-agent.assistant')).toHaveCount(1)
      expect(await page.evaluate(() => (window as unknown as Globals).app.element?.localName)).toBe('tool-agent')
    })

    test('a tool is registered again when its description or schema changes, and removed with its component', async ({
      page,
      open,
    }) => {
      await open(name, [])
      await expect
        .poll(() => offered(page))
        .toContain('Searches the products of the shop by free text. {"type":"object","properties":{"text"')
      await set(page, { description: 'Searches all pages of the shop by free text.' })
      await expect
        .poll(() => offered(page))
        .toContain('Searches all pages of the shop by free text. {"type":"object","properties":{"text"')
      await set(page, { field: 'query' })
      await expect
        .poll(() => offered(page))
        .toContain('Searches all pages of the shop by free text. {"type":"object","properties":{"query"')
      await set(page, { hasTool: false })
      await expect.poll(() => offered(page)).toBeUndefined()
      await set(page, { instructions: 'Be short.', greeting: 'Good morning' })
      await expect
        .poll(() => page.evaluate(() => (window as unknown as Globals).app.agent.options.instructions))
        .toBe('Be short.')
      await expect(page.getByText('Good morning')).toBeVisible()
    })

    test('a route change keeps the conversation and the worker, and unmounting closes the agent', async ({
      page,
      open,
    }) => {
      await open(name, [{ text: 'Good morning.' }, search, { text: 'Found.' }, { text: 'Another one.' }])
      await hosted(page)
      await send(page, 'Hello')
      await page.evaluate(() => Object.assign(window, { before: (window as unknown as Globals).app.agent }))
      await set(page, { route: 'orders' })
      await expect(page.getByRole('heading', { name: 'Orders', level: 1 })).toBeVisible()
      await expect(page.getByText('Good morning.', { exact: true })).toBeVisible()
      expect(await send(page, 'Tea?')).toBe('Found.')
      const isSame = await page.evaluate(() => {
        const { app, before } = window as unknown as Globals & { before: unknown }
        return app.agent === before
      })
      expect(isSame).toBe(true)
      expect(await workers(page)).toEqual({ started: 1, ended: 0 })
      // The text of an answer is drawn before its turn has ended.
      await expect.poll(() => ran(page)).toEqual(['Home stop', 'tea 0', 'Orders stop'])

      // Another user gets another agent, and the tools move to it.
      await set(page, { scope: 'user-17' })
      await expect.poll(() => workers(page)).toEqual({ started: 2, ended: 1 })
      await hosted(page)
      expect(await offered(page)).toContain('Searches the products')
      expect(await send(page, 'Hello')).toBe('Another one.')

      await page.evaluate(() => {
        ;(window as unknown as Globals).app.unmount()
      })
      await expect.poll(() => workers(page)).toEqual({ started: 2, ended: 2 })
    })

    test('an element without its agent is not shown, and gets the agent and its tools later', async ({
      page,
      open,
    }) => {
      await open(name, [search, { text: 'Found.' }], '?isLate=yes')
      await hosted(page)
      await expect(page.locator('tool-agent')).toHaveCount(0)
      await set(page, { isLate: '' })
      await page.getByRole('textbox', { name: /.*/ }).fill('Tea?')
      await page.keyboard.press('Enter')
      await expect(page.getByText('Found.', { exact: true })).toBeVisible()
      // The text of an answer is drawn before its turn has ended.
      await expect.poll(() => ran(page)).toEqual(['tea 0', 'Home stop'])
      expect(await workers(page)).toEqual({ started: 1, ended: 0 })
    })

    test('an element without an agent has its own, which gets the tools and starts no worker', async ({
      page,
      open,
    }) => {
      await open(name, [], '?route=alone')
      const tools = () =>
        page.evaluate(() =>
          (document.querySelector('tool-agent') as unknown as Agent | null)?.tools.map((tool) => tool.name),
        )
      await expect.poll(tools).toContain('search')
      await expect.poll(tools).toContain('page_read')
      await set(page, { description: 'Searches all pages of the shop by free text.' })
      await expect
        .poll(() =>
          page.evaluate(
            () =>
              (document.querySelector('tool-agent') as unknown as Agent).tools.find((tool) => tool.name === 'search')
                ?.description,
          ),
        )
        .toBe('Searches all pages of the shop by free text.')
      expect(await workers(page)).toEqual({ started: 0, ended: 0 })
    })
  })
}

test('a server renders an app with the components', async () => {
  const dist = await builtFolder()
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-server-'))
  try {
    for (const name of wrappers) {
      const file = join(folder, `${name}.mjs`)
      writeFileSync(
        file,
        `${await wrapperApp(name, dist, `${pathToFileURL(dist).href}/`)}\nconsole.log(await globalThis.app.render())\nprocess.exit()`,
      )
      const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 60_000 })
      expect(stderr.slice(-2000), name).toBe('')
      expect(stdout, name).toContain('<h1>Home</h1>')
      expect(stdout, name).not.toContain('tool-agent')
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
