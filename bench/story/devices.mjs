// The second picture story: the shop of examples/server, with its own server. A customer asks on a laptop, and answers
// the question of the server's tool on a phone. The model is scripted.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { composer } from '../support/ours.mjs'
import { resultsIn } from '../support/site.mjs'
import { installSqlite, sqliteFolder } from '../support/sqlite.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** @typedef {import('playwright').Page} Page */
/** @typedef {import('../support/lab.mjs').Lab} Lab */
/** @typedef {'laptop' | 'phone'} Device */

/** @type {Record<Device, import('playwright').BrowserContextOptions>} */
const devices = {
  laptop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
}
const steps = [
  { calls: [{ name: 'selected_tea', arguments: {} }] },
  { calls: [{ name: 'order_tea', arguments: { tea: 'Assam' } }] },
]
const last = 'Your Assam is ordered. The number of the order is **1**.'

/** A copy of the example with its packages. @param {string} dist */
function copyOfShop(dist) {
  installSqlite()
  const folder = mkdtempSync(join(tmpdir(), 'tool-agent-story-shop-'))
  cpSync(join(root, 'examples/server'), folder, { recursive: true })
  const modules = join(folder, 'node_modules')
  mkdirSync(join(modules, 'tool-agent'), { recursive: true })
  cpSync(join(root, 'package.json'), join(modules, 'tool-agent/package.json'))
  symlinkSync(dist, join(modules, 'tool-agent/dist'), 'junction')
  symlinkSync(join(root, 'node_modules/ws'), join(modules, 'ws'), 'junction')
  symlinkSync(join(sqliteFolder, 'node_modules/better-sqlite3'), join(modules, 'better-sqlite3'), 'junction')
  return folder
}

/** Starts the shop. Resolves with its address. @param {string} folder @param {string} endpoint */
async function startShop(folder, endpoint) {
  const env = { ...process.env, PORT: '0', DATA: folder, MODEL_ENDPOINT: endpoint }
  const child = spawn(process.execPath, ['server.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const [url] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    ended.then(([code]) => {
      throw new Error(`The shop ended with ${code}`)
    }),
  ])
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Signs in on a device. @param {Lab} lab @param {string} url @param {Device} device @param {boolean} isDark */
async function signIn(lab, url, device, isDark) {
  const context = await lab.browser.newContext({
    ...devices[device],
    colorScheme: isDark ? 'dark' : 'light',
    locale: 'en-US',
  })
  context.setDefaultTimeout(120_000)
  const page = await context.newPage()
  await page.goto(url)
  await page.getByLabel('Name').fill('anna')
  await page.getByLabel('Password').fill('sencha')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await composer(page).waitFor()
  return page
}

/** Waits until what moves has ended. @param {Page} page */
async function still(page) {
  await page.evaluate(() => document.fonts.ready)
  await pause(700)
}

/**
 * Plays the story once, and hands over each picture.
 * @param {Lab} lab @param {{ dist: string, isDark: boolean }} look
 * @param {(step: string, device: Device, png: Buffer) => void} write
 */
export async function takeDevices(lab, { dist, isDark }, write) {
  const folder = copyOfShop(dist)
  const model = lab.site.model((request) => steps[resultsIn(request)] ?? { pieces: [last] })
  const shop = await startShop(folder, lab.site.url + model.path)
  try {
    /** @param {string} step @param {Device} device @param {Page} page */
    const picture = async (step, device, page) => {
      await still(page)
      write(step, device, await page.screenshot())
    }
    const question = (/** @type {Page} */ page) => page.locator('tool-agent').getByRole('group', { name: /Order tea/ })
    const laptop = await signIn(lab, shop.url, 'laptop', isDark)
    await laptop.getByLabel('Tea').selectOption('Assam')
    await composer(laptop).fill('Order the tea that I have selected.')
    await picture('asking', 'laptop', laptop)
    await composer(laptop).press('Enter')
    await question(laptop).waitFor()
    await picture('question', 'laptop', laptop)

    const phone = await signIn(lab, shop.url, 'phone', isDark)
    await question(phone).waitFor()
    await picture('question', 'phone', phone)
    await question(phone).getByRole('button', { name: 'Allow', exact: true }).tap()
    const pages = /** @type {const} */ ({ laptop, phone })
    for (const page of Object.values(pages))
      await page.locator('tool-agent').getByText('Your Assam is ordered.').first().waitFor()
    for (const device of /** @type {const} */ (['laptop', 'phone'])) await picture('done', device, pages[device])
    for (const page of Object.values(pages)) await page.context().close()
  } finally {
    await shop.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
