// The body of an open tool call card: what happened in words, arguments and result with labels, steps of an agent
// inside, and the technical details.
import { html, nothing, type TemplateResult } from 'lit'
import { isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import { textOf, type ToolCallPart } from '../../../core/data/message.js'
import { internals } from '../../../core/data/tool.js'
import { fieldText, argumentsList, scalarText } from '../values/arguments-view.js'
import { callState, type CallLike } from './call-state.js'
import { pageTools } from './page-tool-names.js'
import { toVisibleText } from '../values/shown-text.js'
import type { StreamingMarkdown } from '../../markdown/streaming-markdown.js'
import type { ApprovalWords, BodyWords, Words } from '../../i18n/en.js'
import { plainView, pieceLength } from '../values/long-text.js'
import { textsOf, type Texts as MessageTexts } from '../message-texts.js'
import { isThinking, messagesView, workingView } from '../message-view.js'
import { partialJson } from '../values/partial-json.js'
import { inputOf, isSimple, schemaOf } from './tool-call-summary.js'
import { icon } from '../../styles/icons.js'
import { showField } from '../receipt/on-page.js'
import { valueText } from '../values/value-text.js'
import type { RenderState, RenderContext } from '../../panel/render-context.js'

/** Characters of a result that is shown beside the arguments. A longer one is among the technical details. */
const shownResult = 300

type Texts = MessageTexts & BodyWords

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

/** Draws the body: what was done, in words. The tool's name, JSON and error codes are behind "Technical details". */
export function callBody({ item: part, view, streams, whole, showWhole }: CallBody): TemplateResult {
  const { renderState } = view
  const words: Texts = { ...textsOf(renderState.words), ...renderState.words.body }
  const problem = problemOf(part, view.active, words)
  const child = part.type === 'tool-call' ? part.child : undefined
  return html`
    ${problem === undefined ? nothing : html`<p>${problem}</p>`}
    ${factsView(part, renderState)}
    ${child === undefined ? nothing : stepsView(child, view, { streams, words })}
    <details class="aside technical" .open=${renderState.isDebug}><summary>${icon('chevron')}${words.input}</summary>
      ${
        part.type === 'tool-input'
          ? draftDetails(part, words)
          : callDetails(part, renderState, {
              words,
              whole,
              showWhole,
            })
      }
    </details>`
}

/** What the tool received, and a result that people can read. For a fill, what its fields hold now. */
function factsView(part: CallLike, renderState: RenderState): unknown {
  const words = { ...renderState.words, ...renderState.words.approval }
  const name = part.type === 'tool-call' ? part.call.name : part.name
  const output = part.type === 'tool-call' ? part.result?.output : undefined
  if (pageTools.has(name) || renderState.toolOf(name)?.tool[internals]?.mayAct) {
    if (!Array.isArray(output) || part.type !== 'tool-call') return nothing
    return fieldsView(output, words, part.call, renderState)
  }
  const input = part.type === 'tool-call' ? inputOf(part) : partialJson(part.text)
  const hasInput = isObject(input) && Object.keys(input).length > 0
  const isAgent = part.type === 'tool-call' && part.child !== undefined
  const text = typeof output === 'string' && output.length <= shownResult && !isAgent
  const isFlat =
    isObject(output) &&
    Object.keys(output).length > 0 &&
    Object.values(output).every((value) => isSimple(value) || value === null)
  return html`${hasInput ? argumentsList(schemaOf(name, renderState), input, words) : nothing}${
    (text && output !== '') || isFlat || typeof output === 'number' || typeof output === 'boolean'
      ? html`<section class="outcome">${title(renderState.words.body.result)}
          ${
            isObject(output)
              ? argumentsList({}, output, words)
              : html`<p>${valueText(scalarText({}, output, words), words)}</p>`
          }</section>`
      : nothing
  }`
}

/** The fields of `form_fill` or `form_undo`, what they hold now, and what a fill has replaced. */
function fieldsView(
  entries: readonly JsonValue[],
  words: Words & ApprovalWords,
  call: ToolCallPart['call'],
  renderState: RenderState,
): TemplateResult {
  const before = renderState.valuesBefore(call.name, call.id)
  const known = entries.flatMap((entry) => (isObject(entry) ? [entry as JsonObject] : []))
  return html`<dl>${known.map(({ field, now, ok }) => {
    const name = toVisibleText(String(field))
    const show = (event: Event): void => void showField(event.target as Element, call.id, String(field), renderState)
    const label = before.has(String(field))
      ? html`<dt><button type="button" class="link" aria-label=${textsOf(renderState.words).receipt.show(
          name,
        )} @click=${show}>${name}</button></dt>`
      : html`<dt>${name}</dt>`
    if (ok !== true) return html`${label}<dd><em>${words.body.notFilled}</em></dd>`
    const value = fieldText(now, words)
    const replaced = fieldText(before.get(String(field)), words)
    const old = replaced === '' || replaced === value ? nothing : html`<del>${valueText(replaced, words)}</del> `
    return html`${label}<dd>${old}${value === '' ? html`<em>${words.empty}</em>` : valueText(value, words)}</dd>`
  })}</dl>`
}

/** What happened to a call that did not succeed. */
function problemOf(part: CallLike, active: boolean, { problems, stoppedBefore }: Texts): string | undefined {
  const state = callState(part, active)
  const hasStarted = part.type === 'tool-call' && (part.started !== undefined || part.result?.startedAt !== undefined)
  return state === 'cancelled' && !hasStarted ? stoppedBefore : problems[state]
}

/** The arguments of a call that is still streaming. */
function draftDetails({ name, text }: Extract<CallLike, { type: 'tool-input' }>, words: Texts): TemplateResult {
  return html`${label(name)}<section>${title(words.values)}${jsonView(partialJson(text) ?? text)}</section>`
}

/** Everything about a call, for the developer of the page. */
function callDetails(
  { call, result, started, child }: ToolCallPart,
  renderState: RenderState,
  { words, whole, showWhole }: Pick<CallBody, 'whole' | 'showWhole'> & { readonly words: Texts },
): TemplateResult {
  const ran = result?.input ?? started?.input
  const changed = ran !== undefined && JSON.stringify(ran) !== JSON.stringify(call.input)
  const attempts = result?.attempts ?? 0
  return html`${label(call.name, attempts > 1 ? words.attempts(attempts) : '')}
    <section>
      ${title(words.values)}
      ${call.raw === undefined ? jsonView(call.input) : rawView(call.raw, renderState)}
    </section>
    ${changed ? html`<section>${title(words.ran)}${jsonView(ran)}</section>` : nothing}
    ${
      result === undefined || (child !== undefined && result.output === textOf(child.messages.at(-1)))
        ? nothing
        : resultView(result, { whole, words, renderState }, () => {
            showWhole(call.id)
          })
    }`
}

/** The title of a section. Not a heading: cards are not part of the outline of the page. */
function title(text: string): TemplateResult {
  return html`<p class="label">${text}</p>`
}

/** A value as the model reads it: a text, or JSON. */
function jsonView(value: JsonValue | undefined): TemplateResult {
  const text = typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)
  return html`<pre tabindex="0">${toVisibleText(text)}</pre>`
}

