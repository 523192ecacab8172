// The receipt of a turn: what is different now, a line for each call, what is left for the visitor, and the buttons
// that take it back. While the turn runs it is its progress, with the tasks that the model keeps.
import { html, nothing, type PropertyDeclarations, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import { repeat } from 'lit/directives/repeat.js'
import { toolCallsOf, type Message, type ToolCallPart } from '../../../core/data/message.js'
import { openReview } from './on-page.js'
import type { Todo, TodoStatus } from '../../../core/data/todo.js'
import { actionListener } from '../../panel/actions.js'
import { PanelPart, reactiveProperties, type RenderContext, type RenderState } from '../../panel/render-context.js'
import { icon, type IconName } from '../../styles/icons.js'
import { callState, isByVisitor, type CallLike, type CallState } from '../call/call-state.js'
import { pressedOf } from '../action-words.js'
import { callName, undoIcons, undoNote } from '../call/undo-view.js'
import { textsOf, type Texts } from '../message-texts.js'
import { cutMiddle } from '../values/shown-text.js'
import { groupCalls, isOf, type Beyond, type ReceiptContent, type ReceiptLine, type Tally } from './call-groups.js'

const todoIcons: Readonly<Record<TodoStatus, IconName | undefined>> = {
  completed: 'check',
  in_progress: undefined,
  pending: 'minus',
}
/** Finished tasks without a line of their own are folded from this number on. */
const foldedFrom = 3
const beyondValues: readonly Beyond[] = ['send', 'destroy', 'outside']
const failures: ReadonlySet<CallState> = new Set(['failed', 'timeout'])

/** What was changed, and what of it was sent, in one line; an empty text if nothing was changed. */
function headlineOf({ changes, beyond, isSafe }: Tally, renderState: RenderState): string {
  if (changes === 0) return ''
  const { receipt } = textsOf(renderState.words)
  const sent = beyondValues.flatMap((effect) => {
    const names = new Set(beyond.get(effect)?.map((part) => callName(part, renderState)))
    return names.size === 0 ? [] : [receipt.beyond[effect]([...names].join(', '))]
  })
  const rest = isSafe && sent.length === 0 ? [receipt.safe] : sent
  return [receipt.changes(changes), ...rest].join(' · ')
}

/** What the newest turn has changed, for a screen reader; an empty text if that is nothing. */
export function receiptHeadline(messages: readonly Message[], view: RenderContext): string {
  const groups = [...groupCalls(messages.slice(messages.findLastIndex(({ role }) => role === 'user')), view, false)]
  const own = groups.map(([, group]) => group).find((group) => group?.kind === 'receipt')
  return own === undefined ? '' : headlineOf(own.tally, view.renderState)
}

/** The card. Renders the calls as elements of their own, which are open and closed as anywhere else. */
export class Receipt extends PanelPart {
  /** Set by the templates of the messages. */
  static override properties: PropertyDeclarations = reactiveProperties('content', 'view', 'left')
  declare content: ReceiptContent
  declare view: RenderContext
  /** What is left for the visitor, as the page calls it. */
  declare left: readonly string[]
  /** What was marked on the page. */
  #marked = ''
  /** A button had the focus before the update. */
  #focused: Element | null = null

  constructor() {
    super()
    this.left = []
  }

  /** Removes the marks with the conversation. */
  override disconnectedCallback(): void {
    super.disconnectedCallback()
    if (this.#marked === '') return
    this.#marked = ''
    const { renderState } = this.view
    void renderState.review().then((review) => review?.mark(renderState.sessionId(), []))
  }

  protected override willUpdate(): void {
    this.#focused = this.querySelector('button:focus')
  }

  /** If the button with the focus of the keyboard is gone, the first line has it. */
  protected override updated(): void {
    void this.#lookAtPage()
    if (this.#focused?.isConnected === false) this.querySelector('summary')?.focus()
  }

  /** Marks the changed fields, and asks what is left, when something was changed or undone. */
  async #lookAtPage(): Promise<void> {
    const { content, view } = this
    const { renderState } = view
    const lines = content.active ? [] : this.#undoLines
    const marked = lines.map(({ callId, can }) => `${callId} ${can}`).join()
    if (marked === this.#marked) return
    this.#marked = marked
    const review = await renderState.review().catch(() => undefined)
    if (review === undefined || marked !== this.#marked || !this.isConnected || lines.length === 0) return
    const calls = this.#calls
    review.mark(renderState.sessionId(), calls)
    // What was sent is not left, and neither is what the visitor has pressed.
    const isSent = content.tally.beyond.size > 0 || this.#isUndone
    const own = new Set(
      content.lines
        .map(({ part }) => part)
        .filter(isByVisitor)
        .map(pressedName),
    )
    this.left = isSent ? [] : review.left(renderState.sessionId(), calls).filter((name) => !own.has(name))
  }

  /** The calls of this turn that can be undone, those of agents included. */
  get #calls(): readonly string[] {
    const inside = (part: CallLike): readonly string[] =>
      part.type === 'tool-call'
        ? [part.call.id, ...(part.child?.messages ?? []).flatMap(toolCallsOf).flatMap(inside)]
        : []
    return this.content.lines.flatMap(({ part }) => inside(part))
  }

  /** Draws title, lines and foot. */
  protected override render(): TemplateResult {
    const { content, view } = this
    const words = textsOf(view.renderState.words)
    const { todos, lines } = content
    const isDone = (todo: Todo): boolean => todo.status === 'completed'
    const unfinished = todos.some((todo) => !isDone(todo))
    const count = todos.length === 0 ? '' : words.tasksDone(todos.filter(isDone).length, todos.length)
    const title = this.#title(words)
    const [free, byTask] = linesByTask(lines, todos)
    const quiet = todos.filter((todo) => isDone(todo) && !byTask.has(todo))
    // A list of finished tasks alone must not look empty.
    const folded = unfinished && quiet.length >= foldedFrom ? quiet : []
    return html`<div class="receipt" part="receipt" data-state=${this.#state}>
      <div class="head">
        <span class="state">${this.#icon()}</span>
        <p class="title" part="receipt-title">${title}</p>
        <span class="count">${count}</span>
        ${
          todos.length > 0 && (content.active || unfinished)
            ? html`<progress part="progress" max=${todos.length} .value=${todos.filter(isDone).length}
                aria-hidden="true"></progress>`
            : nothing
        }
      </div>
      ${free.length === 0 ? nothing : this.#lines(free)}
      ${
        todos.length === 0
          ? nothing
          : html`<div class="tasks" part="todos" role="group" aria-label=${words.tasks}>
              ${
                folded.length === 0
                  ? nothing
                  : html`<details class="folded"><summary>${icon('chevron')}${words.tasksFolded(
                      folded.length,
                    )}</summary>
                      ${this.#tasks(folded, byTask, words)}</details>`
              }
              ${this.#tasks(
                todos.filter((todo) => !folded.includes(todo)),
                byTask,
                words,
              )}</div>`
      }
      ${this.#foot(words)}
    </div>`
  }

  /** All of it is undone. */
  get #isUndone(): boolean {
    return isUndone(this.#undoLines)
  }

  /** What can be undone of this turn. */
  get #undoLines(): NonNullable<RenderState['undo']>['lines'] {
    const { lines = [] } = this.view.renderState.undo ?? {}
    return lines.filter((line) => this.content.lines.some(({ part }) => part.type === 'tool-call' && isOf(part)(line)))
  }

  get #state(): 'running' | 'asking' | 'undone' | 'done' {
    const { content, view } = this
    if (content.active)
      return content.lines.some(({ part }) => callState(part, view.active) === 'asking') ? 'asking' : 'running'
    return this.#isUndone ? 'undone' : 'done'
  }

  #icon(): unknown {
    switch (this.#state) {
      case 'running':
        return html`<span class="spinner" part="spinner"></span>`
      case 'asking':
        return icon('shield')
      case 'undone':
        return icon(undoIcons.undo)
      case 'done':
        return icon(this.content.tally.changes > 0 || !this.content.todos.some(isOpen) ? 'check' : 'minus')
    }
  }

  #title(words: Texts): string {
    const { content, view } = this
    const failed = content.lines.filter(({ part }) => failures.has(callState(part, view.active))).length
    // While the turn runs, more may follow: only what has happened is said.
    const { tally } = content
    const isCount = (content.active || this.#isUndone) && tally.beyond.size === 0
    const headline =
      isCount && tally.changes > 0 ? words.receipt.changes(tally.changes) : headlineOf(tally, view.renderState)
    if (this.#isUndone) return `${headline} · ${words.undo.undone}`
    const rest = failed > 0 && !content.active ? [words.receipt.failed(failed)] : []
    return [headline || words.tasks, ...rest].join(' · ')
  }

  #tasks(todos: readonly Todo[], byTask: ReadonlyMap<Todo, readonly ReceiptLine[]>, words: Texts): TemplateResult {
    return html`<ol>${repeat(
      todos,
      ({ id }) => id,
      (todo) => this.#task(todo, byTask.get(todo) ?? [], words),
    )}</ol>`
  }

  #task(todo: Todo, lines: readonly ReceiptLine[], words: Texts): TemplateResult {
    const { status, text } = todo
    const isCurrent = status === 'in_progress' && this.content.active
    const mark = todoIcons[status] ?? 'minus'
    return html`<li data-status=${status}>
      <p class="task"><span class="state" role="img" aria-label=${words.task[status]}>${
        isCurrent ? html`<span class="spinner"></span>` : icon(mark)
      }</span><span dir="auto">${text}</span></p>
      ${lines.length === 0 ? nothing : this.#lines(lines)}
    </li>`
  }

  #lines(lines: readonly ReceiptLine[]): TemplateResult {
    return html`<ul class="lines">${repeat(
      lines,
      ({ part }) => (part.type === 'tool-call' ? part.call.id : part.id),
      ({ part }) => this.#line(part),
    )}</ul>`
  }

  #line(part: CallLike): TemplateResult {
    const { view } = this
    const { renderState } = view
    // A settled call is drawn again only when it changes, even while others are running.
    const card = (): TemplateResult => html`<tool-agent-call .item=${part} .view=${view}></tool-agent-call>`
    const isSettled = part.type === 'tool-call' && part.result !== undefined
    const undoLines = this.#undoLines
    const line = part.type === 'tool-call' ? undoLines.find(isOf(part)) : undefined
    const words = textsOf(renderState.words)
    const can = undoLines.length > 1 && part.type === 'tool-call' ? line?.can : undefined
    return html`<li ?data-undo=${can !== undefined}>${isSettled ? guard([part, renderState], card) : card()}${
      can === undefined || part.type !== 'tool-call'
        ? nothing
        : html`<button type="button" class="quiet one" part="undo" title=${words.undo[can]}
            aria-label=${words.receipt[can](callName(part, renderState))}
            @click=${actionListener({ do: can, line: part.call.id })}>${icon(undoIcons[can])}</button>`
    }</li>`
  }

  /** Whether a call has changed fields that are known. */
  #hasFields(id: string): boolean {
    const line = this.content.lines.find(({ part }) => part.type === 'tool-call' && part.call.id === id)?.part
    return line?.type === 'tool-call' && this.view.renderState.valuesBefore(line.call.name, id).size > 0
  }

  /** What is left for the visitor, and the button for all of it. */
  #foot(words: Texts): unknown {
    const { renderState } = this.view
    const { undo } = renderState
    if (undo === undefined || this.content.active || this.#undoLines.length === 0) return nothing
    const { can, lines, outcome } = undo
    const note = outcome === undefined ? '' : undoNote(outcome, renderState)
    const label = can === 'undo' && lines.length > 1 ? words.undo.all : words.undo.undo
    const calls = this.#calls
    const hasFields = lines.some(({ callId, can: line }) => line === 'undo' && this.#hasFields(callId))
    const review = (event: Event): void => void openReview(event.target as Element, calls, renderState)
    return html`<div class="foot">
        ${
          this.left.length === 0
            ? nothing
            : html`<p class="left" part="left">${words.receipt.left(
                this.left.map((name) => cutMiddle(name, 40)).join(', '),
              )}</p>`
        }
        ${
          hasFields
            ? html`<button type="button" class="link" part="review-button"
                @click=${review}>${words.receipt.review}</button>`
            : nothing
        }
        ${
          can === undefined
            ? html`<span class="unseen">${words.undo.undone}</span>`
            : html`<button type="button" class="undo" part="undo" @click=${actionListener({ do: can })}>${icon(
                undoIcons[can],
              )}${can === 'redo' ? words.undo.redo : label}</button>`
        }
      </div>${note === '' ? nothing : html`<p class="undo-note">${note}</p>`}`
  }
}

/** What the button was called that a call is about. */
const pressedName = ({ approval }: ToolCallPart): string | undefined => pressedOf(approval?.preview ?? {})?.on.name

const isOpen = ({ status }: Todo): boolean => status !== 'completed'

/** Whether nothing is left to undo of what was changed. */
const isUndone = (lines: NonNullable<RenderState['undo']>['lines']): boolean =>
  lines.length > 0 && lines.every(({ can }) => can !== 'undo')

/** The calls that no task is known for, and the others by their task. */
function linesByTask(
  lines: readonly ReceiptLine[],
  todos: readonly Todo[],
): readonly [readonly ReceiptLine[], ReadonlyMap<Todo, readonly ReceiptLine[]>] {
  const free: ReceiptLine[] = []
  const byTask = new Map<Todo, ReceiptLine[]>()
  for (const line of lines) {
    const todo = todos.find(({ text }) => text === line.task)
    if (todo === undefined) free.push(line)
    else byTask.set(todo, [...(byTask.get(todo) ?? []), line])
  }
  return [free, byTask]
}
