// The card that asks the user before a call. For an action on the page it says what will happen; for other calls it
// shows every argument. For what a running tool asks it is a form. An approval or answer counts only if the click is
// trusted and the user could read the card (reading-time.ts).
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'
import type { ErrorCode, Failure } from '../../core/data/errors.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import type { FormQuestion } from '../../core/data/form-question.js'
import type { CallId, ToolCallPart } from '../../core/data/message.js'
import { pathKeys } from '../../core/data/plain-json.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { Agent } from '../../page/agent.js'
import { loadExplained } from '../../core/loading/load-explained.js'
import type { AgentElement } from '../element/agent-element.js'
import { PanelEvent } from '../isolation/panel-event.js'
import type { ApprovalWords } from '../i18n/en.js'
import type { Words } from '../i18n/en.js'
import { errorText } from '../i18n/error-text.js'
import { actionQuestion, quoted, type ActionQuestion, levelIcons, levelOf } from '../message/action-words.js'
import { toVisibleText } from '../message/values/shown-text.js'
import { ActionEvent } from '../panel/actions.js'
import { focusedElement } from '../panel/page-focus.js'
import { PanelPart, reactiveProperties } from '../panel/render-context.js'
import { icon } from '../styles/icons.js'
import { allowMenu } from './allow-menu.js'
import { withoutTitles } from '../message/values/schema-labels.js'
import { fieldKey, type Field } from '../form/argument-fields.js'
import type { CardForm } from '../form/card-form.js'
import { argumentsList } from '../message/values/arguments-view.js'
import { valueText } from '../message/values/value-text.js'
import { previewLines, previewView } from './preview-view.js'
import { ReadingCheck, type CardParts } from './reading-time.js'

const pencil = 'm5 19 1-4L16 5l3 3L9 18zM14 7l3 3'

/** What the question needs to know about the tool. */
type ApprovalTool = NonNullable<Awaited<ReturnType<Agent['approvalTool']>>>

/** A longer title does not fit on the button. */
const buttonLength = 32

/** One call that waits for the user. Dispatches the decision as an `ActionEvent`. */
export class ApprovalCard extends PanelPart {
  /** Set by the templates of the panel, or by the card itself. */
  static override properties: PropertyDeclarations = reactiveProperties(
    'item',
    'words',
    'problem',
    'heading',
    'argumentsLine',
    'agents',
    'position',
    'isChanged',
    'decided',
    'tool',
    'edits',
    'problems',
    'isEditing',
    'isMenuOpen',
    'isReasonOpen',
    'isLeftToUser',
    'message',
    'refused',
  )
  /** The call. */
  declare item: ToolCallPart
  /** The words of the panel's language. */
  declare words: Words
  /** The title of the call. */
  declare heading: string
  /** The arguments on one line, for a screen reader; empty for an action on the page. */
  declare argumentsLine: string
  /** Titles of the agents around the call, as one line; empty for the assistant itself. */
  declare agents: string
  /** The place among several questions, such as `1 of 3`; empty for a single one. */
  declare position: string
  /** It asks about another effect than before. */
  declare isChanged: boolean
  /** Why the last decision was not accepted. */
  declare problem: Failure | undefined
  /** The user has decided, so the buttons are disabled. */
  declare decided: boolean
  /** The tool; undefined until it is known, null if this page does not offer it. */
  declare tool: ApprovalTool | null | undefined
  /** What the user typed into the form. */
  declare edits: ReadonlyMap<string, string | boolean>
  /** What is wrong with fields of the form, by `fieldKey`. */
  declare problems: ReadonlyMap<string, string>
  /** The form is shown instead of the list of arguments. */
  declare isEditing: boolean
  /** The menu of the button is open. */
  declare isMenuOpen: boolean
  /** The field for a reason is shown. */
  declare isReasonOpen: boolean
  /** The user wants to press it themselves, and the question waits for that. */
  declare isLeftToUser: boolean
  /** Waits for a press of the user on what the question is about; undefined if there is none on this page. */
  untilPressed: ((signal: AbortSignal) => Promise<void>) | undefined
  /** Ends that wait. */
  #leaving: AbortController | undefined
  /** What is wrong with the decision as a whole. */
  declare message: string | undefined
  /** Why the last click on the button did not count. */
  declare refused: 'covered' | 'unread' | 'cut' | undefined
  /** Resolves when `tool` is known, which decides on the level of the question. */
  known: Promise<void> = Promise.resolve()
  /** The code of forms, once it is loaded. */
  #forms: typeof import('../form/card-form.js') | undefined
  #made: { readonly form: CardForm; readonly of: unknown; readonly tool: unknown } | undefined
  /** What gets the focus after the next update. */
  #focus: string | undefined
  /** Ends the listeners that close the menu. */
  #presses: AbortController | undefined
  readonly #reading = new ReadingCheck(
    () => this.#parts(),
    // Labels and buttons depend on the tool.
    () => this.tool !== undefined && (this.#forms !== undefined || !this.item.approval?.asks),
    () => {
      this.requestUpdate()
    },
  )

