// The documentation site, built without the playground into a temporary folder: pages, links, navigation and search.
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import MiniSearch from 'minisearch'
import { expect, test } from 'playwright/test'
import { buildPages } from '../../../scripts/site.mjs'
import { searchOptions } from '../../../site/client/search-options.js'
import { figures, startCode } from '../../../site/landing.mjs'
import { pageFromMarkdown } from '../../../site/markdown.mjs'
import { urlOf } from '../../../site/navigation.mjs'
import { root } from '../../support/project/build-once.js'

let folder = ''
let pages: ReadonlyMap<string, string> = new Map()

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tool-agent-site-'))
  const urls = await buildPages(folder)
  pages = new Map(urls.map((url) => [url, readFileSync(join(folder, url), 'utf8')]))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The addresses in `href` and `src`, without those of other sites. */
function linksOf(html: string): string[] {
  return [...html.matchAll(/ (?:href|src)="([^"]*)"/g)]
    .map(([, to = '']) => to.replaceAll('&amp;', '&'))
    .filter((to) => !/^(?:https?|mailto):/.test(to))
}

/** One sentence for each link of a page that leads nowhere. `read` returns the HTML of a page, or '' for another file. */
function brokenLinks(url: string, html: string, read: (path: string) => string | undefined): string[] {
  return linksOf(html).flatMap((to) => {
    const [path = '', id] = to.split('#')
    if (path.startsWith('/')) return [`${url}: ${to} is not relative`]
    const target = path === '' ? url : posix.normalize(posix.join(posix.dirname(url), path))
    const found = read(target)
    if (found === undefined) return [`${url}: ${to} does not exist`]
    if (id === undefined || id === '' || found.includes(` id="${decodeURIComponent(id)}"`)) return []
    return [`${url}: ${to} has no such section`]
  })
}

/** A page, '' for another file of the site, or undefined. The playground is built by Vite. */
function read(path: string): string | undefined {
  if (path === 'playground/index.html') return ''
  return pages.get(path) ?? (existsSync(join(folder, path)) ? '' : undefined)
}

test('finds a link without a target, without a section, and with an absolute path', () => {
  const html =
    '<a href="a.html"></a><a href="b.html#x"></a><a href="/c.html"></a><a href="b.html#y"></a><img src="d.png">'
  expect(brokenLinks('i.html', html, (path) => (path === 'b.html' ? '<h2 id="y">' : undefined))).toEqual([
    'i.html: a.html does not exist',
    'i.html: b.html#x has no such section',
    'i.html: /c.html is not relative',
    'i.html: d.png does not exist',
  ])
})

test('every internal link and anchor resolves', () => {
  expect(pages.size).toBeGreaterThan(40)
  expect([...pages].flatMap(([url, html]) => linksOf(html).map((to) => `${url} ${to}`)).length).toBeGreaterThan(1_000)
  expect([...pages].flatMap(([url, html]) => brokenLinks(url, html, read))).toEqual([])
})

test('every page has a language, a title of its own, a description and one h1', () => {
  const titles = new Map<string, string>()
  for (const [url, html] of pages) {
    expect(html, url).toMatch(/^<!doctype html>\n<html lang="en"/)
    expect(html.match(/<h1[ >]/g), url).toHaveLength(1)
    const title = /<title>([^<]+)<\/title>/.exec(html)?.[1] ?? ''
    expect(titles.get(title), `${url} has the title of another page`).toBeUndefined()
    titles.set(title, url)
    const description = /<meta name="description" content="([^"]+)">/.exec(html)?.[1] ?? ''
    expect(description.length, url).toBeGreaterThan(20)
    expect(description.length, url).toBeLessThan(200)
  }
})

test('no page has an inline script, an inline style or a handler in its markup', () => {
  for (const [url, html] of pages) {
    expect(html, url).toContain('http-equiv="content-security-policy"')
    expect(html.match(/<script(?![^>]* src=)[^>]*>|<style[ >]| style="| on\w+="/g), url).toBeNull()
  }
})

