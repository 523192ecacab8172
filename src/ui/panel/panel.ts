// What <tool-agent> shows: does what the parts ask for, and keeps the little that is the panel's own, such as language,
// open menu, and what went wrong. The inner half of the element, loaded apart; what is drawn stands in panel-view.ts.
// Over 300 lines because every action of every part is answered here, one beside the other.
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
import { panelView, type PanelState, type Retry } from './panel-view.js'
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

/** Milliseconds from one frame to the next that count as long. */
const slowFrame = 50
/** Characters of an answer that are read out. */
const readOutLength = 5_000
const noProgress: PanelState['progress'] = new Map()

/** What the panel is told by the element it belongs to. */
export interface PanelHost {
  readonly element: AgentElement
  /** Undefined until one is needed: drawing makes none. */
  agent(): Agent | undefined
  problems(): readonly Failure[]
  renderers(): ReadonlyMap<string, ToolRenderer>
  /** The page asks this question in its own way. */
  isElsewhere(callId: CallId): boolean
  fail(failure: Failure): void
}

export class Panel extends PanelPart {
  #host: PanelHost
  #look: RenderState
  #titles: ReadonlyMap<string, string> | undefined
  #markdown: Promise<void> | undefined
  /** The card that asks before a call: loaded with the first question. Where that failed, the next question or session tries again. */
  #asking: 'unloaded' | 'loading' | 'ready' | 'failed' = 'unloaded'
  #menu: { readonly state: MenuState; readonly view: typeof import('./session-menu.js').sessionMenu } | undefined
  /** Why a decision was not taken. */
  #refusals: ReadonlyMap<CallId, { readonly text: string }> = new Map()
  #retry: Retry | undefined
  #countdown: ReturnType<typeof setInterval> | undefined
  /** What the user asked for could not be done. */
  #failure: Failure | undefined
  #said = ''
  #card: typeof import('./approval-card.js') | undefined
  /** Decisions that are not taken yet. */
  #deciding = 0
  readonly #opened: PanelState['opened'] = new Map()
  /** Fills that the user took back. */
  readonly #undone = new Set<CallId>()
  /** What gets the focus once it is drawn. */
  #focus: string | undefined
  #frame: number | undefined
  #restUntil = 0
  #pageLanguage: MutationObserver | undefined

