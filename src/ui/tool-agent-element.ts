// <tool-agent>: the element as a page sees it. The panel, with Lit and everything drawn, is loaded once the element is in
// a document, beside the worker that starts meanwhile; until then this keeps what the panel will have to know. The class
// registers nothing; define.ts does.
import { failureOf, ToolAgentError } from '../core/errors.js'
import type { CallId } from '../core/message.js'
import type { Notice } from '../page/agent.js'
import { AgentElement } from './agent-element.js'
import { ToolAgentApprovalRequestEvent } from './element-events.js'
import type { Panel } from './panel.js'
import type { ToolRenderer } from './view.js'

/** The room the element takes, before there is anything in it. */
const hostStyle = `
:host { display: block; block-size: var(--tool-agent-height, 40rem); min-inline-size: 0; }
:host([layout=floating]), :host([layout=sidebar]) { display: contents; }
:host([hidden]) { display: none; }
`

export class ToolAgentElement extends AgentElement {
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang']
  }

  #panel: Panel | undefined
  #loading: Promise<void> | undefined
  #renderers: ReadonlyMap<string, ToolRenderer> = new Map()
  /** Questions that the page asks in its own way. */
  #elsewhere = new Set<CallId>()

  constructor() {
    super()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(hostStyle)
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets.push(sheet)
  }

  /** Shows the calls of one tool in a way of their own, inside their cards. Returns the function that takes it back. */
  registerToolRenderer(name: string, renderer: ToolRenderer): () => void {
    if (typeof renderer !== 'function') throw new ToolAgentError('invalid-option', 'registerToolRenderer: a function is needed')
    this.#renderers = new Map(this.#renderers).set(name, renderer)
    this.changed()
    return () => {
      if (this.#renderers.get(name) !== renderer) return
      this.#renderers = new Map([...this.#renderers].filter(([one]) => one !== name))
      this.changed()
    }
  }

  override connectedCallback(): void {
    super.connectedCallback()
    this.#load()
  }

  override attributeChangedCallback(name: string, before: string | null, text: string | null): void {
    super.attributeChangedCallback(name, before, text)
    if (name === 'lang') this.#panel?.findWords()
  }

  protected override heard(notice: Notice): void {
    this.#panel?.hear(notice)
  }

  protected override changed(): void {
    this.#panel?.requestUpdate()
  }

  protected override prevented(event: Event): void {
    if (event instanceof ToolAgentApprovalRequestEvent) this.#elsewhere.add(event.call.id)
  }

  #load(): void {
    this.#loading ??= import('./panel-parts.js').then(({ createPanel }) => {
      this.#panel = createPanel({
        element: this,
        agent: () => this.current,
        problems: () => this.problems,
        renderers: () => this.#renderers,
        isElsewhere: (callId) => this.#elsewhere.has(callId),
        fail: (failure) => { this.fail(failure) },
      })
      this.shadowRoot?.replaceChildren(this.#panel)
    }).catch((thrown: unknown) => {
      // Put into the document again, it tries again.
      this.#loading = undefined
      const failure = failureOf(thrown, 'network')
      if (this.shadowRoot !== null) this.shadowRoot.textContent = failure.message
      this.fail(failure)
    })
  }
}
