// The inner half of <tool-agent>: carries out the actions of its parts and keeps the panel's own state, such as
// language, open menu and errors. Loaded after the element; panel-view.ts draws the state.
import type { PropertyValues, TemplateResult } from 'lit'
import { toFailure, ToolAgentError, type ErrorCode, type Failure } from '../../core/data/errors.js'
import { loadExplained } from '../../core/loading/load-explained.js'
import { textOf, type CallId, pendingApprovals } from '../../core/data/message.js'
import { internals } from '../../core/data/tool.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { importClient, type Agent, type Notice, type RegisteredTool } from '../../page/agent.js'
import type { FieldChanges } from '../../page/tools/tool.js'
import type { UndoableTask, UndoOutcome } from '../../page/client/task-undo.js'
import { logError, logWarning } from '../../page/log.js'
import type { PanelAction, ActionEvent } from './actions.js'
import { Announcer } from './announcer.js'
import { ChangedQuestions } from '../message/changed-questions.js'
import { ownTextOf } from '../message/own-text.js'
import { joinTexts, saveDraft, restoreDraft, type Composer } from './composer.js'
import { focusedElement } from './page-focus.js'
import {
  adoptStyles,
  definePart,
  humanizeName,
  PanelPart,
  toMessage,
  type PanelHost,
  type QueuedMessage,
  type RenderContext,
  type RenderState,
  type ShownUndo,
} from './render-context.js'
import { loadWords } from '../i18n/locale.js'
import { words as english } from '../i18n/en.js'
import { LazyPart } from '../element/lazy-part.js'
import {
  fallbackOf,
  hasMessages,
  hasNotices,
  isOfNetwork,
  panelView,
  type PanelState,
  type Retry,
} from './panel-view.js'
import type { Transcript } from '../message/transcript.js'
import { canUsePage, ownTools, suggestionsFor } from './suggestions.js'
import { adaptPanel, layoutControllers } from '../layout/panel-layout.js'
import { saveSession } from './save-file.js'

/** Milliseconds. A drawing that takes longer delays the next one. */
const slowFrame = 50
/** Milliseconds. The longest rest after a drawing. */
const longestRest = 500
/** Milliseconds between two drawings of what tools do. Quick steps follow each other faster than anybody can read. */
const stepPause = 100
/** What tools do is drawn again after so many times what a drawing took: it takes a fifth of the page's time. */
const stepShare = 4
/** What a step does beside its text. */
const stepEvents = /^(step-(start|end|request|response)|tool-(start|result|progress|input-(start|delta|end)))$/
const importConversation = () => import('../conversation.js')
const noProgress: PanelState['progress'] = new Map()

