// The documentation site as `npm run site` writes it: pages, links, old addresses, policy, navigation and search.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { runInNewContext } from 'node:vm'
import MiniSearch from 'minisearch'
import { hashFile, hashOfSources } from '../../../site/picture-sources.mjs'
import { expect, test } from 'playwright/test'
import { apiEntries, pageOf } from '../../../site/navigation.mjs'
import { root } from '../../support/project/build-once.js'
import { builtSite, oldAddresses, readmeBlock, siteBase } from '../../support/project/site.js'

const moved = JSON.parse(readFileSync(join(root, 'site/moved.json'), 'utf8')) as Record<string, string>
let folder = ''
/** The HTML of each page by its address below the base; without the playground, which has specs of its own. */
let pages: ReadonlyMap<string, string> = new Map()

test.beforeAll(async () => {
  // VitePress and TypeDoc are installed if they are missing, and both run.
  test.setTimeout(900_000)
  folder = await builtSite()
  const urls = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.html') && !name.startsWith('playground/') && name !== '404.html')
  pages = new Map(urls.map((url) => [url, readFileSync(join(folder, url), 'utf8')]))
})

/** The addresses in `href` and `src`, without those of other sites. */
function linksOf(html: string): string[] {
  return [...html.matchAll(/ (?:href|src)="([^"]*)"/g)]
    .map(([, to = '']) => to.replaceAll('&amp;', '&'))
    .filter((to) => !/^(?:https?|mailto):/.test(to))
}

/** Whether a page has an element with this id. */
const hasId = (html: string, id: string): boolean => html.includes(` id="${decodeURIComponent(id)}"`)

/** One sentence for each link of a page that leads nowhere. `read` returns the HTML of a page, or '' for another file. */
function brokenLinks(url: string, html: string, read: (path: string) => string | undefined): string[] {
  return linksOf(html).flatMap((to) => {
    const [path = '', id] = to.split('#')
    const absolute = posix.join(siteBase, posix.dirname(url), '/')
    const target = path === '' ? siteBase + url : posix.normalize(new URL(path, `http://x${absolute}`).pathname)
    if (!target.startsWith(siteBase)) return [`${url}: ${to} is outside of the site`]
    const name = target.slice(siteBase.length)
    const found = read(name === '' || name.endsWith('/') ? `${name}index.html` : name)
    if (found === undefined) return [`${url}: ${to} does not exist`]
    return id === undefined || id === '' || hasId(found, id) ? [] : [`${url}: ${to} has no such section`]
  })
}

/** A page, '' for another file of the site, or undefined. */
const read = (path: string): string | undefined => pages.get(path) ?? (existsSync(join(folder, path)) ? '' : undefined)

test('finds a link without a target, without a section, and outside of the base', () => {
  const html =
    '<a href="a.html"></a><a href="b.html#x"></a><a href="/c.html"></a><a href="/some/path/b.html#y"></a><img src="d.png">'
  expect(brokenLinks('i.html', html, (path) => (path === 'b.html' ? '<h2 id="y">' : undefined))).toEqual([
    'i.html: a.html does not exist',
    'i.html: b.html#x has no such section',
    'i.html: /c.html is outside of the site',
    'i.html: d.png does not exist',
  ])
})

