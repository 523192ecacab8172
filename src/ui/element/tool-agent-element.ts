// <tool-agent> as a page uses it. The panel and Lit are loaded when the panel is visible, or when there is a session to
// show; until then a closed panel has only the button that opens it. define.ts registers the class.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { toFailure } from '../../core/data/errors.js'
import type { CallId } from '../../core/data/message.js'
import { loadExplained } from '../../core/loading/load-explained.js'
import type { Notice, ToolRenderer } from '../../page/agent.js'
import { AgentElement } from './agent-element.js'
import { ToolAgentApprovalRequestEvent } from './element-events.js'
import { isolate } from '../isolation/isolation.js'
import {
  createLauncher,
  languageOf,
  launcherName,
  loadIcon,
  unloadedText,
  listenForShortcut,
  siteIcon,
} from './launcher.js'
import { insertNodes, removeNode } from './nodes.js'
import type { Panel } from '../panel/panel.js'
import { adoptSheets, adoptSheetsAgain } from '../styles/adopted-sheets.js'
import { hostStyle } from '../styles/launcher.js'
import { adoptPageLook } from '../styles/page-look.js'

const noRenderers: ReadonlyMap<string, ToolRenderer> = new Map()

const importPanel = () => import('../panel/create-panel.js')
/** Fetches the code of the panel if the page shows one, before the element starts, which takes several milliseconds. */
export function fetchVisiblePanel(): void {
  const shown = 'tool-agent:is([open],[layout=inline],:not([layout]))'
  // What fails is told when the element needs it.
  if (Document.prototype.querySelector.call(document, shown)) importPanel().catch(() => undefined)
}

