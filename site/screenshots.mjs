// `node site/screenshots.mjs`: takes the pictures of README and docs into docs/images/, from pages of the playground, with
// the font Inter and two pixels for each. A test demands it after a change of what they show (picture-sources.mjs). With
// names, such as `node site/screenshots.mjs todos`, it takes these alone, to look at them.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright'
import { candidates, launchSettings } from '../scripts/browsers.mjs'
import { installPackages } from '../scripts/install-packages.mjs'
import { hashFile, hashOfSources } from './picture-sources.mjs'

// VitePress brings another Vite into this folder.
const vite = createRequire(new URL('../package.json', import.meta.url)).resolve('vite')
/** @type {typeof import('vite')} */
const { createServer } = await import(pathToFileURL(vite).href)

/** @typedef {import('playwright').Page} Page */
/** @typedef {{ name: string, path: string, width: number, height: number, scheme: 'light' | 'dark', show: (page: Page) => Promise<void> }} Shot */

const root = fileURLToPath(new URL('..', import.meta.url))
installPackages(join(root, 'site'), 'site')
const font = readFileSync(
  join(root, 'site/node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'),
)
const style = `
  @font-face { font-family: Inter; font-weight: 100 900; src: url(data:font/woff2;base64,${font.toString('base64')}) }
  html, body, h1, h2, h3, legend, button, input, select, textarea, tool-agent, .brand { font-family: Inter !important }
  :root { --serif: Inter !important; --sans: Inter !important }
  tool-agent { --tool-agent-font: Inter !important }`

const wide = /** @type {const} */ ({ width: 1280, height: 720, scheme: 'light' })
const phone = /** @type {const} */ ({ width: 390, height: 720, scheme: 'dark' })

const isPhone = (/** @type {Page} */ page) => page.viewportSize()?.width === phone.width

/** The same on a desktop and on a phone. @param {string} name @param {Pick<Shot, 'path' | 'show'>} what @returns {Shot[]} */
const both = (name, what) => [
  { name, ...wide, ...what },
  { name: `${name}-phone`, ...phone, ...what },
]

/** @type {readonly Shot[]} */
const shots = [
  {
    name: 'form',
    path: '/playground/launcher/',
    ...wide,
    async show(page) {
      await openPanel(page)
      await say(page, 'A table for 4 on Friday at 19:30, ada@example.org')
      await page.getByText(/^Filled \d fields$/).click()
    },
  },
  {
    name: 'question',
    path: '/playground/orders/',
    ...wide,
    async show(page) {
      await script(page, ['4148', 'Cancel this order', 'Yes, cancel it'])
      await say(page, 'Cancel order 4148')
      await page.locator('tool-agent [data-level=final]').waitFor()
    },
  },
  {
    name: 'phone',
    path: '/playground/launcher/',
    ...phone,
    scheme: 'light',
    async show(page) {
      await openPanel(page)
      await say(page, 'Is a table free on Saturday for 6?')
    },
  },
  {
    name: 'dark',
    path: '/playground/orders/',
    ...wide,
    scheme: 'dark',
    async show(page) {
      await say(page, 'Show only late orders')
      await say(page, 'Mark order 4139 as shipped')
    },
  },
  ...both('todos', {
    path: '/playground/shop/cart.html',
    async show(page) {
      if (isPhone(page)) await openPanel(page)
      await say(page, 'Add two Celadon cups to the cart. What is in my cart? Apply the coupon TEA10')
    },
  }),
  ...both('undo', {
    path: '/playground/launcher/',
    async show(page) {
      await openPanel(page)
      await say(page, 'A table for 4 on Friday at 19:30, ada@example.org')
      await page.getByText(/^Filled \d fields$/).click()
      await page.locator('tool-agent button.undo').click()
      await page.getByRole('button', { name: 'Redo' }).waitFor()
    },
  }),
  ...both('sessions', {
    path: '/playground/orders/',
    async show(page) {
      if (isPhone(page)) await openPanel(page)
      for (const text of ['Show only late orders', 'How many orders are new?', 'Sort by total, biggest first']) {
        await page.evaluate(() => /** @type {any} */ (document.querySelector('tool-agent')).agent.sessions.create())
        await say(page, text)
      }
      await page.getByRole('button', { name: 'Conversations' }).click()
      await page.getByText('How many orders are new?').waitFor()
    },
  }),
]

const wanted = process.argv.slice(2)
const server = await createServer({
  root,
  logLevel: 'error',
  cacheDir: 'node_modules/.vite/screenshots',
  server: { port: 0, hmr: false, ws: false },
})
await server.listen()
const base = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? ''
const found = candidates('chromium')[0]
const browser = await chromium.launch(found ? launchSettings(found).launchOptions : {})
try {
  for (const shot of shots.filter(({ name }) => wanted.length === 0 || wanted.includes(name))) {
    const page = await open(shot)
    await shot.show(page)
    await settled(page)
    writeFileSync(`${root}docs/images/${shot.name}.webp`, await pictureOf(page))
    await page.close()
  }
  if (wanted.length === 0) {
    writeFileSync(`${root}docs/images/scene.webp`, await movingScene())
    writeFileSync(hashFile, `${hashOfSources()}\n`)
  }
} finally {
  await browser.close()
  await server.close()
}

/** @param {Pick<Shot, 'path' | 'width' | 'height' | 'scheme'>} shot */
async function open({ path, width, height, scheme }) {
  const page = await browser.newPage({
    viewport: { width, height },
    colorScheme: scheme,
    deviceScaleFactor: 2,
    bypassCSP: true,
  })
  page.setDefaultTimeout(60_000)
  await page.addInitScript(() => sessionStorage.setItem('playground-pace', '0'))
  await page.goto(base + path)
  await page.addStyleTag({ content: style })
  await page.waitForFunction(() => /** @type {any} */ (document.querySelector('tool-agent'))?.tools?.length > 0)
  return page
}

