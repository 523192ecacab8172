// Draws Markdown as Lit templates. No string becomes HTML, and nothing is fetched. HTML is shown as it was written.
import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import type { Words } from '../i18n/en.js'
import type { Clip } from '../message/copy-button.js'
import { textsOf } from '../message/message-texts.js'
import type { Markdown } from '../panel/render-context.js'
import { icon } from '../styles/icons.js'
import { markdownStyles as styles, tableStyles } from '../styles/message/markdown.js'
import type { Block, Code, List, Image, Link, Span } from './syntax-tree.js'
import { drawCode, languageOf } from './code.js'
import { growingText } from './growing-text.js'
import { safeLink, type Links } from './links.js'
import { lexWhole, streamLexer, type Lexed } from './block-lexer.js'
import { drawTable } from './rare-blocks.js'
import { lexSpans } from './span-lexer.js'

/** The styles of texts and tables. */
export const markdownStyles = [styles, tableStyles]

const lineBreak = /^<br\s*\/?>$/i

/** Creates the converter. `words` names the boxes of task lists. */
export function createMarkdown(words: Words): Markdown {
  const texts = textsOf(words)
  /** Draws each block once: a block that does not change keeps its identity. */
  const draw = (text: string, parts: readonly Lexed[] | undefined): unknown => {
    // The level of the newest heading, below the heading of the panel.
    let level = 2
    return parts === undefined
      ? plain(text)
      : parts.map(({ blocks, links }) =>
          blocks.map((one) => {
            if (one.type === 'heading') level = Math.min(one.level + 2, level + 1)
            const below = level
            return guard([one, words, below], () => drawBlock(one, links, below))
          }),
        )
  }

  /** `level`: that of the newest heading; for a heading, its own. A heading inside a list or a quote is one below. */
  function drawBlock(block: Block, links: Links, level: number): unknown {
    switch (block.type) {
      case 'paragraph':
        return block.text === '' ? nothing : html`<p>${drawText(block.text, links)}</p>`
      case 'heading':
        return heading(level, drawText(block.text, links))
      case 'code':
        return drawCodeBlock(block)
      case 'quote':
        return html`<blockquote>${block.blocks.map((one) => drawBlock(one, links, level + 1))}</blockquote>`
      case 'list':
        return drawList(block, links, level)
      case 'table':
        return drawTable(block, {
          dir: directionOf(block.rows[0]?.join(' ') ?? ''),
          draw: (text) => drawText(text, links),
          toPlainText: (text) => spansText(lexSpans(text, links)),
          copy: (name, content) => copy(texts.copyTable(name), content),
        })
      case 'rule':
        return html`<hr>`
      case 'html':
        return plain(block.text)
    }
  }

  function drawCodeBlock(code: Code): TemplateResult {
    const language = languageOf(code)
    return html`<div class="code" part="code"><div><span>${language}</span>
      ${copy(texts.copyCode, () => ({ text: code.text }))}</div>
      <pre tabindex="0" data-language=${language}><code>${drawCode(code)}</code></pre></div>`
  }

  /** A button that copies what `content` returns when it is pressed. */
  function copy(label: string, content: () => Clip): TemplateResult {
    return html`<tool-agent-copy .words=${words} .label=${label} .content=${content}></tool-agent-copy>`
  }

  function drawList({ items, start, isLoose }: List, links: Links, level: number): TemplateResult {
    const drawn = items.map(({ blocks, checked }) => {
      const content = blocks.map((one) =>
        one.type === 'paragraph' && !isLoose ? drawText(one.text, links) : drawBlock(one, links, level + 1),
      )
      return checked === undefined
        ? html`<li>${content}</li>`
        : html`<li class="check">${box(checked)}<div>${content}</div></li>`
    })
    const dir = directionOf(blocksText(items[0]?.blocks ?? [], links, words))
    return start === undefined ? html`<ul dir=${dir}>${drawn}</ul>` : html`<ol dir=${dir} start=${start}>${drawn}</ol>`
  }

  /** An image, not a control: the text of a model must not look like something to press. */
  function box(checked: boolean): TemplateResult {
    const mark = checked ? icon('check') : nothing
    return html`<span class="box" role="img" aria-label=${taskState(checked, words)}>${mark}</span>`
  }

  return {
    toPlainText(text) {
      const parts = lexWhole(text)
      return parts === undefined ? text : parts.map(({ blocks, links }) => blocksText(blocks, links, words)).join('')
    },
    render: (text) => draw(text, lexWhole(text)),
    stream() {
      const lex = streamLexer()
      return (text) => draw(text, lex(text))
    },
  }
}

