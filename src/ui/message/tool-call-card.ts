// The card of one tool call: title, what was asked, what came of it, how long it took; around an agent, what that does.
// Its body is drawn only while it is open, so that a long transcript stays light.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { isObject, type JsonValue } from '../../core/data/json.js'
import { errorMessage } from '../../core/data/errors.js'
import type { ToolCallPart } from '../../core/data/message.js'
import { ActionEvent } from '../panel/actions.js'
import { activityLine, inputLine, callTitleOf } from './tool-call-summary.js'
import { callState, pendingApprovals, type CallLike, type CallState } from './call-state.js'
import { toVisibleText } from './json-view.js'
import { StreamingMarkdown } from '../markdown/streaming-markdown.js'
import { icon, type IconName } from '../styles/icons.js'
import { PanelPart, type RenderContext } from '../panel/render-context.js'

const icons: Partial<Record<CallState, IconName>> = {
  done: 'check',
  failed: 'alert',
  timeout: 'alert',
  asking: 'shield',
  denied: 'minus',
  refused: 'minus',
  cancelled: 'minus',
  superseded: 'minus',
  interrupted: 'minus',
  limit: 'minus',
}

/** Draws the body of an open card; one for all cards, once it is loaded. */
let drawBody: typeof import('./call-body.js').callBody | undefined

