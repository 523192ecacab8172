// The question before a call: every argument, and a decision that only the user can make. A click counts when it is
// the user's own, when the question could be read for half a second, and when nothing lies over it. Loaded with the
// first question, as most conversations have none.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'
import type { JsonValue } from '../../core/data/json.js'
import type { ToolCallPart } from '../../core/data/message.js'
import { unclobbered } from '../../core/data/unclobbered.js'
import { ActionEvent, type PanelAction } from './actions.js'
import type { AgentElement } from '../element/agent-element.js'
import { icon } from '../styles/icons.js'
import type { Words } from '../i18n/en.js'
import { previewView } from './preview-view.js'
import { argumentsView } from '../message/value-view.js'
import { PanelPart } from './render-context.js'

export { approvalStyles } from '../styles/approval.js'

const readingTime = 500

export class ApprovalCard extends PanelPart {
  static override properties: PropertyDeclarations = {
    item: { attribute: false },
    words: { attribute: false },
    problem: { attribute: false },
    heading: { attribute: false },
    agents: { attribute: false },
    decided: { state: true },
    edit: { state: true },
    covered: { state: true },
    ready: { state: true },
  }
  declare item: ToolCallPart
  declare words: Words
  declare heading: string
  /** The agents inside calls that ask, outermost first; empty for the assistant itself. */
  declare agents: string
  /** Why the last decision was not taken. */
  declare problem: { readonly text: string } | undefined
  declare decided: boolean
  /** The arguments as edited text; undefined while untouched. */
  declare edit: string | undefined
  declare covered: boolean
  declare ready: boolean
  #observer: IntersectionObserver | undefined
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor() {
    super()
    this.decided = false
    this.covered = false
    this.ready = false
  }

  override connectedCallback(): void {
    super.connectedCallback()
    unclobbered(document).addEventListener('visibilitychange', this.#watch)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    unclobbered(document).removeEventListener('visibilitychange', this.#watch)
    this.#observer?.disconnect()
    this.#observer = undefined
    this.#unseen()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('problem') && this.problem !== undefined) this.decided = false
    const before: ToolCallPart | undefined = changed.get('item')
    // Another question, or the same with other contents: it has to be read again.
    if (before !== undefined && before.approval?.hash !== this.item.approval?.hash) {
      this.decided = false
      this.edit = undefined
      this.#unseen()
      this.#watch()
    }
  }

  protected override updated(): void {
    if (this.#observer === undefined && this.isConnected) this.#watch()
  }

  protected override render(): TemplateResult | typeof nothing {
    const { approval, call } = this.item
    const { words } = this
    if (approval === undefined) return nothing
    const from = this.agents === '' ? '' : words.askedBy(this.agents)
    const parsed = this.#edited()
    const shown = parsed === undefined || parsed.error === true ? approval.input : parsed.input
    return html`<section class="approval" part="approval" role="group" aria-label=${from === '' ? this.heading : `${this.heading}, ${from}`}>
      <h3>${icon('shield')}<span>${this.heading}</span><code>${call.name}</code></h3>
      ${from === '' ? nothing : html`<p class="muted from">${from}</p>`}
      <p>${words.approvalQuestion}</p>
      ${previewView(approval.preview, words)}
      <div class="arguments">${argumentsView(shown, words)}</div>
      ${parsed === undefined ? nothing : html`<p class="muted">${parsed.error === true ? words.editInvalid : words.edited}</p>`}
      <details class="aside"><summary>${icon('chevron')}${words.options}</summary>
        ${approval.preview?.site === undefined ? html`<label class="remember"><input type="checkbox">${words.remember}</label>` : nothing}
        <input class="reason" type="text" autocomplete="off" placeholder=${words.note} aria-label=${words.note}>
        <label>${words.edit}<textarea class="edit" rows="5" spellcheck="false" aria-invalid=${parsed?.error === true ? 'true' : 'false'}
          .value=${this.edit ?? JSON.stringify(approval.input, null, 2)} @input=${this.#input}></textarea></label>
      </details>
      ${
        this.problem === undefined && !this.covered
          ? nothing
          : html`<p class="problem" role="alert">${this.covered ? words.covered : this.problem?.text}</p>`
      }
      <div class="decision" ?data-ready=${this.ready}>
        <button type="button" class="deny" ?disabled=${this.decided} @click=${this.#deny}>${words.deny}</button>
        <button type="button" class="approve" ?disabled=${this.decided || parsed?.error === true} @click=${this.#approve}>${words.approve}</button>
      </div>
    </section>`
  }

  #input = (event: Event): void => {
    this.edit = (event.currentTarget as HTMLTextAreaElement).value
  }

  /** What the edited text says; undefined while it says what was asked. */
  #edited(): { input: JsonValue; error?: never } | { error: true } | undefined {
    if (this.edit === undefined) return undefined
    try {
      const input = JSON.parse(this.edit) as JsonValue
      return JSON.stringify(input) === JSON.stringify(this.item.approval?.input) ? undefined : { input }
    } catch {
      // Half-typed JSON is no error of anybody: the card says so and waits.
      return { error: true }
    }
  }

