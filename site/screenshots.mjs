// `node site/screenshots.mjs`: takes the screenshots in docs/images/ from the playground with its offline model. Run it
// after a change that they show. The README uses the files.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'
import { chromium } from 'playwright'
import { createServer } from 'vite'
import { candidates, launchSettings } from '../scripts/browsers.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.env['OFFLINE_MODEL_DELAY'] = '0'

const booking = 'a table for 4 on Friday at 19:30 for Ada Lovelace, ada@example.org, no shellfish'
const shots = [
  { name: 'playground', path: '/playground/booking/', text: booking, width: 1280, height: 800, scheme: 'light' },
  { name: 'playground-dark', path: '/playground/booking/', text: booking, width: 1280, height: 800, scheme: 'dark' },
  {
    name: 'orders',
    path: '/playground/orders/',
    text: 'mark 4148 as packed please',
    width: 1280,
    height: 800,
    scheme: 'dark',
  },
  { name: 'phone-form', path: '/playground/booking/', text: booking, width: 390, height: 800, scheme: 'dark' },
  {
    name: 'phone',
    path: '/playground/shop/',
    text: 'find the cheapest teapot, then add two to the cart, then apply the coupon TEA10',
    width: 390,
    height: 800,
    scheme: 'light',
  },
]

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
  for (const { name, path, text, width, height, scheme } of shots) {
    const page = await browser.newPage({
      viewport: { width, height },
      colorScheme: scheme === 'dark' ? 'dark' : 'light',
    })
    await page.addInitScript(() => sessionStorage.setItem('playground-pace', '0'))
    await page.goto(base + path)
    const agent = page.locator('tool-agent')
    await page.waitForFunction(() => /** @type {any} */ (document.querySelector('tool-agent'))?.tools?.length > 4)
    if (width < 800) await page.locator('.dock-open').click()
    const box = agent.getByRole('textbox')
    await box.fill(text)
    await box.press('Enter')
    await page.waitForFunction(
      () => {
        const status = /** @type {any} */ (document.querySelector('tool-agent')).status
        const last = /** @type {any} */ (document.querySelector('tool-agent')).messages?.at(-1)
        return status === 'awaiting-approval' || (status === 'idle' && last?.role === 'assistant')
      },
      undefined,
      { timeout: 60_000 },
    )
    // Effects of filling and scrolling have ended.
    await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined))))
    await page.waitForTimeout(1_500)
    const full = await page.screenshot({ animations: 'disabled' })
    const pixels = await page.evaluate(readPixels, full.toString('base64'))
    writeFileSync(`${root}docs/images/${name}.png`, withPalette(Buffer.from(pixels, 'base64'), width, height))
    await page.close()
  }
} finally {
  await browser.close()
  await server.close()
}

/** Runs in the page: the pixels of a PNG, four bytes each. Both are base64. @param {string} png */
async function readPixels(png) {
  const bytes = Uint8Array.from(atob(png), (char) => char.charCodeAt(0))
  const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')
  if (context === null) throw new Error('There is no canvas')
  context.drawImage(bitmap, 0, 0)
  const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height)
  let text = ''
  for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192))
  return btoa(text)
}

/**
 * A PNG with the 256 most frequent colours, because a test allows 100 KB for an image. Other colours become the nearest.
 * @param {Buffer} pixels @param {number} width @param {number} height
 */
function withPalette(pixels, width, height) {
  /** @type {Map<number, number>} */
  const counts = new Map()
  for (let at = 0; at < pixels.length; at += 4) {
    const color = pixels.readUIntBE(at, 3)
    counts.set(color, (counts.get(color) ?? 0) + 1)
  }
  const palette = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 256)
    .map(([color]) => color)
  /** @type {Map<number, number>} */
  const known = new Map()
  const nearest = (/** @type {number} */ color) => {
    const found = known.get(color)
    if (found !== undefined) return found
    const distances = palette.map((one) =>
      [16, 8, 0].reduce((sum, bit) => sum + (((one >> bit) & 255) - ((color >> bit) & 255)) ** 2, 0),
    )
    const index = distances.indexOf(Math.min(...distances))
    known.set(color, index)
    return index
  }
  const rows = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + x + 1] = nearest(pixels.readUIntBE((y * width + x) * 4, 3))
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 3], 8)
  const colors = Buffer.from(palette.flatMap((color) => [color >> 16, (color >> 8) & 255, color & 255]))
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    pngChunk('IHDR', header),
    pngChunk('PLTE', colors),
    pngChunk('IDAT', deflateSync(rows, { level: 9 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** @param {string} type @param {Buffer} data */
function pngChunk(type, data) {
  const body = Buffer.concat([Buffer.from(type), data])
  const size = Buffer.alloc(4)
  size.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([size, body, check])
}
