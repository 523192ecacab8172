// `npm run site`: writes the documentation site into dist-site/, from docs/, README.md and the docstrings of the public
// exports, with the playground and llms.txt. Needs no network. The templates and styles are in site/.
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { apiPages } from '../site/api/api-pages.mjs'
import { landing } from '../site/landing.mjs'
import { pageHtml } from '../site/layout.mjs'
import { pageFromFile } from '../site/markdown.mjs'
import { flat, navigation } from '../site/navigation.mjs'
import { searchIndex } from '../site/search-index.mjs'
import { writeLlms } from './llms.mjs'
import { requireNode } from './node-version.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Writes the pages, without the playground.
 * @param {string} outDir Emptied first.
 * @returns {Promise<string[]>} The addresses of the pages, relative to the root of the site.
 */
export async function buildPages(outDir) {
  await rm(outDir, { recursive: true, force: true })
  const [apiIndex, ...apiInside] = apiPages()
  if (apiIndex === undefined) throw new Error('The API reference has no pages')
  const sections = navigation(apiInside.map(({ url, title }) => ({ url, title })))
  const entries = flat(sections)
  const api = new Map([apiIndex, ...apiInside].map((page) => [page.url, page]))
  const pages = entries.map((entry) => {
    const content = entry.file === undefined ? api.get(entry.url) : pageFromFile(entry.file)
    if (content === undefined) throw new Error(`The navigation lists ${entry.url}, which has no content`)
    return { ...content, url: entry.url }
  })
  const start = landing()
  const home = { url: 'index.html', title: 'Home' }
  /** @param {string} url @param {string} text */
  const write = async (url, text) => {
    const path = join(outDir, url)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, text)
  }
  await write('index.html', pageHtml({ ...start, url: 'index.html', isLanding: true }, sections))
  for (const [index, page] of pages.entries()) {
    const around = { previous: index === 0 ? home : entries[index - 1], next: entries[index + 1] }
    await write(page.url, pageHtml({ ...page, title: `${page.title} · tool-agent`, around }, sections))
  }
  await write('search-index.json', JSON.stringify(searchIndex(pages)))
  await cp(join(root, 'docs/images'), join(outDir, 'images'), { recursive: true })
  await writeAssets(join(outDir, 'assets'))
  await writeLlms(outDir)
  return ['index.html', ...pages.map(({ url }) => url)]
}

/** The scripts, the style sheet and the icon. @param {string} folder */
async function writeAssets(folder) {
  const { build } = await import('rolldown')
  const client = join(root, 'site/client')
  await build({
    cwd: root,
    input: { site: join(client, 'site.js') },
    platform: 'browser',
    tsconfig: false,
    output: { dir: folder, format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name].js', minify: true },
  })
  await cp(join(client, 'theme.js'), join(folder, 'theme.js'))
  await cp(join(root, 'playground/shared/icon.svg'), join(folder, 'icon.svg'))
  const css = await readFile(join(root, 'site/site.css'), 'utf8')
  await writeFile(join(folder, 'site.css'), css.replaceAll(/\/\*[^]*?\*\/\s*/g, ''))
}

/** Writes the playground. Its pages choose their model themselves. @param {string} outDir */
async function buildPlayground(outDir) {
  const { build } = await import('vite')
  await build({
    root,
    base: './',
    logLevel: 'warn',
    build: { outDir, emptyOutDir: true },
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  requireNode()
  const outDir = resolve(root, process.argv[2] ?? 'dist-site')
  const pages = await buildPages(outDir)
  await buildPlayground(join(outDir, 'playground'))
  process.stdout.write(`${pages.length} pages and the playground in ${outDir}\n`)
}
