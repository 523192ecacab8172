// The list of conversations by day: find, open, rename, export, delete, or start one. Loaded when it is first opened. A
// deletion is carried out only when it can no longer be undone. If the page closes before that, nothing was deleted.
import { saveSession } from '../panel/save-file.js'
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'
import { repeat } from 'lit/directives/repeat.js'
import type { Session, SessionSummary } from '../../core/data/session.js'
import type { Agent } from '../../page/agent.js'
import { ActionEvent } from '../panel/actions.js'
import { iconButton } from '../panel/icon-button.js'
import { icon, type IconPath } from '../styles/icons.js'
import type { MenuWords, Words } from '../i18n/en.js'
import { PanelPart, reactiveProperties } from '../panel/render-context.js'

export { menuStyles } from '../styles/session-menu.js'

/** From this number of conversations on, the list has a search field. */
const searchFrom = 8
/** Milliseconds in which a deletion can be undone, unless the user is about to do so. */
const undoTime = 10_000

const back: IconPath = 'M19 12H5m6-6-6 6 6 6'
const dots: IconPath = 'M5.5 12v.1M12 12v.1m6.5-.1v.1'

/** A conversation that is not shown any more and not deleted yet. */
interface Deletion {
  readonly session: SessionSummary
  /** It was the open conversation: undoing opens it again. */
  readonly wasOpen: boolean
}

/** `<tool-agent-sessions>`: the list. Dispatches `ActionEvent`s. */
export class SessionMenu extends PanelPart {
  /** Set by the template of the panel, and the state of the list itself. */
  static override properties: PropertyDeclarations = reactiveProperties(
    'session',
    'words',
    'closes',
    'sessions',
    'query',
    'choosing',
    'renaming',
    'deletion',
  )
  /** The open conversation. The list is read again when another one is opened, or its title changes. */
  declare session: Session | undefined
  /** Undefined while the list is loading. */
  declare sessions: readonly SessionSummary[] | undefined
  /** The words of the panel's language. */
  declare words: Words
  /** The panel can be closed, so the list has a button for it. */
  declare closes: boolean
  /** What the user searches for. */
  declare query: string
  /** The id of the conversation whose actions are shown. */
  declare choosing: string | undefined
  /** The id of the conversation whose title is edited. */
  declare renaming: string | undefined
  /** The newest deletion, while it can be undone. */
  declare deletion: Deletion | undefined
  /** Receives the actions, also when the list has been closed. */
  #parent: Node | null = null
  /** Ids of deleted conversations that `sessions` may still have. */
  readonly #deleted = new Set<string>()
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Selector of what gets the focus after the next update. */
  #focus: string | undefined

  constructor() {
    super()
    this.query = ''
    this.addEventListener('keydown', this.#onKeydown)
  }

  /** Called by the browser. */
  override connectedCallback(): void {
    super.connectedCallback()
    this.#parent = this.parentNode
  }

  /** Called by the browser when the list is closed. Carries out a deletion that was not undone. */
  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#settle()
  }

