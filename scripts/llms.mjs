// llms.txt and llms-full.txt for the site, in the form of llmstxt.org: what a language model reads instead of the HTML pages.
// Each page is also written as Markdown, at its address with `.md` behind it, and all links lead to these.
import { mkdir, writeFile } from 'node:fs/promises'
import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { generated, navigation, root, urlOf } from '../site/navigation.mjs'

/** @typedef {{ url: string, title: string, file: string, text: string, description: string }} Page */

/** Sections of the navigation that a page author can do without. */
const optional = new Set(['Inside'])
const summary =
  'tool-agent is a TypeScript SDK that puts an assistant into any web page: a web component, tools that are functions of the ' +
  'page, and a loop in a worker. The model can only ask for calls; the page checks them, asks the visitor about those with ' +
  'consequences, and runs them.'
const notes = [
  'Install: `npm install tool-agent`. `npx tool-agent init` adds it to a project; `npx tool-agent` lists the commands.',
  'The package contains these documents in `docs/`, and a skill for coding agents in `skills/tool-agent/SKILL.md`.',
  'The key of a model must not reach the browser: use the relay.',
]

/**
 * The files, by their paths on the site.
 * @returns {Map<string, string>}
 */
export function llmsFiles() {
  const sections = navigation().map(({ title, entries }) => ({
    title,
    pages: entries
      .flatMap((entry) => [entry, ...(entry.inside ?? [])])
      // The API is only on the site: the package has its declarations.
      .filter(({ file }) => !file.startsWith(generated))
      .map(({ file, title: name }) => ({
        title: name,
        url: urlOf(file) ?? '',
        ...markdownOf(file, `${urlOf(file)}.md`),
      })),
  }))
  const head = `# tool-agent\n\n> ${summary}\n\n${notes.map((note) => `- ${note}\n`).join('')}`
  const needed = sections.filter(({ title }) => !optional.has(title))
  const rest = sections.filter(({ title }) => optional.has(title)).flatMap(({ pages }) => pages)
  const list = (/** @type {{ title: string, pages: Page[] }} */ { title, pages }) =>
    `## ${title}\n\n${pages.map((page) => `- [${page.title}](${page.url}.md): ${page.description}\n`).join('')}`
  const index = [head, ...needed.map(list), list({ title: 'Optional', pages: rest })].join('\n')
  const full = needed.flatMap(({ pages }) => pages.map(({ file }) => markdownOf(file, 'llms-full.txt').text))
  return new Map([
    ['llms.txt', index],
    ['llms-full.txt', [head, ...full].join('\n\n')],
    ...sections.flatMap(({ pages }) => pages.map(({ url, text }) => /** @type {const} */ ([`${url}.md`, text]))),
  ])
}

/**
 * Writes them beside the pages. @param {string} outDir
 * @returns {Promise<string[]>} The paths, relative to `outDir`.
 */
export async function writeLlms(outDir) {
  const files = llmsFiles()
  for (const [path, text] of files) {
    await mkdir(dirname(join(outDir, path)), { recursive: true })
    await writeFile(join(outDir, path), text)
  }
  return [...files.keys()]
}

/**
 * @param {string} file The Markdown file, relative to the repository.
 * @param {string} at Where its text goes on the site: links are relative to it.
 */
function markdownOf(file, at) {
  // Every second part is a block of code.
  const parts = readFileSync(join(root, file), 'utf8')
    .split(/^(```[^]*?^```$)/m)
    .map((part, index) => {
      if (index % 2 === 1) return part
      // The marks of the checker of examples are of no use to a reader.
      return withLinks(part.replaceAll(/^<!--[^]*?-->\n/gm, ''), file, at)
    })
  const prose = parts.filter((_, index) => index % 2 === 0).join('')
  const paragraphs = prose
    .split(/\n{2,}/)
    .filter((part) => !/^(?:[#|>*-]|\*\*Contents)/.test(part.trim()))
    .map((part) =>
      part
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
  // A record begins with its date, which describes nothing.
  const plain = paragraphs.find((one) => one.length > 25) ?? ''
  return { file, text: parts.join(''), description: shorten(plain, 200) }
}

/** Links to pages become links to their Markdown. @param {string} text @param {string} file @param {string} at */
function withLinks(text, file, at) {
  return text.replaceAll(/(?<=\]\()(?!https?:|mailto:)([^)\s#]*)(#[^)\s]*)?(?=\))/g, (whole, path, hash = '') => {
    if (path === '') return at.endsWith('.txt') ? `${relative(at, `${urlOf(file)}.md`)}${hash}` : whole
    const to = posix.normalize(posix.join(posix.dirname(file), path))
    const url = urlOf(to)
    if (url === undefined) throw new Error(`${file} links to ${to}, which is not part of the site`)
    // The start page has no Markdown of its own.
    const target = url === 'index.html' || !url.endsWith('.html') ? url : `${url}.md`
    return `${relative(at, target)}${hash}`
  })
}

/** At most this many characters, cut at a word. @param {string} text @param {number} length */
function shorten(text, length) {
  return text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\s,;:(]*\S*$/, '')} …`
}

/** The path from one page to another page or file of the site. @param {string} from @param {string} to */
function relative(from, to) {
  return to === from ? (to.split('/').at(-1) ?? to) : '../'.repeat(from.split('/').length - 1) + to
}