/** The panel as an element. Created by `createPanel`. */
export class Panel extends PanelPart {
  /** The scope of what the user has written. The panel is for no other scope. */
  readonly scope: string
  readonly #host: PanelHost
  #renderState: RenderState
  /** The registered tools; undefined until one is needed after a change. */
  #tools: ReadonlyMap<string, RegisteredTool> | undefined
  #reportLoadError = (error: unknown): void => {
    this.#host.reportError(toFailure(error, 'network'))
  }
  #showLoadError = (error: unknown): void => {
    this.#showFailure(toFailure(error, 'network'))
  }
  /** What draws the conversation. A session with messages requests it while it is opened. */
  readonly #conversation = new LazyPart(
    this,
    async () => {
      const { conversation } = await loadExplained(globalThis, importConversation, { has: 'conversation' })
      conversation.prepare(this.#host.element)
      this.addController(
        new conversation.StageController({
          host: this.#host,
          words: () => this.#renderState.words,
          tools: () => this.#host.element.tools,
          titleOf: (name) => this.#renderState.titleOf(name),
        }),
      )
      this.#changeRenderState({ markdown: conversation.createMarkdown(this.#renderState.words) })
      // Not before a message that is to be drawn now.
      if (!hasMessages(this.#host.agent()?.session) && this.#queue.length === 0)
        void conversation.warmUp(this, this.#context())
      return conversation
    },
    this.#showLoadError,
  )
  /** The turns of the queue whose texts were kept. */
  #keptQueue = ''
  readonly #sessionMenu = new LazyPart(
    this,
    async () => {
      const { menuStyles, SessionMenu, sessionMenu } = await loadExplained(
        globalThis,
        () => import('../sessions/session-menu.js'),
        { has: 'sessionMenu' },
      )
      definePart('tool-agent-sessions', SessionMenu)
      adoptStyles(this.#host.element, menuStyles)
      return sessionMenu
    },
    this.#showLoadError,
  )
  readonly #glass = new LazyPart(
    this,
    async () => {
      const { glassPart } = await loadExplained(globalThis, () => import('../glass/glass.js'), { has: 'glassPart' })
      return glassPart(this.#host, (hidden) => this.#setHidden(hidden))
    },
    this.#showLoadError,
  )
  #isGlassOpen = false
  /** How many private fields the page has, as far as it was read. */
  #hidden: number | undefined
  #isFloating = false
  #isMenuOpen = false
  /** The part for files is imported. It draws itself, so nothing waits for it. */
  #takesFiles = false
  readonly #changed = new ChangedQuestions()
  /** Why the last decision about a call was not accepted. */
  #decisionErrors: PanelState['decisionErrors'] = new Map()
  readonly #announcer: Announcer
  #retry: Retry | undefined
  #countdown: ReturnType<typeof setInterval> | undefined
  /** Why the user's last action failed. */
  #failure: Failure | undefined
  /** A message that could not be sent, and why. Its text is in the field; empty for one with files. */
  #unsent: { readonly text: string; readonly code: ErrorCode } | undefined
  /** How many decisions are being checked. */
  #pendingDecisions = 0
  #isDeciding = (): boolean => this.#pendingDecisions > 0
  readonly #opened: PanelState['opened'] = new Map()
  /** What the last undo did, and the first call of its task. */
  #undone: { readonly callId: CallId | undefined; readonly outcome: UndoOutcome } | undefined
  /** Selector of what gets the focus after the next update. */
  #focus: string | undefined
  /** The control with the focus of the keyboard when the newest action was requested. */
  #pressed: Element | null = null
  /** A frame is requested, or will be after a rest. */
  #willDraw = false
  /** Do not draw before this time, in milliseconds of `performance.now()`. */
  #restUntil = 0
  /** Do not draw what only tools do before this time, by the same clock. */
  #stepRestUntil = 0
  /** Only what tools do has changed, which may wait. */
  #isOnlyStep = false
  /** Runs while the next drawing waits. */
  #wait: ReturnType<typeof setTimeout> | undefined
  #pageLanguage: MutationObserver | undefined
  constructor(host: PanelHost) {
    super()
    this.scope = host.element.scope ?? ''
    this.#host = host
    this.#renderState = {
      words: english,
      markdown: undefined,
      renderers: host.renderers(),
      isDebug: false,
      undo: undefined,
      titleOf: (name) => this.#toolOf(name)?.title ?? this.#renderState.words.tools[name] ?? humanizeName(name),
      toolOf: (name) => this.#toolOf(name),
      valuesBefore: (name, id) => this.#changesBy(name)?.valuesBefore(this.#sessionId, id) ?? new Map(),
      isSaved: (name, id) => (this.#changesBy(name)?.savedBy?.(this.#sessionId, id).length ?? 0) > 0,
      review: async () => this.#changesBy('form_fill')?.review?.(),
      undoField: async (id, label) => host.agent()?.undoField(id, label),
      sessionId: () => this.#sessionId,
      messageActions: (message) => host.element.messageActions?.(message),
    }
    this.#announcer = new Announcer({
      conversation: this.#conversation,
      agent: () => host.agent(),
      renderState: () => this.#renderState,
      context: () => this.#context(),
      name: () => host.element.heading ?? this.#renderState.words.heading,
      isOpen: () => host.element.open || host.element.layout === 'inline',
      draw: () => this.#drawSoon(),
    })
  }

  /** What a tool knows of the fields that its calls have changed. */
  #changesBy(name: string): FieldChanges | undefined {
    return this.#toolOf(name)?.tool[internals]?.fieldChanges
  }

  get #sessionId(): string {
    return this.#host.agent()?.session?.id ?? ''
  }

  /** What messages need to draw while a turn runs. */
  #context(): RenderContext {
    const { progress = noProgress } = this.#host.agent() ?? {}
    return { renderState: this.#renderState, active: true, progress, opened: this.#opened }
  }

  /** Called by the browser. */
  override connectedCallback(): void {
    super.connectedCallback()
    // The element was only moved, so it has its text.
    if (this.hasUpdated) restoreDraft(this.scope)
    addEventListener('pagehide', this.#saveDraft)
    addEventListener('online', this.#onOnline)
    addEventListener('selectionchange', this.#offerSelection, true)
    this.#offerSelection()
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
    this.#saveDraft()
    removeEventListener('pagehide', this.#saveDraft)
    removeEventListener('online', this.#onOnline)
    removeEventListener('selectionchange', this.#offerSelection, true)
    this.#pageLanguage?.disconnect()
    this.#announcer.stop()
    this.#showRetry(undefined)
  }

  /** Processes a notice of the agent and draws at the next frame, once for all notices until then. */
  handleNotice(notice: Notice): void {
    if (notice.type === 'change') {
      this.#tools = undefined
      this.#announcer.handleQueue()
    }
    // A message leaves the queue without a change of its own when its turn starts.
    if (notice.type === 'change' || (notice.type === 'event' && notice.event.type === 'turn-start')) this.#keepQueue()
    if (notice.type === 'session') {
      this.#showRetry(undefined)
      this.#decisionErrors = new Map()
      this.#retryParts()
    }
    if (notice.type === 'event') {
      if (notice.path.length === 0) this.#handleEvent(notice.event)
      if (notice.event.type === 'approval-request') this.#retryParts()
    }
    if (notice.type === 'session' || (notice.type === 'event' && notice.event.type === 'approval-request'))
      this.#changed.compare(pendingApprovals(this.#host.agent()?.messages ?? []))
    this.#drawSoon(notice.type === 'event' && stepEvents.test(notice.event.type))
  }

  /** The messages whose turn has not started. */
  get #queue(): readonly QueuedMessage[] {
    return this.#host.agent()?.queue ?? []
  }

  /**
   * Draws at the next frame. An event of the host must not be drawn at once: its next query waits for the answer.
   * `isStep`: it may wait for more of its kind.
   */
  #drawSoon(isStep = false): void {
    const isWaitingForSteps = this.#isOnlyStep && this.#wait !== undefined
    this.#isOnlyStep = isStep && (this.#isOnlyStep || !this.#willDraw)
    if (this.#willDraw && (isStep || !isWaitingForSteps)) return
    this.#willDraw = true
    this.#requestDraw()
  }

  /** Draws in the next frame, or in one after a rest: waiting frame by frame would cost the page a part of it. */
  #requestDraw(): void {
    clearTimeout(this.#wait)
    this.#wait = undefined
    // Whole milliseconds, because a timer ignores the fraction and would be early.
    const rest = Math.ceil(this.#restLeft())
    if (rest <= 0) requestAnimationFrame(this.#draw)
    else
      this.#wait = setTimeout(() => {
        this.#wait = undefined
        requestAnimationFrame(this.#draw)
      }, rest)
  }

  /** Milliseconds that the page has for itself before the next drawing. */
  #restLeft(): number {
    return Math.max(this.#restUntil, this.#isOnlyStep ? this.#stepRestUntil : 0) - performance.now()
  }

  /** The next update imports again what could not be imported. */
  #retryParts(): void {
    this.#conversation.reset()
  }

  /** Draws, unless the last drawing turned out to be slow since this one was requested. */
  #draw = (): void => {
    if (this.#restLeft() > 0) return this.#requestDraw()
    const began = performance.now()
    this.#willDraw = false
    this.#stepRestUntil = began + stepPause
    this.requestUpdate()
    // The next task runs when this frame is painted. To measure it, another frame would cost the page a part of it.
    setTimeout(() => {
      this.#rest(began)
      this.#keepFocus()
    })
  }

  /** Leaves the page its time after a drawing that began at this time. */
  #rest(began: number): void {
    const now = performance.now()
    // A page that showed a dialog was stopped meanwhile.
    const took = Math.min(now - began, longestRest)
    if (took > slowFrame) this.#restUntil = now + took
    this.#stepRestUntil = Math.max(began + stepPause, now + Math.min(stepShare * took, longestRest))
  }

  /** Draws again, and loads the words of the element's language and of the page if they have changed. */
  updateLanguage(): void {
    this.requestUpdate()
    const [language, replaced] = [this.#host.language(), this.#host.element.words]
    loadWords(language, replaced).then((words) => {
      // Each language is a file of its own, and one that was asked for earlier may arrive later.
      if (language !== this.#host.language() || replaced !== this.#host.element.words) return
      if (words !== this.#renderState.words)
        this.#changeRenderState({ words, markdown: this.#conversation.value?.createMarkdown(words) })
      // The same words may be the right ones for one language, and instead of those of another.
      this.requestUpdate()
    }, this.#reportLoadError)
  }

  /** Draws the current state. */
  protected override render(): TemplateResult {
    // A question and the list of conversations take its place. Only the visitor opens it again.
    if (this.#isMenuOpen || this.#questions().length > 0) this.#isGlassOpen = false
    const state = this.#state()
    if (hasNotices(state)) void this.#conversation.load()
    return panelView(state, this.#onAction, this.#onKeydown)
  }

  /** Restores the unsent text of the previous page in this tab. */
  protected override firstUpdated(): void {
    this.#composer?.restore(restoreDraft(this.scope))
    // Removed before it was drawn.
    if (!this.isConnected) this.#saveDraft()
    adaptPanel(this.#host.element)
    this.#fetchAhead()
  }

  /**
   * Fetches the code that the first message needs, when the panel is painted. Nothing of it starts before the visitor
   * is about to write.
   */
  #fetchAhead(): void {
    const { connection } = navigator as { readonly connection?: { readonly saveData?: boolean } }
    if (connection?.saveData === true) return
    requestAnimationFrame(() => {
      setTimeout(() => {
        // What cannot be loaded now is told when it is needed.
        importClient().catch(() => undefined)
        importConversation().catch(() => undefined)
      })
    })
  }

  /** Does what a template cannot: popover, focus and lazy parts. */
  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    // A removed panel takes nothing from the element, which may have another one.
    if (!this.isConnected) return
    const { element } = this.#host
    const section = element.layout === 'inline' ? null : this.querySelector<HTMLElement>('.panel')
    section?.togglePopover(element.open)
    if (section !== null && !this.#isFloating) {
      this.#isFloating = true
      for (const one of layoutControllers(this.#host, section, () => this.#renderState.words)) this.addController(one)
    }
    if (this.#focus !== undefined) element.shadowRoot?.querySelector<HTMLElement>(this.#focus)?.focus()
    this.#focus = undefined
    if (element.prefill) {
      this.#composer?.restore(element.prefill)
      element.prefill = ''
    }
    this.#sendUnsent()
    const session = this.#host.agent()?.session
    // Not for a panel that only greets: its agent is not connected.
    if (element.status !== 'ready' || hasMessages(session) || this.#queue.length > 0) void this.#conversation.load()
    if (element.attachments && !this.#takesFiles) {
      this.#takesFiles = true
      loadExplained(globalThis, () => import('../attachments/attachments.js'), { has: 'attachTo' }).then(
        ({ attachTo }) => attachTo(this, element),
        this.#reportLoadError,
      )
    }
  }

  /** Collects what the panel shows. Keeps the identity of the render state while nothing in it changes. */
  #state(): PanelState {
    const { element, problems, renderers } = this.#host
    const agent = this.#host.agent()
    if (this.#renderState.renderers !== renderers())
      this.#renderState = { ...this.#renderState, renderers: renderers() }
    const undo = this.#shownUndo(agent?.undoable)
    const isDebug = agent?.options.debug === true
    if (this.#renderState.undo !== undo || this.#renderState.isDebug !== isDebug)
      this.#renderState = { ...this.#renderState, undo, isDebug }
    const { words } = this.#renderState
    const questions = this.#questions()
    const mistakes = agent?.problems ?? []
    const abilities = { tools: element.tools, tokens: String(element.pageTools ?? '') }
    const hasOnlyTools = !canUsePage(abilities, 'read') && ownTools(abilities).length > 0
    const isEmpty = (element.open || element.layout === 'inline') && !hasMessages(agent?.session)
    return {
      layout: element.layout,
      renderState: this.#renderState,
      session: agent?.session,
      status: element.status,
      isMirror: agent?.role === 'mirror' && agent.host !== 'server',
      isShownTwice: agent?.isShownTwice === true,
      isStored: agent?.storage !== 'memory',
      progress: agent === undefined || agent.progress.size === 0 ? noProgress : new Map(agent.progress),
      queue: this.#queue,
      heading: element.heading ?? words.heading,
      placeholder: element.placeholder ?? (hasOnlyTools ? words.placeholderForTools : words.placeholder),
      greeting: element.greeting ?? words.greeting,
      icon: this.#host.icon(),
      disclaimer: element.disclaimer,
      suggestions: element.suggestions ?? (isEmpty ? suggestionsFor(abilities, words) : []),
      followUps: element.followUps ?? [],
      problems: [...problems(), ...mistakes],
      // The newest mistake is the error as well, until it is dismissed.
      errors: [agent?.error, this.#failure].flatMap((one) => (one && !mistakes.includes(one) ? [one] : [])),
      opened: this.#opened,
      questions: this.#conversation.value ? questions : [],
      decisionErrors: this.#decisionErrors,
      changedQuestions: this.#changed.calls,
      isDeciding: this.#isDeciding,
      retry: this.#retry,
      language: this.#host.language(),
      announcement: this.#announcer.message,
      activity: this.#announcer.activity,
      conversation: this.#conversation.value,
      isConversationMissing: this.#conversation.state.status === 'failed',
      menu: this.#isMenuOpen
        ? this.#sessionMenu.value?.(agent?.session, words, element.layout !== 'inline')
        : undefined,
      trust: {
        names: element.tools.map(({ name }) => name),
        approval: (agent?.options ?? element).approval ?? 'hints',
        hidden: this.#hidden,
        isGranted: [agent?.session?.grants, agent?.session?.turn?.taskGrants].some((one) => one?.length),
        isOff: element.trust === 'off',
      },
      glass: this.#isGlassOpen ? this.#glass.value : undefined,
    }
  }

  /** What can be undone, with what the last undo did. The same object while nothing in it changes. */
  #shownUndo(task: UndoableTask | undefined): ShownUndo | undefined {
    if (task === undefined) return undefined
    const { undo: before } = this.#renderState
    const outcome = this.#undone?.callId === task.lines[0]?.callId ? this.#undone?.outcome : undefined
    const isSame =
      before?.lines.length === task.lines.length &&
      before.outcome === outcome &&
      task.lines.every(({ callId, can }, index) => {
        const line = before.lines[index]
        return line?.callId === callId && line.can === can
      })
    return isSame ? before : { ...task, outcome }
  }

  /** Undoes the newest task or a line of it, or puts its values back, and says what that did. */
  async #undo(agent: Agent, did: 'undo' | 'redo', line: CallId | undefined): Promise<void> {
    const { lines } = agent.undoable ?? {}
    if (lines === undefined) return
    const outcome = await agent.undoTask(did, line)
    this.#undone = { callId: lines[0]?.callId, outcome }
    this.#announcer.say(this.#conversation.value?.undoLine(outcome, this.#renderState) ?? '')
    this.requestUpdate()
  }

  /**
   * The calls that wait for the user, except those that the page asks about itself. What a tool asks that runs in
   * another tab is asked there.
   */
  #questions(): PanelState['questions'] {
    const agent = this.#host.agent()
    const isElsewhere = agent?.role === 'mirror' && agent.host !== 'server'
    return pendingApprovals(agent?.session?.messages ?? []).filter(
      ({ part }) => !this.#host.isApprovedByPage(part.call.id) && !(isElsewhere && part.approval?.asks),
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
      this.#showRetry(
        event.type === 'step-retry'
          ? { until: Date.now() + event.delay, delay: event.delay, error: event.error }
          : undefined,
      )
    // What could not be loaded offline is loaded again.
    if (event.type === 'step-retry' || event.type === 'turn-end') this.#conversation.reset()
    this.#announcer.handle(event)
    if (event.type === 'turn-start') {
      this.#failure = undefined
      if (this.#host.element.followUps) this.#host.element.followUps = []
    }
    // The panel shows a sentence for the visitor.
    if (event.type === 'turn-end' && event.error) logError(event.error)
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

  /** Keeps the event inside the panel. */
  #onAction = (event: ActionEvent): void => {
    event.stopPropagation()
    this.#pressed = this.querySelector(':focus-visible')
    this.#perform(event.action, this.#host.element.agent)
  }

  /** The focus moves to the text field if what the keyboard has pressed is gone, such as a suggestion that was sent. */
  #keepFocus(): void {
    if (this.#pressed === null || this.#pressed.isConnected) return
    this.#pressed = null
    if (focusedElement() === undefined) this.#composer?.focusField()
  }

  /** Carries out an action. An error is shown, never thrown. */
  #perform(action: PanelAction, agent: Agent): void {
    switch (action.do) {
      case 'suggest':
        // A second click before the suggestion is gone.
        if (this.#queue.length > 0) return
        return this.#send(agent, action)
      case 'send':
        return this.#send(agent, action)
      // Its send() rejects, which puts the text back into the field.
      case 'drop':
        return agent.drop(action.turn)
      case 'stop':
        return agent.stop()
      case 'recall':
        return this.#composer?.restore(ownTextOf(agent.messages.findLast(({ role }) => role === 'user')))
      case 'decide':
        return this.#decide(action.callId, action.decide(agent))
      case 'ask':
        return this.#announcer.ask(action.question)
      case 'undo':
      case 'redo':
        return this.#showErrorOf(this.#undo(agent, action.do, action.line))
      case 'end-grants':
        agent.endGrants()
        return this.#announcer.say(this.#renderState.words.approval.grantsEnded)
      case 'dismiss':
        this.#failure = undefined
        return agent.dismissError()
      case 'retry':
        return this.#tryAgain(agent)
      case 'compose':
        // First what sends the message, and then what draws it.
        this.#host.prepare()
        void this.#conversation.load()
        return this.#countHidden()
      case 'glass':
        return this.#toggleGlass()
      case 'close':
        return this.#close()
      case 'sessions':
        return this.#isMenuOpen ? this.#closeMenu() : this.#openMenu()
      case 'new-session':
        return this.#showErrorOf(
          agent.sessions.create().then(() => {
            this.#closeMenu()
          }),
        )
      case 'export':
        return this.#showErrorOf(saveSession(agent))
      case 'run':
        return this.#showErrorOf(action.run(agent))
    }
  }

  /** Counts the private fields in idle time. The page is read then for the first message anyway, and kept. */
  #countHidden(): void {
    const load = this.#host.element.tools.map(({ tool }) => tool[internals]?.readsPage).find((one) => one)
    const idle = globalThis.requestIdleCallback ?? setTimeout
    load?.().then(
      (read) => idle(() => (this.#host.agent()?.session?.turn ? undefined : this.#setHidden(read().hidden))),
      // Told by the first call.
      () => undefined,
    )
  }

  #setHidden(count: number | undefined): void {
    if (this.#hidden !== count) this.requestUpdate()
    this.#hidden = count
  }

  /** Opens or closes what the assistant may do here. What could not be loaded is loaded again. */
  #toggleGlass(isOpen = !this.#isGlassOpen || !this.#glass.value): void {
    this.#isGlassOpen = isOpen
    this.requestUpdate()
    if (!isOpen) return
    this.#glass.reset()
    void this.#glass.load()
  }

  /** Sends a message and scrolls to the end. Restores the text if no turn started. */
  #send(agent: Agent, { text, input, restore }: Extract<PanelAction, { readonly text: string }>): void {
    this.#failure = this.#unsent = undefined
    if (agent.error !== null) agent.dismissError()
    this.#toggleGlass(false)
    // A suggestion is sent without the focus of the field.
    this.#host.prepare()
    this.querySelector<Transcript>('tool-agent-transcript')?.toEnd()
    agent.send(input ?? text).catch((thrown: unknown) => {
      // A turn that started has the text in the transcript. If none started, the text must not get lost.
      const isShown = textOf(agent.messages.findLast((message) => message.role === 'user')) === text
      if (!(thrown instanceof ToolAgentError && thrown.turn !== undefined)) {
        if (restore) restore()
        else if (!isShown) this.#composer?.restore(text)
        // A removed panel keeps it for the next one of its scope.
        if (!this.isConnected) this.#saveDraft()
      }
      this.#showError(thrown)
      // Files are in the field as well, and stay there.
      if (thrown instanceof ToolAgentError) this.#unsent = { text: restore ? '' : text, code: thrown.code }
    })
  }

  /** Sends what had no model, unless the user has changed it, once the page has assigned an agent or an endpoint. */
  #sendUnsent(): void {
    const { text, code } = this.#unsent ?? {}
    const agent = this.#host.agent()
    if (text === undefined || code !== 'no-endpoint' || agent?.hasModel !== true) return
    this.#unsent = undefined
    if (this.#failure?.code === code) this.#failure = undefined
    if (this.#composer?.takeRestored(text) === true) this.#send(agent, { do: 'send', text })
    this.requestUpdate()
  }

  /** What failed without a network is loaded again. A message stays in the field, because the visitor sends it. */
  readonly #onOnline = (): void => {
    const agent = this.#host.agent()
    if (isOfNetwork(this.#failure)) this.#failure = undefined
    if (isOfNetwork(agent?.error)) agent?.dismissError()
    this.#retryParts()
    if (this.#host.problems().some(isOfNetwork)) this.#host.prepare()
    this.requestUpdate()
  }

  /** Loads and connects again, and sends the message that was not sent. */
  #tryAgain(agent: Agent): void {
    this.#failure = undefined
    agent.dismissError()
    this.#retryParts()
    this.#host.prepare()
    // As the visitor does, because the field may have files.
    if (isOfNetwork(this.#unsent)) this.querySelector<HTMLElement>('.send')?.click()
    this.requestUpdate()
  }

  /** Waits for the outcome of an approval or a denial, and shows why it was rejected. */
  #decide(callId: CallId, decision: Promise<void>): void {
    this.#pendingDecisions++
    void decision
      .catch((thrown: unknown) => {
        const failure = toFailure(thrown, 'invalid-input')
        logWarning(`A decision of the visitor was not carried out: ${failure.code}: ${failure.message}`)
        this.#decisionErrors = new Map(this.#decisionErrors).set(callId, failure)
      })
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
    if (this.#isMenuOpen) this.#closeMenu()
    else if (this.#isGlassOpen) this.#toggleGlass(false)
    else if (this.#host.element.layout !== 'inline') this.#close()
    else return
    event.stopPropagation()
  }

  /** Opens the list of conversations when its code is loaded. */
  #openMenu(): void {
    this.#sessionMenu.reset()
    void this.#sessionMenu.load().then(() => {
      this.#isMenuOpen = this.#sessionMenu.value !== undefined
      this.requestUpdate()
    })
  }

  /** Closes the list and moves the focus to the text field. */
  #closeMenu(): void {
    this.#isMenuOpen = false
    this.#focus = '.grow textarea'
    this.requestUpdate()
  }

  #toolOf(name: string): RegisteredTool | undefined {
    this.#tools ??= new Map(this.#host.element.tools.map((tool) => [tool.name, tool]))
    return this.#tools.get(name)
  }

  /** A new object, so that settled messages are drawn again. */
  #changeRenderState(change: Partial<RenderState>): void {
    this.#renderState = { ...this.#renderState, ...change }
    this.requestUpdate()
  }

  /** Loads what offers the text that the user has selected on the page. */
  #offerSelection = (): void => {
    const selection = getSelection()
    if (selection?.type === 'Range') {
      // A copy, because the selection ends when the focus moves to the text field.
      const range = selection.getRangeAt(0).cloneRange()
      loadExplained(globalThis, () => import('../selection/selection.js'), { has: 'offerSelection' }).then(
        (part) => part.offerSelection(this, range),
        this.#reportLoadError,
      )
    }
  }

  /** Keeps the texts of the queue when it has changed, because a tab that crashes has no `pagehide`. */
  #keepQueue(): void {
    const queued = this.#queue.map(({ turn }) => turn).join()
    if (queued === this.#keptQueue) return
    this.#keptQueue = queued
    // After the message was posted.
    setTimeout(() => {
      if (this.isConnected) this.#saveDraft()
    })
  }

  /** Keeps unsent and queued texts for the next panel of this scope in this tab. */
  #saveDraft = (): void => {
    if (!this.hasUpdated) return // What is stored was not restored yet.
    const agent = this.#host.agent()
    const queue = agent !== undefined && (agent.options.scope ?? '') === this.scope ? this.#queue : []
    saveDraft(this.scope, joinTexts(...queue.map((queued) => ownTextOf(toMessage(queued))), this.#composer?.text ?? ''))
  }
}
