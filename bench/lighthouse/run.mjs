// `npm run lighthouse [-- part of an address …] [--site folder]`: the scores of Lighthouse for pages of the documentation
// site and of the playground, on a phone and on a desktop. The site is built first, unless a folder with it is given.
// Exits with 1 if a page has less than 100 in accessibility, or less than 95 in another category.
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { preview } from 'vite'
import { candidates } from '../../scripts/browsers.mjs'
import { installPackages } from '../../scripts/install-packages.mjs'
import { buildSite } from '../../scripts/site.mjs'

const here = fileURLToPath(new URL('.', import.meta.url))
const pages = [
  'index.html',
  'start.html',
  'tools.html',
  'page-tools.html',
  'reference.html',
  'comparison.html',
  'playground/index.html',
  'playground/playground/booking/index.html',
  'playground/playground/orders/index.html',
  'playground/playground/shop/index.html',
]
const categories = ['performance', 'accessibility', 'best-practices', 'seo']
/**
 * How many times slower than this machine a phone is. The usual 4 is meant for a desktop with a `benchmarkIndex` of 1,500
 * to 2,000 (docs/throttling.md of Lighthouse); on a slower machine it would be a slower phone.
 */
const slowdownAt = (/** @type {number} */ index) => Math.min(4, Math.max(1, (4 * index) / 1650))
const least = (/** @type {string} */ category) => (category === 'accessibility' ? 100 : 95)

const { values, positionals } = parseArgs({ options: { site: { type: 'string' } }, allowPositionals: true })
installPackages(here, 'bench/lighthouse')
const require = createRequire(import.meta.url)
const load = (/** @type {string} */ name) => import(require.resolve(name))
const [{ default: lighthouse, desktopConfig, defaultConfig }, { launch }] = await Promise.all([
  load('lighthouse'),
  load('chrome-launcher'),
])
const { throttling: mobileThrottling } = defaultConfig.settings
const folder = values.site ? resolve(values.site) : mkdtempSync(join(tmpdir(), 'tool-agent-lighthouse-'))
if (!values.site) await buildSite(folder)
// It compresses what it sends, as hosts do.
const server = await preview({
  root: folder,
  configFile: false,
  appType: 'mpa',
  logLevel: 'silent',
  build: { outDir: '.' },
  preview: { host: '127.0.0.1', port: 0 },
})
const url = server.resolvedUrls?.local[0]
const chromePath = candidates('chromium')[0]?.path
const chrome = await launch({ chromePath, chromeFlags: ['--headless=new', '--no-sandbox'], logLevel: 'silent' })
try {
  const { lhr: first } = await lighthouse(`${url}404.html`, { port: chrome.port, logLevel: 'silent' })
  const cpuSlowdownMultiplier = slowdownAt(first.environment.benchmarkIndex)
  process.stdout.write(
    `benchmarkIndex ${Math.round(first.environment.benchmarkIndex)}: a phone is ${cpuSlowdownMultiplier.toFixed(1)} times slower\n`,
  )
  process.stdout.write(`page, device | ${categories.join(' | ')} | below\n`)
  for (const page of pages.filter((one) => positionals.every((part) => one.includes(part))))
    for (const device of ['phone', 'desktop']) {
      const settings = { port: chrome.port, onlyCategories: categories, logLevel: 'silent' }
      const isPhone = device === 'phone'
      const { lhr } = await lighthouse(
        url + page,
        isPhone ? { ...settings, throttling: { ...mobileThrottling, cpuSlowdownMultiplier } } : settings,
        isPhone ? undefined : desktopConfig,
      )
      if (lhr.runtimeError) throw new Error(`${page}: ${lhr.runtimeError.message}`)
      const scores = categories.map((category) => Math.round(lhr.categories[category].score * 100))
      const below = categories.filter((category, index) => /** @type {number} */ (scores[index]) < least(category))
      const audits = below.flatMap((category) =>
        lhr.categories[category].auditRefs
          .filter(({ id, weight }) => weight > 0 && (lhr.audits[id].score ?? 1) < 0.9)
          .map(({ id }) => `${id} ${lhr.audits[id].displayValue ?? ''}`.trim()),
      )
      process.stdout.write(`${page}, ${device} | ${scores.join(' | ')} | ${audits.join('; ') || '-'}\n`)
      if (below.length > 0) process.exitCode = 1
    }
} finally {
  await chrome.kill()
  await server.close()
  if (!values.site) rmSync(folder, { recursive: true })
}