/**
 * `<tool-agent>`: an assistant inside a page, with its panel.
 *
 * `registerToolRenderer` draws the calls of the page's own tools, and `messageActions` draws below messages: a slot
 * exists once, so it cannot repeat per message.
 *
 * @fires tool-agent-turn-start {ToolAgentTurnStartEvent} - A turn started.
 * @fires tool-agent-turn-end {ToolAgentTurnEndEvent} - A turn ended; `reason` says why.
 * @fires tool-agent-tool-call {ToolAgentToolCallEvent} - A call is about to be approved or run. `preventDefault()`
 * refuses it.
 * @fires tool-agent-tool-result {ToolAgentToolResultEvent} - A call has its result.
 * @fires tool-agent-approval-request {ToolAgentApprovalRequestEvent} - A call waits for the user. `preventDefault()`
 * hides the built-in card.
 * @fires tool-agent-todos-change {ToolAgentTodosChangeEvent} - The task list changed.
 * @fires tool-agent-session-change {ToolAgentSessionChangeEvent} - Another conversation is shown, or its title changed.
 * @fires tool-agent-feedback {ToolAgentFeedbackEvent} - A visitor rated an answer. Only with `feedback`.
 * @fires tool-agent-error {ToolAgentErrorEvent} - An error for the user or the developer of the page.
 *
 * @slot header - In place of the title, such as a logo with a name.
 * @slot launcher - In place of the icon on the button that opens the panel, such as a logo with a text.
 * @slot empty - In place of the greeting and the suggestions of an empty conversation.
 * @slot footer - Below the text field, such as a note that answers may be wrong.
 *
 * @csspart launcher - The button that opens a floating panel or sidebar.
 * @csspart panel - The whole panel.
 * @csspart resize-handle - The handle of a floating panel or a sidebar.
 * @csspart header - The bar with the title and its buttons.
 * @csspart title - The title of the panel.
 * @csspart mark - The icon of the page, or the first letter of the title, in the header.
 * @csspart header-button - A button of the header: conversations, new conversation, close.
 * @csspart badge - The mark of a conversation that is not saved.
 * @csspart transcript - The scrolling list of messages.
 * @csspart older - The button that shows earlier messages.
 * @csspart latest - The button that jumps to the newest message.
 * @csspart empty - The greeting and the suggestions of an empty conversation.
 * @csspart greeting - The greeting.
 * @csspart suggestion - A suggestion. Its second part name has its number: `suggestion-1`, `suggestion-2` and so on.
 * @csspart disclaimer - The line of the property `disclaimer`.
 * @csspart user-message - A message of the user.
 * @csspart assistant-message - A message of the assistant.
 * @csspart copy - The button that copies a message.
 * @csspart code - A block of code.
 * @csspart inline-code - Code in a line of text.
 * @csspart table - A table.
 * @csspart link - A link in a message.
 * @csspart reasoning - The thoughts of the model.
 * @csspart working - The line that says that the model works.
 * @csspart receipt - The card of what a turn has changed.
 * @csspart receipt-title - How much that is.
 * @csspart left - What is left for the visitor.
 * @csspart review-button - The button that opens the review on the page.
 * @csspart review - The bar of the review.
 * @csspart todos - The tasks of the model, in the receipt.
 * @csspart tool-call - The card of a tool call.
 * @csspart tool-call-title - The title of a tool call.
 * @csspart spinner - The sign of a running call.
 * @csspart progress - A progress bar, of a call or of the task list.
 * @csspart undo - The button that undoes what the assistant changed, or puts it back.
 * @csspart reload - The button that loads the page again after the user has refused what it was about to send.
 * @csspart approval - The card that asks before a call.
 * @csspart approval-title - The title of this card.
 * @csspart arguments - The arguments of the call that the card asks about.
 * @csspart approve - The button that allows the call.
 * @csspart approve-task - The button that allows more of the same until the task is done.
 * @csspart deny - The button that does not allow the call.
 * @csspart bar - The line that the panel is on a phone while tools change the page, or the page is shown as it is read.
 * @csspart press-myself - The button with which the user says that they press it themselves.
 * @csspart grant - What the user has allowed beyond one call: for the task, or in the conversation.
 * @csspart grant-end - The button that takes it back.
 * @csspart notice - An error or a note.
 * @csspart notice-button - The button of a notice, such as "Try again".
 * @csspart queue - The messages that wait for the running turn to end.
 * @csspart queued - One waiting message.
 * @csspart trust - The line below the field that says what the assistant may do.
 * @csspart glass - What this line opens to.
 * @csspart request - The newest request as text.
 * @csspart composer - The frame around the text field and its buttons.
 * @csspart input - The text field.
 * @csspart ask-selection - The button that asks about text that the visitor has selected on the page.
 * @csspart quote - Such a text, above the text field.
 * @csspart send - The button that sends the message.
 * @csspart stop - The button that stops the turn.
 * @csspart sessions - The list of conversations.
 * @csspart session - A conversation in this list.
 * @csspart round - Every round button: send, stop.
 * @csspart quiet - Every button without a frame, such as those of the header.
 *
 * @cssproperty [--tool-agent-background=light-dark(#fff, #18191c)] - Background of the panel.
 * @cssproperty [--tool-agent-surface=light-dark(#f4f5f7, #232529)] - Background of cards, hovered buttons and, unless
 * they have their own colours, of code and of messages of the user.
 * @cssproperty [--tool-agent-text=light-dark(#1c2027, #e6e8ed)] - Text.
 * @cssproperty [--tool-agent-muted=light-dark(#5b6270, #a0a7b4)] - Secondary text and icons.
 * @cssproperty [--tool-agent-border=light-dark(#dfe2e8, #363940)] - Lines.
 * @cssproperty [--tool-agent-accent=the colour of the site] - Launcher, main buttons, progress, links.
 * @cssproperty [--tool-agent-on-accent=light-dark(#fff, #0e1526)] - Text and icons on the accent colour.
 * @cssproperty [--tool-agent-good=light-dark(#1b7f4b, #6fcf97)] - Success.
 * @cssproperty [--tool-agent-warn=light-dark(#94600a, #e9b85c)] - Questions and warnings.
 * @cssproperty [--tool-agent-bad=light-dark(#b3261e, #ff9a90)] - Errors and deleting.
 * @cssproperty [--tool-agent-user-background=accent, 12 %; 22 % if dark] - Background of the user's messages.
 * @cssproperty [--tool-agent-user-text=text] - Text of the user's messages.
 * @cssproperty [--tool-agent-code-background=surface] - Background of code.
 * @cssproperty [--tool-agent-link=accent] - Links.
 * @cssproperty [--tool-agent-focus-ring=accent] - The ring around the element with the keyboard focus.
 * @cssproperty [--tool-agent-font=system-ui] - Font of texts.
 * @cssproperty [--tool-agent-font-mono=ui-monospace] - Font of code.
 * @cssproperty [--tool-agent-font-size=15px] - Font size; all other sizes follow it.
 * @cssproperty [--tool-agent-radius=14px] - Corners of the panel.
 * @cssproperty [--tool-agent-radius-box=10px] - Corners of cards, questions, notices and code.
 * @cssproperty [--tool-agent-radius-control=9px] - Corners of buttons and fields; the text field has 16px by default.
 * @cssproperty [--tool-agent-density=1] - A factor for the spacing: less than 1 is tighter, more is wider.
 * @cssproperty [--tool-agent-shadow=0 12px 40px rgb(0 0 0 / .22)] - Shadow of the floating panel.
 * @cssproperty [--tool-agent-width=416px] - Width of the floating panel and of the sidebar.
 * @cssproperty [--tool-agent-height=640px] - Height of the inline and of the floating panel. One that floats is by
 * default as high as its content, from 352px to 704px.
 * @cssproperty [--tool-agent-offset-block=20px] - Distance of launcher and floating panel from the bottom.
 * @cssproperty [--tool-agent-offset-inline=20px] - Distance of launcher and floating panel from the side.
 */
