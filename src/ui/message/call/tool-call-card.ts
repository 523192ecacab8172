// The card of one tool call: one sentence, or title, arguments and state, in one line, what it has changed in a second
// one, and a body that opens. The body is drawn only while it is open, so that a long transcript stays fast.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { errorMessage } from '../../../core/data/errors.js'
import { pendingApprovals, type ToolCallPart } from '../../../core/data/message.js'
import { internals } from '../../../core/data/tool.js'
import { logWarning } from '../../../page/log.js'
import { ActionEvent } from '../../panel/actions.js'
import { actionQuestion, levelIcons, levelOf, titleAndLine, type Level } from '../action-words.js'
import { textsOf, type Texts } from '../message-texts.js'
import { activityLine, writtenLine, progressText, progressView } from './call-activity.js'
import { callBody } from './call-body.js'
import { sentenceOf } from './tool-call-summary.js'
import { undoIcons } from './undo-view.js'
import { isLook } from '../receipt/call-groups.js'
import { callState, type CallLike, type CallState } from './call-state.js'
import { StreamingMarkdown } from '../../markdown/streaming-markdown.js'
import { icon, type IconName } from '../../styles/icons.js'
import { PanelPart, reactiveProperties, type RenderContext, type RenderState } from '../../panel/render-context.js'
import { isObject, type JsonValue } from '../../../core/data/json.js'
import { fieldText } from '../values/arguments-view.js'
import { cutMiddle } from '../values/shown-text.js'

/** The icons of states; undefined is a spinner, and a state that is missing has a minus sign. */
const icons: Partial<Record<CallState, IconName | undefined>> = {
  writing: undefined,
  checking: undefined,
  running: undefined,
  done: 'check',
  failed: 'alert',
  timeout: 'alert',
  asking: 'shield',
}

/** Milliseconds. The duration of a call is shown from here on. */
const shownTime = 2_000