  constructor() {
    super()
    this.decided = false
    this.position = ''
    this.isChanged = false
    this.edits = new Map()
    this.problems = new Map()
    this.isEditing = false
    this.isMenuOpen = false
    this.isReasonOpen = false
    this.isLeftToUser = false
  }

  /** Called by the browser. */
  override connectedCallback(): void {
    super.connectedCallback()
    unclobbered(document).addEventListener('visibilitychange', this.#reading.check)
    this.requestUpdate()
  }

  /** Called by the browser. */
  override disconnectedCallback(): void {
    super.disconnectedCallback()
    unclobbered(document).removeEventListener('visibilitychange', this.#reading.check)
    this.#reading.stop()
    this.#presses?.abort()
    this.isMenuOpen = false
    this.#takeBack()
  }

  /** The card has moved to another place, so the reading time begins again. */
  checkReading(): void {
    this.#reading.check()
  }

  /** Starts over when the question has changed, and shows a rejected edit at its fields. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('item')) {
      const before: ToolCallPart | undefined = changed.get('item')
      const { approval } = this.item
      if (before?.approval?.hash !== approval?.hash || before?.approval?.at !== approval?.at) this.#loadTool()
      if (approval?.asks) void this.#loadForms()
      // The arguments have changed, so the user must read them again.
      if (before !== undefined && before.approval?.hash !== approval?.hash) {
        this.edits = new Map()
        this.problems = new Map()
        this.isEditing = false
        this.#reading.restart()
        this.#takeBack()
      }
    }
    if (changed.has('problem') && this.problem !== undefined) this.#showProblem(this.problem)
    const { state } = this.#reading
    // What covered the card may be gone before it was read.
    if (state === 'ready' || (this.refused === 'covered' && state !== 'covered')) this.refused = undefined
    if (this.decided) this.isMenuOpen = false
  }

  /** Checks the drawn card, and moves the focus. */
  protected override updated(changed: PropertyValues<this>): void {
    if (this.isConnected) this.#reading.start()
    if (this.#focus !== undefined) this.#moveFocus(this.querySelector<HTMLElement>(this.#focus))
    this.#focus = undefined
    if (changed.has('isMenuOpen')) this.#watchPresses()
    if (changed.has('isLeftToUser')) this.closest('tool-agent-questions')?.requestUpdate()
    // A problem with the field in which the user types may be below the visible part.
    if (changed.has('problems')) this.querySelector('.form :focus + .problem')?.scrollIntoView({ block: 'nearest' })
  }

  /** Draws the card; nothing for a call that does not wait for the user. */
  protected override render(): TemplateResult | typeof nothing {
    const { approval } = this.item
    if (approval === undefined) return nothing
    const { asks } = approval
    const words = this.#words()
    const from = this.#from(words)
    const asking = asks ? words.form.asks : words.asks
    const { state, below, scrolls } = this.#reading
    const isInvalid = this.#isInvalid()
    const isReady = state === 'ready' && !isInvalid
    const question = actionQuestion(this.item, this.words)
    const level = asks ? 'harmless' : levelOf(question, this.tool ?? undefined)
    const warnings = this.#warnings(question)
    const label = [this.heading, ...warnings, from, this.position].filter((text) => text).join(', ')
    const covers = this.#taskCovers(words)
    return html`<section class="approval" part="approval" role="group" aria-label=${label} tabindex="-1"
      aria-description=${this.argumentsLine === '' ? nothing : this.argumentsLine} aria-keyshortcuts="F8"
      data-level=${level}
      @mousedown=${keepFocus} @focusin=${this.#onFocusin}>
      <div class="ask">
        <p class="muted from"><span>${from || asking}</span><span>${this.position}</span></p>
        <h3 part="approval-title">${icon(levelIcons[level])}<span>${this.heading}</span></h3>
      </div>
      <div class="reading-box" ?data-below=${below !== undefined}>
        <div class="reading" role=${scrolls ? 'group' : nothing}
          aria-label=${scrolls ? words.whole : nothing} tabindex=${scrolls ? 0 : nothing}
          @scroll=${this.#reading.check}>${warnings.map((text) => this.#warning(text))}${
            asks ? this.#askedForm(asks, words) : this.#content(words)
          }</div>
        ${below === undefined ? nothing : this.#more(below, words)}
      </div>
      ${this.#problem(words)}
      ${
        this.isReasonOpen
          ? html`<input class="reason" type="text" autocomplete="off" placeholder=${words.reason}
              aria-label=${words.reason}>`
          : nothing
      }
      ${
        this.isLeftToUser
          ? html`<div class="decision left-to-user"><p role="status">${words.yourTurn}</p>
              <button type="button" class="take-back" @click=${this.#takeBack}>${words.takeBack}</button></div>`
          : nothing
      }
      <div class="decision" ?data-ready=${isReady} ?hidden=${this.isLeftToUser}>
        <button type="button" class="deny" part="deny" ?disabled=${this.decided}
          @click=${this.#deny}>${asks ? words.form.decline : words.deny}</button>
        ${
          this.untilPressed === undefined || !this.#isPress()
            ? nothing
            : html`<button type="button" class="myself" part="press-myself" ?disabled=${this.decided}
                @click=${this.#leaveToUser}>${words.pressMyself}</button>`
        }
        <span class="split">
          <button type="button" class="approve" part="approve" ?disabled=${this.decided} @click=${this.#approve}
            aria-disabled=${isReady ? nothing : 'true'}>${
              asks ? words.send : (question?.verb ?? this.#verb(words))
            }</button>
          ${!asks && this.tool?.offers.includes('session') ? this.#menu(words) : nothing}
        </span>
        ${
          covers === undefined
            ? nothing
            : html`<button type="button" class="approve-task" part="approve-task" ?disabled=${this.decided}
                aria-describedby="task-covers" aria-disabled=${isReady ? nothing : 'true'}
                @click=${this.#approveTask}>${words.forTask}</button>`
        }
      </div>
    </section>`
  }

  /** What a running tool asks. `from`: a server, which gets the answer. */
  #askedForm({ message, from }: FormQuestion, words: Words & ApprovalWords): TemplateResult {
    const { edits, problems } = this
    return html`<p class="question">${valueText(message, words)}</p>
      ${from === undefined ? nothing : html`<p class="muted">${words.form.note}</p>`}
      ${this.#form()?.view({ edits, problems, words, onEdit: this.#onEdit }) ?? nothing}
      <span class="end"></span>`
  }

  /** Forms are loaded with the first one. Without their code, the question can be decided as it is. */
  #loadForms(): Promise<void> {
    return loadExplained(globalThis, () => import('../form/card-form.js'), { has: 'askedForm' })
      .then((forms) => {
        this.#forms = forms
      })
      .catch(() => {
        this.message = this.words.unloaded
      })
      .finally(() => this.requestUpdate())
  }

  /** What scrolls: the preview, the arguments or their form, and the raw call. */
  #content(words: Words & ApprovalWords): TemplateResult {
    const { call, approval } = this.item
    const input = approval?.input ?? {}
    const schema = this.#schema()
    const edited = this.#edited()
    const { edits, problems } = this
    const covers = this.#taskCovers(words)
    const says = actionQuestion(this.item, this.words)?.says ?? []
    const preview = previewView(approval?.preview, says, words)
    const isAction = this.#isAction()
    // A preview says what will happen, so a call without arguments needs no line that says so.
    const isBare = isAction || (preview !== nothing && isObject(input) && Object.keys(input).length === 0)
    return html`${preview}
      ${
        this.isEditing
          ? (this.#form()?.view({ edits, problems, words, onEdit: this.#onEdit }) ?? nothing)
          : html`${
              isBare
                ? nothing
                : html`<div class="arguments"
              part="arguments">${argumentsList(schema, edited ?? input, words)}</div>`
            }`
      }
      ${edited === undefined ? nothing : html`<p class="muted edited">${words.edited}</p>`}
      ${
        covers === undefined
          ? nothing
          : html`<p class="muted covers">${words.forTask} · <span id="task-covers">${covers}</span></p>`
      }
      <span class="end"></span>
      <div class="tools">
        ${
          // The words of the tool are about the arguments that it got.
          !hasArguments(schema, input) || isAction || approval?.preview?.question !== undefined
            ? nothing
            : html`<button type="button" class="quiet change" ?disabled=${this.decided}
                @click=${this.#toggleForm}>${icon(this.isEditing ? 'check' : pencil)}${
                  this.isEditing ? words.done : words.edit
                }</button>`
        }
        <button type="button" class="quiet reason-toggle" aria-expanded=${this.isReasonOpen}
          @click=${this.#toggleReason}>${words.addReason}</button>
        ${
          this.edits.size === 0
            ? nothing
            : html`<button type="button" class="quiet revert" @click=${this.#revert}>${words.revert}</button>`
        }
        <details class="aside raw"><summary>${icon('chevron')}${words.details}</summary>
          <p class="muted">${words.tool} <code>${toVisibleText(call.name)}</code></p>
          ${previewLines(approval?.preview).map((line) => html`<p class="muted"><code dir="ltr">${line}</code></p>`)}
          <pre>${toVisibleText(JSON.stringify(edited ?? input, null, 2))}</pre>
        </details>
      </div>`
  }

  #more(below: number, words: ApprovalWords): TemplateResult {
    const text = below === 0 ? words.moreText : words.more(below)
    return html`<button type="button" class="below" @click=${this.#scrollOn}>${icon('down')}${
      this.#reading.isEndRead ? text : `${text} · ${words.readToEnd}`
    }</button>`
  }

  #problem(words: ApprovalWords): TemplateResult | typeof nothing {
    let text = this.message
    if (this.refused === 'covered') text = words.covered
    if (this.refused === 'unread') text = words.unread
    if (this.refused === 'cut') text = words.cutFirst
    return text === undefined ? nothing : html`<p class="problem" role="alert">${text}</p>`
  }

  /** A line about the whole question. What may not be undone is in the colour of the title, which has the triangle. */
  #warning(text: string | undefined): TemplateResult | typeof nothing {
    if (text === undefined) return nothing
    const { destroys, final } = this.words.approval.warnings
    const isGrave = text === destroys || text === final
    return html`<p class="warning" ?data-grave=${isGrave}>${isGrave ? nothing : icon('alert')}<span>${text}</span></p>`
  }

  #menu(words: ApprovalWords): TemplateResult {
    return allowMenu({
      isOpen: this.isMenuOpen,
      isDisabled: this.decided,
      words,
      thing: quoted(toVisibleText(this.heading), this.words),
      onToggle: (isOpen, focus) => {
        this.isMenuOpen = isOpen
        if (focus === 'button') this.#focus = '.approve-menu'
        else if (focus !== undefined) this.#focus = `.menu [role=menuitem]:${focus}-child`
      },
      onChoose: (event, remember) => {
        this.#allow(event, remember)
        if (this.decided) return
        this.isMenuOpen = false
        this.#focus = '.approve-menu'
      },
    })
  }

  /** What the button does, as a verb. The title of a tool that the page or a server offers could say anything. */
  #verb(words: ApprovalWords): string {
    if (this.item.call.name === 'form_fill') return words.verbs.fill
    const title = toVisibleText(this.heading)
    return this.tool && !this.tool.isDiscovered && title.length <= buttonLength ? title : words.approve
  }

  /** Which agent asks; empty for the assistant itself. */
  #from(words: Words): string {
    return this.agents === '' ? '' : words.askedBy(this.agents)
  }

  /** What the user must know before they allow the call. */
  #warnings(question: ActionQuestion | undefined): readonly (string | undefined)[] {
    const { changed, final } = this.words.approval.warnings
    const isFinal = question === undefined && levelOf(question, this.tool ?? undefined) === 'final'
    const isOther = this.isChanged || Array.isArray(this.item.approval?.preview?.changes)
    return [isOther ? changed : undefined, question?.warning ?? (isFinal ? final : undefined)]
  }

  /** The question as it is announced: what, which of several, what follows, who asks, and how a key leads here. */
  get announcement(): string {
    const words = this.#words()
    const question = actionQuestion(this.item, this.words)
    const [changed, warning] = this.#warnings(question)
    // An action on the page has its warning beside the title.
    const line = question
      ? [this.heading, warning].filter((text) => text).join(' ')
      : [this.heading, this.argumentsLine].filter((text) => text).join('. ')
    const more = [question ? undefined : warning, changed, this.#from(words), words.approvalKey]
    return [words.approvalAsked(line, this.position), ...more]
      .filter((text) => text)
      .map((text) => (/[.?!。؟？”]$/.test(text ?? '') ? text : `${text}.`))
      .join(' ')
  }

  #words(): Words & ApprovalWords {
    return { ...this.words, ...this.words.approval }
  }

  /**
   * Whether the preview says everything about the call. The arguments of an action on the page are for the model, such
   * as references of elements. Those of `form_fill` are the values that it fills in.
   */
  #isAction(): boolean {
    const { call, approval } = this.item
    const isDescribed = call.name !== 'form_fill' || Array.isArray(approval?.preview?.values)
    return isDescribed && actionQuestion(this.item, this.words) !== undefined
  }

  /** What "Allow for this task" covers, in words; undefined if it is not offered. */
  #taskCovers({ taskCovers }: ApprovalWords): string | undefined {
    const scope = this.item.approval?.preview?.task
    if (scope === undefined || !this.tool?.offers.includes('task')) return undefined
    return scope.covers === 'send' ? taskCovers.send : taskCovers.unknown
  }

  /** Asks the agent for the tool. The question can be read meanwhile. */
  #loadTool(): void {
    const { call, approval } = this.item
    this.tool = undefined
    const root = this.getRootNode()
    if (!(root instanceof ShadowRoot)) return
    this.known = (root.host as AgentElement).agent
      .approvalTool(call.id)
      .catch(() => undefined) // The question is shown as that of an unknown tool.
      .then((tool) => {
        if (this.item.approval === approval) this.tool = tool ?? null
      })
  }

  /** The schema with the labels that may be shown. */
  #schema(): JsonObject {
    const given = this.tool?.inputSchema ?? {}
    return this.tool?.isDiscovered === true ? withoutTitles(given) : given
  }

  /** The form, made again only when its schema or input is another one; undefined until its code is loaded. */
  #form(): CardForm | undefined {
    const { asks, input = {} } = this.item.approval ?? {}
    const { tool } = this
    const of = asks ?? input
    if (this.#forms === undefined || (this.#made?.of === of && this.#made.tool === tool)) return this.#made?.form
    const form = asks ? this.#forms.askedForm(asks) : this.#forms.changedForm(this.#schema(), input)
    this.#made = { form, of, tool }
    return form
  }

  /** The edited arguments; undefined if they equal the original ones. */
  #edited(): JsonValue | undefined {
    if (this.edits.size === 0) return undefined
    const edited = this.#form()?.value(this.edits)
    return JSON.stringify(edited) === JSON.stringify(this.item.approval?.input ?? {}) ? undefined : edited
  }

  #isInvalid(): boolean {
    return this.problems.size > 0
  }

  #onEdit = (field: Field, shown: string | boolean, problem: string): void => {
    const key = fieldKey(field)
    this.edits = new Map(this.edits).set(key, shown)
    const text = this.#form()?.isJson(field, shown) ? problem : this.#words().invalidJson
    const problems = new Map(this.problems)
    if (text === '') problems.delete(key)
    else problems.set(key, text)
    this.problems = problems
    this.message = undefined
  }

  #toggleForm = async (): Promise<void> => {
    if (!this.isEditing) await this.#loadForms()
    if (!this.#forms) return
    this.isEditing = !this.isEditing
    this.#focus = this.isEditing ? '.form :is(input, select, textarea)' : '.change'
    // The form begins at its first field, however far the list of arguments was scrolled.
    if (this.isEditing) this.querySelector('.reading')?.scroll({ top: 0, behavior: 'instant' })
  }

  #revert = (): void => {
    this.edits = new Map()
    this.problems = new Map()
    this.message = undefined
    this.#focus = '.change'
  }

  /**
   * Shows why the decision was not carried out. What the schema of the tool refuses is shown at its field. A message
   * of a schema is for developers, except that of a check which the author wrote.
   */
  #showProblem(failure: Failure): void {
    const { code, details } = failure
    const words = this.#words()
    this.decided = false
    const texts: Partial<Record<ErrorCode, string>> = { 'invalid-input': words.rejected, unavailable: words.gone }
    this.message = texts[code] ?? errorText(failure, this.words)
    const issues =
      Array.isArray(details) && (this.edits.size > 0 || this.item.approval?.asks)
        ? (details as readonly JsonValue[])
        : []
    const fields = this.#form()?.fields ?? []
    const problems = new Map<string, string>()
    let others: string | undefined
    for (const issue of issues) {
      const { path, message, forVisitors } = isObject(issue) ? issue : {}
      const text = forVisitors === true ? String(message) : undefined
      const keys = pathKeys(String(path)).map(String)
      const field = fields.findLast((one) => one.path.every((key, at) => key === keys[at]))
      if (field === undefined) others = text ?? words.rejected
      else problems.set(fieldKey(field), text ?? words.notAccepted)
    }
    this.message = others ?? (problems.size > 0 ? words.checkFields : this.message)
    this.problems = problems
    if (problems.size === 0) return
    this.isEditing = true
    this.#focus = '.form [aria-invalid=true]'
  }

  #toggleReason = (): void => {
    this.isReasonOpen = !this.isReasonOpen
    this.#focus = this.isReasonOpen ? '.reason' : '.reason-toggle'
  }

  /** A menu of the page closes when it loses the focus, so only a field takes the focus from the page. */
  #moveFocus(to: HTMLElement | null): void {
    if (to?.matches('input, select, textarea') || !hasPageFocus(this)) to?.focus()
  }

  /** A press elsewhere closes the menu, which need not have the focus. The presses in the panel do not leave it. */
  #watchPresses(): void {
    this.#presses?.abort()
    if (!this.isMenuOpen) return
    this.#presses = new AbortController()
    for (const target of [window, this.getRootNode()])
      target.addEventListener(
        'pointerdown',
        (event) => {
          const isInMenu = event.target instanceof Node && this.querySelector('.menu-box')?.contains(event.target)
          if (!isInMenu) this.isMenuOpen = false
        },
        { capture: true, signal: this.#presses.signal },
      )
  }

  /** In a low window the panel scrolls, and only a question that is completely visible can be allowed. */
  #onFocusin = (): void => {
    this.scrollIntoView({ block: 'nearest' })
  }

  #scrollOn = (): void => {
    const reading = this.querySelector('.reading')
    reading?.scrollBy({ top: reading.clientHeight * 0.8 })
  }

  #approve = (event: Event): void => {
    this.#allow(event, undefined)
  }

  #approveTask = (event: Event): void => {
    this.#allow(event, 'task')
  }

  /** Sends the approval with edited arguments and a reason, if the click counts. */
  #allow(event: Event, more: 'session' | 'task' | undefined): void {
    if (!this.#isValidApproval(event)) return
    if (this.item.approval?.asks) {
      const content = this.#form()?.value(this.edits) as Record<string, unknown>
      return this.#decide((agent, callId) => agent.answer(callId, { action: 'accept', content }))
    }
    const input = this.#edited()
    const options = {
      ...this.#reason(),
      ...(input === undefined ? {} : { input }),
      ...(more === 'session' ? { remember: more } : {}),
      ...(more === 'task' ? { for: more } : {}),
    }
    this.#decide((agent, callId) => agent.approve(callId, options))
  }

  /** A denial is always safe, so it needs no reading time. */
  #deny = (event: Event): void => {
    const options = this.#reason()
    if (this.#isPressed(event, '.deny') && !this.decided) this.#decide((agent, callId) => agent.deny(callId, options))
  }

  /** Whether the question is asked before one plain press or submission, which the user can make as well. */
  #isPress(): boolean {
    const { does, how, stopped, held } = this.item.approval?.preview ?? {}
    return (does === 'click' || does === 'submit' || does === 'press') && !how && !stopped && !held
  }

  /** The call waits until the user has pressed it, and then never runs. No reading time: nothing is allowed. */
  #leaveToUser = (event: Event): void => {
    if (!this.#isPressed(event, '.myself') || this.decided || this.untilPressed === undefined) return
    const leaving = (this.#leaving = new AbortController())
    this.isLeftToUser = true
    this.isMenuOpen = false
    this.#focus = '.take-back'
    this.untilPressed(leaving.signal).then(
      () => {
        this.isLeftToUser = false
        this.#decide((agent, callId) => agent.deny(callId, { doneByUser: true }))
      },
      () => undefined, // They changed their mind, or the question is gone.
    )
  }

  #takeBack = (): void => {
    this.#leaving?.abort()
    if (!this.isLeftToUser) return
    this.isLeftToUser = false
    this.#focus = '.myself'
  }

  /** Disables the buttons, so that a double click decides once. */
  #decide(decide: (agent: Agent, callId: CallId) => Promise<void>): void {
    this.decided = true
    this.refused = undefined
    const callId = this.item.call.id
    this.dispatchEvent(new ActionEvent({ do: 'decide', callId, decide: (agent) => decide(agent, callId) }))
  }

  /** The user's note as a field of the decision; an empty object without one. */
  #reason(): { reason?: string } {
    const reason = this.querySelector<HTMLInputElement>('.reason')?.value.trim() ?? ''
    return reason === '' ? {} : { reason }
  }

  /** Whether this click is a deliberate approval. Shows the user why it is not. */
  #isValidApproval(event: Event): boolean {
    if (!this.#isPressed(event, '.approve, .approve-task, .menu') || this.decided) return false
    const state = this.#reading.check()
    if (state !== 'ready') this.#reading.startAnew()
    this.refused = state === 'covered' || state === 'unread' || state === 'cut' ? state : undefined
    if (state === 'cut') this.querySelector('.cut')?.scrollIntoView({ block: 'nearest' })
    if (state === 'unread') this.#scrollOn()
    // The user scrolled on before the beginning counted as read.
    if (state === 'waiting' && !this.#reading.isStartRead) this.querySelector('.reading')?.scroll({ top: 0 })
    if (this.item.approval?.asks) this.problems = this.#form()?.problemsIn(this) ?? new Map()
    if (!this.#isInvalid()) return state === 'ready'
    this.message = this.#words().checkFields
    this.isEditing = true
    this.#focus = '.form [aria-invalid=true]'
    return false
  }

  /** Whether the user, not a script, presses one of these. */
  #isPressed(event: Event, selector: string): boolean {
    return [...this.querySelectorAll(selector)].some((element) => PanelEvent.isByUser(event, element))
  }

  #parts(): CardParts | undefined {
    const [card, title, reading, end, decision] = ['.approval', 'h3', '.reading', '.end', '.decision'].map((name) =>
      this.querySelector<HTMLElement>(name),
    )
    return card && title && reading && end && decision ? { card, title, reading, end, decision } : undefined
  }
}

/** Whether an element of the page, outside of the panel, has the focus. */
function hasPageFocus(card: Element): boolean {
  const root = card.getRootNode() as ShadowRoot
  return root.activeElement === null && focusedElement() !== undefined
}

/** A press of a button leaves the focus where it is: a menu of the page closes when it loses the focus. */
function keepFocus(event: Event): void {
  if ((event.target as Element).closest('button, summary') !== null) event.preventDefault()
}

/** Whether there is something to change. */
const hasArguments = ({ properties = {} }: JsonObject, input: JsonValue): boolean =>
  !isObject(input) || Object.keys({ ...(properties as object), ...input }).length > 0
