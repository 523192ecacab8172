// The questions of the calls that wait for the user, one at a time: the first that is not decided, and its place among
// all.
import { html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { Failure } from '../../core/data/errors.js'
import type { CallId, ToolCallPart, Question } from '../../core/data/message.js'
import type { AgentElement } from '../element/agent-element.js'
import { PanelEvent } from '../isolation/panel-event.js'
import { argumentsLine, questionTitle } from '../message/action-words.js'
import { agentsLine } from '../message/call-title.js'
import { ActionEvent } from '../panel/actions.js'
import { PanelPart, reactiveProperties, type RenderState } from '../panel/render-context.js'
import type { ApprovalCard } from './approval-card.js'
import { closeDialog, keepOnTop, ModalWatch } from './modal-dialogs.js'

/** All pending questions. Exists only while there is one, so that the count starts again with the next. */
export class Questions extends PanelPart {
  /** Set by the templates of the panel. */
  static override properties: PropertyDeclarations = reactiveProperties(
    'questions',
    'renderState',
    'errors',
    'changed',
    'isDeciding',
  )
  /** The calls that wait, in call order. */
  declare questions: readonly Question[]
  /** Words and titles. */
  declare renderState: RenderState
  /** Why the last decision about a call was not accepted. */
  declare errors: ReadonlyMap<CallId, Failure>
  /** The calls whose question has changed since it was first asked. */
  declare changed: ReadonlySet<CallId>
  /** Whether a decision is being checked. It may be rejected, so its question stays until then. */
  declare isDeciding: () => boolean
  /** Every call that has waited since this element exists. */
  readonly #seen = new Set<CallId>()
  /** The requests that the user has decided, by call. A new request of the same call is a new question. */
  readonly #decided = new Map<CallId, string>()
  /** The call whose question is shown. */
  #current: CallId | undefined
  /** The call whose question was shown before the update. */
  #before: CallId | undefined
  /** The call that the user decided with the focus in its question, so the focus goes on to the next one. */
  #movesFocus: CallId | undefined
  /** The request that was announced. */
  #announced: string | undefined
  /** Ends the listeners of the shortcut. */
  #keys: AbortController | undefined
  /** The root of the panel, also after this element was removed. */
  #root: ShadowRoot | undefined
  readonly #modals = new ModalWatch(() => {
    this.#keepOnTop()
  })

  /** Called by the browser. */
  override connectedCallback(): void {
    super.connectedCallback()
    this.#root = this.getRootNode() as ShadowRoot
    this.#keys = new AbortController()
    // The keys of the panel do not leave it.
    for (const target of [globalThis, this.#root])
      target.addEventListener('keydown', this.#onKey, { signal: this.#keys.signal })
  }

  /** Called by the browser, also when the last question is decided. */
  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#keys?.abort()
    this.#modals.stop()
    if (this.#movesFocus !== undefined) queueMicrotask(() => this.#focusField())
  }

  /** Chooses the current question. A decision that was rejected is open again. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    // None of these was among the last ones, so they belong to another session or to a later step.
    if (!this.questions.some(({ part }) => this.#seen.has(part.call.id))) this.#seen.clear()
    for (const { part } of this.questions) this.#seen.add(part.call.id)
    if (changed.has('errors')) {
      const before: typeof this.errors | undefined = changed.get('errors')
      for (const [callId, error] of this.errors) if (before?.get(callId) !== error) this.#decided.delete(callId)
    }
    this.#before = this.#current
    const isShown = this.questions.some(({ part }) => part.call.id === this.#current)
    if (isShown && this.isDeciding()) return
    this.#current = this.questions.find(({ part }) => !this.#isDecided(part))?.part.call.id
  }

  /** Draws the current question. */
  protected override render(): TemplateResult {
    const { renderState } = this
    const words = { ...renderState.words, ...renderState.words.approval }
    const shown = this.questions.filter(({ part }) => part.call.id === this.#current)
    return html`<dialog class="approvals" open aria-label=${words.approvals} ?hidden=${shown.length === 0}
      @action=${this.#onAction}>
      ${repeat(
        shown,
        ({ part }) => part.call.id,
        ({ part, agents }) => html`<tool-agent-approval data-call=${part.call.id} .item=${part} .words=${words}
          .heading=${questionTitle(part, renderState)} .argumentsLine=${argumentsLine(part, renderState)}
          .agents=${agentsLine(agents, renderState)}
          .position=${this.#position()}
          .decided=${this.#isDecided(part)}
          .isChanged=${this.changed.has(part.call.id)}
          .problem=${this.errors.get(part.call.id)}></tool-agent-approval>`,
      )}
    </dialog>`
  }

  /** Keeps the dialog above modal dialogs of the page, and moves the focus on after a decision. */
  protected override updated(): void {
    this.#keepOnTop()
    if (this.#current !== undefined && this.#current !== this.#before) this.#show()
    this.#announce()
    if (this.#movesFocus === undefined || this.isDeciding()) return
    const isRejected = this.#movesFocus === this.#current
    this.#movesFocus = undefined
    if (isRejected) return // The card moves the focus to what must be corrected.
    if (this.#current === undefined) this.#focusField()
    // The name of the next question must be complete when a screen reader says it.
    else void this.#whenKnown(this.#card).then(() => this.#focusCard())
  }

  /** Announces the question that is shown, once for each request. A question that gets the focus says itself. */
  #announce(): void {
    const shown = this.questions.find(({ part }) => part.call.id === this.#current)?.part
    const request = shown && `${shown.call.id} ${requestOf(shown.approval)}`
    if (request === this.#announced || shown === undefined) return
    this.#announced = request
    if (this.#movesFocus !== undefined) return
    const card = this.#card
    void this.#whenKnown(card).then(() => {
      if (card?.isConnected && request === this.#announced)
        this.dispatchEvent(new ActionEvent({ do: 'ask', question: card.announcement }))
    })
  }

  get #card(): ApprovalCard | null {
    return this.querySelector<ApprovalCard>('tool-agent-approval')
  }

  /** Resolves when the card shows how grave its question is. */
  async #whenKnown(card: ApprovalCard | null): Promise<void> {
    await card?.updateComplete
    await card?.known
    await card?.updateComplete
  }

  /** `1 of 3`, or empty for a single question. */
  #position(): string {
    const later = this.questions.filter(({ part }) => part.call.id !== this.#current && !this.#isDecided(part))
    const total = this.#seen.size
    return total > 1 ? this.renderState.words.approval.position(total - later.length, total) : ''
  }

  /** F8 goes to the question from anywhere on the page, and from the question to the text field. */
  #onKey = (event: Event): void => {
    if (!(event instanceof KeyboardEvent) || event.defaultPrevented || event.key !== 'F8') return
    if (!PanelEvent.originalOf(event).isTrusted) return
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || this.#current === undefined) return
    event.preventDefault()
    const host = this.#root?.host as AgentElement
    if (host.layout !== 'inline') host.open = true
    if (this.contains(this.#root?.activeElement ?? null)) this.#focusField()
    else this.#focusCard()
  }

  /** Makes a new question visible. In a low window it hides the transcript, and the focus must not get lost there. */
  #show(): void {
    this.closest('.panel')?.scroll({ top: 0, behavior: 'instant' })
    const focused = this.#root?.activeElement
    if (focused && focused.getClientRects().length === 0) this.#focusCard()
  }

  /** Moves the focus to the question. */
  #focusCard(): void {
    const card = this.#card
    void card?.updateComplete.then(() => card.querySelector<HTMLElement>('.approval')?.focus())
  }

  #isDecided({ call, approval }: ToolCallPart): boolean {
    return this.#decided.get(call.id) === requestOf(approval)
  }

  /** Runs before the panel carries out the decision. The dialog must not block the page for the call. */
  #onAction = ({ action }: ActionEvent): void => {
    if (action.do !== 'decide') return
    const decided = this.questions.find(({ part }) => part.call.id === action.callId)
    this.#decided.set(action.callId, requestOf(decided?.part.approval))
    this.#movesFocus = this.contains(this.#root?.activeElement ?? null) ? action.callId : undefined
    const dialog = this.querySelector('dialog')
    if (dialog?.matches(':modal')) closeDialog(dialog)
    this.requestUpdate()
  }

  #keepOnTop(): void {
    const dialog = this.querySelector('dialog')
    if (dialog === null || this.#root === undefined || !this.isConnected) return
    const wasModal = dialog.matches(':modal')
    const isModal = keepOnTop(dialog, this.#root.host as AgentElement, this.isDeciding)
    this.#modals.start(isModal)
    if (isModal !== wasModal) this.#card?.checkReading()
  }

  #focusField(): void {
    this.#root?.querySelector<HTMLElement>('.grow textarea')?.focus()
  }
}

/** Identifies one request. A request that is repeated after a reload has another time. */
function requestOf(approval: ToolCallPart['approval']): string {
  return `${approval?.hash} ${approval?.at}`
}
