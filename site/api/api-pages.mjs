// The pages of the API reference, made from docstrings: one for each entry of the package, one for the elements, and an
// overview.
import { elements } from '../../scripts/manifest.mjs'
import { highlight } from '../highlight.mjs'
import { contentOf, headingHtml, render } from '../markdown.mjs'
import { anchorOf, escapeHtml, relative, textOf } from '../text.mjs'
import { readApi } from './read-api.mjs'

/**
 * @typedef {import('./read-api.mjs').ApiEntry} ApiEntry
 * @typedef {import('./read-api.mjs').Doc} Doc
 * @typedef {import('./read-api.mjs').Exported} Exported
 * @typedef {import('../markdown.mjs').Content & { url: string }} ApiPage
 */

/** The pages in order; the first one is the overview. @returns {ApiPage[]} */
export function apiPages() {
  const entries = readApi()
  /** Where each declaration is described first: `place` → address. @type {Map<string, string>} */
  const homes = new Map()
  /** Addresses of types by their name, for links in code. @type {Map<string, string>} */
  const types = new Map()
  for (const { name, exports } of entries) {
    for (const one of exports) {
      if (homes.has(one.place)) continue
      const address = `${urlOf(name)}#${anchorOf(one.name)}`
      homes.set(one.place, address)
      if (!types.has(one.name)) types.set(one.name, address)
    }
  }
  for (const { className, tagName } of elements()) types.set(className, `api/elements.html#${anchorOf(tagName)}`)
  return [overview(entries, homes), elementsPage(types), ...entries.map((entry) => entryPage(entry, { homes, types }))]
}

/** @param {string} name */
const urlOf = (name) => `api/${name}.html`

/** @param {string} url @param {string} html @returns {ApiPage} */
function made(url, html) {
  return { url, ...contentOf(html, url) }
}

/** @param {ApiEntry[]} entries @param {Map<string, string>} homes */
function overview(entries, homes) {
  const url = 'api/index.html'
  const parts = entries.map(({ specifier, name, about, exports, includes }) => {
    const names = exports.map(
      ({ name: label, place }) =>
        `<li><a href="${relative(url, homes.get(place) ?? '')}"><code>${label}</code></a></li>`,
    )
    const more = includes.map((one) => ` It also exports everything of <code>${one}</code>.`).join('')
    return `${headingHtml(2, anchorOf(specifier), `<a href="${relative(url, urlOf(name))}"><code>${specifier}</code></a>`)}
<p>${inline(about, url)}${more}</p>
<ul class="names">${names.join('\n')}</ul>`
  })
  const elementLinks = elements().map(
    ({ tagName, description }) =>
      `<li><a href="elements.html#${anchorOf(tagName)}"><code>&lt;${tagName}&gt;</code></a>: ${inline(description, url)}</li>`,
  )
  return made(
    url,
    `<h1>API</h1>
<p>Every public name of the package, with the docstrings of the sources. <a href="../reference.html">The overview</a> explains how they belong together.</p>
${headingHtml(2, 'elements', 'Elements')}
<ul>${elementLinks.join('\n')}</ul>
${parts.join('\n')}`,
  )
}

/** @param {Map<string, string>} types */
function elementsPage(types) {
  const url = 'api/elements.html'
  const code = (/** @type {string} */ text) =>
    text === '' ? '' : `<code>${linked(escapeHtml(text), types, url)}</code>`
  /**
   * Two columns, so that a phone shows both: the name with its type and default, and the meaning.
   * @param {string} title @param {string} id
   * @param {{ name: string, type?: string, default?: string, description: string }[]} rows
   */
  const table = (title, id, rows) => {
    if (rows.length === 0) return ''
    const body = rows.map(({ name, type = '', default: preset = '', description }) => {
      const details = [code(type), preset === '' ? '' : `default ${defaultHtml(preset, url)}`]
        .filter(Boolean)
        .join(' · ')
      const detail = details === '' ? '' : `<div class="detail">${details}</div>`
      return `<tr><td>${code(name)}${detail}</td><td>${inline(description, url)}</td></tr>`
    })
    return `${headingHtml(3, id, title)}<div class="table names-first"><table><tbody>${body.join('\n')}</tbody></table></div>`
  }
  const parts = elements().map((one) => {
    const id = (/** @type {string} */ name) => `${anchorOf(one.tagName)}-${name}`
    const members = one.members.map((each) => ({
      ...each,
      description: (each.isReadonly ? 'Read-only. ' : '') + each.description,
    }))
    return [
      headingHtml(2, anchorOf(one.tagName), `<code>&lt;${one.tagName}&gt;</code>`),
      `<p>${inline(one.description, url)} Class: <code>${one.className}</code>.</p>`,
      table('Attributes', id('attributes'), one.attributes),
      table('Properties', id('properties'), members),
      table(
        'Methods',
        id('methods'),
        one.methods.map((each) => ({ ...each, name: each.signature })),
      ),
      table('Events', id('events'), one.events),
      table('Slots', id('slots'), one.slots),
      table('CSS parts', id('parts'), one.parts),
      table('CSS custom properties', id('custom-properties'), one.properties),
    ].join('\n')
  })
  return made(
    url,
    `<h1>Elements</h1>
<p>Attributes, properties, methods, events, slots, parts and custom properties of the elements, as <code>tool-agent/custom-elements.json</code> lists them for editors.</p>
${parts.join('\n')}`,
  )
}

