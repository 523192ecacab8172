// The templates of messages. Tool calls are elements, named by tag, because a call can contain messages again.
import { html, nothing, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import { repeat } from 'lit/directives/repeat.js'
import {
  toolCallsOf,
  textOf,
  type AssistantPart,
  type Message,
  type ToolCallPart,
  type UserMessage,
  type UserPart,
} from '../../core/data/message.js'
import { withIndex } from '../../core/data/lists.js'
import type { Draft, DraftPart } from '../../core/data/session.js'
import { icon } from '../styles/icons.js'
import { isShown, type CallLike } from './call/call-state.js'
import { groupCalls } from './receipt/call-groups.js'
import { longTextView, plainView, drawnFrom, pieceLength, plainParagraph } from './values/long-text.js'
import { textsOf, type Texts } from './message-texts.js'
import type { StreamingMarkdown } from '../markdown/streaming-markdown.js'
import type { RenderState, RenderContext } from '../panel/render-context.js'

/** What `messagesView` draws. */
export interface MessageList {
  readonly messages: readonly Message[]
  /** The message that is streaming, below the others; undefined if none is. */
  readonly draft: Draft | undefined
  /** A message whose turn has not started, below the others. */
  readonly sending?: UserMessage | undefined
  /** The key of the elements of a message. @default its id */
  keyOf?(item: Message | Draft): string
  readonly view: RenderContext
  /** Draws the texts of the draft. One object for the life of the list. */
  readonly streams: StreamingMarkdown
  /** The messages of an agent inside a call: what they changed is told by the call, and each ending by its message. */
  readonly isInside: boolean
}

/**
 * So many of the newest messages are laid out wherever they are: their height must be known to scroll to the end. Those
 * above have the attribute `data-far`. A selector that counts from the end would style all of them anew with each one.
 * The attribute is set for `farTogether` messages at once: setting it on a message that is visible costs the frame a
 * second layout.
 */
const nearest = 6
const farTogether = 8

/** Whether a part is drawn in its own place, or a group is. */
const isDrawn = (part: AssistantPart | DraftPart, groups: Groups): boolean =>
  groups.has(part) ? groups.get(part) !== undefined : isShown(part)

type Groups = ReturnType<typeof groupCalls>

/**
 * Draws messages. Only the newest can have running calls, so the others are drawn again only when they change. The
 * draft has the id of the message that it becomes, so the elements of its text stay.
 */
export function messagesView({
  messages,
  draft,
  sending,
  keyOf = ({ id }) => id,
  view,
  streams,
  isInside,
}: MessageList): unknown {
  const newest = messages.at(-1)
  const { renderState, active, progress } = view
  const { endings } = textsOf(renderState.words)
  // The newest turn, which can be replaced while nothing runs.
  const turn =
    active || sending !== undefined
      ? Infinity
      : messages.findLastIndex(({ role, replaced }) => role === 'user' && !replaced)
  const items = [...messages, draft, sending].filter((item) => item !== undefined)
  const replaceable = new Set(turn < 0 ? [] : items.slice(turn))
  const endingOf = (item: Message | Draft): string | undefined =>
    'reason' in item && item.reason !== undefined && (isInside || item !== newest) ? endings[item.reason] : undefined
  const groups = groupCalls(items, view, isInside)
  const rows = items.filter(
    (item) =>
      ('role' in item && item.role !== 'assistant') ||
      item.parts.some((part) => isDrawn(part, groups)) ||
      endingOf(item) !== undefined,
  )
  const near = rows.length - nearest
  const firstNear = near - (near % farTogether)
  return repeat(rows, keyOf, (item, index) => {
    if (!('role' in item)) return draftView(item, view, { streams, groups })
    // A new object, so that it is drawn again.
    const again = streams.isBehind(item.id) && {}
    const isNewest = item === newest
    const isReplaceable = replaceable.has(item)
    const isFar = index < firstNear
    const own = item.role === 'assistant' ? item.parts.map((part) => groups.get(part)) : []
    const isRunning = isNewest || own.some((group) => group?.kind === 'receipt' && group.active)
    const known = [item, renderState, again, isReplaceable, isFar, ...(isRunning ? [active, progress] : [])]
    return guard([...known, ...own], () =>
      messageView(item, view, {
        streams,
        groups,
        isFar,
        ending: endingOf(item),
        isSent: item !== sending,
        actions: actionsView(item, isReplaceable, renderState),
      }),
    )
  })
}

/** Draws a text of a message. `again` is another object each time it must be drawn again although it did not change. */
interface TextRenderer {
  readonly again: unknown
  drawText(text: string): unknown
}

/** Draws a complete message. `actions`: its buttons. `isSent`: the page may add its own. `isFar`: see `nearest`. */
function messageView(
  message: Message,
  view: RenderContext,
  {
    streams,
    groups,
    isFar,
    ending,
    isSent,
    actions,
  }: Pick<MessageList, 'streams'> & {
    readonly groups: Groups
    readonly isFar: boolean
    readonly ending: string | undefined
    readonly isSent: boolean
    readonly actions: unknown
  },
): TemplateResult {
  const words = textsOf(view.renderState.words)
  if (message.role === 'summary') return aside(words.summary, plainView(message.text, view.renderState))
  if (message.role === 'user') {
    const parts = message.parts.map((part) =>
      part.type === 'text' && !part.name ? plainView(part.text, view.renderState) : file(part),
    )
    if (message.replaced) return aside(words.earlier, parts)
    const content = [parts, isSent ? view.renderState.messageActions(message) : nothing]
    return html`<article class="message own" aria-label=${words.you}
      ?data-far=${isFar}><div class="user" part="user-message"
      >${content}</div>${actions}</article>`
  }
  const drawText = streams.finished(message.id, view.renderState)
  const again = streams.isBehind(message.id) && {}
  const draw = (part: AssistantPart, index: number): unknown =>
    assistantPart(part, view, { again, drawText: (text) => drawText(index, text) })
  if (message.replaced) {
    // The calls have happened. Only the answer is hidden.
    const answer = message.parts.map((part, index) => (part.type === 'text' ? draw(part, index) : nothing))
    return assistantView(words, { isFar }, [
      textOf(message) === '' ? nothing : aside(words.earlier, answer),
      partsView(
        message.parts.filter(({ type }) => type === 'tool-call'),
        { view, groups },
        draw,
      ),
    ])
  }
  return assistantView(words, { isFar }, [
    partsView(message.parts, { view, groups }, draw),
    ending === undefined ? nothing : html`<p class="ending">${ending}</p>`,
    actions,
    view.renderState.messageActions(message),
  ])
}

/** Draws the parts of a message. Each keeps its elements when others before it join a group. */
function partsView<T extends AssistantPart | DraftPart>(
  parts: readonly T[],
  { view, groups }: { readonly view: RenderContext; readonly groups: Groups },
  draw: (part: T, index: number) => unknown,
): unknown {
  return repeat(
    [...withIndex(parts)].filter(([, part]) => isDrawn(part, groups)),
    ([index, part]) => {
      const key = (part as Partial<ToolCallPart>).call?.id ?? (part as { readonly id?: string }).id ?? index
      const group = groups.get(part)
      return group === undefined ? key : `${key} ${group.kind}`
    },
    ([index, part]) => {
      const group = groups.get(part)
      if (group === undefined) return draw(part, index)
      return group.kind === 'looks'
        ? looksView(group.parts, view)
        : html`<tool-agent-receipt .content=${group} .view=${view}></tool-agent-receipt>`
    },
  )
}

/** What only looked, as one line. Open if the user had opened one of the cards. */
function looksView(looks: readonly ToolCallPart[], view: RenderContext): TemplateResult {
  return html`<details class="looks" .open=${looks.some(({ call }) => view.opened.get(call.id) === true)}>
    <summary>${icon(eye)}${textsOf(view.renderState.words).looks(looks.length)}${icon('chevron')}</summary>
    ${looks.map((part) => card(part, view))}
  </details>`
}

const eye =
  'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6z'

/** The card of a call. */
export function card(part: CallLike, view: RenderContext): TemplateResult {
  return html`<tool-agent-call .item=${part} .view=${view}></tool-agent-call>`
}

/** The place of the buttons of a message. Steps before the answer have none. `isNewest`: its turn can be replaced. */
function actionsView(message: Message, isNewest: boolean, { words, isDebug }: RenderState): unknown {
  return message.role === 'assistant' && !message.reason && toolCallsOf(message).length > 0
    ? nothing
    : html`<tool-agent-message-actions .message=${message} .isNewest=${isNewest} .isDebug=${isDebug} .words=${words}
      ></tool-agent-message-actions>`
}

/** Something that the user may open. */
function aside(title: unknown, content: unknown): TemplateResult {
  return html`<details class="aside"><summary>${icon('chevron')}${title}</summary>${content}</details>`
}

/** A message of the assistant. A draft and a complete message share a template, so that Lit keeps the elements. */
function assistantView(
  words: Texts,
  { busy = nothing, isFar = false }: { readonly busy?: boolean | typeof nothing; readonly isFar?: boolean },
  content: readonly unknown[],
): TemplateResult {
  return html`<article class="message assistant" part="assistant-message" aria-label=${words.assistant}
    aria-busy=${busy} ?data-far=${isFar}>${content}</article>`
}

/** A text, in the same template in a draft and in a complete message. `above`: what is drawn before it. */
function textView(above: unknown, content: unknown): TemplateResult {
  return html`${above}<div class="text">${content}</div>`
}

/** Draws the message that is streaming. */
function draftView(
  draft: Draft,
  view: RenderContext,
  { streams, groups }: Pick<MessageList, 'streams'> & { readonly groups: Groups },
): TemplateResult {
  const { renderState } = view
  const words = textsOf(renderState.words)
  const drawText = streams.forDraft(draft, renderState)
  const part = (part: DraftPart, index: number): unknown => {
    if (part.type === 'tool-input') return card(part, view)
    // Of a long text only the end, where the user reads.
    const from = drawnFrom(part.text)
    const above = from > 0 ? html`<p class="ending">${words.later(from)}</p>` : nothing
    const end = part.text.slice(from)
    if (part.type === 'text') return textView(above, drawText(index, end))
    return reasoning([above, plainParagraph(end)], renderState, view.active && index === draft.parts.length - 1)
  }
  return assistantView(words, { busy: view.active }, [partsView(draft.parts, { view, groups }, part)])
}

/** True while the model works and nothing else shows it: no text is streaming and no call is running. */
export function isThinking(messages: readonly Message[], draft: Draft | undefined): boolean {
  if (draft?.parts.some(isShown) === true) return false
  const newest = messages.at(-1)
  const calls = toolCallsOf(newest)
  return (
    newest?.role !== 'assistant' ||
    newest.replaced === true ||
    (calls.length > 0 && calls.every((part) => part.result !== undefined || !isShown(part)))
  )
}

/** The sign that the model works. */
export function workingView({ words }: RenderState): TemplateResult {
  return html`<p class="working muted" part="working"><span class="pulse">${textsOf(words).working}</span></p>`
}

function file(part: UserPart): TemplateResult {
  import('../attachments/attachments.js').catch(() => undefined) // Without it, images have no thumbnail.
  return html`<tool-agent-file class="file" .file=${part}>${part.name}</tool-agent-file>`
}

function assistantPart(part: AssistantPart, view: RenderContext, { again, drawText }: TextRenderer): unknown {
  const { renderState } = view
  if (part.type === 'tool-call') {
    // A settled call is drawn again only when it changes, even while other calls are running.
    return part.result === undefined ? card(part, view) : guard([part, renderState], () => card(part, view))
  }
  if (part.type === 'reasoning')
    return part.text === '' ? nothing : reasoning([nothing, plainView(part.text, renderState)], renderState, false)
  if (part.text.length > pieceLength) return longTextView(part.text, renderState, false)
  return textView(
    nothing,
    guard([part.text, renderState.markdown, again], () => drawText(part.text)),
  )
}

function reasoning(text: unknown, renderState: RenderState, isStreaming: boolean): TemplateResult {
  const words = textsOf(renderState.words)
  const title = isStreaming ? html`<span class="pulse">${words.thinking}</span>` : words.thought
  return html`<details class="aside" part="reasoning"><summary>${icon('chevron')}${title}</summary>${text}</details>`
}
