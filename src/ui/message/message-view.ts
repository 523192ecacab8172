// The templates of messages. Tool calls are elements, named by tag, because a call can contain messages again.
import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import { repeat } from 'lit/directives/repeat.js'
import { toolCallsOf, textOf, type AssistantPart, type FilePart, type Message } from '../../core/data/message.js'
import type { Draft, DraftPart } from '../../core/data/session.js'
import { icon } from '../styles/icons.js'
import type { Words } from '../i18n/en.js'
import { drawnFrom, pieceLength, plainView, plainParagraph } from './long-text.js'
import type { RenderState, RenderContext } from '../panel/render-context.js'

/**
 * Draws messages. Only the newest can have running calls, so the others are drawn again only when they change.
 * `hidesEnding`: a notice below the newest message says how its turn ended.
 */
export function messagesView(messages: readonly Message[], view: RenderContext, hidesEnding: boolean): unknown {
  const newest = messages.at(-1)
  return repeat(
    messages,
    (message) => message.id,
    (message) =>
      message === newest
        ? messageView(message, view, hidesEnding)
        : guard([message, view.renderState], () => messageView(message, view, false)),
  )
}

/** Draws a complete message. */
function messageView(message: Message, view: RenderContext, hidesEnding: boolean): TemplateResult {
  const { words } = view.renderState
  if (message.role === 'summary') {
    return html`<details class="aside"><summary>${icon('chevron')}${words.summary}</summary>
      ${plainView(message.text, view.renderState)}</details>`
  }
  if (message.role === 'user') {
    return html`<article class="message user" part="user-message" aria-label=${words.you}>${message.parts.map((part) =>
      part.type === 'text' ? plainView(part.text, view.renderState) : file(part),
    )}</article>`
  }
  const text = textOf(message)
  const ending = hidesEnding || message.reason === undefined ? undefined : words.endings[message.reason]
  return html`<article class="message assistant" part="assistant-message" aria-label=${words.assistant}>
    ${message.parts.map((part) => assistantPart(part, view))}
    ${ending === undefined ? nothing : html`<p class="ending">${ending}</p>`}
    ${text === '' ? nothing : copyButton(text, view.renderState.words)}
  </article>`
}

/** Draws the message that is streaming. `drawText` keeps one renderer for each text part. */
export function draftView(
  draft: Draft,
  view: RenderContext,
  drawText: (index: number, text: string) => unknown,
): TemplateResult {
  const part = (part: DraftPart, index: number): unknown => {
    if (part.type === 'text')
      return textDraft(part.text, view, (end) => html`<div class="text">${drawText(index, end)}</div>`)
    if (part.type === 'tool-input') return html`<tool-agent-call .item=${part} .view=${view}></tool-agent-call>`
    return reasoning(
      textDraft(part.text, view, plainParagraph),
      view.renderState,
      view.active && index === draft.parts.length - 1,
    )
  }
  const { assistant } = view.renderState.words
  return html`<article class="message assistant" part="assistant-message" aria-label=${assistant}
    aria-busy=${view.active}>
    ${draft.parts.map(part)}
  </article>`
}

/** Draws a streaming text. Of a long text only the end, where the user reads. */
function textDraft(
  text: string,
  { renderState: { words } }: RenderContext,
  draw: (text: string) => unknown,
): TemplateResult {
  const from = drawnFrom(text)
  return html`${from > 0 ? html`<p class="ending">${words.later(from)}</p>` : nothing}${draw(text.slice(from))}`
}

/** True while the model works and nothing else shows it: no text is streaming and no call is running. */
export function isThinking(messages: readonly Message[], draft: Draft | undefined): boolean {
  if ((draft?.parts.length ?? 0) > 0) return false
  const newest = messages.at(-1)
  const calls = toolCallsOf(newest)
  return newest?.role !== 'assistant' || (calls.length > 0 && calls.every((part) => part.result !== undefined))
}

/** The sign that the model works. */
export function workingView({ words }: RenderState): TemplateResult {
  return html`<p class="working" role="presentation"><span class="pulse">${words.working}</span></p>`
}

function file(part: FilePart): TemplateResult {
  return html`<p class="file">${icon('file')}${part.name ?? part.mediaType}</p>`
}

function assistantPart(part: AssistantPart, view: RenderContext): unknown {
  const { renderState } = view
  if (part.type === 'tool-call') {
    const card = (): TemplateResult => html`<tool-agent-call .item=${part} .view=${view}></tool-agent-call>`
    // A settled call is drawn again only when it changes, even while other calls are running.
    return part.result === undefined ? card() : guard([part, renderState], card)
  }
  if (part.type === 'reasoning')
    return part.text === '' ? nothing : reasoning(plainView(part.text, renderState), renderState, false)
  if (part.text.length > pieceLength)
    return html`<tool-agent-text .text=${part.text} .renderState=${renderState}></tool-agent-text>`
  const { markdown } = renderState
  const draw = (): unknown => markdown?.render(part.text) ?? plainParagraph(part.text)
  return html`<div class="text">${guard([part.text, markdown], draw)}</div>`
}

function reasoning(text: unknown, { words }: RenderState, isStreaming: boolean): TemplateResult {
  const title = isStreaming ? html`<span class="pulse">${words.thinking}</span>` : words.thought
  return html`<details class="aside"><summary>${icon('chevron')}${title}</summary>${text}</details>`
}

/** A button that copies the text. Nothing on an insecure page, because it has no clipboard. */
export function copyButton(text: string, words: Words): TemplateResult | typeof nothing {
  if (!('clipboard' in navigator)) return nothing
  const copy = async (event: Event): Promise<void> => {
    const button = event.currentTarget as HTMLElement
    try {
      await navigator.clipboard.writeText(text)
      button.dataset['copied'] = ''
    } catch {
      // The browser refused, so the button does not show the check mark.
      delete button.dataset['copied']
    }
  }
  const reset = (event: Event): void => {
    delete (event.currentTarget as HTMLElement).dataset['copied']
  }
  return html`<button type="button" class="quiet copy" title=${words.copy} aria-label=${words.copy}
    @click=${copy} @blur=${reset} @pointerleave=${reset}>${icon('copy')}${icon('check')}</button>`
}
