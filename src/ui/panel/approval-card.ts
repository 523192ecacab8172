// The card that asks the user before a call. It shows every argument. An approval counts only if the click is trusted,
// the card was visible for half a second, and nothing covers it. Loaded with the first question.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'
import type { JsonValue } from '../../core/data/json.js'
import type { ToolCallPart } from '../../core/data/message.js'
import { unclobbered } from '../../core/data/unclobbered.js'
import { ActionEvent, type PanelAction } from './actions.js'
import type { AgentElement } from '../element/agent-element.js'
import { icon } from '../styles/icons.js'
import { approvalWords } from '../i18n/en-approval.js'
import type { Words } from '../i18n/en.js'
import { previewView } from './preview-view.js'
import { argumentsView } from '../message/value-view.js'
import { PanelPart, reactiveProperties } from './render-context.js'

export { approvalStyles } from '../styles/approval.js'

/** Milliseconds that the buttons must be visible before an approval counts. */
const readingTime = 500

/** One call that waits for the user. Dispatches the decision as an `ActionEvent`. */
export class ApprovalCard extends PanelPart {
  /** Set by the templates of the panel. */
  static override properties: PropertyDeclarations = reactiveProperties(
    'item',
    'words',
    'problem',
    'heading',
    'agents',
    'decided',
    'edit',
    'covered',
    'ready',
  )
  /** The call. */
  declare item: ToolCallPart
  /** The words of the panel's language. */
  declare words: Words
  /** The title of the call. */
  declare heading: string
  /** Titles of the agents around the call, as one line; empty for the assistant itself. */
  declare agents: string
  /** Why the last decision was not accepted. */
  declare problem: { readonly text: string } | undefined
  /** The user has decided, so the buttons are disabled. */
  declare decided: boolean
  /** The arguments as edited text; undefined until the user edits them. */
  declare edit: string | undefined
  /** Something covered the card when the user last approved. */
  declare covered: boolean
  /** The reading time is over, so an approval counts. */
  declare ready: boolean
  /** Reports when the buttons become visible or invisible. */
  #observer: IntersectionObserver | undefined
  /** Runs during the reading time. */
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.decided = false
    this.covered = false
    this.ready = false
  }

  /** Called by the browser. */
  override connectedCallback(): void {
    super.connectedCallback()
    unclobbered(document).addEventListener('visibilitychange', this.#observeVisibility)
  }

  /** Called by the browser. */
  override disconnectedCallback(): void {
    super.disconnectedCallback()
    unclobbered(document).removeEventListener('visibilitychange', this.#observeVisibility)
    this.#observer?.disconnect()
    this.#observer = undefined
    this.#stopReadingTime()
  }

  /** Resets the decision when the question has changed, or when it was rejected. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('problem') && this.problem !== undefined) this.decided = false
    const before: ToolCallPart | undefined = changed.get('item')
    // The arguments have changed, so the user must read them again.
    if (before !== undefined && before.approval?.hash !== this.item.approval?.hash) {
      this.decided = false
      this.edit = undefined
      this.#stopReadingTime()
      this.#observeVisibility()
    }
  }

  /** Observes the buttons once they are drawn. */
  protected override updated(): void {
    if (this.#observer === undefined && this.isConnected) this.#observeVisibility()
  }

  /** Draws the card; nothing for a call that does not wait for the user. */
  protected override render(): TemplateResult | typeof nothing {
    const { approval, call } = this.item
    const words = {
      ...this.words,
      ...approvalWords,
      ...this.words.approval,
      acts: { ...approvalWords.acts, ...this.words.approval?.acts },
    }
    if (approval === undefined) return nothing
    const from = this.agents === '' ? '' : words.askedBy(this.agents)
    const parsed = this.#edited()
    const shown = parsed === undefined || parsed.error === true ? approval.input : parsed.input
    const label = from === '' ? this.heading : `${this.heading}, ${from}`
    const isInvalid = parsed?.error === true
    return html`<section class="approval" part="approval" role="group" aria-label=${label}>
      <h3 part="approval-title">${icon('shield')}<span>${this.heading}</span><code>${call.name}</code></h3>
      ${from === '' ? nothing : html`<p class="muted from">${from}</p>`}
      <p>${words.approvalQuestion}</p>
      ${previewView(approval.preview, words)}
      <div class="arguments" part="arguments">${argumentsView(shown, words)}</div>
      ${parsed && html`<p class="muted">${isInvalid ? words.editInvalid : words.edited}</p>`}
      <details class="aside"><summary>${icon('chevron')}${words.options}</summary>
        ${
          approval.preview?.site === undefined
            ? html`<label class="remember"><input type="checkbox">${words.remember}</label>`
            : nothing
        }
        <input class="reason" type="text" autocomplete="off" placeholder=${words.note} aria-label=${words.note}>
        <label>${words.edit}<textarea class="edit" rows="5" spellcheck="false"
          aria-invalid=${isInvalid} @input=${this.#onInput}
          .value=${this.edit ?? JSON.stringify(approval.input, null, 2)}></textarea></label>
      </details>
      ${
        this.problem === undefined && !this.covered
          ? nothing
          : html`<p class="problem" role="alert">${this.covered ? words.covered : this.problem?.text}</p>`
      }
      <div class="decision" ?data-ready=${this.ready}>
        <button type="button" class="deny" part="deny" ?disabled=${this.decided}
          @click=${this.#deny}>${words.deny}</button>
        <button type="button" class="approve" part="approve" ?disabled=${this.decided || isInvalid}
          @click=${this.#approve}>${words.approve}</button>
      </div>
    </section>`
  }

  #onInput = (event: Event): void => {
    this.edit = (event.currentTarget as HTMLTextAreaElement).value
  }

  /** The edited arguments; undefined if they equal the original ones. */
  #edited(): { input: JsonValue; error?: never } | { error: true } | undefined {
    if (this.edit === undefined) return undefined
    try {
      const input = JSON.parse(this.edit) as JsonValue
      return JSON.stringify(input) === JSON.stringify(this.item.approval?.input) ? undefined : { input }
    } catch {
      // The user is still typing: the card shows that this is not valid JSON yet.
      return { error: true }
    }
  }

  /** Sends the approval with edited arguments, a reason and remembered consent, if the click counts. */
  #approve = (event: Event): void => {
    const parsed = this.#edited()
    if (!this.#isValidApproval(event) || parsed?.error === true) return
    const always = this.querySelector<HTMLInputElement>('.remember input')?.checked === true
    this.#decide({
      do: 'approve',
      callId: this.item.call.id,
      ...this.#reason(),
      ...(parsed === undefined ? {} : { input: parsed.input }),
      ...(always ? { remember: 'session' } : {}),
    })
  }

  /** A denial is always safe, so it needs no reading time. */
  #deny = (event: Event): void => {
    if (event.isTrusted) this.#decide({ do: 'deny', callId: this.item.call.id, ...this.#reason() })
  }

  /** Disables the buttons, so that a double click decides once. */
  #decide(action: PanelAction): void {
    this.decided = true
    this.dispatchEvent(new ActionEvent(action))
  }

  /** The user's note as a field of the action; an empty object without one. */
  #reason(): { reason?: string } {
    const reason = this.querySelector<HTMLInputElement>('.reason')?.value.trim() ?? ''
    return reason === '' ? {} : { reason }
  }

  /** Whether this click is a deliberate approval. Shows the user if the card is covered. */
  #isValidApproval(event: Event): boolean {
    if (!event.isTrusted || !this.ready || this.decided) return false
    this.covered = this.#isCovered()
    return !this.covered
  }

  /** Whether something else is on top of the card at any of nine points of its visible part. */
  #isCovered(): boolean {
    const box = this.querySelector('.approval')?.getBoundingClientRect()
    const scroller = this.parentElement?.getBoundingClientRect()
    if (box === undefined || scroller === undefined) return true
    const top = Math.max(box.top, scroller.top, 0)
    const bottom = Math.min(box.bottom, scroller.bottom, innerHeight)
    const left = Math.max(box.left, scroller.left, 0)
    const right = Math.min(box.right, scroller.right, innerWidth)
    return [0.1, 0.5, 0.9].some((y) =>
      [0.1, 0.5, 0.9].some((x) => !isOnTop(this, left + (right - left) * x, top + (bottom - top) * y)),
    )
  }

  /** Starts the reading time when the buttons are on the screen and the page is visible. */
  #observeVisibility = (): void => {
    this.#observer?.disconnect()
    this.#stopReadingTime()
    const decision = this.querySelector('.decision')
    if (decision === null || unclobbered(document).hidden) return
    this.#observer = new IntersectionObserver(
      (entries) => {
        if (entries.at(-1)?.isIntersecting !== true) {
          this.#stopReadingTime()
          return
        }
        this.#timer ??= setTimeout(() => {
          this.ready = true
        }, readingTime)
      },
      { threshold: 0.9 },
    )
    this.#observer.observe(decision)
  }

  /** Starts over: the user must see the buttons for the whole reading time again. */
  #stopReadingTime(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.ready = false
  }
}

