// Takes the pictures: each product in each state and size, in its default look, in the same page with the same fonts.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { candidates, launchSettings } from '../../scripts/browsers.mjs'
import { pageOf, productNames, products } from './page.mjs'
import { products as acting, takeStory } from '../story/steps.mjs'
import { bundlePeers as bundleActing, installPeers as installActing } from '../support/peers.mjs'
import { peerVersions } from '../support/lab.mjs'
import { startSite } from '../support/site.mjs'
import { startServer } from './server.mjs'
import { pictures, setup } from './setup.mjs'

/** @typedef {import('playwright').Page} Page */
/** @typedef {import('playwright').Locator} Locator */
/** @typedef {import('./page.mjs').Product} Product */
/** @typedef {import('./setup.mjs').State} State */
/** @typedef {import('./setup.mjs').Size} Size */

const here = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('../..', import.meta.url))
/** Chromium finds no other address than that of this process. */
const onlyLoopback = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1'

/**
 * Takes the pictures. `dist`: the folder of our build. `only`: parts of the names `<product> <state> <size>`.
 * @param {{ dist: string, only: readonly string[], log: (text: string) => void }} options
 */
export async function shoot({ dist, only, log }) {
  if (!existsSync(join(dist, 'tool-agent.js'))) throw new Error(`${dist} has no build. Run npm run build.`)
  installPeers(log)
  mkdirSync(join(pictures, 'shots'), { recursive: true })
  const shots = shotsOf(only)
  await bundlePeers(shots.map(({ product }) => product.name))
  const server = await startServer({ '/tool-agent/': dist, '/peers/': join(pictures, 'bundles') })
  const [found] = candidates('chromium')
  const { args = [], ...launchOptions } = found ? launchSettings(found).launchOptions : {}
  const env = { ...process.env, FONTCONFIG_FILE: writeFonts() }
  const browser = await chromium.launch({ ...launchOptions, env, args: [...args, onlyLoopback] })
  let failed = await shootActing(
    shots.filter(({ state }) => state.acts !== undefined),
    { browser, dist, log },
  )
  try {
    for (const shot of shots.filter(({ state }) => state.acts === undefined)) {
      try {
        await takeOne({ ...shot, server, browser })
        log(`ok     ${shot.name}`)
      } catch (error) {
        failed += 1
        log(`FAILED ${shot.name}: ${error}`)
      }
    }
  } finally {
    await browser.close()
    await server.close()
  }
  writeFileSync(join(pictures, 'shots/versions.json'), JSON.stringify(versions()))
  if (failed > 0) throw new Error(`${failed} pictures could not be taken.`)
}

/** Every picture: of ours in all states, of a peer in the states that it has. @param {readonly string[]} only */
function shotsOf(only) {
  const all = products.flatMap((product) =>
    setup.states
      .filter(({ peers }) => product.name === 'ours' || peers.includes(product.name))
      .flatMap((state) =>
        setup.sizes.map((size) => ({ product, state, size, name: `${product.name} ${state.name} ${size.name}` })),
      ),
  )
  return all.filter(({ name }) => only.length === 0 || only.some((part) => name.includes(part)))
}

/**
 * Takes the pictures of products that act on the page, of the whole window: one job for each product and size. Returns
 * how many jobs failed.
 * @param {readonly { product: Product, state: State, size: Size, name: string }[]} shots
 * @param {{ browser: import('playwright').Browser, dist: string, log: (text: string) => void }} options
 */
async function shootActing(shots, { browser, dist, log }) {
  if (shots.length === 0) return 0
  installActing()
  const peers = join(pictures, 'bundles')
  await bundleActing(peers, ['page-agent'])
  const site = await startSite({ '/tool-agent/': dist, '/peers/': peers })
  let failed = 0
  try {
    for (const size of setup.sizes)
      for (const product of acting) {
        const own = shots.filter((shot) => shot.product.name === product && shot.size === size)
        if (own.length === 0) continue
        const look = { product, width: size.width, height: size.height, isDark: false, scale: setup.scale }
        try {
          await takeStory({ browser, site }, look, (step, png) => {
            const shot = own.find(({ state }) => state.acts === step)
            if (shot) writeFileSync(join(pictures, 'shots', `${shot.name.replaceAll(' ', '.')}.png`), png)
          })
          for (const { name } of own) log(`ok     ${name}`)
        } catch (error) {
          failed += 1
          log(`FAILED ${product} ${size.name}, acting: ${error}`)
        }
      }
  } finally {
    await site.close()
  }
  return failed
}

/**
 * @param {{ product: Product, state: State, size: Size, name: string, server: Awaited<ReturnType<typeof startServer>>,
 *   browser: import('playwright').Browser }} shot
 */