test('every file of docs/ is reachable from the navigation', () => {
  const files = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => `docs/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.md'))
  const reached = new Set(['index.html'])
  for (const url of reached) {
    const navigation = /<nav id="navigation"[^]*?<\/nav>/.exec(pages.get(url) ?? '')?.[0] ?? ''
    for (const to of linksOf(navigation)) {
      const target = posix.normalize(posix.join(posix.dirname(url), to.replace(/#.*/, '')))
      if (pages.has(target)) reached.add(target)
    }
  }
  expect(files.filter((file) => !reached.has(urlOf(file) ?? ''))).toEqual([])
  expect([...pages.keys()].filter((url) => !reached.has(url))).toEqual([])
})

test('previous and next lead through all pages', () => {
  const way: string[] = ['start.html']
  for (const url of way) {
    const next = /<a class="next"[^>]* href="([^"]+)"/.exec(pages.get(url) ?? '')?.[1]
    if (next !== undefined) way.push(posix.normalize(posix.join(posix.dirname(url), next)))
    if (way.length > pages.size) break
  }
  expect(way).toHaveLength(pages.size - 1)
  expect(new Set(way).size).toBe(way.length)
})

test('the API reference describes every export of the entries, with its docstring', () => {
  const agent = pages.get('api/agent.html') ?? ''
  for (const name of ['createAgent', 'defineTool', 'Agent', 'AgentOptions', 'ToolAgentError', 'TurnResult', 'Notice'])
    expect(agent, name).toContain(`<code>${name}</code>`)
  expect(agent).toContain('Creates an agent without an element.')
  expect(pages.get('api/elements.html')).toContain('--tool-agent-accent')
  const overview = pages.get('api/index.html') ?? ''
  for (const [url, entry] of Object.entries({
    'src/agent.ts': 'agent',
    'src/mcp.ts': 'mcp',
    'src/testing.ts': 'testing',
  })) {
    const exported = [...readFileSync(join(root, url), 'utf8').matchAll(/^export (?:type )?\{([^}]*)\}/gm)]
      .flatMap(([, list = '']) => list.split(','))
      .map((name) => name.replace('type ', '').trim())
      .filter(Boolean)
    expect(exported.length).toBeGreaterThan(3)
    for (const name of exported) expect(overview, `${entry}: ${name}`).toContain(`<code>${name}</code>`)
  }
})

test('the search index finds known terms, guides before the reference', () => {
  const index = MiniSearch.loadJSON(readFileSync(join(folder, 'search-index.json'), 'utf8'), searchOptions)
  const first = (query: string, count = 5) =>
    index
      .search(query)
      .slice(0, count)
      .map(({ url }) => String(url))
  expect(first('ollama')).toContain('models.html#ollama')
  expect(first('right to left')).toContain('languages.html#right-to-left')
  expect(first('registerTool').join()).toMatch(/html/)
  expect(first('createAgent', 20)).toContain('api/agent.html#createagent')
  expect(first('appro', 3).join(), 'the beginning of a word').not.toBe('')
  expect(first('thmeing'), 'with a typing error').toContain('theming.html')
  expect(first('needsApproval')[0]).not.toMatch(/^api\//)
  for (const url of first('tool', 1_000)) {
    const [path = '', id] = url.split('#')
    expect(pages.has(path), url).toBe(true)
    if (id !== undefined) expect(pages.get(path), url).toContain(` id="${id}"`)
  }
})

test('a page with a broken link, an unknown language or without a description is an error', () => {
  const page = (text: string) => () => pageFromMarkdown(`# A page\n\n${text}\n`, 'docs/sample.md')
  expect(page('See [this](missing/file.txt).')).toThrow('docs/missing/file.txt')
  expect(page('Text.\n\n```cobol\nA.\n```')).toThrow("'cobol'")
  expect(page('')).toThrow('no first paragraph')
  expect(page('Text.\n\n<div>HTML</div>')).toThrow('HTML in Markdown')
  expect(page('Text & “quotes”.')().description).toBe('Text & “quotes”.')
})

test('the start page shows the first example of the README, and figures that tests check', () => {
  const home = pages.get('index.html') ?? ''
  expect(startCode().split('\n')).toHaveLength(5)
  expect(home).toContain('find_orders')
  const { closed, visible, faults, threats, languages } = figures()
  expect(faults).toBeGreaterThan(70)
  expect(threats).toBeGreaterThan(30)
  for (const figure of [`${closed} KiB`, `${visible} KiB`, faults, threats, languages])
    expect(home).toContain(String(figure))
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

test('the README has less than 200 lines, and its images are below 100 KB', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  expect(readme.split('\n').length).toBeLessThan(200)
  const images = readdirSync(join(root, 'docs/images'))
  for (const [, name = ''] of readme.matchAll(/\(docs\/images\/([^)]+)\)/g)) expect(images).toContain(name)
  for (const name of images) expect(readFileSync(join(root, 'docs/images', name)).length, name).toBeLessThan(100_000)
})
