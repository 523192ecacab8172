// <tool-agent> as a page uses it. The panel and Lit are loaded when the panel is visible, or when there is a session to
// show; until then a closed panel has only the button that opens it. define.ts registers the class.
import { toFailure } from '../../core/data/errors.js'
import type { CallId } from '../../core/data/message.js'
import type { Notice, ToolRenderer } from '../../page/agent.js'
import { AgentElement } from './agent-element.js'
import { ToolAgentApprovalRequestEvent } from './element-events.js'
import { createLauncher, labelLauncher, languageOf } from './launcher.js'
import type { Panel } from '../panel/panel.js'
import { hostStyle } from '../styles/launcher.js'

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
 * @fires tool-agent-feedback - A visitor rated an answer. Only with `feedback`.
 * @fires tool-agent-error - An error for the user or the developer of the page.
 *
 * @csspart launcher - The round button that opens a floating panel or sidebar.
 * @csspart panel - The whole panel.
 * @csspart resize-handle - The handle of a floating panel or a sidebar.
 * @csspart header - The bar with the heading and its buttons.
 * @csspart badge - The mark of a conversation that is not saved.
 * @csspart todos - The task list.
 * @csspart transcript - The scrolling list of messages.
 * @csspart empty - The greeting and the suggestions of an empty conversation.
 * @csspart empty-icon - The image of the property `icon`.
 * @csspart suggestion - One suggestion.
 * @csspart disclaimer - The line of the property `disclaimer`.
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
 */
export class ToolAgentElement extends AgentElement {
  /** The attributes that the browser reports to `attributeChangedCallback`. */
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang']
  }

  /** The attributes and properties of the page are set, so it is known whether the panel is visible. */
  #isReady = false
  #panel: Panel | undefined
  #launcher: HTMLButtonElement | undefined
  /** The panel is loading or loaded. */
  #isLoading = false
  /** The panel could not be loaded. It is loaded again when the user opens it, or the element is inserted again. */
  #hasFailed = false
  /** The user has opened the panel, so that it gets the focus. */
  #isOpening = false
  /** Shown while the panel could not be loaded. */
  readonly #error = new Text()
  /** Calls whose approval the page requests with its own interface. */
  #approvedByPage = new Set<CallId>()

  constructor() {
    super()
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(hostStyle)
    this.attachShadow({ mode: 'open' }).adoptedStyleSheets.push(sheet)
  }

  /** Called by the browser when the element is put into a document. */
  override connectedCallback(): void {
    super.connectedCallback()
    this.#hasFailed = false
    // A script that inserts the element may set properties afterwards.
    queueMicrotask(() => {
      this.#isReady = true
      this.#draw()
    })
  }

  /** Called by the browser. `lang` changes the language of the panel. */
  override attributeChangedCallback(name: string, before: string | null, text: string | null): void {
    super.attributeChangedCallback(name, before, text)
    if (name === 'lang') this.#panel?.updateLanguage()
    this.#draw()
  }

  /** @internal */
  protected override noticeReceived(notice: Notice): void {
    this.#panel?.handleNotice(notice)
    this.#draw()
  }

  /** @internal */
  protected override displayChanged(): void {
    if (this.shortcut !== undefined)
      void import('./shortcut.js').then(({ listenForShortcut }) => {
        listenForShortcut(this)
      })
    this.#panel?.requestUpdate()
    this.#draw()
  }

  /** @internal */
  protected override eventPrevented(event: Event): void {
    if (event instanceof ToolAgentApprovalRequestEvent) this.#approvedByPage.add(event.call.id)
  }

  /** Loads the panel if it is needed, and draws the launcher of a closed one. */
  #draw(): void {
    if (!this.isConnected || !this.#isReady) return
    const isVisible = this.layout === 'inline' || this.open
    // The panel also announces answers and asks for approvals, so it is needed whenever there is a session.
    const isNeeded = isVisible || (this.current !== undefined && this.current.status !== 'ready')
    if (isNeeded && !this.#hasFailed) this.#loadPanel()
    if (this.layout === 'inline' || (this.open && this.#panel !== undefined)) return this.#launcher?.remove()
    this.#launcher ??= createLauncher(() => {
      this.#hasFailed = false
      this.#isOpening = true
      this.open = true
      void this.#panel?.focusField()
    })
    labelLauncher(this.#launcher, languageOf(this))
    if (this.#launcher.parentNode === null) this.shadowRoot?.prepend(this.#launcher)
    // The browser closes a popover that is moved.
    this.#launcher.togglePopover(true)
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
          language: () => languageOf(this),
          prepare: () => {
            this.prepare()
          },
          isApprovedByPage: (callId) => this.#approvedByPage.has(callId),
          reportError: (failure) => {
            this.reportError(failure)
          },
        })
        this.#error.remove()
        this.shadowRoot?.append(this.#panel)
        if (this.open && this.#isOpening) void this.#panel.focusField()
        this.#isOpening = false
        this.#draw()
      })
      .catch((thrown: unknown) => {
        this.#isLoading = false
        this.#hasFailed = true
        const failure = toFailure(thrown, 'network')
        this.#error.data = failure.message
        this.shadowRoot?.append(this.#error)
        // The user can try again.
        if (this.#isOpening) this.open = false
        this.#isOpening = false
        this.reportError(failure)
      })
  }
}