/** Whether the element is on top at a point. Checks each tree, because some browsers search one tree only. */
function isOnTop(element: Element, x: number, y: number): boolean {
  const root = element.getRootNode()
  if (!(root instanceof ShadowRoot || root instanceof Document)) return false
  const hit = unclobbered<Document | ShadowRoot>(root).elementFromPoint(x, y)
  if (hit === null || !element.contains(hit)) return false
  return root instanceof Document || isOnTop(root.host, x, y)
}

/**
 * Shows the questions as a modal dialog while a modal dialog of the page makes the panel inert, and inside the panel
 * otherwise. The user cannot dismiss the dialog, only decide.
 */
export function keepOnTop(questions: HTMLDialogElement | null, element: AgentElement, isDeciding: () => boolean): void {
  const isInert = [...unclobbered(document).querySelectorAll('dialog:modal')].some(
    (dialog) => !dialog.contains(element),
  )
  if (questions === null || isDeciding() || isInert === questions.matches(':modal')) return
  if (isInert && element.layout !== 'inline' && !element.open) {
    element.open = true
    return // The update opens the panel and calls this again, so the dialog comes on top of the panel.
  }
  questions.oncancel = (event) => {
    event.preventDefault()
  }
  questions.onclose = () => {
    keepOnTop(questions, element, isDeciding)
  }
  questions.close()
  if (isInert) {
    questions.removeAttribute('role')
    questions.showModal()
  } else {
    questions.setAttribute('role', 'region')
    questions.setAttribute('open', '')
  }
}
