// Converts Markdown tokens to Lit templates. No string becomes HTML, and nothing is fetched. A token type that is not
// listed is shown as it was written, so unknown syntax can only become text.
import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import type { MarkedToken, Token, Tokens } from 'marked'
import { icon } from '../styles/icons.js'
import type { Words } from '../i18n/en.js'
import { lexWhole, streamLexer } from './markdown-lexer.js'
import { decodeEntities, safeLink } from './safe-link.js'
import type { Markdown } from '../panel/render-context.js'

/** Nested tokens deeper than this stay plain text. */
const depthLimit = 16

const lineBreak = /^<br\s*\/?>$/i

/** Creates the converter. `words` names the boxes of task lists. */
export function createMarkdown(words: Words): Markdown {
  const draw = (text: string, tokens: readonly Token[] | null): unknown =>
    tokens === null ? plain(text) : tokens.map((token) => guard([token, words], () => block(token as MarkedToken, 0)))

  function blocks(tokens: readonly Token[], depth: number): unknown {
    return tokens.map((token) => block(token as MarkedToken, depth))
  }

  function block(token: MarkedToken, depth: number): unknown {
    if (depth > depthLimit) return plain(token.raw)
    switch (token.type) {
      case 'space':
      case 'def':
      case 'checkbox':
        return nothing
      case 'paragraph':
        return html`<p>${inline(token.tokens, depth)}</p>`
      case 'heading':
        return heading(token.depth, inline(token.tokens, depth))
      case 'code':
        return html`<pre data-language=${languageOf(token.lang)}><code>${token.text}</code></pre>`
      case 'blockquote':
        return html`<blockquote>${blocks(token.tokens, depth + 1)}</blockquote>`
      case 'list':
        return list(token, depth)
      case 'table':
        return table(token, depth)
      case 'hr':
        return html`<hr>`
      case 'html':
        return plain(token.raw.trimEnd())
      default:
        return inline([token], depth)
    }
  }

  function list(token: Tokens.List, depth: number): TemplateResult {
    const items = token.items.map((item) => {
      const content = blocks(item.tokens, depth + 1)
      return item.task
        ? html`<li class="check">${box(item.checked === true)}<div>${content}</div></li>`
        : html`<li>${content}</li>`
    })
    if (!token.ordered) return html`<ul>${items}</ul>`
    return html`<ol start=${Number.isSafeInteger(token.start) ? token.start : 1}>${items}</ol>`
  }

  const taskState = (checked: boolean): string => (checked ? words.task.completed : words.task.pending)

  /** An image, not a control: the text of a model must not look like something to press. */
  function box(checked: boolean): TemplateResult {
    const mark = checked ? icon('check') : nothing
    return html`<span class="box" role="img" aria-label=${taskState(checked)}>${mark}</span>`
  }

  function table(token: Tokens.Table, depth: number): TemplateResult {
    const cells = (row: readonly Tokens.TableCell[]): unknown =>
      row.map(({ header, align, tokens }) =>
        header
          ? html`<th class=${align ?? ''}>${inline(tokens, depth)}</th>`
          : html`<td class=${align ?? ''}>${inline(tokens, depth)}</td>`,
      )
    return html`<div class="scroll"><table><thead><tr>${cells(token.header)}</tr></thead><tbody>${token.rows.map(
      (row) => html`<tr>${cells(row)}</tr>`,
    )}</tbody></table></div>`
  }

  function inline(tokens: readonly Token[], depth: number, isLinked = false): unknown {
    return tokens.map((token) => span(token as MarkedToken, depth + 1, isLinked))
  }

  /** `isLinked`: inside a link, which cannot contain another. */
  function span(token: MarkedToken, depth: number, isLinked: boolean): unknown {
    if (depth > depthLimit) return token.raw
    switch (token.type) {
      case 'text':
        return token.tokens === undefined ? decodeEntities(token.text) : inline(token.tokens, depth, isLinked)
      case 'escape':
        return token.text
      case 'strong':
        return html`<strong>${inline(token.tokens, depth, isLinked)}</strong>`
      case 'em':
        return html`<em>${inline(token.tokens, depth, isLinked)}</em>`
      case 'del':
        return html`<del>${inline(token.tokens, depth, isLinked)}</del>`
      case 'codespan':
        return html`<code>${token.text}</code>`
      case 'br':
        return html`<br>`
      case 'html':
        // The only tag drawn: models use it for line breaks in table cells.
        return lineBreak.test(token.raw) ? html`<br>` : token.raw
      case 'link':
        return link(token, inline(token.tokens, depth, true))
      case 'image':
        return image(token, isLinked)
      default:
        return token.raw
    }
  }

  /** The text of a token without Markdown syntax. A block ends with a line break. */
  function tokenText(token: MarkedToken): string {
    switch (token.type) {
      case 'text':
        return token.tokens === undefined ? decodeEntities(token.text) : `${tokensText(token.tokens)}\n`
      case 'escape':
      case 'codespan':
        return token.text
      case 'code':
        return `${token.text}\n`
      case 'br':
      case 'hr':
      case 'space':
        return '\n'
      case 'html':
        return lineBreak.test(token.raw) ? '\n' : token.raw
      case 'list':
        return token.items
          .map(({ task, checked, tokens }) => {
            const text = `${tokensText(tokens)}\n`
            return task ? `${taskState(checked === true)}: ${text}` : text
          })
          .join('')
      case 'table':
        return [token.header, ...token.rows]
          .map((cells) => `${cells.map(({ tokens }) => tokensText(tokens)).join(', ')}\n`)
          .join('')
      case 'image':
        return decodeEntities(token.text)
      case 'link': {
        const text = tokensText(token.tokens)
        const { target } = safeLink(token.href, text) ?? {}
        return target === undefined ? text : `${text} (${target})`
      }
      case 'def':
      case 'checkbox':
        return ''
      default: {
        const text = 'tokens' in token && token.tokens !== undefined ? tokensText(token.tokens) : token.raw
        return token.type === 'paragraph' || token.type === 'heading' ? `${text}\n` : text
      }
    }
  }
  const tokensText = (tokens: readonly Token[]): string =>
    tokens.map((token) => tokenText(token as MarkedToken)).join('')

  function link(token: Tokens.Link, content: unknown): unknown {
    return anchor(token, tokensText(token.tokens), content)
  }

  return {
    toPlainText: (text) => {
      const tokens = lexWhole(text)
      return tokens === null ? text : tokensText(tokens)
    },
    render: (text) => draw(text, lexWhole(text)),
    stream() {
      const lex = streamLexer()
      return (text) => draw(text, lex(text))
    },
  }
}

