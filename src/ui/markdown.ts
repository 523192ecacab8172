// Markdown to templates, from the lexer's tokens and nothing else: a token that is not in the switch is shown as it was
// written, so new syntax can only ever become text. No string becomes HTML, nothing is fetched.
import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import type { MarkedToken, Token, Tokens } from 'marked'
import { icon } from './icons.js'
import type { Words } from './languages/en.js'
import { lexGrowing, lexWhole } from './markdown-lexer.js'
import { decodeEntities, safeLink } from './urls.js'
import type { Markdown } from './view.js'

const depthLimit = 16

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
      return item.task ? html`<li class="check">${box(item.checked === true)}<div>${content}</div></li>` : html`<li>${content}</li>`
    })
    if (!token.ordered) return html`<ul>${items}</ul>`
    return html`<ol start=${Number.isSafeInteger(token.start) ? token.start : 1}>${items}</ol>`
  }

  /** Not a control: text of a model must not look like something to press. */
  function box(checked: boolean): TemplateResult {
    const { completed, pending } = words.task
    return html`<span class="box" role="img" aria-label=${checked ? completed : pending}>${checked ? icon('check') : nothing}</span>`
  }

  function table(token: Tokens.Table, depth: number): TemplateResult {
    const cells = (row: readonly Tokens.TableCell[]): unknown => row.map(({ header, align, tokens }) => header
      ? html`<th class=${align ?? ''}>${inline(tokens, depth)}</th>`
      : html`<td class=${align ?? ''}>${inline(tokens, depth)}</td>`)
    return html`<div class="scroll"><table><thead><tr>${cells(token.header)}</tr></thead><tbody>${
      token.rows.map((row) => html`<tr>${cells(row)}</tr>`)}</tbody></table></div>`
  }

  function inline(tokens: readonly Token[], depth: number): unknown {
    return tokens.map((token) => span(token as MarkedToken, depth + 1))
  }

  function span(token: MarkedToken, depth: number): unknown {
    if (depth > depthLimit) return token.raw
    switch (token.type) {
      case 'text':
        return token.tokens === undefined ? decodeEntities(token.text) : inline(token.tokens, depth)
      case 'escape':
        return token.text
      case 'strong':
        return html`<strong>${inline(token.tokens, depth)}</strong>`
      case 'em':
        return html`<em>${inline(token.tokens, depth)}</em>`
      case 'del':
        return html`<del>${inline(token.tokens, depth)}</del>`
      case 'codespan':
        return html`<code>${token.text}</code>`
      case 'br':
        return html`<br>`
      case 'html':
        // The one tag that models write where Markdown has nothing: a line break in a table cell.
        return /^<br\s*\/?>$/i.test(token.raw) ? html`<br>` : token.raw
      case 'link':
        return link(token.href, inline(token.tokens, depth), token)
      case 'image':
        return image(token)
      default:
        return token.raw
    }
  }

  return {
    whole: (text) => draw(text, lexWhole(text)),
    growing() {
      const lex = lexGrowing()
      return (text) => draw(text, lex(text))
    },
  }
}

const plain = (text: string): TemplateResult => html`<p class="plain">${text}</p>`

/** `#` is the third level: the panel's own heading and the transcript stand above it. */
function heading(depth: number, content: unknown): TemplateResult {
  if (depth === 1) return html`<h3>${content}</h3>`
  if (depth === 2) return html`<h4>${content}</h4>`
  if (depth === 3) return html`<h5>${content}</h5>`
  return html`<h6>${content}</h6>`
}

function languageOf(info: string | undefined): string {
  return /^[\w+#.-]{1,20}/.exec(info ?? '')?.[0] ?? ''
}

function link(written: string, content: unknown, { text, raw }: Tokens.Link | Tokens.Image): unknown {
  const safe = safeLink(written)
  if (safe === undefined) return raw
  const host = safe.host === undefined || text.includes(safe.host) ? nothing : html`<span class="host">${safe.host}</span>`
  return html`<a href=${safe.href} target=${safe.host === undefined ? '_self' : '_blank'}
    rel="noopener noreferrer nofollow" referrerpolicy="no-referrer">${content}${host}</a>`
}

/** Its words, as a link where it has an address: a picture that is fetched can carry out what the model read. */
function image(token: Tokens.Image): unknown {
  const text = decodeEntities(token.text)
  const content = html`<span class="image">${icon('image')}${text === '' ? '…' : text}</span>`
  return safeLink(token.href) === undefined ? content : link(token.href, content, token)
}