async function takeOne({ product, state, size, name, server, browser }) {
  const isPhone = size.name === 'phone'
  const context = await browser.newContext({
    viewport: { width: size.width, height: size.height },
    deviceScaleFactor: setup.scale,
    colorScheme: state.isDark ? 'dark' : 'light',
    isMobile: isPhone,
    hasTouch: isPhone,
    locale: 'en-US',
  })
  // Generous, because the machine may be busy.
  context.setDefaultTimeout(180_000)
  try {
    const page = await context.newPage()
    /** @type {string[]} */
    const faults = []
    page.on('pageerror', (error) => faults.push(error.message))
    const result = state.turns.at(-1)?.answer.result
    // While a tool runs, a product may count the seconds: its clock is stopped for the picture.
    const counts = state.name === 'tool-running'
    if (counts) await page.clock.install()
    const given = { product: product.name, texts: setup.texts, isDark: state.isDark ?? false, isPhone, result }
    const path = server.add((base) => pageOf({ ...given, base }), state.turns)
    await page.goto(server.url + path)
    const field = page.locator(product.field).first()
    await field.waitFor()
    for (const turn of state.turns) await say({ page, product, field, turn })
    if (state.typed !== undefined) await write(field, state.typed)
    // Scrolling to the end and colouring of code have ended by then.
    if (state.shows === 'block') {
      await pause(4_000)
      await showBlock(page, product)
    }
    await page.mouse.move(4, size.height - 4)
    await page.evaluate(() => document.fonts.ready)
    const clip = await clipOf(page, product, size)
    if (counts) await page.clock.pauseAt(await page.evaluate(() => Date.now() + 3_000))
    const png = await settled(page, clip)
    await checkText(page, product, state)
    // A product whose own error is not caught still shows what a visitor sees; only an answer that should be there counts.
    if (faults.length > 0 && state.name !== 'error') throw new Error(`the page threw ${faults.join(', ')}`)
    writeFileSync(join(pictures, 'shots', `${name.replaceAll(' ', '.')}.png`), png)
  } finally {
    await context.close()
  }
}

/** Types a message, sends it and waits for its answer. @param {{ page: Page, product: Product, field: Locator, turn: import('./server.mjs').Turn }} given */
async function say({ page, product, field, turn }) {
  await write(field, turn.say)
  await field.press('Enter')
  const { text, call, status, stays } = turn.answer
  if (text !== undefined) await textShows(page, product, lastWords(text))
  if (text === undefined && call) await textShows(page, product, 'orders|tool call')
  if (status !== undefined) await pause(3_000)
  if (product.name === 'ours' && stays === undefined) {
    await page.waitForFunction(
      () => /** @type {any} */ (document.querySelector('tool-agent')).status === 'idle',
      undefined,
      {
        timeout: 120_000,
      },
    )
  }
}

/** Fills a field as a visitor does, also one that is an editable element. @param {Locator} field @param {string} text */
async function write(field, text) {
  await field.click()
  await field.fill(text)
}

