// The inner half of <tool-agent>: carries out the actions of its parts and keeps the panel's own state, such as
// language, open menu and errors. Loaded after the element; panel-view.ts draws the state.
// Over 300 lines because every action of every part is handled in this one class, which alone knows the agent.
import type { PropertyValues, TemplateResult } from 'lit'
import { toFailure, ToolAgentError, type Failure } from '../../core/data/errors.js'
import { textOf, type CallId } from '../../core/data/message.js'
import { unclobbered } from '../../core/data/unclobbered.js'
import type { Agent, Notice } from '../../page/agent.js'
import type { PanelAction, ActionEvent } from './actions.js'
import type { AgentElement } from '../element/agent-element.js'
import { agentsLine, callTitleOf } from '../message/tool-call-summary.js'
import { lastFill, pendingApprovals } from '../message/call-state.js'
import type { Composer } from './composer.js'
import { loadWords } from '../i18n/locale.js'
import { words as english } from '../i18n/en.js'
import { LazyPart } from '../element/lazy-part.js'
import { fallbackOf, hasNotices, panelView, type PanelState, type Retry } from './panel-view.js'
import type { MenuState } from './session-menu.js'
import type { Transcript } from '../message/transcript.js'
import { saveDraft, restoreDraft } from './composer-draft.js'
import {
  adoptStyles,
  definePart,
  humanizeName,
  PanelPart,
  type RenderState,
  type ToolRenderer,
} from './render-context.js'

/** Milliseconds. A frame that takes longer delays the next drawing. */
const slowFrame = 50
/** Characters of an answer that a screen reader announces. */
const announcedLength = 5_000
const noProgress: PanelState['progress'] = new Map()

/** What the panel needs from its element. */
export interface PanelHost {
  /** The element that the panel belongs to. */
  readonly element: AgentElement
  /** The agent, or undefined if none exists yet. Drawing must not create one. */
  agent(): Agent | undefined
  /** Problems with attributes and options. */
  problems(): readonly Failure[]
  /** The page's functions that draw the calls of its tools. */
  renderers(): ReadonlyMap<string, ToolRenderer>
  /** The language of the element, such as `de`. */
  language(): string
  /** The user is about to write: connects the agent, and loads what the first message needs. */
  prepare(): void
  /** Draws the button that opens the panel. `question`: its label while a call waits for the user. */
  updateLauncher(question: string | undefined): void
  /** True when the page requests this approval with its own interface. */
  isApprovedByPage(callId: CallId): boolean
  /** Dispatches `tool-agent-error`. */
  reportError(failure: Failure): void
}

