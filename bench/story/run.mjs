// `npm run story -- [folder]`: pictures of one job with a fill, a question, a review and an undo, at 390 and 1280 CSS
// pixels, light and dark, with page-agent doing the same job. One sheet of each size and scheme has them side by side.
// Then those of a conversation on a server, on a laptop and a phone; `--devices` takes these alone.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openLab } from '../support/lab.mjs'
import { bundlePeers, installPeers } from '../support/peers.mjs'
import { takeDevices } from './devices.mjs'
import { products, takeStory } from './steps.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { dist: { type: 'string', default: join(root, 'dist') }, devices: { type: 'boolean', default: false } },
})
const folder = resolve(positionals[0] ?? join(root, 'bench/story/pictures'))
const sizes = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
]
const log = (/** @type {string} */ text) => void process.stdout.write(`${text}\n`)

if (!existsSync(join(values.dist, 'tool-agent.js'))) throw new Error(`${values.dist} has no build. Run npm run build.`)
if (!values.devices) installPeers()
const work = mkdtempSync(join(tmpdir(), 'tool-agent-story-'))
const lab = await (async () => {
  if (!values.devices) await bundlePeers(join(work, 'peers'), ['page-agent'])
  return openLab({ dist: values.dist, peers: join(work, 'peers'), isQuick: true, log })
})()
mkdirSync(folder, { recursive: true })
try {
  for (const size of values.devices ? [] : sizes)
    for (const isDark of [false, true]) {
      /** @type {Record<string, string[]>} */
      const rows = {}
      const look = `${size.width}.${isDark ? 'dark' : 'light'}`
      for (const product of products)
        await takeStory(lab, { product, ...size, isDark, scale: 1 }, (step, png) => {
          const file = `${step}.${product}.${look}.png`
          writeFileSync(join(folder, file), png)
          ;(rows[product] ??= []).push(`data:image/png;base64,${png.toString('base64')}`)
        })
      await writeSheet(`story.${look}.png`, rows, `width=${size.width < 500 ? 260 : 420}`)
    }
  for (const isDark of [false, true]) {
    /** @type {Record<string, string[]>} */
    const rows = {}
    const scheme = isDark ? 'dark' : 'light'
    await takeDevices(lab, { dist: resolve(values.dist), isDark }, (step, device, png) => {
      writeFileSync(join(folder, `devices.${step}.${device}.${scheme}.png`), png)
      ;(rows[device] ??= []).push(`data:image/png;base64,${png.toString('base64')}`)
    })
    await writeSheet(`devices.${scheme}.png`, rows, 'height=480')
  }
} finally {
  await lab.close()
  rmSync(work, { recursive: true, force: true })
}

/** One picture with a row for each product or device. @param {string} file @param {Record<string, string[]>} rows @param {string} size of each picture */
async function writeSheet(file, rows, size) {
  const page = await lab.browser.newPage()
  const html = Object.entries(rows)
    .map(([product, pictures]) => {
      const images = pictures.map((source) => `<img ${size} src="${source}">`).join(' ')
      return `<h1>${product}</h1><div>${images}</div>`
    })
    .join('')
  await page.setContent(
    `<style>body { margin: 0; padding: 12px; width: max-content; font: 14px sans-serif } h1 { font-size: 16px }
    img { border: 1px solid #888 } div { display: flex; gap: 12px; align-items: start }</style>${html}`,
  )
  writeFileSync(join(folder, file), await page.locator('body').screenshot())
  await page.close()
  log(`written ${join(folder, file)}`)
}