function label(name: string, note = ''): TemplateResult {
  return html`<p class="name"><code>${name}</code> ${note}</p>`
}

/** Arguments that are not JSON. They can be as long as the whole answer. */
function rawView(raw: string, renderState: RenderState): TemplateResult {
  return raw.length > pieceLength
    ? plainView(toVisibleText(raw), renderState)
    : html`<pre tabindex="0">${toVisibleText(raw)}</pre>`
}

/** The messages of an agent inside the call, without its task: that is among the arguments. */
function stepsView(
  { messages, draft }: NonNullable<ToolCallPart['child']>,
  view: RenderContext,
  { streams, words }: { readonly streams: StreamingMarkdown; readonly words: Texts },
): TemplateResult {
  return html`<section class="child">${title(words.steps)}
    ${messagesView({
      messages: messages.filter((message) => message.role !== 'user'),
      draft,
      view,
      streams,
      isInside: true,
    })}
    ${view.active && isThinking(messages, draft) ? workingView(view.renderState) : nothing}
  </section>`
}

function resultView(
  { cut, outputChars = cut?.chars, error, output }: NonNullable<ToolCallPart['result']>,
  { whole, words, renderState }: Pick<CallBody, 'whole'> & { readonly words: Texts; readonly renderState: RenderState },
  showWhole: () => void,
): TemplateResult {
  if (error !== undefined) {
    return html`<section>${title(words.error)}
      <p class="problem"><code>${error.code}</code> ${toVisibleText(error.message)}</p></section>`
  }
  return html`<section>${title(words.result)}
    ${whole === undefined ? jsonView(output) : rawView(whole, renderState)}
    ${
      outputChars === undefined || whole !== undefined
        ? nothing
        : html`<button type="button" class="quiet" @click=${showWhole}>${words.whole(outputChars)}</button>`
    }
  </section>`
}
