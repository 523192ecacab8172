// `npm run lighthouse [-- part of an address …] [--site folder]`: the scores of Lighthouse for pages of the documentation
// site and of the playground, as a phone and as a desktop. The site is built first, unless a folder with it is given.
// Exits with 1 if a page has less than 100 in accessibility, or less than 95 in another category.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
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
 * Lighthouse slows the processor to that of a phone by 4, which is meant for a machine whose `benchmarkIndex` is 1,650.
 * A slower one is slowed less, as its documentation says, so that the scores do not depend on the machine.
 */
const slowdownAt = (/** @type {number} */ index) => Math.min(4, Math.max(1, (4 * index) / 1650))
const least = (/** @type {string} */ category) => (category === 'accessibility' ? 100 : 95)

const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json'],
  ['.svg', 'image/svg+xml'],
  ['.txt', 'text/plain; charset=utf-8'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
])

/** A static host as authors use one: compressed, and cached where the name has a hash. @param {string} folder */
async function serve(folder) {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    const path = join(folder, normalize(pathname.endsWith('/') ? `${pathname}index.html` : pathname))
    if (!existsSync(path)) return response.writeHead(404).end()
    const type = types.get(extname(path)) ?? 'application/octet-stream'
    const isText = /^text|json|svg/.test(type)
    const body = readFileSync(path)
    response.writeHead(200, {
      'content-type': type,
      'cache-control': pathname.includes('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      ...(isText ? { 'content-encoding': 'gzip' } : {}),
    })
    return response.end(isText ? gzipSync(body) : body)
  })
  await new Promise((done) => server.listen(0, '127.0.0.1', () => done(undefined)))
  const address = /** @type {import('node:net').AddressInfo} */ (server.address())
  return { url: `http://127.0.0.1:${address.port}/`, close: () => server.close() }
}

const { values, positionals } = parseArgs({ options: { site: { type: 'string' } }, allowPositionals: true })
installPackages(here, 'bench/lighthouse')
const require = createRequire(import.meta.url)
const load = (/** @type {string} */ name) => import(require.resolve(name))
const [{ default: lighthouse, desktopConfig, defaultConfig }, { launch }] = await Promise.all([
  load('lighthouse'),
  load('chrome-launcher'),
])
const { throttling: mobileThrottling } = defaultConfig.settings
const folder = values.site ?? mkdtempSync(join(tmpdir(), 'tool-agent-lighthouse-'))
if (!values.site) await buildSite(folder)
const server = await serve(folder)
const chromePath = candidates('chromium')[0]?.path
const chrome = await launch({ chromePath, chromeFlags: ['--headless=new', '--no-sandbox'], logLevel: 'silent' })
try {
  const { lhr: first } = await lighthouse(`${server.url}404.html`, { port: chrome.port, logLevel: 'silent' })
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
        server.url + page,
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
  server.close()
  if (!values.site) rmSync(folder, { recursive: true })
}
