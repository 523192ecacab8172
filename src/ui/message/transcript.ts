// The scrolling list of messages. Draws the newest hundred, more when the user scrolls up, and only what changed. Stays
// at the end unless the user scrolls away.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'
import type { Session } from '../../core/data/session.js'
import { ActionEvent } from '../panel/actions.js'
import { StreamingMarkdown } from '../markdown/streaming-markdown.js'
import { iconButton } from '../panel/icon-button.js'
import { messagesView, workingView } from './message-view.js'
import { PanelPart, reactiveProperties, type RenderContext } from '../panel/render-context.js'

/** Messages drawn at first, and added each time the user scrolls up. */
const batchSize = 100
/** Pixels. A smaller distance to the end counts as being there. */
const nearEnd = 48

/** The messages of a session. Dispatches `older` as an `ActionEvent` when it needs more of them. */
export class Transcript extends PanelPart {
  /** Set by the templates of the panel. */
  static override properties: PropertyDeclarations = reactiveProperties(
    'session',
    'view',
    'notice',
    'empty',
    'working',
    'from',
    'away',
  )
  /** Undefined while the session is loading. */
  declare session: Session | undefined
  /** What the messages need to draw. */
  declare view: RenderContext
  /** A template below the messages: a retry, or how the newest turn ended. */
  declare notice: unknown
  /** The template of an empty conversation. */
  declare empty: unknown
  /** The model works, and no text or card shows it yet. */
  declare working: boolean
  /** Index in the session of the first message drawn. */
  declare from: number
  /** The user has scrolled away from the end. */
  declare away: boolean
  #resize: ResizeObserver | undefined
  /** The id of the session that is shown. */
  #shown: string | undefined
  /** Index in the session after the last message. */
  #end = 0
  readonly #streams = new StreamingMarkdown(() => {
    this.requestUpdate()
  })
  /** The first loaded index when older messages were requested; undefined if none are requested. */
  #loadingFrom: number | undefined
  /** The animation frame that scrolls to the end once more. */
  #settling = 0
  /** The last scroll position, in pixels, to tell the user's scrolling from the browser's. */
  #position = { top: 0, height: 0, room: 0 }

  constructor() {
    super()
    this.from = 0
    this.away = false
  }

  /** Called by the browser. */
  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#resize?.disconnect()
    this.#resize = undefined
  }

  /** Scrolls to the end and stays there, as after sending. */
  toEnd(): void {
    this.away = false
    this.#scrollToEnd()
  }

  /** Decides which messages to draw when the session has changed. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('session')) return
    const { session } = this
    const start = session?.start ?? 0
    const end = start + (session?.messages.length ?? 0)
    // Another conversation, or more messages at once than a user can follow.
    if (session?.id !== this.#shown || end - this.#end > batchSize) {
      this.#shown = session?.id
      this.from = end - batchSize
      this.away = false
      this.#loadingFrom = undefined
    }
    this.from = Math.max(this.from, start)
    this.#end = end
    // The requested older messages have arrived.
    if (session !== undefined && this.#loadingFrom !== undefined && session.start < this.#loadingFrom) {
      this.from = Math.max(session.start, this.from - batchSize)
      this.#loadingFrom = undefined
    }
  }

  /** Draws the messages from `from` on, the streaming one, and the notice. */
  protected override render(): TemplateResult {
    const { session, view } = this
    const { words } = view.renderState
    const messages = session?.messages ?? []
    const start = session?.start ?? 0
    const draft = session?.draft
    return html`
      <div class="log" part="transcript" role="log" aria-live="off" tabindex="0" aria-label=${words.conversation}
        @scroll=${this.#onScroll} @click=${this.#onClick}>
        <div class="messages">
          ${
            this.from > 0
              ? html`<button type="button" class="quiet older" part="older"
                @click=${this.#older}>${words.older}</button>`
              : nothing
          }
          ${messages.length === 0 && draft === undefined ? this.empty : nothing}
          ${messagesView({
            messages: messages.slice(Math.max(0, this.from - start)),
            draft,
            view,
            streams: this.#streams,
            hidesEnding: true,
          })}
          ${this.working ? workingView(view.renderState) : nothing}
          ${this.notice}
        </div>
      </div>
      ${
        this.away
          ? iconButton({ name: 'down', title: words.latest, kind: 'round latest', click: this.#latest })
          : nothing
      }`
  }

  /** Starts observing heights with the first update, and stays at the end. */
  protected override updated(): void {
    const content = this.querySelector('.messages')
    if (this.#resize === undefined && content !== null && this.isConnected) {
      // Heights also change after an update: content-visibility measures late, cards open, Markdown arrives.
      // It is called after layout and before the frame is painted, so reading the height costs nothing there.
      this.#resize = new ResizeObserver(this.#scrollNow)
      this.#resize.observe(content)
      const log = this.#log
      if (log !== null) this.#resize.observe(log)
    }
    // The next frame reads the height before anything changes it. Now it would have to be computed.
    if (!this.away) this.#settle()
  }

  /** The scrolling element; null before the first update. */
  get #log(): HTMLElement | null {
    return this.querySelector('.log')
  }

  /** Scrolls now, and again after layout, because new messages may have no height yet. */
  #scrollToEnd(): void {
    this.#scrollNow()
    this.#settle()
  }

  /** Scrolls in the next frame, once. */
  #settle(): void {
    cancelAnimationFrame(this.#settling)
    this.#settling = requestAnimationFrame(this.#scrollNow)
  }

  readonly #scrollNow = (): void => {
    const log = this.#log
    if (log === null || this.away) return
    log.scrollTop = log.scrollHeight
    this.#position = scrollPosition(log)
  }

  /** Scrolls to the end, for the button. */
  #latest = (): void => {
    this.toEnd()
    this.#log?.focus()
  }

  /** Notices when the user leaves the end or returns to it, and draws older messages near the top. */
  #onScroll = (): void => {
    const log = this.#log
    if (log === null) return
    const before = this.#position
    const now = (this.#position = scrollPosition(log))
    const isNear = now.height - now.room - now.top <= nearEnd
    // The browser itself scrolls up when there is less to show. Only the user's own scrolling counts.
    const isByUser = now.top < before.top && now.height >= before.height && now.room <= before.room
    if (isNear) this.away = false
    else if (isByUser) this.away = true
    if (this.away && now.top < now.room) this.#older()
  }

  /** After opening a card or showing more text, do not scroll to the end: the user reads from here. */
  #onClick = (event: Event): void => {
    if (event.target instanceof Element && event.target.closest('summary, .more') !== null) this.away = true
  }

  /** Draws older messages, or requests them if they are not loaded. One request at a time. */
  #older = (): void => {
    const { session } = this
    if (session === undefined || this.#loadingFrom !== undefined) return
    if (this.from > session.start) {
      this.from = Math.max(session.start, this.from - batchSize)
    } else if (session.start > 0) {
      this.#loadingFrom = session.start
      this.dispatchEvent(new ActionEvent({ do: 'older' }))
    }
  }
}

const scrollPosition = (log: HTMLElement) => ({ top: log.scrollTop, height: log.scrollHeight, room: log.clientHeight })
