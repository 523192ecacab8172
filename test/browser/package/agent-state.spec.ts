// useAgentState and useToolRenderer for React and Vue with the built package: what a component shows of an agent, and
// components inside the cards of calls.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { mergeTests, type Page } from 'playwright/test'
import type { Agent } from '../../../src/page/agent.js'
import { startEndpoint, type ScriptItem } from '../../support/lab/endpoint.js'
import { builtFolder, expect, test as withDist } from '../../support/project/dist.js'
import { test as withFrameworks } from '../../support/page/frameworks.js'
import { serveStatic } from '../../support/page/static-server.js'
import { appPage, wrapperApp, wrappers, type Wrapper } from '../../support/project/wrappers.js'

interface Globals {
  readonly app: { readonly agent: Agent; readonly renders: number; readonly cards: number; set(change: object): void }
}

const apps = new Map<Wrapper, Promise<string>>()
function appOf(name: Wrapper, dist: string): Promise<string> {
  const made = apps.get(name) ?? wrapperApp(name, dist, '/tool-agent/', { app: 'state' })
  apps.set(name, made)
  return made
}

const test = mergeTests(withDist, withFrameworks).extend<{
  /** Opens the app. Returns what the console said. */
  open: (name: Wrapper, script: ScriptItem[]) => Promise<string[]>
}>({
  open: async ({ page, dist }, use) => {
    const closing: (() => Promise<void>)[] = []
    await use(async (name, script) => {
      const said: string[] = []
      page.on('console', (message) => {
        if (['warning', 'error'].includes(message.type())) said.push(message.text())
      })
      page.on('pageerror', (error) => said.push(`uncaught ${String(error)}`))
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
      await page.goto(`${site.url}/`)
      return said
    })
    for (const close of closing) await close()
  },
})

const send = (page: Page, text: string) =>
  page.evaluate((text) => {
    ;(window as unknown as Globals).app.agent.send(text).catch(() => undefined)
  }, text)
const set = (page: Page, change: object) =>
  page.evaluate((change) => {
    ;(window as unknown as Globals).app.set(change)
  }, change)
const numberOf = (page: Page, name: 'renders' | 'cards') =>
  page.evaluate((name) => (window as unknown as Globals).app[name], name)
const find = (query: string): ScriptItem => ({ calls: [{ name: 'find', arguments: { query } }] })
const task = (status: 'in_progress' | 'completed'): ScriptItem => ({
  calls: [{ name: 'todo_write', arguments: { items: [{ text: 'Find it', status }] } }],
})

for (const name of wrappers) {
  test.describe(name, () => {
    test('a component shows status, messages, todos and questions as they change', async ({ page, open }) => {
      const said = await open(name, [
        task('in_progress'),
        find('secret'),
        task('completed'),
        { text: ['One ', 'two ', 'three.'] },
      ])
      const state = page.getByRole('region', { name: 'State' })
      await expect(state).toContainText(', 0 messages, 0 questions')
      await send(page, 'Find it')
      await expect(state).toContainText('awaiting-approval')
      await expect(state).toContainText('1 questions')
      await expect(state.getByText('Find it: in_progress')).toBeVisible()
      await state.getByRole('button', { name: 'Allow find' }).click()
      await expect(state).toContainText('idle')
      await expect(state).toContainText('0 questions')
      // The pieces of an answer change nothing that it shows.
      const before = await numberOf(page, 'renders')
      await page.evaluate(() => {
        ;(window as unknown as Globals).app.agent.registerToolRenderer('other', () => 'x')
      })
      await set(page, { isShown: false })
      await expect(state).toHaveCount(0)
      expect(await numberOf(page, 'renders')).toBe(before)
      expect(said).toEqual([])
    })

    test('a component draws the calls of a tool in their cards, with what surrounds it', async ({ page, open }) => {
      const said = await open(name, [find('green'), find('secret'), { text: 'Found.' }])
      await send(page, 'Find them')
      const panel = page.locator('tool-agent')
      const card = panel.getByRole('button', { name: /^green in euros/ })
      await expect(card).toHaveText('green in euros: done green tea 0')
      await card.click()
      await expect(card).toHaveText('green in euros: done green tea 1')
      const asking = panel.getByRole('button', { name: /^secret in euros/ })
      await expect(asking).toHaveText(/^secret in euros: asking +0$/)
      await page.getByRole('button', { name: 'Allow find' }).click()
      await expect(asking).toHaveText('secret in euros: done secret tea 0')
      // It keeps its state while its card is drawn again.
      await expect(card).toHaveText('green in euros: done green tea 1')
      expect(await numberOf(page, 'cards')).toBe(2)

      // With the card.
      await panel.locator('details.call').first().locator('summary').click()
      await expect.poll(() => numberOf(page, 'cards')).toBe(1)
      await panel.locator('details.call').first().locator('summary').click()
      await expect(card).toHaveText('green in euros: done green tea 0')
      await page.evaluate(() => (window as unknown as Globals).app.agent.sessions.create())
      await expect.poll(() => numberOf(page, 'cards')).toBe(0)
      expect(said).toEqual([])
    })

    test('a component in a card goes with the component that asked for it, and the card is as before', async ({
      page,
      open,
    }) => {
      const said = await open(name, [find('green'), { text: 'Found.' }])
      await send(page, 'Find it')
      const panel = page.locator('tool-agent')
      await expect(panel.getByRole('button', { name: /^green in euros/ })).toBeVisible()
      await set(page, { hasCards: false })
      await expect.poll(() => numberOf(page, 'cards')).toBe(0)
      await expect(panel.getByRole('button', { name: /^green in euros/ })).toHaveCount(0)
      await set(page, { hasCards: true })
      await expect(panel.getByRole('button', { name: /^green in euros/ })).toBeVisible()
      expect(said).toEqual([])
    })
  })
}

test('React: a component that throws is a sentence in its card, and the app goes on', async ({ page, open }) => {
  const said = await open('React', [find('break'), find('green'), { text: 'Found.' }])
  await send(page, 'Find them')
  const panel = page.locator('tool-agent')
  await expect(panel.getByText('This result cannot be shown.')).toBeVisible()
  await expect(panel.getByRole('button', { name: /^green in euros: done/ })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'State' })).toBeVisible()
  expect(said.filter((line) => !line.includes('no such product'))).toEqual([])
})

test('React: cards that are not rendered are named in the console', async ({ page, open }) => {
  const said = await open('React', [find('green'), { text: 'Found.' }])
  await set(page, { isForgotten: true })
  await send(page, 'Find it')
  await expect.poll(() => said).toEqual([expect.stringContaining('useToolRenderer("find"): its return value is not')])
})

test('a server renders an app that shows the state of its agent', async () => {
  const dist = await builtFolder()
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-server-'))
  try {
    for (const name of wrappers) {
      const file = join(folder, `${name}.mjs`)
      const code = await wrapperApp(name, dist, `${pathToFileURL(dist).href}/`, { app: 'state' })
      writeFileSync(file, `${code}\nconsole.log(await globalThis.app.render())\nprocess.exit()`)
      const { stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 60_000 })
      expect(stderr.slice(-2000), name).toBe('')
      expect(stdout.replaceAll('<!-- -->', ''), name).toContain('ready, 0 messages, 0 questions')
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