/** @param {ApiEntry} entry @param {{ homes: Map<string, string>, types: Map<string, string> }} links */
function entryPage({ name, specifier, about, exports, includes }, { homes, types }) {
  const url = urlOf(name)
  const groups = [
    { title: 'Functions', id: 'functions', kinds: ['function'] },
    { title: 'Classes', id: 'classes', kinds: ['class'] },
    { title: 'Constants', id: 'constants', kinds: ['constant'] },
    { title: 'Types', id: 'types', kinds: ['interface', 'type'] },
  ]
  const described = exports.filter(({ place }) => homes.get(place)?.startsWith(`${url}#`))
  const others = exports.filter((one) => !described.includes(one))
  const parts = groups.flatMap(({ title, id, kinds }) => {
    const members = described.filter(({ kind }) => kinds.includes(kind))
    if (members.length === 0) return []
    return [headingHtml(2, `${id}-of-${name}`, title), ...members.map((one) => exportedHtml(one, { url, types }))]
  })
  const elsewhere = others.map(
    (one) => `<li><a href="${relative(url, homes.get(one.place) ?? '')}"><code>${one.name}</code></a></li>`,
  )
  const included = includes.map((one) => {
    const target = relative(url, urlOf(one.replace('tool-agent/', '')))
    return `<p>Also exports everything of <a href="${target}"><code>${one}</code></a>.</p>`
  })
  const more =
    elsewhere.length === 0
      ? ''
      : `${headingHtml(2, 'described-elsewhere', 'Described elsewhere')}<ul class="names">${elsewhere.join('\n')}</ul>`
  return made(
    url,
    `<h1><code>${specifier}</code></h1>
<p>${inline(about, url)}</p>
${included.join('\n')}
${parts.join('\n')}
${more}`,
  )
}

/** @param {Exported} one @param {{ url: string, types: Map<string, string> }} context */
function exportedHtml(one, { url, types }) {
  const isTold = one.kind === 'interface' && !/\bextends\b/.test(one.signature)
  const signature = isTold ? '' : declarationHtml(one.signature, types, url)
  const members = one.members.map(
    (member) => `<dt>${declarationHtml(member.signature, types, url)}</dt>\n<dd>${docHtml(member.doc, url)}</dd>`,
  )
  return `${headingHtml(3, anchorOf(one.name), `<code>${one.name}</code>`)}
${signature}
${docHtml(one.doc, url)}
${members.length === 0 ? '' : `<dl class="members">${members.join('\n')}</dl>`}`
}

/** @param {string} signature @param {Map<string, string>} types @param {string} url */
function declarationHtml(signature, types, url) {
  return `<pre class="declaration"><code>${linked(highlight(signature, 'ts'), types, url)}</code></pre>`
}

/** HTML in which names of public types are links. @param {string} html @param {Map<string, string>} types @param {string} url */
function linked(html, types, url) {
  return html.replaceAll(
    /(<[^>]+>|&\w+;)|\b([A-Z]\w+)\b/g,
    (whole, /** @type {string | undefined} */ tag, /** @type {string} */ name) => {
      const target = tag === undefined ? types.get(name) : undefined
      return target === undefined ? whole : `<a href="${relative(url, target)}">${name}</a>`
    },
  )
}

const tagLabels = new Map([
  ['default', 'Default'],
  ['throws', 'Throws'],
  ['returns', 'Returns'],
  ['param', 'Parameter'],
])

/** @param {Doc} doc @param {string} url */
function docHtml({ text, tags }, url) {
  const rows = tags
    .filter(({ name }) => tagLabels.has(name))
    .map(({ name, text: meaning }) => {
      const html = name === 'default' ? defaultHtml(meaning, url) : inline(meaning, url)
      return `<p class="tag"><span>${tagLabels.get(name)}</span> ${html}</p>`
    })
  return (text === '' ? '' : render(withCodeTags(text), { url })) + rows.join('\n')
}

/** A default: a value as code, or words. @param {string} text @param {string} url */
function defaultHtml(text, url) {
  const isValue = /^(?:'.*'|\S+)$/.test(text) && !text.includes('`')
  return isValue ? `<code>${escapeHtml(text)}</code>` : inline(text, url)
}

/** Markdown without a paragraph around it. @param {string} markdown @param {string} url */
function inline(markdown, url) {
  const html = render(withCodeTags(markdown.replaceAll(/\s+/g, ' ')), { url }).trim()
  const [, only] = /^<p>([^]*)<\/p>$/.exec(html) ?? []
  if (only === undefined || only.includes('<p>')) throw new Error(`Expected one paragraph: ${textOf(html)}`)
  return only
}

/** Docstrings name elements such as <tool-agent> without backticks. @param {string} text */
function withCodeTags(text) {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/<[\w-]+[^>]*>/g, (tag) => `\`${tag}\``)))
    .join('')
}
