// Turns a Markdown file of the repository into the content of a page: HTML, headings, and texts for the search.
import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { Marked } from 'marked'
import { codeBlock } from './highlight.mjs'
import { root, urlOf } from './navigation.mjs'
import { anchorOf, escapeHtml, relative, shorten, textOf } from './text.mjs'

/**
 * @typedef {{ depth: number, id: string, text: string }} Heading
 * @typedef {{ heading: string, id: string, text: string, excerpt: string }} Passage  The excerpt is the text without code.
 * @typedef {{ title: string, description: string, html: string, headings: Heading[], passages: Passage[] }} Content
 */

/** A page from a file. @param {string} file Relative to the repository. @returns {Content} */
export function pageFromFile(file) {
  return pageFromMarkdown(readFileSync(join(root, file), 'utf8'), file)
}

/** @param {string} markdown @param {string} file @returns {Content} */
export function pageFromMarkdown(markdown, file) {
  const url = urlOf(file)
  if (url === undefined) throw new Error(`${file} is not a page: add it to urlOf() in site/navigation.mjs`)
  // The page has its own contents. Marks of the checker of examples are comments.
  const source = markdown.replace(/^\*\*Contents\*\*\n\n[^]*?\n\n/m, '').replaceAll(/^<!--[^]*?-->\n/gm, '')
  const html = render(source, { url, file })
  return contentOf(html, file)
}

/** Title, description, headings and passages of HTML that begins with an h1. @param {string} html @param {string} name @returns {Content} */
export function contentOf(html, name) {
  const title = textOf(/<h1[^>]*>([^]*?)<\/h1>/.exec(html)?.[1] ?? '')
  if (title === '') throw new Error(`${name} has no heading of the first level`)
  const paragraphs = [...html.matchAll(/<p(?: [^>]*)?>([^]*?)<\/p>/g)].map(([, text = '']) => textOf(text))
  // A record begins with its date, which describes nothing.
  const description = shorten(paragraphs.find((text) => text.length > 25) ?? paragraphs[0] ?? '', 160)
  if (description === '') throw new Error(`${name} has no first paragraph, which is its description`)
  /** @type {Heading[]} */
  const headings = []
  /** @type {Passage[]} */
  const passages = []
  const parts = html.split(/(?=<h[1-3][ >])/)
  for (const part of parts) {
    const [whole = '', depth = '1', id = '', text = ''] =
      /^<h([1-3])(?: id="([^"]*)")?[^>]*>([^]*?)<\/h\1>/.exec(part) ?? []
    const heading = textOf(text.replace(/<a class="anchor"[^]*?<\/a>/, ''))
    if (whole !== '' && Number(depth) > 1) headings.push({ depth: Number(depth), id, text: heading })
    const body = part.slice(whole.length).replaceAll(/<span class="language">[^<]*<\/span>/g, '')
    const excerpt = shorten(textOf(body.replaceAll(/<pre[^]*?<\/pre>/g, ' ')), 140)
    if (whole !== '') passages.push({ heading, id: Number(depth) > 1 ? id : '', text: textOf(body), excerpt })
  }
  return { title, description, html, headings, passages }
}

/**
 * @param {string} markdown
 * @param {{ url: string, file?: string, headings?: boolean }} where `headings: false` for text inside of a page: its
 *   headings get no id.
 */
export function render(markdown, { url, file }) {
  /** @type {Map<string, number>} */
  const ids = new Map()
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const shown = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${shown}</h1>\n`
        return headingHtml(depth, uniqueId(text, ids), shown)
      },
      code({ text, lang = '' }) {
        return codeBlock(text, lang)
      },
      codespan({ text }) {
        // A line must not break inside of an option such as `--port`.
        const shown = escapeHtml(text).replaceAll(/(^|\s)(-[\w-]{1,30})/g, '$1<span class="unbroken">$2</span>')
        return `<code>${shown}</code>`
      },
      link({ href, tokens }) {
        const shown = this.parser.parseInline(tokens)
        if (/^(?:https?|mailto):/.test(href)) return `<a href="${escapeHtml(href)}" rel="noopener">${shown}</a>`
        return `<a href="${escapeHtml(targetOf(href, url, file))}">${shown}</a>`
      },
      image({ href, text }) {
        return `<img src="${escapeHtml(targetOf(href, url, file))}" alt="${escapeHtml(text)}" loading="lazy">`
      },
      table({ header, rows }) {
        const hasHeader = header.some(({ text }) => text !== '')
        const cells = (/** @type {import('marked').Tokens.TableCell[]} */ row, /** @type {boolean} */ isHead) =>
          row
            .map(({ tokens, align, text }) => {
              const tag = isHead && text !== '' ? 'th' : 'td'
              const place = align === null ? '' : ` class="${align}"`
              return `<${tag}${place}>${this.parser.parseInline(tokens)}</${tag}>`
            })
            .join('')
        const head = hasHeader ? `<thead><tr>${cells(header, true)}</tr></thead>` : ''
        const body = rows.map((row) => `<tr>${cells(row, false)}</tr>`).join('\n')
        const size = header.length > 4 ? ' wide' : ''
        return `<div class="table${size}"><table>${head}<tbody>${body}</tbody></table></div>\n`
      },
      html({ text }) {
        if (/^\s*<!--/.test(text)) return ''
        throw new Error(`${file ?? url}: HTML in Markdown is not supported: ${text.slice(0, 60)}`)
      },
    },
  })
  return marked.parse(markdown, { async: false })
}

/** A heading with a link to itself. @param {number} depth @param {string} id @param {string} html */
export function headingHtml(depth, id, html) {
  const label = escapeHtml(`Link to “${textOf(html)}”`)
  return `<h${depth} id="${id}">${html} <a class="anchor" href="#${id}" aria-label="${label}">#</a></h${depth}>\n`
}

/** @param {string} text @param {Map<string, number>} ids */
function uniqueId(text, ids) {
  const id = anchorOf(text)
  const count = ids.get(id) ?? 0
  ids.set(id, count + 1)
  return count === 0 ? id : `${id}-${count}`
}

/** The address of a link in a file, from its page. Throws if the file is not on the site. @param {string} href @param {string} url @param {string} [file] */
function targetOf(href, url, file = '') {
  if (href.startsWith('#')) return href
  const [path = '', hash] = href.split('#')
  const to = posix.normalize(posix.join(dirname(file).replaceAll('\\', '/'), path))
  const target = urlOf(to)
  if (target === undefined) throw new Error(`${file || url} links to ${to}, which is not part of the site`)
  return relative(url, hash === undefined ? target : `${target}#${hash}`)
}