export class ToolAgentElement extends AgentElement {
  /** The attributes that the browser reports to `attributeChangedCallback`. */
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, 'lang']
  }

  /** The attributes and properties of the page are set, so it is known whether the panel is visible. */
  #isReady = false
  #panel: Panel | undefined
  /** Creates a panel. Undefined until its code is loaded. */
  #createPanel: (() => Panel) | undefined
  #launcher: HTMLButtonElement | undefined
  /** The value of `accent` that is drawn; null before the first. */
  #accent: string | undefined | null = null
  /** The image of the launcher, once it is loaded. */
  #image: HTMLImageElement | undefined
  /** What the launcher shows without an image. */
  #drawing: Element | null | undefined
  /** The address of the image that was requested last. */
  #address = ''
  /** The panel is loading or loaded. */
  #isLoading = false
  /** The panel could not be loaded. It is loaded again when the user opens it, or the element is inserted again. */
  #hasFailed = false
  /** The user has opened the panel, so that it gets the focus. */
  #isOpening = false
  /** Shown while the panel could not be loaded. */
  readonly #error = unclobbered(document).createElement('p')
  /** Calls whose approval the page requests with its own interface. */
  #approvedByPage = new Set<CallId>()

  constructor() {
    super()
    adoptSheets(this.attachShadow({ mode: 'open' }), hostStyle)
    this.#error.role = 'alert'
    this.#error.className = 'unloaded'
  }

  /** Called by the browser when the element is put into a document. */
  override connectedCallback(): void {
    this.#hasFailed = false
    isolate(this.shadowRoot!)
    const begin = (): void => {
      this.#isReady = true
      this.displayChanged()
    }
    if (this.#isReady || this.#isVisible) {
      this.#adoptLook()
      // A script that inserts the element may set properties afterwards. Queued before the agent starts, because that
      // takes some milliseconds in which the panel can already be loading.
      queueMicrotask(begin)
    }
    // Not in the task that evaluates the code: together they would be a long one, in which the page cannot be used.
    else setTimeout(begin)
    super.connectedCallback()
  }

  /** Called by the browser when the element has moved to another document, before it is connected there. */
  adoptedCallback(): void {
    adoptSheetsAgain(this.shadowRoot!)
  }

  /** Called by the browser. `lang` changes the language of the panel. */
  override attributeChangedCallback(name: string, before: string | null, text: string | null): void {
    super.attributeChangedCallback(name, before, text)
    if (name === 'lang') this.#panel?.updateLanguage()
    this.#draw()
  }

  /** @internal */
  protected override noticeReceived(notice: Notice): void {
    this.#replacePanel()
    this.#panel?.handleNotice(notice)
    this.#draw()
  }

  /** @internal */
  protected override displayChanged(): void {
    if (!this.#isReady) return
    if (this.isConnected && this.accent !== this.#accent) this.#adoptLook()
    this.#replacePanel()
    this.#panel?.updateLanguage()
    this.#loadIcon()
    this.#draw()
    if (this.shortcut !== undefined) listenForShortcut(this)
  }

  /** @internal */
  protected override eventPrevented(event: Event): void {
    if (event instanceof ToolAgentApprovalRequestEvent) this.#approvedByPage.add(event.call.id)
  }

  /** Another document may have another look. */
  #adoptLook(): void {
    this.#accent = this.accent
    adoptPageLook(this.shadowRoot!, this.accent)
  }

  get #isVisible(): boolean {
    return this.layout === 'inline' || this.open
  }

  /** Loads the panel if it is needed, and draws the launcher of a closed one. */
  #draw(): void {
    if (!this.isConnected || !this.#isReady) return
    // The panel also announces answers and asks for approvals, so it is needed whenever there is a session.
    const isNeeded = this.#isVisible || (this.current !== undefined && this.current.status !== 'ready')
    if (isNeeded && !this.#hasFailed) this.#loadPanel()
    if (this.layout === 'inline' || (this.open && this.#panel !== undefined)) return removeNode(this.#launcher)
    this.#launcher ??= createLauncher(() => {
      this.#hasFailed = false
      this.#isOpening = true
      this.open = true
      void this.#panel?.focusField()
    })
    const before = this.#launcher.querySelector('svg, img')
    this.#drawing ??= before
    const wanted = this.#image ?? this.#drawing
    if (wanted && before !== wanted) {
      insertNodes(before?.parentNode, before, wanted)
      removeNode(before ?? undefined)
    }
    this.#launcher.title = this.words?.launcher ?? launcherName(languageOf(this), () => this.#draw())
    if (this.#launcher.parentNode === null) insertNodes(this.shadowRoot, this.shadowRoot!.firstChild, this.#launcher)
    // The browser closes a popover that is moved.
    // The DOM of unit tests has no top layer.
    if ('togglePopover' in this.#launcher) this.#launcher.togglePopover(true)
  }

  /** Loads the icon that the page has set, or that of the site, for launcher and panel. */
  #loadIcon(): void {
    const address = this.icon ?? siteIcon() ?? ''
    if (address === this.#address) return
    this.#address = address
    this.#image = undefined
    if (address === '') return
    loadIcon(address, (image) => {
      if (address !== this.#address) return
      this.#image = image
      this.#panel?.requestUpdate()
      this.#draw()
    })
  }

  /** Another scope is another user, who gets a new panel: no text, file or quote of the one before stays in it. */
  #replacePanel(): void {
    const before = this.#panel
    if (before === undefined || before.scope === (this.scope ?? '')) return
    const hasFocus = before.contains(this.shadowRoot?.activeElement ?? null)
    removeNode(before)
    if (this.#createPanel !== undefined) this.#appendPanel(this.#createPanel(), hasFocus)
  }

  #appendPanel(panel: Panel, takesFocus: boolean): void {
    this.#panel = panel
    this.shadowRoot?.appendChild(panel)
    if (takesFocus) void panel.focusField()
  }

  #loadPanel(): void {
    if (this.#isLoading) return
    this.#isLoading = true
    const load = async (): Promise<void> => {
      const { createPanel } = await loadExplained(globalThis, importPanel, { has: 'createPanel' })
      const create = (): Panel =>
        createPanel({
          element: this,
          agent: () => this.current,
          problems: () => this.problems,
          renderers: () => this.current?.renderers ?? noRenderers,
          language: () => languageOf(this),
          icon: () => this.icon ?? this.#image?.src,
          prepare: () => {
            this.prepare()
          },
          isApprovedByPage: (callId) => this.#approvedByPage.has(callId),
          reportError: (failure) => {
            this.reportError(failure)
          },
        })
      const panel = create()
      this.#createPanel = create
      removeNode(this.#error)
      this.#appendPanel(panel, this.open && this.#isOpening)
      this.#isOpening = false
      this.#draw()
    }
    load().catch((thrown: unknown) => {
      // Code of a loaded file that fails is told like a file of another version.
      const failure = toFailure(thrown, 'unavailable')
      this.#isLoading = false
      this.#hasFailed = true
      // Never the message of the error, which is for the author of the page.
      this.#error.textContent = unloadedText(languageOf(this), failure.code)
      this.shadowRoot?.appendChild(this.#error)
      addEventListener('online', () => removeNode(this.#error), { once: true })
      // The user can try again.
      if (this.#isOpening) this.open = false
      this.#isOpening = false
      this.reportError(failure)
    })
  }
}
