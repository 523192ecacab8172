// <tool-agent> as a page uses it. The panel and Lit are loaded when the element is put into a document, while the
// worker starts. Until then this class keeps what the panel will need. define.ts registers the class.
import { toFailure } from '../../core/data/errors.js'
import type { CallId } from '../../core/data/message.js'
import type { Notice, ToolRenderer } from '../../page/agent.js'
import { AgentElement } from './agent-element.js'
import { ToolAgentApprovalRequestEvent } from './element-events.js'
import type { Panel } from '../panel/panel.js'

/** Reserves the element's space before the panel is loaded. */
const hostStyle = `
:host { display: block; block-size: var(--tool-agent-height, 40rem); min-inline-size: 0; }
:host([layout=floating]), :host([layout=sidebar]) { display: contents; }
:host([hidden]) { display: none; }
`

const noRenderers: ReadonlyMap<string, ToolRenderer> = new Map()

/**
 * `<tool-agent>`: an assistant inside a page, with its panel.
 *
 * It has no slots; `registerToolRenderer` draws results of the page's own tools.
 *
 * @fires tool-agent-turn-start - A turn started.
 * @fires tool-agent-turn-end - A turn ended; `reason` says why.
 * @fires tool-agent-tool-call - A call is about to be approved or run. `preventDefault()` refuses it.
 * @fires tool-agent-tool-result - A call has its result.
 * @fires tool-agent-approval-request - A call waits for the user. `preventDefault()` hides the built-in card.
 * @fires tool-agent-todos-change - The task list changed.
 * @fires tool-agent-session-change - Another conversation is shown, or its title changed.
 * @fires tool-agent-error - An error for the user or the developer of the page.
 *
 * @csspart launcher - The round button that opens a floating panel or sidebar.
 * @csspart panel - The whole panel.
 * @csspart header - The bar with the heading and its buttons.
 * @csspart badge - The mark of a conversation that is not saved.
 * @csspart todos - The task list.
 * @csspart transcript - The scrolling list of messages.
 * @csspart empty - The greeting and the suggestions of an empty conversation.
 * @csspart suggestion - One suggestion.
 * @csspart user-message - A message of the user.
 * @csspart assistant-message - A message of the assistant.
 * @csspart tool-call - The card of a tool call.
 * @csspart approval - The card that asks before a call.
 * @csspart notice - An error or a note.
 * @csspart composer - The frame around the text field and its buttons.
 * @csspart input - The text field.
 * @csspart sessions - The list of conversations.
 *
 * @cssproperty --tool-agent-accent - Colour of buttons, links and focus rings.
 * @cssproperty --tool-agent-on-accent - Colour of text on the accent colour.
 * @cssproperty --tool-agent-background - Background of the panel.
 * @cssproperty --tool-agent-surface - Background of messages, cards and code.
 * @cssproperty --tool-agent-text - Colour of text.
 * @cssproperty --tool-agent-muted - Colour of secondary text.
 * @cssproperty --tool-agent-border - Colour of lines.
 * @cssproperty [--tool-agent-radius=14px] - Corner radius of the panel.
 * @cssproperty --tool-agent-font - Font family.
 * @cssproperty [--tool-agent-font-size=.9375rem] - Font size.
 * @cssproperty [--tool-agent-width=26rem] - Width of the floating panel and of the sidebar.
 * @cssproperty [--tool-agent-height=40rem] - Height of the inline and floating panel; 44rem is the floating default.
 * @cssproperty [--tool-agent-z-index=9999] - Of the launcher. An open panel is in the top layer.
 */
export class ToolAgentElement extends AgentElement {
  /** The attributes that the browser reports to `attributeChangedCallback`. */
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang']
  }

  #panel: Panel | undefined
  /** The panel is loading or loaded. */
  #isLoading = false
  /** Calls whose approval the page requests with its own interface. */
  #approvedByPage = new Set<CallId>()

  constructor() {
    super()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(hostStyle)
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets.push(sheet)
  }

  /** Called by the browser when the element is put into a document. Loads the panel once. */
  override connectedCallback(): void {
    super.connectedCallback()
    this.#loadPanel()
  }

  /** Called by the browser. `lang` changes the language of the panel. */
  override attributeChangedCallback(name: string, before: string | null, text: string | null): void {
    super.attributeChangedCallback(name, before, text)
    if (name === 'lang') this.#panel?.updateLanguage()
  }

  /** @internal */
  protected override noticeReceived(notice: Notice): void {
    this.#panel?.handleNotice(notice)
  }

  /** @internal */
  protected override displayChanged(): void {
    this.#panel?.requestUpdate()
  }

  /** @internal */
  protected override eventPrevented(event: Event): void {
    if (event instanceof ToolAgentApprovalRequestEvent) this.#approvedByPage.add(event.call.id)
  }

  #loadPanel(): void {
    if (this.#isLoading) return
    this.#isLoading = true
    import('../panel/create-panel.js')
      .then(({ createPanel }) => {
        this.#panel = createPanel({
          element: this,
          agent: () => this.current,
          problems: () => this.problems,
          renderers: () => this.current?.renderers ?? noRenderers,
          isApprovedByPage: (callId) => this.#approvedByPage.has(callId),
          reportError: (failure) => {
            this.reportError(failure)
          },
        })
        this.shadowRoot?.replaceChildren(this.#panel)
      })
      .catch((thrown: unknown) => {
        // The next connectedCallback tries again.
        this.#isLoading = false
        const failure = toFailure(thrown, 'network')
        if (this.shadowRoot !== null) this.shadowRoot.textContent = failure.message
        this.reportError(failure)
      })
  }
}