test('every internal link and anchor resolves', () => {
  expect(pages.size).toBeGreaterThan(40)
  expect([...pages.values()].flatMap(linksOf).length).toBeGreaterThan(1_000)
  const playground = readdirSync(join(folder, 'playground'), { recursive: true, encoding: 'utf8' })
    .map((name) => `playground/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.html'))
    .map((url) => [url, readFileSync(join(folder, url), 'utf8')] as const)
  expect(playground.length).toBeGreaterThan(8)
  const all = new Map([...pages, ...playground])
  const readAny = (path: string): string | undefined => all.get(path) ?? read(path)
  expect([...all].flatMap(([url, html]) => brokenLinks(url, html, readAny))).toEqual([])
})

test('every address of the site before VitePress is answered or moved', () => {
  const lost = oldAddresses().filter((address) => {
    const [path = '', id] = (moved[address] ?? address).split('#')
    const html = read(path)
    if (html === undefined) return true
    // A page that only moved must exist, too: its script goes on.
    if (address in moved && read(address.split('#')[0] ?? '') === undefined) return true
    return id !== undefined && !hasId(html, id)
  })
  expect(lost).toEqual([])
  const own = new Set(oldAddresses())
  expect(Object.keys(moved).filter((address) => !own.has(address))).toEqual([])
})

test('every page has a language, a title of its own, a description and one h1', () => {
  const titles = new Map<string, string>()
  for (const [url, html] of pages) {
    if (url in moved) continue
    expect(html, url).toMatch(/^<!DOCTYPE html>\n<html lang="en"/)
    expect(html.match(/<h1[ >]/g), url).toHaveLength(1)
    const title = /<title>([^<]+)<\/title>/.exec(html)?.[1] ?? ''
    expect(titles.get(title), `${url} has the title of another page`).toBeUndefined()
    titles.set(title, url)
    const description = /<meta name="description" content="([^"]+)">/.exec(html)?.[1] ?? ''
    expect(description.length, url).toBeGreaterThan(20)
    expect(description.length, url).toBeLessThan(200)
  }
})

test('every heading can be linked to, and no id is there twice', () => {
  for (const [url, html] of pages) {
    const main = /<main[^]*<\/main>/.exec(html)?.[0] ?? html
    const without = [...main.matchAll(/<h[2-6](?![^>]* id=)(?![^>]* class=)[^>]*>[^]*?<\/h[2-6]>/g)].map(
      ([text]) => text,
    )
    expect(without, url).toEqual([])
    const ids = [...main.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(
      ids.filter((id, index) => ids.indexOf(id) !== index),
      url,
    ).toEqual([])
  }
})

test('the policy of every page allows its own scripts by hash, no inline style and no handler', () => {
  for (const [url, html] of pages) {
    const policy = /http-equiv="content-security-policy" content="([^"]+)"/.exec(html)?.[1] ?? ''
    expect(policy, url).toContain("default-src 'none'")
    expect(policy, url).not.toMatch(/unsafe|https?:|\*/)
    for (const [, code = ''] of html.matchAll(/<script(?![^>]* src=)[^>]*>([^]*?)<\/script>/g))
      expect(policy, url).toContain(createHash('sha256').update(code).digest('base64'))
    expect(html.match(/<style[ >]|<[^<>]* style="| on\w+="/g), url).toBeNull()
  }
})

test('every page is reachable from the navigation', () => {
  const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md'))
    .map((file) => pageOf(file)?.replace(/\.md$/, '.html') ?? file)
  const navigation = /<aside class="VPSidebar[^]*?<\/aside>/.exec(pages.get('start.html') ?? '')?.[0] ?? ''
  const listed = new Set(linksOf(navigation).map((to) => to.slice(siteBase.length)))
  expect(files.filter((url) => !listed.has(url))).toEqual([])
  expect([...pages.keys()].filter((url) => url !== 'index.html' && !(url in moved) && !listed.has(url))).toEqual([])
})

test('the API describes every export of the entries', () => {
  const overview = pages.get('api/index.html') ?? ''
  for (const { name, file } of apiEntries) {
    const page = pages.get(`api/${name}.html`) ?? ''
    const exported = [...readFileSync(join(root, file), 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
      .flatMap(([, list = '']) => list.split(','))
      .map((one) => one.replace(/type |.* as /, '').trim())
      .filter(Boolean)
    expect(exported.length, name).toBeGreaterThan(0)
    for (const one of exported) expect(hasId(page, one.toLowerCase()), `${name}: ${one}`).toBe(true)
    for (const one of exported) expect(overview, `${name}: ${one}`).toContain(`<code>${one}</code>`)
  }
  expect(pages.get('api/agent.html')).toContain('Creates an agent without an element.')
})

test('the search finds known terms, and each result exists', () => {
  const chunk = readdirSync(join(folder, 'assets/chunks')).find((name) => name.includes('localSearchIndex')) ?? ''
  const code = readFileSync(join(folder, 'assets/chunks', chunk), 'utf8')
  // A module whose default export is the index as text.
  const json = runInNewContext(code.replace(/export\s*\{\s*(\w+) as default\s*\};?\s*$/, '$1')) as string
  const index = MiniSearch.loadJSON<{ id: string }>(json, {
    fields: ['title', 'titles', 'text'],
    storeFields: ['title', 'titles'],
    searchOptions: { fuzzy: 0.3, prefix: true, boost: { title: 6, titles: 1, text: 1 } },
  })
  const first = (query: string, count = 5) =>
    index
      .search(query)
      .slice(0, count)
      .map(({ id }) => String(id).slice(siteBase.length))
  expect(first('ollama')).toContain('models.html#ollama')
  expect(first('right to left')).toContain('languages.html#right-to-left')
  expect(first('createAgent', 20)).toContain('api/agent.html#createagent')
  expect(first('appro', 3).join(), 'the beginning of a word').not.toBe('')
  expect(first('thmeing').join(), 'with a typing error').toContain('theming.html')
  for (const url of first('tool', 1_000)) {
    const [path = '', id] = url.split('#')
    const html = pages.get(path === '' || path.endsWith('/') ? `${path}index.html` : path)
    expect(html, url).toBeDefined()
    if (id !== undefined) expect(hasId(html ?? '', id), url).toBe(true)
  }
})

test('the home page shows the first examples of the README, which fit a phone', () => {
  const home = (pages.get('index.html') ?? '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
  for (const region of ['five-lines', 'function']) {
    const code = readmeBlock(region)
    expect(home).toContain(code)
    expect(Math.max(...code.split('\n').map((line) => line.length)), region).toBeLessThanOrEqual(44)
  }
  expect(readmeBlock('five-lines').split('\n')).toHaveLength(5)
})

test('the figures of the comparison are those of the performance page', () => {
  const performance = readFileSync(join(root, 'docs/performance.md'), 'utf8')
  const comparison = readFileSync(join(root, 'docs/comparison.md'), 'utf8')
  const rows = (/^## Measured\n([^]*?)^## /m.exec(comparison)?.[1] ?? '').match(/^\| (?!\|).*\|$/gm) ?? []
  const figures = rows.flatMap((row) => row.split('|').slice(2)).map((cell) => cell.trim())
  const known = new Set(performance.split('|').map((cell) => cell.trim().replace(/ ±.*/, '')))
  expect(figures.filter((figure) => /^\d/.test(figure)).length).toBeGreaterThan(20)
  expect(figures.filter((figure) => /^\d/.test(figure) && !known.has(figure))).toEqual([])
})

test('the README has at most 600 words after its first screen, and its pictures are small', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const rest = readme.split('## Install')[1]!.replaceAll(/```[^]*?```|!\[[^\]]*\]\([^)]*\)|\]\([^)]*\)/g, ' ')
  expect(rest.match(/[\p{L}’']+/gu)!.length).toBeLessThanOrEqual(600)
  // Words of this project that a reader does not know yet.
  expect(readme).not.toMatch(/\b(?:fenced|driver|mirror|idempotent|jitless)/i)
  const images = readdirSync(join(root, 'docs/images'))
  for (const [, name = ''] of readme.matchAll(/\(docs\/images\/([^)]+)\)/g)) expect(images).toContain(name)
  for (const name of images) {
    const isMoving = name === 'scene.webp'
    expect(readFileSync(join(root, 'docs/images', name)).length, name).toBeLessThan(isMoving ? 250_000 : 150_000)
  }
})

test('the pictures of the README show the panel and the pages as they are', () => {
  const before = readFileSync(hashFile, 'utf8').trim()
  expect(hashOfSources(), 'what the pictures show has changed: run `node site/screenshots.mjs`, and look at them').toBe(
    before,
  )
})
