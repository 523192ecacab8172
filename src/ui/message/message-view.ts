// The templates of messages. Tool calls are elements, named by tag, because a call can contain messages again.
import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import { repeat } from 'lit/directives/repeat.js'
import { toolCallsOf, textOf, type AssistantPart, type FilePart, type Message } from '../../core/data/message.js'
import type { Draft, DraftPart } from '../../core/data/session.js'
import { icon } from '../styles/icons.js'
import type { Words } from '../i18n/en.js'
import { drawnFrom, pieceLength, plainView, plainParagraph } from './long-text.js'
import type { StreamingMarkdown } from '../markdown/streaming-markdown.js'
import type { RenderState, RenderContext } from '../panel/render-context.js'

/** What `messagesView` draws. */
export interface MessageList {
  readonly messages: readonly Message[]
  /** The message that is streaming, below the others; undefined if none is. */
  readonly draft: Draft | undefined
  readonly view: RenderContext
  /** Draws the texts of the draft. One object for the life of the list. */
  readonly streams: StreamingMarkdown
  /** A notice below the newest message says how its turn ended. */
  readonly hidesEnding: boolean
}

/**
 * Draws messages. Only the newest can have running calls, so the others are drawn again only when they change. The
 * draft has the id of the message that it becomes, so the elements of its text stay.
 */
export function messagesView({ messages, draft, view, streams, hidesEnding }: MessageList): unknown {
  const newest = messages.at(-1)
  const { renderState, active, progress } = view
  const items: readonly (Message | Draft)[] = draft === undefined ? messages : [...messages, draft]
  return repeat(
    items,
    (item) => item.id,
    (item) => {
      if (!('role' in item)) return draftView(item, view, streams)
      // A new object, so that it is drawn again.
      const again = streams.isBehind(item.id) && {}
      if (item !== newest)
        return guard([item, renderState, again], () => messageView(item, view, { streams, hidesEnding: false }))
      return guard([item, renderState, active, progress, again], () =>
        messageView(item, view, { streams, hidesEnding }),
      )
    },
  )
}

/** Draws a text of a message. `again` is another object each time it must be drawn again although it did not change. */
interface TextRenderer {
  readonly again: unknown
  drawText(text: string): unknown
}

/** Draws a complete message. */
function messageView(
  message: Message,
  view: RenderContext,
  { streams, hidesEnding }: Pick<MessageList, 'streams' | 'hidesEnding'>,
): TemplateResult {
  const { words } = view.renderState
  if (message.role === 'summary') {
    return html`<details class="aside"><summary>${icon('chevron')}${words.summary}</summary>
      ${plainView(message.text, view.renderState)}</details>`
  }
  if (message.role === 'user') {
    return html`<article class="message user" part="user-message" aria-label=${words.you}>${message.parts.map((part) =>
      part.type === 'text' ? plainView(part.text, view.renderState) : file(part),
    )}${view.renderState.messageActions(message)}</article>`
  }
  const text = textOf(message)
  const ending = hidesEnding || message.reason === undefined ? undefined : words.endings[message.reason]
  const drawText = streams.finished(message.id, view.renderState)
  const again = streams.isBehind(message.id) && {}
  return assistantView(words, nothing, [
    message.parts.map((part, index) => assistantPart(part, view, { again, drawText: (text) => drawText(index, text) })),
    ending === undefined ? nothing : html`<p class="ending">${ending}</p>`,
    text === '' ? nothing : copyButton(text, words),
    view.renderState.messageActions(message),
  ])
}

/** A message of the assistant. A draft and a complete message share a template, so that Lit keeps the elements. */
function assistantView(words: Words, busy: boolean | typeof nothing, content: readonly unknown[]): TemplateResult {
  return html`<article class="message assistant" part="assistant-message" aria-label=${words.assistant}
    aria-busy=${busy}>${content}</article>`
}

/** A text, in the same template in a draft and in a complete message. `above`: what is drawn before it. */
function textView(above: unknown, content: unknown): TemplateResult {
  return html`${above}<div class="text">${content}</div>`
}

/** Draws the message that is streaming. */
function draftView(draft: Draft, view: RenderContext, streams: StreamingMarkdown): TemplateResult {
  const { renderState } = view
  const drawText = streams.forDraft(draft, renderState)
  const part = (part: DraftPart, index: number): unknown => {
    if (part.type === 'tool-input') return html`<tool-agent-call .item=${part} .view=${view}></tool-agent-call>`
    // Of a long text only the end, where the user reads.
    const from = drawnFrom(part.text)
    const above = from > 0 ? html`<p class="ending">${renderState.words.later(from)}</p>` : nothing
    const end = part.text.slice(from)
    if (part.type === 'text') return textView(above, drawText(index, end))
    return reasoning([above, plainParagraph(end)], renderState, view.active && index === draft.parts.length - 1)
  }
  return assistantView(renderState.words, view.active, [draft.parts.map(part)])
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
  return html`<p class="working" part="working" role="presentation"><span class="pulse">${words.working}</span></p>`
}

function file(part: FilePart): TemplateResult {
  return html`<p class="file">${icon('file')}${part.name ?? part.mediaType}</p>`
}

function assistantPart(part: AssistantPart, view: RenderContext, { again, drawText }: TextRenderer): unknown {
  const { renderState } = view
  if (part.type === 'tool-call') {
    const card = (): TemplateResult => html`<tool-agent-call .item=${part} .view=${view}></tool-agent-call>`
    // A settled call is drawn again only when it changes, even while other calls are running.
    return part.result === undefined ? card() : guard([part, renderState], card)
  }
  if (part.type === 'reasoning')
    return part.text === '' ? nothing : reasoning([nothing, plainView(part.text, renderState)], renderState, false)
  if (part.text.length > pieceLength)
    return html`<tool-agent-text .text=${part.text} .renderState=${renderState}></tool-agent-text>`
  return textView(
    nothing,
    guard([part.text, renderState.markdown, again], () => drawText(part.text)),
  )
}

function reasoning(text: unknown, { words }: RenderState, isStreaming: boolean): TemplateResult {
  const title = isStreaming ? html`<span class="pulse">${words.thinking}</span>` : words.thought
  return html`<details class="aside" part="reasoning"><summary>${icon('chevron')}${title}</summary>${text}</details>`
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
  return html`<button type="button" class="quiet copy" part="copy" title=${words.copy} aria-label=${words.copy}
    @click=${copy} @blur=${reset} @pointerleave=${reset}>${icon('copy')}${icon('check')}</button>`
}
