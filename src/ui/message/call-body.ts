// The body of an open tool call card: arguments, steps of an agent inside, result or error. Loaded with the first card
// that is opened, because most cards stay closed.
import { html, nothing, type TemplateResult } from 'lit'
import { isObject } from '../../core/data/json.js'
import { textOf, type ToolCallPart } from '../../core/data/message.js'
import type { CallLike } from './call-state.js'
import { toVisibleText } from './json-view.js'
import type { StreamingMarkdown } from '../markdown/streaming-markdown.js'
import { bodyWords, type BodyWords } from '../i18n/en-body.js'
import type { Words } from '../i18n/en.js'
import { pieceLength, plainView } from './long-text.js'
import { isThinking, messagesView, workingView } from './message-view.js'
import { partialJson } from './partial-json.js'
import { argumentsView, outputView } from './value-view.js'
import type { RenderState, RenderContext } from '../panel/render-context.js'

type Texts = Words & BodyWords

/** What the body needs. */
export interface CallBody {
  /** The call. */
  readonly item: CallLike
  /** Its `active` is true only while the call itself is running. */
  readonly view: RenderContext
  /** Draws the growing texts of an agent inside the call. */
  readonly streams: StreamingMarkdown
  /** The full text of a shortened result, once it is loaded. */
  readonly whole: string | undefined
  /** Requests the full text. */
  showWhole(callId: string): void
}

/** Draws the body. */
export function callBody({ item: part, view, streams, whole, showWhole }: CallBody): TemplateResult {
  const { renderState } = view
  const words: Texts = { ...renderState.words, ...bodyWords, ...renderState.words.body }
  if (part.type === 'tool-input') {
    const written = partialJson(part.text)
    return html`${label(part.name)}${
      isObject(written) && Object.keys(written).length > 0
        ? html`<section><h4>${words.input}</h4>${argumentsView(written, words)}</section>`
        : html`<pre>${toVisibleText(part.text)}</pre>`
    }`
  }
  const { call, result, started, child } = part
  const ran = result?.input ?? started?.input
  const changed = ran !== undefined && JSON.stringify(ran) !== JSON.stringify(call.input)
  return html`${label(call.name)}
    <section>
      <h4>${words.input}</h4>
      ${call.raw === undefined ? argumentsView(call.input, words) : rawView(call.raw, renderState)}
    </section>
    ${changed ? html`<section><h4>${words.ran}</h4>${argumentsView(ran, words)}</section>` : nothing}
    ${child === undefined ? nothing : stepsView(child, view, { streams, words })}
    ${
      result === undefined || (child !== undefined && result.output === textOf(child.messages.at(-1)))
        ? nothing
        : resultView(result, whole, words, () => {
            showWhole(call.id)
          })
    }`
}

function label(name: string): TemplateResult {
  return html`<p class="name"><code>${name}</code></p>`
}

/** Arguments that are not JSON. They can be as long as the whole answer. */
function rawView(raw: string, renderState: RenderState): TemplateResult {
  return raw.length > pieceLength ? plainView(toVisibleText(raw), renderState) : html`<pre>${toVisibleText(raw)}</pre>`
}

/** The messages of an agent inside the call, without its task: that is among the arguments. */
function stepsView(
  { messages, draft }: NonNullable<ToolCallPart['child']>,
  view: RenderContext,
  { streams, words }: { readonly streams: StreamingMarkdown; readonly words: Texts },
): TemplateResult {
  return html`<section class="child"><h4>${words.steps}</h4>
    ${messagesView({
      messages: messages.filter((message) => message.role !== 'user'),
      draft,
      view,
      streams,
      hidesEnding: false,
    })}
    ${view.active && isThinking(messages, draft) ? workingView(view.renderState) : nothing}
  </section>`
}

function resultView(
  { cut, error, output }: NonNullable<ToolCallPart['result']>,
  whole: string | undefined,
  words: Texts,
  showWhole: () => void,
): TemplateResult {
  if (error !== undefined) {
    return html`<section><h4>${words.error}</h4>
      <p class="problem"><code>${error.code}</code> ${toVisibleText(error.message)}</p></section>`
  }
  return html`<section><h4>${words.result}</h4>
    ${whole === undefined ? outputView(output, words) : html`<pre>${toVisibleText(whole)}</pre>`}
    ${
      cut === undefined || whole !== undefined
        ? nothing
        : html`<button type="button" class="quiet" @click=${showWhole}>${words.whole(cut.chars)}</button>`
    }
  </section>`
}