const plain = (text: string): TemplateResult => html`<p class="plain">${text}</p>`

/** `#` becomes level 3, below the headings of the panel. */
function heading(depth: number, content: unknown): TemplateResult {
  if (depth === 1) return html`<h3>${content}</h3>`
  if (depth === 2) return html`<h4>${content}</h4>`
  if (depth === 3) return html`<h5>${content}</h5>`
  return html`<h6>${content}</h6>`
}

function languageOf(info: string | undefined): string {
  return /^[\w+#.-]{1,20}/.exec(info ?? '')?.[0] ?? ''
}

/** `text`: the plain text of `content`, which must not hide where the link leads. */
function anchor({ href: written, raw }: Tokens.Link | Tokens.Image, text: string, content: unknown): unknown {
  const safe = safeLink(written, text)
  if (safe === undefined) return raw
  const { href, isElsewhere, target } = safe
  return html`<a href=${href} target=${isElsewhere ? '_blank' : '_self'}
    rel="noopener noreferrer nofollow" referrerpolicy="no-referrer">${content}${
      target === undefined ? nothing : html`<span class="host">${target}</span>`
    }</a>`
}

/** The alternative text, linked to the image. It is not fetched: its address could send out what the model read. */
function image(token: Tokens.Image, isLinked: boolean): unknown {
  const text = decodeEntities(token.text)
  const content = html`<span class="image">${icon('image')}${text === '' ? '…' : text}</span>`
  return isLinked || safeLink(token.href, text) === undefined ? content : anchor(token, text, content)
}
