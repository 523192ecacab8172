// Settings of VitePress. The pages are the Markdown files of the repository, where they are; `pageOf` gives each its address.
// The address below which the site is served comes from SITE_BASE.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { createCssVariablesTheme } from 'shiki'
import { defineConfig } from 'vitepress'
import { navigation, pageOf, root, slugOf } from '../navigation.mjs'

const base = process.env['SITE_BASE'] ?? '/'

export default defineConfig({
  base,
  srcDir: root,
  srcExclude: [
    '!(docs|site)/**/*.md',
    'site/!(generated)/**/*.md',
    '!(CHANGELOG|CONTRIBUTING|SECURITY).md',
    'README.md',
  ],
  rewrites: (file) => pageOf(file) ?? file,
  outDir: join(root, 'dist-site'),
  cleanUrls: false,
  ignoreDeadLinks: 'localhostLinks',
  lang: 'en',
  title: 'tool-agent',
  metaChunk: true,
  head: [['link', { rel: 'icon', href: `${base}icon.svg`, type: 'image/svg+xml' }]],
  vite: {
    configFile: false,
    publicDir: join(root, 'site/public'),
    logLevel: 'warn',
    build: { chunkSizeWarningLimit: 2_000, assetsInlineLimit: 0 },
  },
  vue: { template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('tool-agent') } } },
  markdown: {
    theme: createCssVariablesTheme({ name: 'site' }),
    codeTransformers: [withClasses()],
    anchor: { slugify: slugOf },
    externalLinks: { rel: 'noopener' },
    headers: false,
    config: adapt,
  },
  transformPageData(page) {
    const text = readFileSync(join(root, page.filePath), 'utf8')
    return { description: page.frontmatter['description'] ?? descriptionOf(text) }
  },
  transformHtml: withPolicy,
  themeConfig: {
    logo: { src: '/icon.svg', alt: '' },
    nav: [
      { text: 'Docs', link: '/start.html', activeMatch: '^/(?!api/|index|$)' },
      { text: 'API', link: '/api/index.html', activeMatch: '^/api/' },
      // Built by Vite and not a page of VitePress.
      { text: 'Playground', link: '/playground/index.html', target: '_self' },
    ],
    sidebar: navigation().map(({ title, entries }) => ({ text: title, items: entries.map(itemOf) })),
    outline: { level: [2, 3] },
    externalLinkIcon: false,
    docFooter: { prev: 'Previous', next: 'Next' },
    search: {
      provider: 'local',
      options: {
        _render: textFor,
        // The name has the key that the button shows, and the space is between them.
        translations: { button: { buttonText: 'Search ', buttonAriaLabel: 'Search K' } },
        miniSearch: { searchOptions: { fuzzy: 0.3, prefix: true, boost: { title: 6, titles: 1, text: 1 } } },
      },
    },
    footer: { message: 'MIT licence. This site sets no cookies and loads nothing from other sites.' },
  },
})

/** @param {import('../navigation.mjs').Entry} entry */
function itemOf({ title, file, inside }) {
  const link = `/${pageOf(file)?.replace(/\.md$/, '.html')}`
  return { text: title, link, ...(inside && { items: inside.map(itemOf), collapsed: true }) }
}

