// The Markdown lexer: the examples of CommonMark and of GitHub's extensions, growing texts, and hostile ones.
import { readFileSync } from 'node:fs'
import { expect, test } from 'playwright/test'
import type { Block, Span } from '../../../src/ui/markdown/syntax-tree.js'
import type { Links } from '../../../src/ui/markdown/links.js'
import { lexWhole, streamLexer, type Lexed } from '../../../src/ui/markdown/block-lexer.js'
import { lexSpans } from '../../../src/ui/markdown/span-lexer.js'
import { isLong } from '../../support/project/long.js'

interface Example {
  readonly number: number
  readonly section: string
  readonly markdown: string
  readonly html: string
}

const examplesOf = (file: string): Example[] =>
  JSON.parse(readFileSync(new URL(`../../fixtures/markdown/${file}.json`, import.meta.url), 'utf8')) as Example[]

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
/** Percent-encoded as in the examples. */
const address = (href: string): string => escape(encodeURI(href).replaceAll(/%25([\da-f]{2})/gi, '%$1'))

function spansHtml(spans: readonly Span[]): string {
  return spans
    .map((span) => {
      if (typeof span === 'string') return escape(span)
      switch (span.type) {
        case 'code':
          return `<code>${escape(span.text)}</code>`
        case 'html':
          return span.text
        case 'break':
          return '<br />\n'
        case 'link':
          return `<a href="${address(span.href)}">${spansHtml(span.spans)}</a>`
        case 'image':
          return `<img src="${address(span.href)}" alt="${escape(span.text)}" />`
        default:
          return `<${span.type}>${spansHtml(span.spans)}</${span.type}>`
      }
    })
    .join('')
}

function blockHtml(block: Block, links: Links, isTight = false): string {
  const text = (written: string): string => spansHtml(lexSpans(written, links))
  switch (block.type) {
    case 'paragraph':
      if (block.text === '') return ''
      return isTight ? `${text(block.text)}\n` : `<p>${text(block.text)}</p>\n`
    case 'heading':
      return `<h${block.level}>${text(block.text)}</h${block.level}>\n`
    case 'code': {
      const [language] = block.info.split(/\s/)
      const name = language === '' ? '' : ` class="language-${escape(language ?? '')}"`
      return `<pre><code${name}>${escape(block.text)}${block.text === '' ? '' : '\n'}</code></pre>\n`
    }
    case 'html':
      return `${block.text}\n`
    case 'rule':
      return '<hr />\n'
    case 'quote':
      return `<blockquote>\n${block.blocks.map((one) => blockHtml(one, links)).join('')}</blockquote>\n`
    case 'list': {
      const name = block.start === undefined ? 'ul' : 'ol'
      const start = (block.start ?? 1) === 1 ? '' : ` start="${block.start}"`
      const items = block.items.map(({ blocks, checked }) => {
        const box = checked === undefined ? '' : `<input ${checked ? 'checked="" ' : ''}disabled="" type="checkbox"> `
        return `<li>${box}${blocks.map((one) => blockHtml(one, links, !block.isLoose)).join('')}</li>\n`
      })
      return `<${name}${start}>\n${items.join('')}</${name}>\n`
    }
    case 'table': {
      const row = (cells: readonly string[], name: string): string => {
        const align = (index: number): string => (block.align[index] === '' ? '' : ` align="${block.align[index]}"`)
        return `<tr>${cells.map((cell, index) => `<${name}${align(index)}>${text(cell)}</${name}>`).join('')}</tr>`
      }
      const [header = [], ...others] = block.rows
      const body = others.map((cells) => row(cells, 'td')).join('')
      return `<table><thead>${row(header, 'th')}</thead>${body && `<tbody>${body}</tbody>`}</table>`
    }
  }
}

const toHtml = (lexed: readonly Lexed[] | undefined): string =>
  (lexed ?? []).flatMap(({ blocks, links }) => blocks.map((block) => blockHtml(block, links))).join('')

/** Without titles, which are not drawn, and without line breaks around the tags of blocks, which mean nothing. */
const comparable = (html: string): string =>
  html
    .replaceAll(/ title="[^"]*"/g, '')
    .replaceAll(/\s*(<\/?(?:p|h\d|ul|ol|li|blockquote|hr|table|thead|tbody|tr|td|th)\b[^>]*>)\s*/g, '$1')
    .trim()

/** Examples that are drawn otherwise on purpose. */
const different = new Map([
  [25, 'uncommon names of characters stay as written'],
  [602, 'a plain address becomes a link'],
  [606, 'a plain address becomes a link'],
  [608, 'a plain address becomes a link'],
  [611, 'a plain address becomes a link'],
  [612, 'a plain address becomes a link'],
])