/** Opens the panel of a launcher, or that of a page that has no place beside it. @param {Page} page */
function openPanel(page) {
  return page.locator('tool-agent [part~=launcher], .dock-open').first().click()
}

/** Sends a message and waits until there is an answer or a question. @param {Page} page @param {string} text */
async function say(page, text) {
  await page.locator('tool-agent textarea').first().fill(text)
  await page.keyboard.press('Enter')
  await page.waitForFunction((said) => {
    const { status, messages } = /** @type {any} */ (document.querySelector('tool-agent'))
    const isAnswered =
      status === 'idle' && messages.at(-1)?.role === 'assistant' && JSON.stringify(messages).includes(said)
    return status === 'awaiting-approval' || isAnswered
  }, text)
}

/** Makes the model press one button after the other. @param {Page} page @param {readonly string[]} targets */
function script(page, targets) {
  return page.evaluate((names) => {
    const element = /** @type {any} */ (document.querySelector('tool-agent'))
    const left = [...names]
    element.modelAdapter = {
      async *stream() {
        const input = JSON.stringify({ target: left[0], role: 'button' })
        yield { type: 'tool-call', toolCallId: String(left.length), toolName: 'page_click', input }
        yield { type: 'finish', finishReason: { unified: 'tool-calls' } }
        left.shift()
      },
    }
  }, targets)
}

/** Effects of filling and scrolling have ended. What a question is about has its outline. @param {Page} page */
async function settled(page) {
  await page.mouse.move(0, 0)
  await page.evaluate(async () => {
    const isOutline = (/** @type {Animation} */ { id }) => id === 'tool-agent-filled'
    const others = document.getAnimations().filter((one) => !isOutline(one))
    await Promise.all(others.map((one) => one.finished.catch(() => undefined)))
  })
  await page.waitForTimeout(1_500)
  await page.evaluate(() => {
    const outlines = document.getAnimations().filter(({ id }) => id === 'tool-agent-filled')
    const isAsking = /** @type {any} */ (document.querySelector('tool-agent')).status === 'awaiting-approval'
    // A ring of the page itself is not what the question is about.
    if (isAsking && !document.activeElement?.closest('tool-agent'))
      /** @type {HTMLElement} */ (document.activeElement)?.blur()
    for (const [index, one] of outlines.entries()) {
      one.pause()
      one.currentTime = isAsking && index === outlines.length - 1 ? 0 : 4_000
    }
  })
}

/** A picture in the format WebP, as large as twice the page. @param {Page} page */
async function pictureOf(page) {
  const png = await page.screenshot()
  const webp = await page.evaluate(async (text) => {
    const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
    canvas.getContext('2d', { alpha: false })?.drawImage(bitmap, 0, 0)
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 })
    let result = ''
    for (const byte of new Uint8Array(await blob.arrayBuffer())) result += String.fromCharCode(byte)
    return btoa(result)
  }, png.toString('base64'))
  return riff('RIFF', Buffer.concat([Buffer.from('WEBP'), frameIn(Buffer.from(webp, 'base64'))]))
}

/** The chunk with the picture: without the colour profile, which is that of the screen. @param {Buffer} webp */
function frameIn(webp) {
  let at = 12
  while (webp.toString('latin1', at, at + 4) !== 'VP8 ') {
    const length = webp.readUInt32LE(at + 4)
    at += 8 + length + (length % 2)
  }
  const length = webp.readUInt32LE(at + 4)
  return webp.subarray(at, at + 8 + length + (length % 2))
}

/** The scene of the home page as a moving picture: what is said, the filled form, the question, and the end. */
async function movingScene() {
  const [width, height] = [900, 506]
  const page = await open({ path: '/playground/hero/?still', width, height, scheme: 'light' })
  const frames = []
  for (const [until, ms] of /** @type {const} */ ([
    ['nothing', 900],
    ['said', 1_500],
    ['filled', 1_800],
    ['asked', 3_000],
    ['booked', 4_000],
  ])) {
    await page.waitForFunction((name) => document.documentElement.dataset['scene'] === name, until)
    await settled(page)
    frames.push({ ms, webp: await pictureOf(page) })
    await page.evaluate(() => document.dispatchEvent(new Event('scene-next')))
  }
  await page.close()
  return animation(frames, width * 2, height * 2)
}

/**
 * Frames of the same size as one animated WebP that repeats: the picture data of each, behind a header of its own.
 * @param {readonly { ms: number, webp: Buffer }[]} frames @param {number} width @param {number} height
 */
function animation(frames, width, height) {
  const size = Buffer.alloc(6)
  size.writeUIntLE(width - 1, 0, 3)
  size.writeUIntLE(height - 1, 3, 3)
  const parts = frames.map(({ ms, webp }) => {
    const head = Buffer.alloc(16)
    size.copy(head, 6)
    head.writeUIntLE(ms, 12, 3)
    return riff('ANMF', Buffer.concat([head, frameIn(webp)]))
  })
  const extended = riff('VP8X', Buffer.concat([Buffer.from([2, 0, 0, 0]), size]))
  const body = Buffer.concat([Buffer.from('WEBP'), extended, riff('ANIM', Buffer.alloc(6)), ...parts])
  return riff('RIFF', body)
}

/** @param {string} name @param {Buffer} data */
function riff(name, data) {
  const head = Buffer.alloc(8, name)
  head.writeUInt32LE(data.length, 4)
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)])
}