/** What Markdown of this repository needs: links between its files, one list of contents, and tables that scroll. */
function adapt(/** @type {import('vitepress').MarkdownRenderer} */ md) {
  // The page has its own contents. Marks of the checker of examples are comments.
  md.core.ruler.before('normalize', 'marks', (state) => {
    state.src = state.src.replace(/^\*\*Contents\*\*\n\n[^]*?\n\n(?=\S)/m, '').replaceAll(/^<!--[^]*?-->\n/gm, '')
  })
  md.core.ruler.before('anchor', 'api-ids', (state) => {
    if (!/generated\/api\/(?!index)/.test(fileOf(state.env))) return
    let type = ''
    // TypeDoc has anchors of its own in tables.
    const counts = new Map([...state.src.matchAll(/<a id="([^"]+)"/g)].map(([, id]) => [id, 1]))
    for (const [index, token] of state.tokens.entries()) {
      if (token.type !== 'heading_open') continue
      const id = slugOf(state.tokens[index + 1]?.content ?? '')
      if (token.tag === 'h3') type = id
      if (!/^h[456]$/.test(token.tag)) continue
      const count = counts.get(`${type}-${id}`) ?? 0
      counts.set(`${type}-${id}`, count + 1)
      token.attrSet('id', count === 0 ? `${type}-${id}` : `${type}-${id}-${count}`)
    }
  })
  md.core.ruler.push('tables', (state) => {
    const { tokens } = state
    for (const [index, { type }] of tokens.entries()) {
      // A cell without a word is no header of its column.
      if (type === 'th_open' && tokens[index + 1]?.content === '')
        for (const one of [tokens[index], tokens[index + 2]]) if (one) one.tag = 'td'
    }
    const heads = tokens.flatMap(({ type }, index) => (type === 'thead_open' ? [index] : []))
    for (const start of heads.reverse()) {
      const end = tokens.findIndex(({ type }, index) => index > start && type === 'thead_close')
      if (!tokens.slice(start, end).some(({ tag }) => tag === 'th')) tokens.splice(start, end - start + 1)
    }
  })
  md.core.ruler.push('test-tags', (state) => {
    if (!fileOf(state.env).endsWith('docs/guarantees.md')) return
    const tag = /^@[RCFS][\d.]+$/
    for (const [index, token] of state.tokens.entries()) {
      for (const child of token.children ?? [])
        if (child.type === 'code_inline' && tag.test(child.content)) child.attrJoin('class', 'test-tag')
      // The last column of a table goes with its head.
      const head = state.tokens[index - 1]
      if (head?.type === 'th_open' && token.content === 'tag') head.attrJoin('class', 'test-tags')
    }
    const text = '<label class="tag-switch"><input type="checkbox"> Show the tags of the tests</label>\n'
    const first = state.tokens.findIndex(({ type }) => type === 'paragraph_close')
    state.tokens.splice(first + 1, 0, Object.assign(new state.Token('html_block', '', 0), { content: text }))
  })
  md.core.ruler.push('addresses', (state) => {
    if (fileOf(state.env) === '') return
    const file = posix.relative(root.replaceAll('\\', '/'), fileOf(state.env).replaceAll('\\', '/'))
    for (const token of state.tokens) {
      if (token.attrGet('style')) {
        token.attrSet('class', token.attrGet('style')?.replace('text-align:', '') ?? '')
        token.attrs = token.attrs?.filter(([name]) => name !== 'style') ?? null
      }
      for (const child of token.children ?? []) {
        const href = child.type === 'link_open' ? child.attrGet('href') : null
        if (href !== null && !/^(?:[a-z]+:|#)/.test(href)) child.attrSet('href', addressOf(href, file))
      }
    }
  })
  md.renderer.rules['table_open'] = () => '<div class="table" tabindex="0"><table>\n'
  md.renderer.rules['table_close'] = () => '</table></div>\n'
}

/** The file of a page; `path` is its address while pages are built. @param {{ path?: string, realPath?: string }} env */
const fileOf = ({ path = '', realPath = path }) => realPath

/** The address of a link in a file. Throws if it leads to no page. @param {string} href @param {string} file */
function addressOf(href, file) {
  if (href.startsWith('/')) return href
  const [path = '', hash] = href.split('#')
  const target = posix.normalize(posix.join(dirname(file), path))
  const page = pageOf(target)
  if (page === undefined) throw new Error(`${file} links to ${target}, which is not part of the site`)
  return `/${page}${hash === undefined ? '' : `#${hash}`}`
}

/** The first paragraph that says something, in at most 160 characters. @param {string} markdown */
function descriptionOf(markdown) {
  const paragraphs = markdown
    .replaceAll(/^(?:#|```|\||<|- |\*\*Contents|---)[^]*?\n\n/gm, '')
    .split(/\n\n+/)
    .map((text) =>
      text
        .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replaceAll(/[`*\\]/g, '')
        .replaceAll('"', "'")
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
  const text = paragraphs.find((one) => one.length > 25) ?? ''
  return text.length <= 160 ? text : `${text.slice(0, 159).replace(/[\s,;:(]*\S*$/, '')} …`
}

/** The text of a page for the search. In the API, only types are results, not each of their members. */
function textFor(/** @type {string} */ source, /** @type {any} */ env, /** @type {any} */ md) {
  const html = md.render(source, env)
  if (env.frontmatter?.search === false) return ''
  return fileOf(env).includes('generated/api/') ? html.replaceAll(/<(\/?)h[456]\b[^>]*>/g, '<$1p>') : html
}

/** The colours of code as classes, because the policy of the pages allows no style attributes. */
function withClasses() {
  return {
    name: 'classes',
    pre(/** @type {any} */ node) {
      delete node.properties.style
    },
    /** @this {any} */
    span(/** @type {any} */ node) {
      const [, name] = /--shiki-(?:token-)?([\w-]+)/.exec(node.properties.style ?? '') ?? []
      delete node.properties.style
      if (name !== undefined && name !== 'foreground') this.addClassToHast(node, `code-${name}`)
    },
  }
}

/**
 * Adds the policy: everything comes from the site itself, and the scripts of VitePress in the page are allowed by their
 * hashes. Corrects what VitePress writes: two style attributes that the policy would refuse (one is in the style sheet), and
 * a bar with buttons that is no landmark.
 */
function withPolicy(/** @type {string} */ rendered) {
  const html = rendered
    .replaceAll(/ style="(?:position:relative;|--vp-vh:0px;)"/g, '')
    .replace('<div class="VPLocalNav', '<div role="navigation" aria-label="Page" class="VPLocalNav')
  const scripts = [...html.matchAll(/<script(?![^>]* src=)[^>]*>([^]*?)<\/script>/g)].map(([, code = '']) => code)
  const hashes = scripts.map((code) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`)
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${[...new Set(hashes)].join(' ')}`,
    // The style with which VitePress stops transitions while the colours change.
    "style-src 'self' 'sha256-skqujXORqzxt1aE0NNXxujEanPTX6raoqSscTV/Ww/Y='",
    // The icons of VitePress are data in its style sheet.
    "img-src 'self' data:",
    "connect-src 'self'",
    "frame-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types vue',
  ].join('; ')
  return html.replace(
    '<meta charset="utf-8">',
    `$&\n    <meta http-equiv="content-security-policy" content="${policy}">`,
  )
}