  #approve = (event: Event): void => {
    const parsed = this.#edited()
    if (!this.#counts(event) || parsed?.error === true) return
    const always = this.querySelector<HTMLInputElement>('.remember input')?.checked === true
    this.#decide({
      do: 'approve',
      callId: this.item.call.id,
      ...this.#reason(),
      ...(parsed === undefined ? {} : { input: parsed.input }),
      ...(always ? { remember: 'session' } : {}),
    })
  }

  /** Saying no is always safe: it needs no reading time. */
  #deny = (event: Event): void => {
    if (event.isTrusted) this.#decide({ do: 'deny', callId: this.item.call.id, ...this.#reason() })
  }

  #decide(action: PanelAction): void {
    this.decided = true
    this.dispatchEvent(new ActionEvent(action))
  }

  #reason(): { reason?: string } {
    const reason = this.querySelector<HTMLInputElement>('.reason')?.value.trim() ?? ''
    return reason === '' ? {} : { reason }
  }

  #counts(event: Event): boolean {
    if (!event.isTrusted || !this.ready || this.decided) return false
    this.covered = this.#isCovered()
    return !this.covered
  }

  /** Whether something that is not the card is on top of any of nine points of its visible part. */
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

  /** Starts the reading time once the buttons are on the screen of a visible page. */
  #watch = (): void => {
    this.#observer?.disconnect()
    this.#unseen()
    const decision = this.querySelector('.decision')
    if (decision === null || unclobbered(document).hidden) return
    this.#observer = new IntersectionObserver(
      (entries) => {
        if (entries.at(-1)?.isIntersecting !== true) {
          this.#unseen()
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

  #unseen(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.ready = false
  }
}

/** Whether a point shows the element. Asked of each tree by itself: some browsers look no further than the tree asked. */
function isOnTop(element: Element, x: number, y: number): boolean {
  const root = element.getRootNode()
  if (!(root instanceof ShadowRoot || root instanceof Document)) return false
  const hit = unclobbered<Document | ShadowRoot>(root).elementFromPoint(x, y)
  if (hit === null || !element.contains(hit)) return false
  return root instanceof Document || isOnTop(root.host, x, y)
}

/** While a modal dialog of the page shuts the panel out, its questions stand above that. A question is answered, not put away. */
export function keepOnTop(questions: HTMLDialogElement | null, element: AgentElement, isDeciding: () => boolean): void {
  const isShutOut = [...unclobbered(document).querySelectorAll('dialog:modal')].some(
    (dialog) => !dialog.contains(element),
  )
  if (questions === null || isDeciding() || isShutOut === questions.matches(':modal')) return
  if (isShutOut && element.layout !== 'inline' && !element.open) {
    element.open = true
    return // Shown first, so that the questions come on top of it.
  }
  questions.oncancel = (event) => {
    event.preventDefault()
  }
  questions.onclose = () => {
    keepOnTop(questions, element, isDeciding)
  }
  questions.close()
  if (isShutOut) {
    questions.removeAttribute('role')
    questions.showModal()
  } else {
    questions.setAttribute('role', 'region')
    questions.setAttribute('open', '')
  }
}