  constructor(host: PanelHost) {
    super()
    this.#host = host
    this.#look = {
      words: english,
      markdown: undefined,
      renderers: host.renderers(),
      undo: undefined,
      titleOf: (name) => this.#titleOf(name),
    }
  }

  override connectedCallback(): void {
    super.connectedCallback()
    addEventListener('pagehide', this.#keep)
    this.#pageLanguage = new MutationObserver(() => {
      this.findWords()
    })
    this.#pageLanguage.observe(unclobbered(document).documentElement, { attributeFilter: ['lang'] })
    this.findWords()
    // A popover that was moved is closed.
    this.requestUpdate()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    removeEventListener('pagehide', this.#keep)
    this.#pageLanguage?.disconnect()
    this.#wait(undefined)
  }

  /** Takes in what the agent said, and draws at the next frame, however much more comes before it. */
  hear(notice: Notice): void {
    if (notice.type === 'change') this.#titles = undefined
    if (notice.type === 'session') {
      this.#wait(undefined)
      this.#refusals = new Map()
    }
    if (notice.type === 'event') {
      if (notice.path.length === 0) this.#follow(notice.event)
      if (notice.event.type === 'approval-request') this.#announce(notice.event.callId)
    }
    if (
      this.#asking === 'failed' &&
      (notice.type === 'session' || (notice.type === 'event' && notice.event.type === 'approval-request'))
    )
      this.#asking = 'unloaded'
    this.#frame ??= requestAnimationFrame(this.#draw)
  }

  /** Where drawing took long, the page gets as much time for itself before the next. */
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

  findWords(): void {
    loadWords(this.#host.element).then(
      (words) => {
        if (words === this.#look.words) return
        this.#restyle({ words })
        if (this.#markdown !== undefined) this.#loadMarkdown()
      },
      (thrown: unknown) => {
        this.#host.fail(toFailure(thrown, 'network'))
      },
    )
  }

  protected override render(): TemplateResult {
    return panelView(this.#state(), this.#act, this.#keydown)
  }

  protected override firstUpdated(): void {
    this.#composer?.restore(restoreDraft(this.#host.element.scope))
  }

  protected override updated(changed: PropertyValues): void {
    super.updated(changed)
    const { element } = this.#host
    if (element.layout !== 'inline' && this.isConnected)
      this.querySelector<HTMLElement>('.panel')?.togglePopover(element.open)
    if (this.#focus !== undefined) this.querySelector<HTMLElement>(this.#focus)?.focus()
    this.#focus = undefined
    const session = this.#host.agent()?.session
    if (
      this.#markdown === undefined &&
      session !== undefined &&
      (session.messages.length > 0 || session.draft !== undefined)
    )
      this.#loadMarkdown()
    if (this.#asking === 'unloaded' && this.#questions().length > 0) this.#loadCard()
    this.#card?.keepOnTop(
      this.querySelector<HTMLDialogElement>('dialog.approvals'),
      this.#host.element,
      () => this.#deciding > 0,
    )
  }

  #state(): PanelState {
    const { element, problems, renderers } = this.#host
    const agent = this.#host.agent()
    if (this.#look.renderers !== renderers()) this.#look = { ...this.#look, renderers: renderers() }
    const undo = agent === undefined ? undefined : this.#undoable(agent)
    if (this.#look.undo !== undo) this.#look = { ...this.#look, undo }
    const { words } = this.#look
    const lasting = problems()
    return {
      layout: element.layout,
      open: element.open,
      look: this.#look,
      session: agent?.session,
      status: element.status,
      isMirror: agent?.role === 'mirror',
      isStored: agent?.storage !== 'memory',
      progress: agent === undefined || agent.progress.size === 0 ? noProgress : new Map(agent.progress),
      queue: agent?.queue ?? [],
      heading: element.heading ?? words.heading,
      placeholder: element.placeholder ?? words.placeholder,
      suggestions: element.suggestions ?? [],
      lasting,
      passing: [agent?.error, this.#failure].filter((one) => one !== null && one !== undefined),
      opened: this.#opened,
      questions: this.#questions(),
      canAsk: this.#asking === 'ready',
      refusals: this.#refusals,
      retry: this.#retry,
      said: this.#said,
      menu: this.#menu?.view(this.#menu.state, words, (state) => {
        this.#showMenu(state)
      }),
    }
  }

  /** Only where the form was filled is it known what it held before. */
  #undoable(agent: Agent): CallId | undefined {
    const id = agent.role === 'mirror' ? undefined : lastFill(agent.messages)?.call.id
    return id !== undefined && !this.#undone.has(id) && agent.tools.some(({ name }) => name === 'form_undo')
      ? id
      : undefined
  }

  /** But those that the page asks in its own way. */
  #questions(): PanelState['questions'] {
    return pendingApprovals(this.#host.agent()?.session?.messages ?? []).filter(
      ({ part }) => !this.#host.isElsewhere(part.call.id),
    )
  }

  get #composer(): Composer | null {
    return this.querySelector<Composer>('tool-agent-composer')
  }

  #follow(event: Extract<Notice, { type: 'event' }>['event']): void {
    if (event.type !== 'step-request')
      this.#wait(event.type === 'step-retry' ? { until: Date.now() + event.delay, error: event.error } : undefined)
    // Read out when it is complete, not word by word.
    if (event.type === 'step-end') this.#readOut(textOf(event.message))
    if (event.type === 'turn-start') {
      this.#failure = undefined
      // So that the same answer is read out a second time.
      this.#said = ''
    }
    if (event.type === 'session-change' && this.#menu !== undefined) this.#list(this.#host.element.agent)
  }

  /** The beginning of an answer, as plain text; the transcript has all of it. */
  #readOut(text: string): void {
    const beginning = text.slice(0, readOutLength)
    this.#said = ''
    if (beginning === '') return
    if (this.#markdown === undefined) this.#loadMarkdown()
    const say = (): void => {
      this.#said ||= this.#look.markdown?.spoken(beginning) ?? beginning
    }
    if (this.#look.markdown !== undefined) return say()
    void this.#markdown?.then(() => {
      say()
      this.requestUpdate()
    })
  }

  /** Counts the seconds down that a model call waits. */
  #wait(retry: Retry | undefined): void {
    if (this.#retry === retry) return
    this.#retry = retry
    clearInterval(this.#countdown)
    this.#countdown =
      retry &&
      setInterval(() => {
        this.requestUpdate()
      }, 1_000)
  }

  /** Reads out a question, and which agent has it. */
  #announce(callId: CallId): void {
    const { words } = this.#look
    const asked = pendingApprovals(this.#host.agent()?.messages ?? []).find(({ part }) => part.call.id === callId)
    if (asked === undefined) return
    const { part, agents } = asked
    const said = [
      words.approvalAsked(callTitleOf(part, this.#look)),
      agents.length > 0 ? words.askedBy(agentsLine(agents, this.#look)) : '',
    ]
    this.#said = said.filter((part) => part !== '').join('. ')
  }

  #act = (event: ActionEvent): void => {
    event.stopPropagation()
    this.#do(event.action, this.#host.element.agent)
  }

  #do(action: PanelAction, agent: Agent): void {
    switch (action.do) {
      case 'send':
        return this.#send(agent, action.text)
      // Its send is rejected, and so its text comes back.
      case 'take-back':
        return agent.drop(action.turn)
      case 'stop':
        return agent.stop()
      case 'continue':
        return this.#try(agent.continue())
      case 'take-over':
        return this.#try(agent.takeOver())
      case 'older':
        return this.#try(agent.loadOlder())
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
        return this.#try(
          agent.resultText(action.callId).then((text) => {
            action.show(text ?? '')
          }),
        )
      case 'undo':
        return this.#try(
          agent.callTool('form_undo', { call: action.callId }).then((fields) => {
            this.#undone.add(action.callId)
            action.show(fields)
            this.requestUpdate()
          }),
        )
      case 'dismiss':
        this.#failure = undefined
        return agent.dismissError()
      case 'open':
        return this.#show(true)
      case 'close':
        return this.#show(false)
      case 'sessions':
        return this.#menu === undefined ? this.#openMenu(agent) : this.#closeMenu()
      case 'new-session':
        return this.#try(
          agent.sessions.create().then(() => {
            this.#closeMenu()
          }),
        )
      case 'export':
        return this.#try(
          agent.sessions.export().then(async (file) => {
            ;(await import('./save-file.js')).saveFile(`${agent.session?.title ?? 'session'}.json`, file)
          }),
        )
      case 'open-session':
        return this.#try(
          agent.sessions.open(action.id).then(() => {
            this.#closeMenu()
          }),
        )
      case 'rename-session':
        return this.#try(
          agent.sessions.rename(action.id, action.title).then(() => {
            this.#list(agent)
          }),
        )
      case 'delete-session':
        return this.#try(
          agent.sessions.delete(action.id).then(() => {
            this.#list(agent)
          }),
        )
    }
  }

  #send(agent: Agent, text: string): void {
    this.#failure = undefined
    if (agent.error !== null) agent.dismissError()
    this.querySelector<Transcript>('tool-agent-transcript')?.toEnd()
    agent.send(text).catch((thrown: unknown) => {
      // A turn that began has the text in the transcript; one that did not must not lose it.
      const isShown = textOf(agent.messages.findLast((message) => message.role === 'user')) === text
      if (!(thrown instanceof ToolAgentError && thrown.turn !== undefined) && !isShown) this.#composer?.restore(text)
      this.#blame(thrown)
    })
  }

  #decide(callId: CallId, decision: Promise<void>): void {
    // The buttons go with the question: whoever was in it by keyboard is taken back to the field.
    const root = this.getRootNode()
    const wasInside = root instanceof ShadowRoot && root.activeElement !== null
    // What was allowed finds the page as it was.
    this.#deciding++
    this.querySelector<HTMLDialogElement>('dialog.approvals:modal')?.close()
    decision
      .finally(() => {
        this.#deciding--
        this.requestUpdate()
      })
      .catch(() => undefined)
    decision.then(
      () => {
        if (wasInside) this.#composer?.focusField()
      },
      (thrown: unknown) => {
        this.#refusals = new Map(this.#refusals).set(callId, { text: toFailure(thrown, 'invalid-input').message })
        this.requestUpdate()
      },
    )
  }

  #try(doing: Promise<unknown>): void {
    doing.catch((thrown: unknown) => {
      this.#blame(thrown)
    })
  }

  /** What belongs to a turn is said where the turn ended; what was taken back on purpose is no error. */
  #blame(thrown: unknown): void {
    if (
      thrown instanceof ToolAgentError &&
      (thrown.turn !== undefined || thrown.code === 'cancelled' || thrown.code === 'closed')
    )
      return
    const failure = toFailure(thrown, 'host-lost')
    // The agent may have said this one itself.
    if (this.#host.agent()?.error?.message !== failure.message) {
      this.#failure = failure
      this.#host.fail(failure)
    }
    this.requestUpdate()
  }

  #show(open: boolean): void {
    this.#host.element.open = open
    this.#focus = open ? '.grow textarea' : '.launcher'
  }

  #keydown = (event: KeyboardEvent): void => {
    if (
      event.key !== 'Escape' ||
      event.defaultPrevented ||
      event.isComposing ||
      this.querySelector('dialog:modal') !== null
    )
      return
    if (this.#menu !== undefined) this.#closeMenu()
    else if (this.#host.element.layout !== 'inline') this.#show(false)
    else return
    event.stopPropagation()
  }

  #openMenu(agent: Agent): void {
    this.#try(
      import('./session-menu.js').then(({ menuStyles, sessionMenu }) => {
        adoptStyles(this.#host.element, menuStyles)
        this.#menu = { view: sessionMenu, state: { sessions: undefined, current: agent.session?.id } }
        this.#focus = '.sessions button'
        this.#list(agent)
      }),
    )
  }

  #closeMenu(): void {
    this.#menu = undefined
    this.#focus = '.grow textarea'
    this.requestUpdate()
  }

  #list(agent: Agent): void {
    this.#try(
      agent.sessions.list().then((sessions) => {
        this.#showMenu({ sessions, current: agent.session?.id })
      }),
    )
  }

  #showMenu(state: MenuState): void {
    if (this.#menu !== undefined) this.#menu = { ...this.#menu, state }
    this.requestUpdate()
  }

  #titleOf(name: string): string {
    this.#titles ??= new Map(this.#host.element.tools.map((tool) => [tool.name, tool.title]))
    return this.#titles.get(name) ?? this.#look.words.tools[name] ?? humanizeName(name)
  }

  #restyle(change: Partial<RenderState>): void {
    this.#look = { ...this.#look, ...change }
    this.requestUpdate()
  }

  #loadMarkdown(): void {
    this.#markdown = import('../markdown/markdown.js').then(
      ({ createMarkdown }) => {
        this.#restyle({ markdown: createMarkdown(this.#look.words) })
      },
      // Texts then stay as they were written.
      (thrown: unknown) => {
        this.#host.fail(toFailure(thrown, 'network'))
      },
    )
  }

  #loadCard(): void {
    this.#asking = 'loading'
    import('./approval-card.js')
      .then((card) => {
        this.#card = card
        definePart('tool-agent-approval', card.ApprovalCard)
        adoptStyles(this.#host.element, card.approvalStyles)
        this.#asking = 'ready'
        this.requestUpdate()
      })
      .catch((thrown: unknown) => {
        this.#asking = 'failed'
        this.#failure = toFailure(thrown, 'network')
        this.#host.fail(this.#failure)
        this.requestUpdate()
      })
  }

  #keep = (): void => {
    const waiting = (this.#host.agent()?.queue ?? []).map((one) => one.text)
    saveDraft(
      this.#host.element.scope,
      [...waiting, this.#composer?.text ?? ''].filter((text) => text !== '').join('\n\n'),
    )
  }
}