/** The panel as an element. Created by `createPanel`. */
export class Panel extends PanelPart {
  readonly #host: PanelHost
  #renderState: RenderState
  /** Titles of the registered tools; undefined until one is needed after a change. */
  #titles: ReadonlyMap<string, string> | undefined
  #reportLoadError = (error: unknown): void => {
    this.#host.reportError(toFailure(error, 'network'))
  }
  #showLoadError = (error: unknown): void => {
    this.#showFailure(toFailure(error, 'network'))
  }
  /** If it cannot be loaded, texts are drawn as they were written. */
  readonly #markdown = new LazyPart(
    this,
    async () => {
      const { createMarkdown, markdownStyles } = await import('../markdown/markdown.js')
      adoptStyles(this.#host.element, markdownStyles)
      this.#changeRenderState({ markdown: createMarkdown(this.#renderState.words) })
      return createMarkdown
    },
    this.#reportLoadError,
  )
  readonly #notices = new LazyPart(
    this,
    async () => {
      const { noticeStyles, notices, turnNotice } = await import('./notice-view.js')
      adoptStyles(this.#host.element, noticeStyles)
      return { notices, turnNotice }
    },
    this.#reportLoadError,
  )
  readonly #todos = new LazyPart(
    this,
    async () => {
      const { todoStyles, todoView } = await import('./todo-view.js')
      adoptStyles(this.#host.element, todoStyles)
      return todoView
    },
    this.#reportLoadError,
  )
  readonly #approvalCard = new LazyPart(
    this,
    async () => {
      const card = await import('./approval-card.js')
      definePart('tool-agent-approval', card.ApprovalCard)
      adoptStyles(this.#host.element, card.approvalStyles)
      return card
    },
    this.#showLoadError,
  )
  readonly #sessionMenu = new LazyPart(
    this,
    async () => {
      const { menuStyles, sessionMenu } = await import('./session-menu.js')
      adoptStyles(this.#host.element, menuStyles)
      return sessionMenu
    },
    this.#showLoadError,
  )
  /** Undefined while the menu is closed. */
  #menu: MenuState | undefined
  /** Why the last decision about a call was not accepted. */
  #decisionErrors: PanelState['decisionErrors'] = new Map()
  #retry: Retry | undefined
  #countdown: ReturnType<typeof setInterval> | undefined
  /** Why the user's last action failed. */
  #failure: Failure | undefined
  /** What a screen reader announces next. */
  #announcement = ''
  /** How many decisions are being checked. */
  #pendingDecisions = 0
  readonly #opened: PanelState['opened'] = new Map()
  /** Form fills that the user has undone. */
  readonly #undone = new Set<CallId>()
  /** Selector of what gets the focus after the next update. */
  #focus: string | undefined
  #frame: number | undefined
  /** Do not draw before this time, in milliseconds of `performance.now()`. */
  #restUntil = 0
  #pageLanguage: MutationObserver | undefined

  constructor(host: PanelHost) {
    super()
    this.#host = host
    this.#renderState = {
      words: english,
      markdown: undefined,
      renderers: host.renderers(),
      undo: undefined,
      messageActions: (message) => host.element.messageActions?.(message),
      titleOf: (name) => this.#titleOf(name),
    }
  }

  /** Called by the browser. */
  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('pagehide', this.#saveDraft)
    this.#pageLanguage = new MutationObserver(() => {
      this.updateLanguage()
    })
    this.#pageLanguage.observe(unclobbered(document).documentElement, { attributeFilter: ['lang'] })
    // The browser closes a popover that is moved; the update opens it again.
    this.updateLanguage()
  }

  /** Called by the browser. */
  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('pagehide', this.#saveDraft)
    this.#pageLanguage?.disconnect()
    this.#showRetry(undefined)
  }

  /** Processes a notice of the agent and draws at the next frame, once for all notices until then. */
  handleNotice(notice: Notice): void {
    if (notice.type === 'change') this.#titles = undefined
    if (notice.type === 'session') {
      this.#showRetry(undefined)
      this.#decisionErrors = new Map()
      this.#retryParts()
    }
    if (notice.type === 'event') {
      if (notice.path.length === 0) this.#handleEvent(notice.event)
      if (notice.event.type === 'approval-request') {
        this.#announceQuestion(notice.event.callId)
        this.#retryParts()
      }
    }
    if (this.#frame === undefined) this.#frame = requestAnimationFrame(this.#draw)
  }

  /** The next update imports again what could not be imported. */
  #retryParts(): void {
    for (const part of [this.#approvalCard, this.#markdown, this.#notices, this.#todos]) part.reset()
  }

  /** After a slow frame, leaves the page as much time as the frame took. */
  #draw = (): void => {
    const began = performance.now()
    if (began < this.#restUntil) {
      this.#frame = requestAnimationFrame(this.#draw)
      return
    }
    this.#frame = undefined
    this.requestUpdate()
    requestAnimationFrame(() => {
      const now = performance.now()
      if (now - began > slowFrame) this.#restUntil = 2 * now - began
    })
  }

  /** Draws again, and loads the words of the element's language and of the page if they have changed. */
  updateLanguage(): void {
    this.requestUpdate()
    loadWords(this.#host.language(), this.#host.element.words).then((words) => {
      if (words !== this.#renderState.words) this.#changeRenderState({ words, markdown: this.#markdown.value?.(words) })
    }, this.#reportLoadError)
  }

  /** Draws the current state. */
  protected override render(): TemplateResult {
    const state = this.#state()
    if (hasNotices(state)) void this.#notices.load()
    return panelView(state, this.#onAction, this.#onKeydown)
  }

  /** Restores the unsent text of the previous page in this tab. */
  protected override firstUpdated(): void {
    this.#composer?.restore(restoreDraft(this.#host.element.scope))
  }

  /** Does what a template cannot: popover, focus, lazy parts, and the modal approval dialog. */
  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    const { element } = this.#host
    if (element.layout !== 'inline' && this.isConnected)
      this.querySelector<HTMLElement>('.panel')?.togglePopover(element.open)
    const questions = this.#questions()
    const { words } = this.#renderState
    this.#host.updateLauncher(
      questions.length === 0 ? undefined : `${element.heading ?? words.heading}: ${words.waiting}`,
    )
    if (this.#focus !== undefined) element.shadowRoot?.querySelector<HTMLElement>(this.#focus)?.focus()
    this.#focus = undefined
    const session = this.#host.agent()?.session
    if (session !== undefined && (session.messages.length > 0 || session.draft !== undefined)) {
      void this.#markdown.load()
      void this.#notices.load()
    }
    if (session !== undefined && session.todos.length > 0) void this.#todos.load()
    if (questions.length > 0) void this.#approvalCard.load()
    this.#approvalCard.value?.keepOnTop(
      this.querySelector<HTMLDialogElement>('dialog.approvals'),
      element,
      () => this.#pendingDecisions > 0,
    )
  }

  /** Collects what the panel shows. Keeps the identity of the render state while nothing in it changes. */
  #state(): PanelState {
    const { element, problems, renderers } = this.#host
    const agent = this.#host.agent()
    if (this.#renderState.renderers !== renderers())
      this.#renderState = { ...this.#renderState, renderers: renderers() }
    const undo = agent === undefined ? undefined : this.#undoable(agent)
    if (this.#renderState.undo !== undo) this.#renderState = { ...this.#renderState, undo }
    const { words } = this.#renderState
    const questions = this.#questions()
    return {
      layout: element.layout,
      renderState: this.#renderState,
      session: agent?.session,
      status: element.status,
      isMirror: agent?.role === 'mirror',
      isStored: agent?.storage !== 'memory',
      progress: agent === undefined || agent.progress.size === 0 ? noProgress : new Map(agent.progress),
      queue: agent?.queue ?? [],
      heading: element.heading ?? words.heading,
      placeholder: element.placeholder ?? words.placeholder,
      suggestions: element.suggestions ?? [],
      problems: problems(),
      errors: [agent?.error, this.#failure].filter((one) => one !== null && one !== undefined),
      opened: this.#opened,
      questions: this.#approvalCard.value === undefined ? [] : questions,
      decisionErrors: this.#decisionErrors,
      retry: this.#retry,
      announcement: this.#announcement,
      drawNotices: this.#notices.value,
      areNoticesMissing: this.#notices.state.status === 'failed',
      drawTodos: this.#todos.value,
      menu:
        this.#menu &&
        this.#sessionMenu.value?.(this.#menu, words, (state) => {
          this.#showMenu(state)
        }),
    }
  }

  /** The fill that can be undone. Only the page that filled the form knows the values before. */
  #undoable(agent: Agent): CallId | undefined {
    const id = agent.role === 'mirror' ? undefined : lastFill(agent.messages)?.call.id
    return id !== undefined && !this.#undone.has(id) && agent.tools.some(({ name }) => name === 'form_undo')
      ? id
      : undefined
  }

  /** The calls that wait for the user, except those that the page asks about itself. */
  #questions(): PanelState['questions'] {
    return pendingApprovals(this.#host.agent()?.session?.messages ?? []).filter(
      ({ part }) => !this.#host.isApprovedByPage(part.call.id),
    )
  }

  /** The text field's part; null before the first update. */
  get #composer(): Composer | null {
    return this.querySelector<Composer>('tool-agent-composer')
  }

  /** Updates countdown, announcements, errors and the open menu for an event of the assistant itself. */
  #handleEvent(event: Extract<Notice, { type: 'event' }>['event']): void {
    // The step with another model starts immediately. Its notice stays until the model answers.
    if (event.type !== 'step-request' && !(event.type === 'step-start' && fallbackOf(this.#retry)))
      this.#showRetry(event.type === 'step-retry' ? { until: Date.now() + event.delay, error: event.error } : undefined)
    // Announced when the text is complete: a screen reader cannot follow single words.
    if (event.type === 'step-end') this.#announceAnswer(textOf(event.message))
    if (event.type === 'turn-start') {
      this.#failure = undefined
      // So that the same answer is announced again.
      this.#announcement = ''
    }
    if (event.type === 'session-change' && this.#menu !== undefined) this.#refreshMenu(this.#host.element.agent)
  }

  /** Announces the start of an answer as plain text. The transcript has the rest. */
  #announceAnswer(text: string): void {
    const beginning = text.slice(0, announcedLength)
    this.#announcement = ''
    if (beginning === '') return
    const announce = (): void => {
      this.#announcement ||= this.#renderState.markdown?.toPlainText(beginning) ?? beginning
    }
    if (this.#renderState.markdown !== undefined) return announce()
    void this.#markdown.load().then(() => {
      announce()
      this.requestUpdate()
    })
  }

  /** Shows that a model call is retried, and counts the seconds down. Undefined removes it. */
  #showRetry(retry: Retry | undefined): void {
    if (this.#retry === retry) return
    this.#retry = retry
    clearInterval(this.#countdown)
    this.#countdown =
      retry &&
      setInterval(() => {
        this.requestUpdate()
      }, 1_000)
  }

  /** Announces that a call waits for the user, and which agent made it. */
  #announceQuestion(callId: CallId): void {
    const { words } = this.#renderState
    const question = pendingApprovals(this.#host.agent()?.messages ?? []).find(({ part }) => part.call.id === callId)
    if (question === undefined) return
    const { part, agents } = question
    this.#announcement = words.approvalAsked(callTitleOf(part, this.#renderState))
    if (agents.length > 0) this.#announcement += `. ${words.askedBy(agentsLine(agents, this.#renderState))}`
  }

  /** Keeps the event inside the panel. */
  #onAction = (event: ActionEvent): void => {
    event.stopPropagation()
    this.#perform(event.action, this.#host.element.agent)
  }

  /** Carries out an action. An error is shown, never thrown. */
  #perform(action: PanelAction, agent: Agent): void {
    switch (action.do) {
      case 'send':
        return this.#send(agent, action.text)
      // Its send() rejects, which puts the text back into the field.
      case 'drop':
        return agent.drop(action.turn)
      case 'stop':
        return agent.stop()
      case 'continue':
        return this.#showErrorOf(agent.continue())
      case 'take-over':
        return this.#showErrorOf(agent.takeOver())
      case 'older':
        return this.#showErrorOf(agent.loadOlder())
      case 'approve': {
        const { callId, do: _do, ...options } = action
        return this.#decide(callId, agent.approve(callId, options))
      }
      case 'deny':
        return this.#decide(
          action.callId,
          agent.deny(action.callId, action.reason === undefined ? {} : { reason: action.reason }),
        )
      case 'whole-result':
        return this.#showErrorOf(
          agent.resultText(action.callId).then((text) => {
            action.show(text ?? '')
          }),
        )
      case 'undo':
        return this.#showErrorOf(
          agent.callTool('form_undo', { call: action.callId }).then((fields) => {
            this.#undone.add(action.callId)
            action.show(fields)
            this.requestUpdate()
          }),
        )
      case 'dismiss':
        this.#failure = undefined
        return agent.dismissError()
      case 'compose':
        return this.#host.prepare()
      case 'close':
        return this.#close()
      case 'sessions':
        return this.#menu === undefined ? this.#openMenu(agent) : this.#closeMenu()
      case 'new-session':
        return this.#showErrorOf(
          agent.sessions.create().then(() => {
            this.#closeMenu()
          }),
        )
      case 'export':
        return this.#showErrorOf(
          agent.sessions.export().then(async (file) => {
            ;(await import('./save-file.js')).saveFile(`${agent.session?.title ?? 'session'}.json`, file)
          }),
        )
      case 'open-session':
        return this.#showErrorOf(
          agent.sessions.open(action.id).then(() => {
            this.#closeMenu()
          }),
        )
      case 'rename-session':
        return this.#showErrorOf(
          agent.sessions.rename(action.id, action.title).then(() => {
            this.#refreshMenu(agent)
          }),
        )
      case 'delete-session':
        return this.#showErrorOf(
          agent.sessions.delete(action.id).then(() => {
            this.#refreshMenu(agent)
          }),
        )
    }
  }

  /** Sends a message and scrolls to the end. Restores the text if no turn started. */
  #send(agent: Agent, text: string): void {
    this.#failure = undefined
    if (agent.error !== null) agent.dismissError()
    this.querySelector<Transcript>('tool-agent-transcript')?.toEnd()
    agent.send(text).catch((thrown: unknown) => {
      // A turn that started has the text in the transcript. If none started, the text must not get lost.
      const isShown = textOf(agent.messages.findLast((message) => message.role === 'user')) === text
      if (!(thrown instanceof ToolAgentError && thrown.turn !== undefined) && !isShown) this.#composer?.restore(text)
      this.#showError(thrown)
    })
  }

  /** Waits for the outcome of an approval or a denial, and shows why it was rejected. */
  #decide(callId: CallId, decision: Promise<void>): void {
    // The buttons disappear with the question, so keyboard focus goes to the text field.
    const root = this.getRootNode()
    const hadFocus = root instanceof ShadowRoot && root.activeElement !== null
    // Closed before the call runs, so that a modal dialog of ours does not block the page for it.
    this.#pendingDecisions++
    this.querySelector<HTMLDialogElement>('dialog.approvals:modal')?.close()
    void decision
      .then(
        () => {
          if (hadFocus) this.#composer?.focusField()
        },
        (thrown: unknown) => {
          const text = toFailure(thrown, 'invalid-input').message
          this.#decisionErrors = new Map(this.#decisionErrors).set(callId, { text })
        },
      )
      .finally(() => {
        this.#pendingDecisions--
        this.requestUpdate()
      })
  }

  /** Shows the error if the promise rejects. */
  #showErrorOf(action: Promise<unknown>): void {
    action.catch((thrown: unknown) => {
      this.#showError(thrown)
    })
  }

  /** Shows an error, unless the turn shows it or the user caused it on purpose. */
  #showError(thrown: unknown): void {
    if (
      thrown instanceof ToolAgentError &&
      (thrown.turn !== undefined || thrown.code === 'cancelled' || thrown.code === 'closed')
    )
      return
    const failure = toFailure(thrown, 'host-lost')
    // The agent may have reported the same error, which is shown already.
    if (this.#host.agent()?.error?.message !== failure.message) this.#showFailure(failure)
    this.requestUpdate()
  }

  /** Shows a failure until the next action, and dispatches `tool-agent-error`. */
  #showFailure(failure: Failure): void {
    this.#failure = failure
    this.#host.reportError(failure)
  }

  /** Moves the focus to the text field, when it is drawn. */
  async focusField(): Promise<void> {
    await this.updateComplete
    await this.#composer?.updateComplete
    this.#composer?.focusField()
  }

  /** Closes a floating or sidebar panel, and moves the focus to the button that opens it. */
  #close(): void {
    this.#host.element.open = false
    this.#focus = '.launcher'
  }

  /** Escape closes the menu first, then the panel. */
  #onKeydown = (event: KeyboardEvent): void => {
    if (
      event.key !== 'Escape' ||
      event.defaultPrevented ||
      event.isComposing ||
      this.querySelector('dialog:modal') !== null
    )
      return
    if (this.#menu !== undefined) this.#closeMenu()
    else if (this.#host.element.layout !== 'inline') this.#close()
    else return
    event.stopPropagation()
  }

  /** Opens the list of conversations when its code is loaded. */
  #openMenu(agent: Agent): void {
    this.#sessionMenu.reset()
    void this.#sessionMenu.load().then(() => {
      if (this.#sessionMenu.value === undefined) return
      this.#menu = { sessions: undefined, current: agent.session?.id }
      this.#focus = '.sessions button'
      this.#refreshMenu(agent)
    })
  }

  /** Closes the list and moves the focus to the text field. */
  #closeMenu(): void {
    this.#menu = undefined
    this.#focus = '.grow textarea'
    this.requestUpdate()
  }

  /** Reads the conversations again. */
  #refreshMenu(agent: Agent): void {
    this.#showErrorOf(
      agent.sessions.list().then((sessions) => {
        if (this.#menu !== undefined) this.#showMenu({ sessions, current: agent.session?.id })
      }),
    )
  }

  #showMenu(state: MenuState): void {
    this.#menu = state
    this.requestUpdate()
  }

  /** The tool's own title, a built-in one, or one made from its name. */
  #titleOf(name: string): string {
    this.#titles ??= new Map(this.#host.element.tools.map((tool) => [tool.name, tool.title]))
    return this.#titles.get(name) ?? this.#renderState.words.tools[name] ?? humanizeName(name)
  }

  /** A new object, so that settled messages are drawn again. */
  #changeRenderState(change: Partial<RenderState>): void {
    this.#renderState = { ...this.#renderState, ...change }
    this.requestUpdate()
  }

  /** Keeps unsent and queued texts for the next page of this tab. */
  #saveDraft = (): void => {
    const queued = (this.#host.agent()?.queue ?? []).map((one) => one.text)
    saveDraft(
      this.#host.element.scope,
      [...queued, this.#composer?.text ?? ''].filter((text) => text !== '').join('\n\n'),
    )
  }
}