/** The card of a call, also of one whose arguments are still streaming. */
export class ToolCallCard extends PanelPart {
  /** Set by the templates of the panel. */
  static override properties: PropertyDeclarations = reactiveProperties('item', 'view', 'whole')
  /** The call. */
  declare item: CallLike
  /** What it needs to draw. */
  declare view: RenderContext
  /** The full text of a shortened result, once it is loaded. */
  declare whole: string | undefined
  /** Whether the last update drew the card open. */
  #isDrawnOpen = false
  readonly #streams = new StreamingMarkdown(() => {
    this.requestUpdate()
  })
  /** The arguments have been written for more than a second. */
  #isSlow = false
  /** Redraws every second while the call is written or runs; undefined otherwise. */
  #clock: ReturnType<typeof setInterval> | undefined

  /** Called by the browser. */
  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#tick(false)
  }

  /** Opens the card when a call inside starts to wait for the user. */
  protected override willUpdate(): void {
    const { item, view } = this
    const { child } = item.type === 'tool-call' ? item : {}
    const isAsking = child !== undefined && this.#isUnsettled && pendingApprovals(child.messages).length > 0
    // A new question opens the card, because its context is inside. Remembered there, because the card may move into
    // a receipt.
    const asked = `${idOf(item)} asks`
    if (isAsking && view.opened.get(asked) !== true) view.opened.set(idOf(item), true)
    view.opened.set(asked, isAsking)
  }

  /** Draws the line, and the body while the card is open. */
  protected override render(): TemplateResult {
    const { item: part, view } = this
    const words = textsOf(view.renderState.words)
    const state = callState(part, view.active)
    const sentence = sentenceOf(part)
    const isWriting = part.type === 'tool-input'
    this.#tick(this.#isUnsettled && (isWriting || part.started !== undefined) && this.isConnected)
    const [title, about] = titleAndLine(part, view.renderState)
    const line = sentence === '' ? this.#line(state, about) : ''
    const custom = part.type === 'tool-call' ? this.#customBody(part) : null
    const open = view.opened.get(idOf(part)) ?? custom !== null
    this.#isDrawnOpen = open
    const name = part.type === 'tool-call' ? part.call.name : part.name
    const isUndone = part.type === 'tool-call' && isUndoneCall(part, view.renderState)
    const status = isUndone ? words.undo.undone : words.states[state]
    const more = this.#more(state, open)
    // The tick says that it is done, the spinner that it runs.
    const isTold = state === 'running' ? line !== '' || more !== '' : state === 'done' && !isUndone
    return html`<details class="call" part="tool-call" data-state=${state} data-tool=${name} ?data-undone=${isUndone}
      ?data-look=${isLook(part, view.renderState)} .open=${open} @toggle=${this.#onToggle}>
      <summary>
        <span class="state">${this.#icon(state, isUndone)}</span>
        <span class="title" part="tool-call-title" dir="auto">${sentence || title}</span>
        <span class="line" dir="auto">${line}</span>
        <span class=${isTold ? 'unseen' : 'status'}>${status}</span>
        <span class="time">${this.#time()}</span>
        ${icon('chevron')}
        ${more === '' || more === nothing ? nothing : html`<span class="activity" dir="auto">${more}</span>`}
      </summary>
      ${open ? html`<div class="body">${custom ?? this.#body()}</div>` : nothing}
    </details>${state === 'running' ? this.#progress() : nothing}${this.#reload(part)}`
  }

  #icon(state: CallState, isUndone: boolean): TemplateResult {
    const { item } = this
    if (isUndone) return icon(undoIcons.undo)
    // The question itself has the warning.
    if (state === 'asking' && item.type === 'tool-call') return icon(levelIcons[this.#level(item)])
    const mark = state in icons ? icons[state] : 'minus'
    return mark === undefined ? html`<span class="spinner" part="spinner"></span>` : icon(mark)
  }

  #level(part: ToolCallPart): Level {
    const { words, toolOf } = this.view.renderState
    const tool = toolOf(part.call.name)?.tool
    const isDiscovered = tool?.[internals]?.isDiscovered === true
    return levelOf(actionQuestion(part, words), tool && { annotations: tool.annotations ?? {}, isDiscovered })
  }

  /** The second row: what an agent inside does, the news of a running call, or what a call has changed. */
  #more(state: CallState, open: boolean): unknown {
    const { item, view } = this
    if (item.type !== 'tool-call') return ''
    if (this.#isUnsettled && !open && item.child !== undefined) return activityLine(item.child, view)
    if (state === 'running') return progressText(view.progress.get(item.call.id)) ?? ''
    return changeView(item, view.renderState)
  }

  /** What follows the title. The question shows the arguments of a call that waits for the user. */
  #line(state: CallState, about: string): string {
    const { item, view } = this
    if (item.type === 'tool-input') return this.#isSlow ? writtenLine(item, view.renderState) : ''
    return state === 'asking' ? '' : about
  }

  /** The call has no result yet, and will get one. */
  get #isUnsettled(): boolean {
    return this.view.active && (this.item.type === 'tool-input' || this.item.result === undefined)
  }

  /** Arguments and result. */
  #body(): unknown {
    const { item, view, whole } = this
    return callBody({
      item,
      view: { ...view, active: this.#isUnsettled },
      whole,
      streams: this.#streams,
      showWhole: (callId) => {
        this.dispatchEvent(
          new ActionEvent({
            do: 'run',
            run: async (agent) => {
              this.whole = (await agent.resultText(callId)) ?? ''
            },
          }),
        )
      },
    })
  }

  /** Shown in place of a body that the page cannot draw; the rest stays. The console has the error. */
  #drawingError(name: string, thrown: unknown): TemplateResult {
    const text = `The renderer of tool "${name}" failed: ${errorMessage(thrown)}`
    logWarning(text, text)
    return html`<p class="problem">${textsOf(this.view.renderState.words).rendererFailed}</p>`
  }

  /** After a denial the page may show what it did not send. Whether it is loaded again is for the visitor. */
  #reload(part: CallLike): unknown {
    if (part.type !== 'tool-call') return nothing
    const { approval, result } = part
    const isRefused = approval?.preview?.held === true && result?.error?.code === 'denied'
    if (!isRefused || result.endedAt < performance.timeOrigin) return nothing
    const { reload, mayShowRefused } = textsOf(this.view.renderState.words)
    return html`<div class="reload"><span>${mayShowRefused}</span>
      <button type="button" part="reload" @click=${() => location.reload()}>${reload}</button></div>`
  }

  /** What the page's own renderer draws; null without one. */
  #customBody(part: ToolCallPart): unknown {
    const renderer = this.view.renderState.renderers.get(part.call.name)
    if (renderer === undefined) return null
    try {
      return renderer(part) ?? null
    } catch (thrown) {
      return this.#drawingError(part.call.name, thrown)
    }
  }

  /** The newest progress of a running call. */
  #progress(): unknown {
    return this.item.type === 'tool-call' ? progressView(this.view.progress.get(this.item.call.id)) : nothing
  }

  /** The duration so far or in total; empty if it is short. */
  #time(): string {
    if (this.item.type !== 'tool-call') return ''
    const { result, started } = this.item
    const from = result?.startedAt ?? started?.at
    const until = result?.endedAt ?? (this.view.active ? Date.now() : undefined)
    if (from === undefined || until === undefined || until - from < shownTime) return ''
    return textsOf(this.view.renderState.words).time(until - from)
  }

  #onToggle = (event: Event): void => {
    // The browser also fires this event for changes by the template.
    const { open } = event.currentTarget as HTMLDetailsElement
    if (open === this.#isDrawnOpen) return
    this.view.opened.set(idOf(this.item), open)
    this.requestUpdate()
  }

  /** Updates the seconds of a running call. Arguments that take longer than a second to write are shown. */
  #tick(running: boolean): void {
    if (running === (this.#clock !== undefined)) return
    clearInterval(this.#clock)
    this.#isSlow = false
    this.#clock = running
      ? setInterval(() => {
          this.#isSlow = true
          this.requestUpdate()
        }, 1000)
      : undefined
  }
}

/** Whether what a call has changed is undone: by the visitor, or by the model. */
function isUndoneCall(part: ToolCallPart, { undo }: RenderState): boolean {
  const line = undo?.lines.find(({ callId }) => callId === part.call.id)
  return line === undefined ? part.undone?.state === 'done' : line.can !== 'undo'
}

const idOf = (item: CallLike): string => (item.type === 'tool-call' ? item.call.id : item.id)

/** Characters of a value in one row. The open card has the whole one. */
const shownLength = 80

/** Draws the old and the new value, or how many fields were replaced; nothing if that is not known. */
function changeView(part: CallLike, renderState: RenderState): TemplateResult | string | typeof nothing {
  if (part.type !== 'tool-call' || part.result === undefined) return nothing
  const { change } = part.result
  if (change !== undefined) return valueChange(undefined, change, textsOf(renderState.words))
  return part.call.name === 'form_fill' ? fillChange(part, renderState) : nothing
}

function fillChange(
  { call, result }: ToolCallPart,
  renderState: RenderState,
): TemplateResult | string | typeof nothing {
  const words = textsOf(renderState.words)
  const before = renderState.valuesBefore(call.name, call.id)
  const entries: readonly JsonValue[] = Array.isArray(result?.output) ? result.output : []
  const changed = entries.flatMap((entry) => {
    if (!isObject(entry) || entry['ok'] !== true || !before.has(String(entry['field']))) return []
    const label = String(entry['field'])
    const texts = { before: fieldText(before.get(label), words), after: fieldText(entry['now'] as JsonValue, words) }
    return texts.before === texts.after ? [] : [{ label, ...texts }]
  })
  const [only] = changed
  if (only && entries.length === 1) return valueChange(only.label, only, words)
  const replaced = changed.filter((one) => one.before !== '').length
  const empty = changed.length - replaced
  const { receipt } = words
  return replaced === 0
    ? nothing
    : [receipt.replaced(replaced), ...(empty === 0 ? [] : [receipt.wereEmpty(empty)])].join(', ')
}

/** One value, as it was and as it is. */
function valueChange(
  label: string | undefined,
  { before = '', after = '' }: { readonly before?: string; readonly after?: string },
  words: Texts,
): TemplateResult {
  const [old, now] = [before, after].map((text) => cutMiddle(text, shownLength) || words.empty)
  return html`${label === undefined ? nothing : html`<bdi>${cutMiddle(label, shownLength)}</bdi>: `}<span
    class="unseen">${words.receipt.became(old ?? '', now ?? '')}</span><span aria-hidden="true"><del>${old}</del> <span
    class="to">→</span> <bdi>${now}</bdi></span>`
}