/** The text of a block without Markdown syntax. A block ends with a line break. */
function blockText(block: Block, links: Links, words: Words): string {
  switch (block.type) {
    case 'paragraph':
    case 'heading':
      return `${spansText(lexSpans(block.text, links))}\n`
    case 'quote':
      return blocksText(block.blocks, links, words)
    case 'list':
      return block.items
        .map(({ blocks, checked }) => {
          const text = blocksText(blocks, links, words)
          return checked === undefined ? text : `${taskState(checked, words)}: ${text}`
        })
        .join('')
    case 'table':
      return block.rows.map((cells) => `${cells.map((cell) => spansText(lexSpans(cell, links))).join(', ')}\n`).join('')
    case 'rule':
      return '\n'
    case 'html':
    case 'code':
      return block.type === 'html' && lineBreak.test(block.text) ? '\n' : `${block.text}\n`
  }
}

const blocksText = (blocks: readonly Block[], links: Links, words: Words): string =>
  blocks.map((one) => blockText(one, links, words)).join('')

const taskState = (checked: boolean, words: Words): string => (checked ? words.task.completed : words.task.pending)

const drawText = (text: string, links: Links): unknown => drawSpans(lexSpans(text, links), false)

/** `isLinked`: inside a link, which cannot contain another. */
function drawSpans(spans: readonly Span[], isLinked: boolean): unknown {
  return spans.map((span) => drawSpan(span, isLinked))
}

function drawSpan(span: Span, isLinked: boolean): unknown {
  if (typeof span === 'string') return growingText(span)
  switch (span.type) {
    case 'strong':
      return html`<strong>${drawSpans(span.spans, isLinked)}</strong>`
    case 'em':
      return html`<em>${drawSpans(span.spans, isLinked)}</em>`
    case 'del':
      return html`<del>${drawSpans(span.spans, isLinked)}</del>`
    case 'code':
      // A value with its unit, such as "2 mg", stays on one line.
      return html`<code class=${span.text.length <= 16 ? 'short' : nothing} part="inline-code">${span.text}</code>`
    case 'break':
      return html`<br>`
    case 'html':
      // The only tag drawn: models use it for line breaks in table cells.
      return lineBreak.test(span.text) ? html`<br>` : span.text
    case 'link': {
      const content = drawSpans(span.spans, true)
      return isLinked ? content : anchor(span, spansText(span.spans), content)
    }
    case 'image':
      return drawImage(span, isLinked)
  }
}

/** The text of spans without Markdown syntax. */
function spansText(spans: readonly Span[]): string {
  return spans
    .map((span) => {
      if (typeof span === 'string') return span
      if (span.type === 'break' || (span.type === 'html' && lineBreak.test(span.text))) return '\n'
      if ('text' in span) return span.text
      const text = spansText(span.spans)
      const target = span.type === 'link' ? safeLink(span.href, text)?.target : undefined
      return target === undefined ? text : `${text} (${target})`
    })
    .join('')
}

/**
 * The direction of a list or a table, for its markers and columns: that of its first letter. Not `dir="auto"`, because
 * Chromium then takes quadratic time in a long list.
 */
function directionOf(text: string): 'ltr' | 'rtl' {
  return /^\P{L}*[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/u.test(text) ? 'rtl' : 'ltr'
}

const plain = (text: string): TemplateResult => html`<p class="plain">${text}</p>`

/** A heading. No level is left out, whatever the model wrote, because screen readers navigate by levels. */
function heading(level: number, content: unknown): TemplateResult {
  if (level === 3) return html`<h3>${content}</h3>`
  if (level === 4) return html`<h4>${content}</h4>`
  if (level === 5) return html`<h5>${content}</h5>`
  return html`<h6>${content}</h6>`
}

/** `text`: the plain text of `content`, which must not hide where the link leads. */
function anchor({ href: address, raw }: Link | Image, text: string, content: unknown): unknown {
  const safe = safeLink(address, text)
  if (safe === undefined) return raw
  const { href, isElsewhere, target } = safe
  return html`<a part="link" href=${href} target=${isElsewhere ? '_blank' : '_self'}
    rel="noopener noreferrer nofollow" referrerpolicy="no-referrer">${content}${
      target === undefined ? nothing : html`<span class="gap"> </span><span class="host">${target}</span>`
    }</a>`
}

/** The alternative text, linked to the image. It is not fetched: its address could send out what the model read. */
function drawImage(image: Image, isLinked: boolean): unknown {
  const { text, href } = image
  const content = html`<span class="image">${icon('image')}${text === '' ? '…' : text}</span>`
  return isLinked || safeLink(href, text) === undefined ? content : anchor(image, text, content)
}
