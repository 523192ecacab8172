// What an open card shows of its call: arguments, steps of an agent in it, result or error. Loaded with the first card
// that is open, as most stay closed.
import { html, nothing, type TemplateResult } from 'lit'
import { isObject } from '../../core/data/json.js'
import { textOf, type ToolCallPart } from '../../core/data/message.js'
import type { CallLike } from './call-state.js'
import { toVisibleText } from './json-view.js'
import type { StreamingMarkdown } from '../markdown/streaming-markdown.js'
import { pieceLength, plainView } from './long-text.js'
import { draftView, isThinking, messagesView, workingView } from './message-view.js'
import { partialJson } from './partial-json.js'
import { argumentsView, outputView } from './value-view.js'
import type { RenderState, RenderContext } from '../panel/render-context.js'

export interface CallBody {
  readonly item: CallLike
  /** `active` only while the call itself is open. */
  readonly view: RenderContext
  readonly growth: StreamingMarkdown
  /** The whole text of a result that was cut, once it was loaded. */
  readonly whole: string | undefined
  showWhole(callId: string): void
}

export function callBody({ item: part, view, growth, whole, showWhole }: CallBody): TemplateResult {
  const { look } = view
  const { words } = look
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
    <section><h4>${words.input}</h4>${call.raw === undefined ? argumentsView(call.input, words) : rawView(call.raw, look)}</section>
    ${changed ? html`<section><h4>${words.ran}</h4>${argumentsView(ran, words)}</section>` : nothing}
    ${child === undefined ? nothing : stepsView(child, view, growth)}
    ${
      result === undefined || (child !== undefined && result.output === textOf(child.messages.at(-1)))
        ? nothing
        : resultView(result, whole, look, () => {
            showWhole(call.id)
          })
    }`
}

function label(name: string): TemplateResult {
  return html`<p class="name"><code>${name}</code></p>`
}

/** Arguments that are not JSON have no bound except that of the whole answer. */
function rawView(raw: string, look: RenderState): TemplateResult {
  return raw.length > pieceLength ? plainView(toVisibleText(raw), look) : html`<pre>${toVisibleText(raw)}</pre>`
}

/** What the agent in the call has said and done; its task is among the arguments. */
function stepsView(
  { messages, draft }: NonNullable<ToolCallPart['child']>,
  view: RenderContext,
  growth: StreamingMarkdown,
): TemplateResult {
  return html`<section class="child"><h4>${view.look.words.steps}</h4>
    ${messagesView(
      messages.filter((message) => message.role !== 'user'),
      view,
      false,
    )}
    ${draft === undefined ? nothing : draftView(draft, view, growth.of(draft, view.look))}
    ${view.active && isThinking(messages, draft) ? workingView(view.look) : nothing}
  </section>`
}

function resultView(
  { cut, error, output }: NonNullable<ToolCallPart['result']>,
  whole: string | undefined,
  { words }: RenderState,
  showWhole: () => void,
): TemplateResult {
  if (error !== undefined) {
    return html`<section><h4>${words.error}</h4><p class="problem"><code>${error.code}</code> ${toVisibleText(error.message)}</p></section>`
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