export class ToolCallCard extends PanelPart {
  static override properties: PropertyDeclarations = {
    item: { attribute: false },
    view: { attribute: false },
    whole: { state: true },
    undone: { state: true },
  }
  declare item: CallLike
  declare view: RenderContext
  declare whole: string | undefined
  /** What taking it back came to. */
  declare undone: string | undefined
  #isDrawnOpen = false
  /** Something inside waits for the user. */
  #isAsking = false
  readonly #growth = new StreamingMarkdown()
  #loading: Promise<void> | undefined
  /** Why the body could not be loaded; opening the card again retries. */
  #bodyProblem: string | undefined
  #clock: ReturnType<typeof setInterval> | undefined

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#tick(false)
  }

  protected override willUpdate(): void {
    const { item, view } = this
    const { child } = item.type === 'tool-call' ? item : {}
    const isAsking = child !== undefined && this.#isOpenCall && pendingApprovals(child.messages).length > 0
    // Opens once a question comes up: what it is about stands inside.
    if (isAsking && !this.#isAsking) view.opened.set(idOf(item), true)
    this.#isAsking = isAsking
  }

  protected override render(): TemplateResult {
    const { item: part, view } = this
    const { words } = view.look
    const state = callState(part, view.active)
    this.#tick(this.#isOpenCall && part.type === 'tool-call' && part.started !== undefined && this.isConnected)
    const custom = part.type === 'tool-call' ? this.#custom(part) : null
    const open = view.opened.get(idOf(part)) ?? custom !== null
    this.#isDrawnOpen = open
    const name = part.type === 'tool-call' ? part.call.name : part.name
    const child = part.type === 'tool-call' && this.#isOpenCall && !open ? part.child : undefined
    return html`<details class="call" part="tool-call" data-state=${state} data-tool=${name} .open=${open} @toggle=${this.#toggle}>
      <summary>
        <span class="state">${icons[state] === undefined ? html`<span class="spinner"></span>` : icon(icons[state])}</span>
        <span class="title">${callTitleOf(part, view.look)}</span>
        <span class="line">${inputLine(part)}</span>
        <span class="status">${state === 'done' ? nothing : words.states[state]}</span>
        <span class="time">${this.#time()}</span>
        ${icon('chevron')}
        ${child === undefined ? nothing : html`<span class="activity">${activityLine(child, view)}</span>`}
      </summary>
      ${open ? html`<div class="body">${custom ?? this.#body()}</div>` : nothing}
    </details>${state === 'running' ? this.#progress() : nothing}${this.#undo(part)}`
  }

  /** A host will still settle it. */
  get #isOpenCall(): boolean {
    return this.view.active && (this.item.type === 'tool-input' || this.item.result === undefined)
  }

  /** What the call was asked and what came of it. Its code is loaded for the first card that is open. */
  #body(): unknown {
    const { item, view, whole } = this
    if (drawBody === undefined) {
      if (this.#bodyProblem !== undefined)
        return html`<p class="problem">${view.look.words.rendererFailed(this.#bodyProblem)}</p>`
      this.#loading ??= this.#loadBody()
      return nothing
    }
    return drawBody({
      item,
      view: { ...view, active: this.#isOpenCall },
      whole,
      growth: this.#growth,
      showWhole: (callId) => {
        this.dispatchEvent(
          new ActionEvent({
            do: 'whole-result',
            callId,
            show: (text) => {
              this.whole = text
            },
          }),
        )
      },
    })
  }

  async #loadBody(): Promise<void> {
    try {
      drawBody = (await import('./call-body.js')).callBody
    } catch (thrown) {
      this.#bodyProblem = errorMessage(thrown)
    }
    this.requestUpdate()
  }

  /** What was filled stands on the page: it is taken back with one press, also while the card is closed. */
  #undo(part: CallLike): unknown {
    const {
      look: { undo, words },
    } = this.view
    const offered = part.type === 'tool-call' && undo === part.call.id
    if (!offered && this.undone === undefined) return nothing
    const ask = (): void => {
      this.dispatchEvent(
        new ActionEvent({
          do: 'undo',
          callId: idOf(part),
          show: (answer) => {
            const fields = Array.isArray(answer) ? answer : []
            this.undone = words.undone(
              fields.filter((field) => isObject(field) && field['ok'] === true).length,
              fields.length,
            )
            // The button goes; who pressed it by keyboard stays at the card.
            if (this.querySelector('.undo button:focus') !== null) this.querySelector('summary')?.focus()
          },
        }),
      )
    }
    return html`<div class="undo" aria-live="polite">${this.undone ?? html`<button type="button" class="quiet" @click=${ask}>${words.undo}</button>`}</div>`
  }

  #custom(part: ToolCallPart): unknown {
    const renderer = this.view.look.renderers.get(part.call.name)
    if (renderer === undefined) return null
    try {
      return renderer(part) ?? null
    } catch (thrown) {
      // Shown where it happened; the rest of the transcript stays.
      return html`<p class="problem">${this.view.look.words.rendererFailed(errorMessage(thrown))}</p>`
    }
  }

  #progress(): TemplateResult | typeof nothing {
    const value: JsonValue | undefined =
      this.item.type === 'tool-call' ? this.view.progress.get(this.item.call.id) : undefined
    if (value === undefined) return nothing
    const { message, fraction } = isObject(value) ? value : { message: value, fraction: undefined }
    return html`<div class="progress">
      ${typeof fraction === 'number' ? html`<progress max="1" .value=${Math.min(1, Math.max(0, fraction))}></progress>` : nothing}
      ${typeof message === 'string' ? html`<p>${toVisibleText(message)}</p>` : nothing}
    </div>`
  }

  #time(): string {
    if (this.item.type !== 'tool-call') return ''
    const { result, started } = this.item
    const { words } = this.view.look
    const from = result?.startedAt ?? started?.at
    const until = result?.endedAt ?? (this.view.active ? Date.now() : undefined)
    if (from === undefined || until === undefined) return ''
    const time = words.time(until - from)
    return result !== undefined && result.attempts > 1 ? `${time}, ${words.attempts(result.attempts)}` : time
  }

  #toggle = (event: Event): void => {
    // Told of what was drawn, too.
    const { open } = event.currentTarget as HTMLDetailsElement
    if (open === this.#isDrawnOpen) return
    this.view.opened.set(idOf(this.item), open)
    this.#loading = this.#bodyProblem = undefined
    this.requestUpdate()
  }

  /** A running call shows its seconds. */
  #tick(running: boolean): void {
    if (running === (this.#clock !== undefined)) return
    clearInterval(this.#clock)
    this.#clock = running
      ? setInterval(() => {
          this.requestUpdate()
        }, 1000)
      : undefined
  }
}

const idOf = (item: CallLike): string => (item.type === 'tool-call' ? item.call.id : item.id)