/** The last words of an answer without the marks of Markdown. @param {string} text */
const lastWords = (text) =>
  (text.split('\n').findLast((line) => line.trim() !== '') ?? '')
    .replaceAll(/[*`_]|\[|\]\(.*?\)/g, '')
    .split(' ')
    .slice(-2)
    .join(' ')
    .replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** What can be read in the panel, also in open shadow roots. @param {Page} page @param {Product} product */
const textOf = (page, product) =>
  page
    .locator(product.panel)
    .first()
    .evaluate((panel) => {
      /** @param {Node} node @returns {string} */
      const read = (node) => {
        if (node instanceof Text) return node.data
        if (node instanceof HTMLStyleElement || node instanceof HTMLScriptElement) return ''
        const inner = [
          ...(node instanceof Element && node.shadowRoot ? node.shadowRoot.childNodes : []),
          ...node.childNodes,
        ]
        return inner.map(read).join('')
      }
      return read(panel)
    })

/** @param {Page} page @param {Product} product @param {string} pattern of a regular expression */
async function textShows(page, product, pattern) {
  for (const end = Date.now() + 180_000; !new RegExp(pattern, 'i').test(await textOf(page, product)); await pause(500))
    if (Date.now() > end) throw new Error(`the panel does not show ${pattern}`)
}

/** Refuses a picture that names a product, or that lacks what was said. @param {Page} page @param {Product} product @param {State} state */
async function checkText(page, product, state) {
  const text = await textOf(page, product)
  const named = productNames.exec(text)
  if (named) throw new Error(`the panel names a product: ${named[0]}`)
  for (const { say: said } of state.turns) if (!text.includes(said)) throw new Error(`the panel does not show ${said}`)
  const missing = state.turns.length > 0 ? [] : [setup.texts.greeting, ...setup.texts.suggestions]
  for (const one of missing) if (!text.includes(one)) throw new Error(`the panel does not show ${one}`)
}

/**
 * Turns the wheel as little as needed to show the upper edge of code or a table, with the line above that may have its
 * buttons. A lower panel would show its last lines only. Without a wheel, some panels go back to the end.
 * @param {Page} page @param {Product} product
 */
async function showBlock(page, product) {
  const block = page.locator(product.panel).first().locator('pre, table').first()
  const hidden = await block.evaluate((element) => {
    let scroller = element.parentElement
    const scrolls = (/** @type {Element} */ one) =>
      one.scrollHeight > one.clientHeight + 8 && /auto|scroll/.test(getComputedStyle(one).overflowY)
    while (scroller && !scrolls(scroller)) scroller = scroller.parentElement
    return scroller ? scroller.getBoundingClientRect().top + 56 - element.getBoundingClientRect().top : 0
  })
  const box = await block.boundingBox()
  if (!box || hidden <= 0) return
  await page.mouse.move(box.x + 40, box.y + box.height - 20)
  await page.mouse.wheel(0, -Math.ceil(hidden))
}

/** The panel with the page around it down to the corner, where the buttons that open panels are. @param {Page} page @param {Product} product @param {Size} size */
async function clipOf(page, product, size) {
  const read = () => page.locator(product.panel).first().boundingBox()
  let box = await read()
  // It may still move to its place.
  for (let before; box && JSON.stringify(box) !== before; box = await read()) {
    before = JSON.stringify(box)
    await pause(300)
  }
  if (!box) throw new Error('the panel has no box')
  if (box.x < -1 || box.y < -1 || box.x + box.width > size.width + 1 || box.y + box.height > size.height + 1)
    throw new Error(`the panel leaves the window: ${JSON.stringify(box)}`)
  const x = Math.max(0, Math.floor(box.x - 24))
  const y = Math.max(0, Math.floor(box.y - 24))
  return { x, y, width: size.width - x, height: size.height - y }
}

/** A picture that has not changed for a second. @param {Page} page @param {{ x: number, y: number, width: number, height: number }} clip */
async function settled(page, clip) {
  /** @type {Buffer | undefined} */
  let last
  for (let tries = 0; tries < 20; tries++) {
    const png = await page.screenshot({ clip, animations: 'disabled' })
    if (last?.equals(png)) return png
    last = png
    await pause(1_000)
  }
  throw new Error('the picture does not settle')
}

/** Installs the packages if they are not installed. @param {(text: string) => void} log */
function installPeers(log) {
  if (existsSync(join(here, 'node_modules/.package-lock.json'))) return
  log('The products are not installed yet. Installing them in bench/looks/ with npm ci.')
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--silent', '--ignore-scripts'], {
    cwd: here,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  })
}

/** Bundles the peers that are shown, as a page would have them: script and stylesheet. @param {readonly string[]} shown */
async function bundlePeers(shown) {
  const outdir = join(pictures, 'bundles')
  const esbuild = createRequire(join(here, 'package.json'))('esbuild')
  const sources = { copilotkit: 'copilotkit.jsx', 'assistant-ui': 'assistant-ui.jsx', 'deep-chat': 'deep-chat.js' }
  for (const [peer, source] of Object.entries(sources)) {
    if (!shown.includes(peer)) continue
    rmSync(join(outdir, peer), { recursive: true, force: true })
    await esbuild.build({
      absWorkingDir: here,
      entryPoints: { index: `peers/${source}` },
      outdir: join(outdir, peer),
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'es2022',
      platform: 'browser',
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      loader: { '.woff': 'empty', '.woff2': 'empty', '.ttf': 'empty' },
      logLevel: 'error',
    })
    // deep-chat has no stylesheet; its page asks for one all the same.
    if (!existsSync(join(outdir, peer, 'index.css'))) writeFileSync(join(outdir, peer, 'index.css'), '')
  }
}

/** The fonts of all pictures, on any machine: Inter for text and JetBrains Mono for code. Returns the path of the file. */
function writeFonts() {
  const path = join(pictures, 'fonts.conf')
  const folder = (/** @type {string} */ name) => join(here, 'node_modules/@expo-google-fonts', name)
  const alias = (/** @type {string} */ family, /** @type {string} */ font) =>
    `<match target="pattern"><test name="family"><string>${family}</string></test>
     <edit name="family" mode="assign" binding="strong"><string>${font}</string></edit></match>`
  writeFileSync(
    path,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd"><fontconfig>
<dir>${folder('inter')}</dir><dir>${folder('jetbrains-mono')}</dir><cachedir>${join(pictures, 'fonts')}</cachedir>
${['system-ui', 'sans-serif', 'serif'].map((family) => alias(family, 'Inter')).join('\n')}
${alias('monospace', 'JetBrains Mono')}
</fontconfig>\n`,
  )
  return path
}

/** What the pictures show: the last commit of our sources, and the versions of the peers. */
function versions() {
  const { dependencies } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8'))
  const args = ['log', '-1', '--format=%h', '--abbrev=12', '--', 'src', 'themes']
  return {
    ours: execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim(),
    copilotkit: dependencies['@copilotkit/react-core'],
    'assistant-ui': dependencies['@assistant-ui/react'],
    'deep-chat': dependencies['deep-chat'],
    'page-agent': peerVersions()['page-agent'],
  }
}