  /** Reads the list again when another conversation is open, or its title has changed. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    const before = changed.get('session') as Session | undefined
    if (this.hasUpdated && changed.has('session') && !isSameEntry(before, this.session))
      this.#run(async () => undefined)
  }

  /** Draws header, search field, groups, and the last deletion. */
  protected override render(): TemplateResult {
    const words = this.#words
    const { sessions } = this
    const listed = (sessions ?? []).filter(({ id }) => id !== this.deletion?.session.id && !this.#deleted.has(id))
    const found = listed.filter((session) => this.#matches(session))
    const isSearchable = listed.length >= searchFrom || this.query !== ''
    const kind = 'quiet header-button'
    return html`<div class="sessions" part="sessions" role="dialog" aria-label=${words.conversations}>
      <header part="header" role="presentation">
        ${iconButton({ name: back, title: words.back, click: { do: 'sessions' }, kind: `${kind} back` })}
        <h2 part="title">${words.conversations}</h2>
        ${iconButton({ name: 'plus', title: words.newConversation, click: { do: 'new-session' }, kind })}
        ${this.closes ? iconButton({ name: 'close', title: words.close, click: { do: 'close' }, kind }) : nothing}
      </header>
      ${
        isSearchable
          ? html`<div class="find"><input type="search" autocomplete="off" aria-label=${words.search}
          placeholder=${words.search} .value=${this.query} @input=${this.#onSearch}></div>`
          : nothing
      }
      <div class="list">
        ${groupByDay(found, Date.now()).map(
          ({ day, sessions: ofDay }) => html`<section>
          <h3>${dayOf(day, words)}</h3>
          <ul>${repeat(
            ofDay,
            ({ id }) => id,
            (session) =>
              html`<li data-session=${session.id}>${
                this.renaming === session.id ? this.#renameForm(session) : this.#row(session)
              }</li>`,
          )}</ul>
        </section>`,
        )}
        ${sessions !== undefined && listed.length === 0 ? html`<p class="muted">${words.noConversations}</p>` : nothing}
      </div>
      <p class=${found.length === 0 && this.query !== '' ? 'muted none' : 'unseen'} role="status">${
        this.query === '' ? '' : words.found(found.length)
      }</p>
      ${this.#undoBar(this.deletion)}
    </div>`
  }

  /** Reads the list, and moves the focus into it. */
  protected override firstUpdated(): void {
    this.#run(async () => undefined)
    this.querySelector('button')?.focus()
  }

  /** Moves the focus where the last action needs it. */
  protected override updated(changed: PropertyValues<this>): void {
    super.updated(changed)
    if (this.#focus === undefined) return
    const target = this.querySelector<HTMLElement>(this.#focus)
    this.#focus = undefined
    target?.focus()
    if (target instanceof HTMLInputElement) target.select()
  }

  get #words(): Omit<Words, 'messages'> & MenuWords {
    return { ...this.words, ...this.words.menu }
  }

  #matches({ title = this.#words.untitled }: SessionSummary): boolean {
    const plain = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
    return plain(title).includes(plain(this.query.trim()))
  }

  #row(session: SessionSummary): TemplateResult {
    const words = this.#words
    const { id, title = words.untitled, updatedAt, messages } = session
    const isChosen = this.choosing === id
    const action = (what: string, click: () => void): TemplateResult =>
      html`<button type="button" aria-label=${`${what}: ${title}`} @click=${() => {
        this.choosing = undefined
        click()
      }}>${what}</button>`
    return html`<button type="button" class="session" part="session" aria-current=${id === this.session?.id}
        @click=${() => {
          this.#run((agent) => agent.sessions.open(id))
          this.#parent?.dispatchEvent(new ActionEvent({ do: 'sessions' }))
        }}>
        <span class="title" dir="auto">${title}</span>
        <span class="muted">${timeOf(updatedAt, Date.now(), words.language)} · ${words.messages(messages)}</span>
      </button>
      <button type="button" class="quiet options" title=${`${words.options}: ${title}`} aria-expanded=${isChosen}
        @click=${() => {
          this.choosing = isChosen ? undefined : id
          if (!isChosen) this.#focus = rowSelector(id, '.tools button')
        }}>${icon(dots)}</button>
      ${
        isChosen
          ? html`<div class="tools">
        ${action(words.rename, () => {
          this.renaming = id
          this.#focus = 'form input'
        })}
        ${action(words.export, () => {
          this.#focus = rowSelector(id, '.options')
          this.#run((agent) => saveSession(agent, title, id))
        })}
        ${action(words.remove, () => {
          this.#delete(session)
        })}
      </div>`
          : nothing
      }`
  }

  #renameForm({ id, title = '' }: SessionSummary): TemplateResult {
    const words = this.#words
    const submit = (event: SubmitEvent): void => {
      event.preventDefault()
      const typed = this.querySelector<HTMLInputElement>('form input')?.value.trim() ?? ''
      if (typed !== '' && typed !== title) this.#run((agent) => agent.sessions.rename(id, typed))
      this.#stopRenaming()
    }
    return html`<form class="row" @submit=${submit}>
      <input type="text" autocomplete="off" dir="auto" aria-label=${words.rename} .value=${title}>
      <button type="submit">${words.save}</button>
      <button type="button" class="quiet" @click=${this.#stopRenaming}>${words.cancel}</button>
    </form>`
  }

  /** The last deletion. Its region exists before its text, so that a screen reader announces the text. */
  #undoBar(deletion: Deletion | undefined): TemplateResult {
    const words = this.#words
    return html`<div class=${deletion === undefined ? 'unseen' : 'undone'}
      @focusin=${this.#hold} @pointerenter=${this.#hold}
      @focusout=${this.#startTimer} @pointerleave=${this.#startTimer}>
      <p role="status">${deletion === undefined ? '' : words.removed(deletion.session.title ?? words.untitled)}</p>
      ${deletion === undefined ? nothing : html`<button type="button" @click=${this.#undo}>${words.undo}</button>`}
    </div>`
  }

  readonly #stopRenaming = (): void => {
    this.#focus = rowSelector(this.renaming, '.options')
    this.renaming = undefined
  }

  /** Hides a conversation and moves the focus to the next one. A deletion before it can no longer be undone. */
  #delete(session: SessionSummary): void {
    this.#settle()
    const rows = [...this.querySelectorAll<HTMLElement>('li')]
    const place = rows.findIndex((row) => row.dataset['session'] === session.id)
    const next = rows[place + 1] ?? rows[place - 1]
    this.#focus = next ? rowSelector(next.dataset['session'], '.session') : 'header button:nth-of-type(2)'
    const wasOpen = session.id === this.session?.id
    this.deletion = { session, wasOpen }
    // So that the user cannot continue a conversation that is about to be deleted.
    if (wasOpen) this.#run((agent) => agent.sessions.create())
    this.#startTimer()
  }

  readonly #undo = (): void => {
    const { deletion } = this
    if (deletion === undefined) return
    this.#hold()
    this.deletion = undefined
    const { id } = deletion.session
    this.#focus = rowSelector(id, '.session')
    if (deletion.wasOpen) this.#run((agent) => agent.sessions.open(id))
  }

  /** Deletes what was not restored. */
  readonly #settle = (): void => {
    this.#hold()
    const { deletion } = this
    if (deletion === undefined) return
    // The bar disappears, and the focus must not disappear with it.
    if (this.querySelector('.undone:focus-within')) this.#focus = '.session, .back'
    this.deletion = undefined
    this.#deleted.add(deletion.session.id)
    this.#run((agent) => agent.sessions.delete(deletion.session.id))
  }

  /** Changes the stored conversations and reads the list again. The panel shows an error. */
  #run(change: (agent: Agent) => Promise<unknown>): void {
    const run = async (agent: Agent): Promise<void> => {
      await change(agent)
      this.sessions = await agent.sessions.list()
    }
    this.#parent?.dispatchEvent(new ActionEvent({ do: 'run', run }))
  }

  readonly #hold = (): void => {
    clearTimeout(this.#timer)
  }

  readonly #startTimer = (): void => {
    this.#hold()
    if (this.deletion !== undefined && this.isConnected) this.#timer = setTimeout(this.#settle, undoTime)
  }

  readonly #onSearch = (event: Event): void => {
    this.query = (event.currentTarget as HTMLInputElement).value
  }

  /** Escape ends the innermost thing first. The arrow keys move between the conversations. */
  readonly #onKeydown = (event: KeyboardEvent): void => {
    if (event.isComposing) return
    const { target, key } = event
    if (key === 'Escape') {
      if (this.renaming !== undefined) this.#stopRenaming()
      else if (this.choosing !== undefined) {
        this.#focus = rowSelector(this.choosing, '.options')
        this.choosing = undefined
      } else if (this.query !== '') {
        this.query = ''
        this.#focus = '.find input'
      } else return
    } else if (key === 'ArrowDown' || key === 'ArrowUp') {
      const rows = [...this.querySelectorAll<HTMLElement>('.session')]
      const place = rows.findIndex((row) => row.parentElement?.contains(target as Node))
      const next = rows[key === 'ArrowDown' ? place + 1 : place - 1]
      if (next === undefined || this.renaming !== undefined) return
      next.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }
}

/** Draws the list. `closes`: whether the panel can be closed. */
export function sessionMenu(session: Session | undefined, words: Words, closes: boolean): TemplateResult {
  return html`<tool-agent-sessions .session=${session} .words=${words} .closes=${closes}></tool-agent-sessions>`
}

const isSameEntry = (one: Session | undefined, other: Session | undefined): boolean =>
  one?.id === other?.id && one?.title === other?.title

/** An id may have characters that a selector must escape. */
function rowSelector(id: string | undefined, inside: string): string {
  return `[data-session="${CSS.escape(id ?? '')}"] ${inside}`
}

/** How long ago a conversation changed, in days of the calendar. */
type Day = 'today' | 'yesterday' | 'week' | 'older'

/** Conversations of one group, in the order of the list. */
interface DayGroup {
  /** When they changed. */
  readonly day: Day
  /** Not empty. */
  readonly sessions: readonly SessionSummary[]
}

const order = ['today', 'yesterday', 'week', 'older'] as const

/** Groups a list by the calendar of the browser. Empty groups are left out. `now`: milliseconds since the epoch. */
function groupByDay(sessions: readonly SessionSummary[], now: number): DayGroup[] {
  return order.flatMap((day) => {
    const ofDay = sessions.filter(({ updatedAt }) => groupOf(updatedAt, now) === day)
    return ofDay.length === 0 ? [] : [{ day, sessions: ofDay }]
  })
}

/** The heading of a group. The language has words for today and yesterday. */
function dayOf(day: Day, { language, week, older }: MenuWords & { readonly language: string }): string {
  if (day === 'week') return week
  if (day === 'older') return older
  const text = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(day === 'today' ? 0 : -1, 'day')
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
}

/** When a conversation changed, as short as its group allows. */
function timeOf(at: number, now: number, language: string): string {
  const day = groupOf(at, now)
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  const parts: Readonly<Record<Day, Intl.DateTimeFormatOptions>> = {
    today: { hour: 'numeric', minute: '2-digit' },
    yesterday: { hour: 'numeric', minute: '2-digit' },
    week: { weekday: 'long' },
    older: { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) },
  }
  return new Intl.DateTimeFormat(language, parts[day]).format(at)
}

function groupOf(at: number, now: number): Day {
  const days = Math.round((midnight(now) - midnight(at)) / 86_400_000)
  if (days <= 0) return 'today'
  if (days === 1) return 'yesterday'
  return days <= 7 ? 'week' : 'older'
}

/** The begin of the day. A day with a change of the clock has 23 or 25 hours, so differences must be rounded. */
function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}
