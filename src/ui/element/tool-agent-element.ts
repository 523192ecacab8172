// <tool-agent>: the element as a page sees it. The panel, with Lit and everything drawn, is loaded once the element is in
// a document, beside the worker that starts meanwhile; until then this keeps what the panel will have to know. The class
// registers nothing; define.ts does.
import { toFailure } from '../../core/data/errors.js'
import type { CallId } from '../../core/data/message.js'
import type { Notice, ToolRenderer } from '../../page/agent.js'
import { AgentElement } from './agent-element.js'
import { ToolAgentApprovalRequestEvent } from './element-events.js'
import type { Panel } from '../panel/panel.js'

/** The room the element takes, before there is anything in it. */
const hostStyle = `
:host { display: block; block-size: var(--tool-agent-height, 40rem); min-inline-size: 0; }
:host([layout=floating]), :host([layout=sidebar]) { display: contents; }
:host([hidden]) { display: none; }
`

const noRenderers: ReadonlyMap<string, ToolRenderer> = new Map()

export class ToolAgentElement extends AgentElement {
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang']
  }

  #panel: Panel | undefined
  #loading: Promise<void> | undefined
  /** Questions that the page asks in its own way. */
  #elsewhere = new Set<CallId>()

  constructor() {
    super()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(hostStyle)
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets.push(sheet)
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
    this.#loading ??= import('../panel/create-panel.js')
      .then(({ createPanel }) => {
        this.#panel = createPanel({
          element: this,
          agent: () => this.current,
          problems: () => this.problems,
          renderers: () => this.current?.renderers ?? noRenderers,
          isElsewhere: (callId) => this.#elsewhere.has(callId),
          fail: (failure) => {
            this.fail(failure)
          },
        })
        this.shadowRoot?.replaceChildren(this.#panel)
      })
      .catch((thrown: unknown) => {
        // Put into the document again, it tries again.
        this.#loading = undefined
        const failure = toFailure(thrown, 'network')
        if (this.shadowRoot !== null) this.shadowRoot.textContent = failure.message
        this.fail(failure)
      })
  }
}