for (const [file, count] of [
  ['commonmark-0.31.2', 652],
  ['gfm-0.29', 24],
] as const) {
  test(`follows the examples of ${file}`, () => {
    const examples = examplesOf(file)
    expect(examples).toHaveLength(count)
    for (const { number, section, markdown, html } of examples) {
      if (different.has(number)) continue
      expect(comparable(toHtml(lexWhole(markdown))), `${number} ${section}`).toBe(comparable(html))
    }
  })
}

/** Texts and what another reader made of them: see the README of the folder. */
const cjkExamples = examplesOf('cjk-friendly-3.0.0')

test('emphasis beside Chinese, Japanese and Korean signs is as markdown-it-cjk-friendly reads it', () => {
  for (const { markdown, html } of cjkExamples) {
    expect(`<p>${spansHtml(lexSpans(markdown, new Map()))}</p>`, markdown).toBe(html)
  }
})

/** Texts made of these are different in nearly every way that the start of a line can be. */
const fragments =
  'a|b c| |  |\n|\n|\n\n|    |\t|- |* |1. |2) |> |#|# |===|---|```|~~~|*|**|_|`|[|]|](x)|![|<b>|<div>|<!--|-->|\\|&amp;|' +
  'http://x.y|@|~~|\r\n|\r|[ ] |+|='
const pieces = [...fragments.split('|'), '|', '| - |', '-|-']

/** Always the same texts. */
function mixedTexts(count: number): string[] {
  let seed = 7
  const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff) % below
  return Array.from({ length: count }, () =>
    Array.from({ length: 3 + random(30) }, () => pieces[random(pieces.length)]).join(''),
  )
}

test('a text that grows in any steps ends with the same blocks as the complete text', () => {
  const texts = [
    ...[...examplesOf('commonmark-0.31.2'), ...cjkExamples].map(({ markdown }) => markdown),
    ...mixedTexts(isLong ? 1_500 : 500),
  ]
  // A definition of a link after its use is found in the complete text only.
  for (const text of texts.filter((one) => !one.includes(']:'))) {
    const whole = toHtml(lexWhole(text))
    for (const step of [1, 2, 5]) {
      const lex = streamLexer()
      let grown: readonly Lexed[] | undefined
      for (let end = step; end < text.length + step; end += step) grown = lex(text.slice(0, end))
      // Compared without `expect`, which takes longer than the lexer.
      if (toHtml(grown) !== whole) expect(toHtml(grown), JSON.stringify(text)).toBe(whole)
    }
  }
})

test('keeps the blocks of a growing text that cannot change any more', () => {
  const lex = streamLexer()
  const [before] = lex('# One\n\n[two]\n\n[two]: /x\n\nthr') ?? []
  const [after] = lex('# One\n\n[two]\n\n[two]: /x\n\nthree') ?? []
  expect(before?.blocks).toHaveLength(4)
  for (const index of [0, 1]) expect(after?.blocks[index]).toBe(before?.blocks[index])
  expect(after?.blocks[3]).toEqual({ type: 'paragraph', text: 'three' })
  // The start of another text discards them.
  expect(lex('other')?.[0]?.blocks).toEqual([{ type: 'paragraph', text: 'other' }])
})

test('an incomplete line does not end a block', () => {
  const lex = streamLexer()
  lex('a\n#')
  expect(lex('a\n#b')?.[0]?.blocks).toEqual([{ type: 'paragraph', text: 'a\n#b' }])
})

test('nests at most 16 containers and 16 marks, and loses no text', () => {
  const depthOf = (block: Block): number => {
    if (block.type === 'quote') return 1 + Math.max(0, ...block.blocks.map(depthOf))
    return block.type === 'list' ? 1 + Math.max(0, ...block.items.flatMap((item) => item.blocks.map(depthOf))) : 0
  }
  for (const sign of ['> ', '- ', '1. ']) {
    const [{ blocks } = { blocks: [] }] = lexWhole(`${sign.repeat(5_000)}end`) ?? []
    expect(Math.max(...blocks.map(depthOf)), sign).toBe(16)
    expect(JSON.stringify(blocks), sign).toContain('end')
  }
  const spans = lexSpans(`${'*'.repeat(2_400)}a${'*'.repeat(2_400)}`, new Map())
  const html = spansHtml(spans)
  expect(html.match(/<strong>/g)).toHaveLength(16)
  expect(html.replaceAll(/<[^>]*>/g, '')).toBe(`${'*'.repeat(2_368)}a${'*'.repeat(2_368)}`)
})

test('texts that would take long stay plain', () => {
  expect(lexWhole('a'.repeat(400_001))).toBeUndefined()
  expect(streamLexer()('a'.repeat(400_001))).toBeUndefined()
  const long = '*a* '.repeat(1_300)
  expect(lexSpans(long, new Map())).toEqual([long])
})
