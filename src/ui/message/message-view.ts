// One message as a template. Calls are elements of their own, named by tag, because a call can hold messages again.
import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import { repeat } from 'lit/directives/repeat.js'
import { toolCallsOf, textOf, type AssistantPart, type FilePart, type Message } from '../../core/data/message.js'
import type { Draft, DraftPart } from '../../core/data/session.js'
import { icon } from '../styles/icons.js'
import type { Words } from '../i18n/en.js'
import { drawnFrom, pieceLength, plainView, unreadLength } from './long-text.js'
import type { RenderState, RenderContext } from '../panel/render-context.js'

/** Messages one below the other, drawn again only where something changed; only the newest has calls that are open. */
export function messagesView(messages: readonly Message[], view: RenderContext, endingIsSaid: boolean): unknown {
  const newest = messages.at(-1)
  return repeat(
    messages,
    (message) => message.id,
    (message) =>
      message === newest
        ? messageView(message, view, endingIsSaid)
        : guard([message, view.look], () => messageView(message, view, false)),
  )
}

/** A complete message. `newest`: how its turn ended is said by a notice below it. */
function messageView(message: Message, view: RenderContext, newest: boolean): TemplateResult {
  const { words } = view.look
  if (message.role === 'summary') {
    return html`<details class="aside"><summary>${icon('chevron')}${words.summary}</summary>${plainView(message.text, view.look)}</details>`
  }
  if (message.role === 'user') {
    return html`<article class="message user" part="user-message" aria-label=${words.you}>${message.parts.map((part) =>
      part.type === 'text' ? plainView(part.text, view.look) : file(part),
    )}</article>`
  }
  const text = textOf(message)
  const ending = newest || message.reason === undefined ? undefined : words.endings[message.reason]
  return html`<article class="message assistant" part="assistant-message" aria-label=${words.assistant}>
    ${message.parts.map((part) => assistantPart(part, view))}
    ${ending === undefined ? nothing : html`<p class="ending">${ending}</p>`}
    ${text === '' ? nothing : copyButton(text, view.look.words)}
  </article>`
}

/** The message being streamed; `grow` gives each text part its own renderer. */
export function draftView(
  draft: Draft,
  view: RenderContext,
  grow: (index: number, text: string) => unknown,
): TemplateResult {
  const part = (part: DraftPart, index: number): unknown => {
    if (part.type === 'text')
      return textDraft(part.text, view, (end) => html`<div class="text">${grow(index, end)}</div>`)
    if (part.type === 'tool-input') return html`<tool-agent-call .item=${part} .view=${view}></tool-agent-call>`
    return reasoning(
      textDraft(part.text, view, unreadLength),
      view.look,
      view.active && index === draft.parts.length - 1,
    )
  }
  return html`<article class="message assistant" part="assistant-message" aria-label=${view.look.words.assistant} aria-busy=${view.active ? 'true' : 'false'}>
    ${draft.parts.map(part)}
  </article>`
}

/** A text that is being written: of a long one the end alone, which is where the user follows it. */
function textDraft(text: string, { look: { words } }: RenderContext, draw: (text: string) => unknown): TemplateResult {
  const from = drawnFrom(text)
  return html`${from === 0 ? nothing : html`<p class="ending">${words.later(from)}</p>`}${draw(from === 0 ? text : text.slice(from))}`
}

/** Between a message and the first sign of the next: nothing shows by itself that there is work. */
export function isThinking(messages: readonly Message[], draft: Draft | undefined): boolean {
  if ((draft?.parts.length ?? 0) > 0) return false
  const newest = messages.at(-1)
  const calls = toolCallsOf(newest)
  return newest?.role !== 'assistant' || (calls.length > 0 && calls.every((part) => part.result !== undefined))
}

export function workingView({ words }: RenderState): TemplateResult {
  return html`<p class="working" role="presentation"><span class="pulse">${words.working}</span></p>`
}

function file(part: FilePart): TemplateResult {
  return html`<p class="file">${icon('file')}${part.name ?? part.mediaType}</p>`
}

function assistantPart(part: AssistantPart, view: RenderContext): unknown {
  const { look } = view
  if (part.type === 'tool-call') {
    const card = (): TemplateResult => html`<tool-agent-call .item=${part} .view=${view}></tool-agent-call>`
    // A settled call is drawn again only where it changed, however many are still open beside it.
    return part.result === undefined ? card() : guard([part, look], card)
  }
  if (part.type === 'reasoning') return part.text === '' ? nothing : reasoning(plainView(part.text, look), look, false)
  if (part.text.length > pieceLength) return html`<tool-agent-text .text=${part.text} .look=${look}></tool-agent-text>`
  const { markdown } = look
  return html`<div class="text">${guard([part.text, markdown], () => markdown?.whole(part.text) ?? unreadLength(part.text))}</div>`
}

function reasoning(text: unknown, { words }: RenderState, going: boolean): TemplateResult {
  return html`<details class="aside"><summary>${icon('chevron')}${going ? html`<span class="pulse">${words.thinking}</span>` : words.thought}</summary>
    ${text}</details>`
}

export function copyButton(text: string, words: Words): TemplateResult | typeof nothing {
  // Only a secure page has a clipboard.
  if (!('clipboard' in navigator)) return nothing
  const copy = async (event: Event): Promise<void> => {
    const button = event.currentTarget as HTMLElement
    try {
      await navigator.clipboard.writeText(text)
      button.dataset['copied'] = ''
    } catch {
      // The browser said no: the button then simply does not say "Copied".
      delete button.dataset['copied']
    }
  }
  const forget = (event: Event): void => {
    delete (event.currentTarget as HTMLElement).dataset['copied']
  }
  return html`<button type="button" class="quiet copy" title=${words.copy} aria-label=${words.copy}
    @click=${copy} @blur=${forget} @pointerleave=${forget}>${icon('copy')}${icon('check')}</button>`
}
