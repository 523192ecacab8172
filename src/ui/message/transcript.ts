// The scrolling list of messages. Draws the newest hundred, more when the user scrolls up, and only what changed. Stays
// at the end unless the user scrolls away, by whatever means.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'
import type { UserMessage } from '../../core/data/message.js'
import type { Session } from '../../core/data/session.js'
import { ActionEvent } from '../panel/actions.js'
import { StreamingMarkdown } from '../markdown/streaming-markdown.js'
import { keepPlace, latestButton } from './reading-back.js'
import { textsOf } from './message-texts.js'
import { isThinking, messagesView, workingView } from './message-view.js'
import {
  PanelPart,
  reactiveProperties,
  toMessage,
  type QueuedMessage,
  type RenderContext,
} from '../panel/render-context.js'

/** Messages drawn at first, and added each time the user scrolls up. */
const batchSize = 100
/** Pixels. A user who scrolls down to this distance from the end has returned to it. */
const nearEnd = 8

/** Milliseconds in which a wheel, finger, pointer or key may have moved the list. */
const inputTime = 1_000

/** The messages of a session. Dispatches `older` as an `ActionEvent` when it needs more of them. */
export class Transcript extends PanelPart {
  /** Set by the templates of the panel. */
  static override properties: PropertyDeclarations = reactiveProperties(
    'session',
    'sending',
    'view',
    'notice',
    'working',
    'from',
    'away',
    'below',
  )
  /** Undefined while the session is loading. */
  declare session: Session | undefined
  /** The message whose turn is about to start; drawn below the others. */
  declare sending: QueuedMessage | undefined
  /** What the messages need to draw. */
  declare view: RenderContext
  /** A template below the messages: a retry, or how the newest turn ended. */
  declare notice: unknown
  /** The model works. Shown while no text and no card show it. */
  declare working: boolean
  /** Index in the session of the first message drawn. */
  declare from: number
  /** The user has scrolled away from the end. */
  declare away: boolean
  /** The end is below the visible part. */
  declare below: boolean
  /** The newest `sending` as a message. */
  #sent: UserMessage | undefined
  /** The keys of messages that were drawn as `sending`, by their ids. */
  readonly #keys = new Map<string, string>()
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
  /** The next scroll event is of a position that was set here. */
  #isScrolledHere = false
  /** The message that was clicked last. */
  #tapped: Element | null = null
  /** When the user last touched the list, by `performance.now()`. */
  #touchedAt = -inputTime
  /** Index in the session after the last message when the user scrolled away. */
  #seen = 0
  /** Scrolls back to what the user saw when older messages were added above it. */
  #restorePlace: (() => void) | undefined
  constructor() {
    super()
    this.from = 0
    this.away = this.below = false
  }

  /** Called by the browser. */
  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#resize?.disconnect()
    this.#resize = undefined
  }

  /** Scrolls to the end in the next frame and stays there, as after sending. */
  toEnd(): void {
    this.away = false
    this.#settle()
  }

  /** Decides which messages to draw when the session has changed. */
  protected override willUpdate(changed: PropertyValues<this>): void {
    const { session, sending } = this
    if (sending !== undefined && isDrawn(sending) && sending.turn !== this.#sent?.id) this.#sent = toMessage(sending)
    if (!changed.has('session')) return
    if (this.#sent !== undefined && session?.turn?.id === this.#sent.id) {
      const first = session.messages[session.turn.first - session.start]
      if (first !== undefined) this.#keys.set(first.id, this.#sent.id)
    }
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
    if (!this.away) this.#seen = end + (session?.draft === undefined ? 0 : 1)
    this.#end = end
    // The requested older messages have arrived.
    if (session !== undefined && this.#loadingFrom !== undefined && session.start < this.#loadingFrom) {
      this.#addOlder(session)
      this.#loadingFrom = undefined
    }
  }

  /** Draws the messages from `from` on, the streaming one, and the notice. */
  protected override render(): TemplateResult {
    const { session, sending, view } = this
    const words = textsOf(view.renderState.words)
    const messages = session?.messages ?? []
    const start = session?.start ?? 0
    const draft = session?.draft
    const isWorking = this.working && (sending !== undefined || isThinking(messages, draft))
    return html`
      <div class="log" part="transcript" role="log" aria-live="off" tabindex="0" aria-label=${words.conversation}
        ?data-away=${this.away} @scroll=${this.#onScroll} @click=${this.#onClick} @wheel=${this.#onInput}
        @touchmove=${this.#onInput} @pointerdown=${this.#onInput} @keydown=${this.#onInput}>
        <div class="messages">
          ${
            this.from > 0
              ? html`<button type="button" class="quiet older" part="older"
                @click=${this.#older}>${words.older}</button>`
              : nothing
          }
          ${messagesView({
            messages: messages.slice(Math.max(0, this.from - start)),
            draft,
            sending: sending !== undefined && isDrawn(sending) ? this.#sent : undefined,
            // The message keeps its elements when its turn starts.
            keyOf: ({ id }) => this.#keys.get(id) ?? id,
            view,
            streams: this.#streams,
            isInside: false,
          })}
          ${isWorking ? workingView(view.renderState) : nothing}
          ${this.notice}
        </div>
      </div>
      ${
        this.away && this.below && session !== undefined
          ? latestButton(session, this.#seen, words, this.#latest)
          : nothing
      }`
  }

  /** Starts observing heights with the first update. They keep the list at the end. */
  protected override updated(changed: PropertyValues<this>): void {
    const content = this.querySelector('.messages')
    if (this.#resize === undefined && content !== null && this.isConnected) {
      // Heights also change after an update: content-visibility measures late, cards open, Markdown arrives.
      // It is called after layout and before the frame is painted, so reading the height costs nothing there.
      this.#resize = new ResizeObserver(this.#scrollNow)
      this.#resize.observe(content)
      const log = this.#log
      if (log !== null) this.#resize.observe(log)
    }
    if (this.#restorePlace !== undefined) {
      this.#restorePlace()
      this.#restorePlace = undefined
      const log = this.#log
      if (log !== null) this.#position = scrollPosition(log)
    }
    // Back at the end without another height, as with another conversation.
    if (changed.has('away') && !this.away) this.#settle()
  }

  /** The scrolling element; null before the first update. */
  get #log(): HTMLElement | null {
    return this.querySelector('.log')
  }

  /** Scrolls in the next frame, once, which reads the height before anything changes it. Now it would be computed. */
  #settle(): void {
    cancelAnimationFrame(this.#settling)
    this.#settling = requestAnimationFrame(this.#scrollNow)
  }

  readonly #scrollNow = (): void => {
    const log = this.#log
    if (log === null) return
    // The user may have scrolled since the last event.
    this.#notePosition(log)
    if (this.away) return
    const { top, height, room } = this.#position
    log.scrollTop = height
    this.#position = { top: log.scrollTop, height, room }
    this.#isScrolledHere = this.#position.top !== top
  }

  /** Notices that the user left the end or returned to it. */
  #notePosition(log: HTMLElement): void {
    const before = this.#position
    const now = (this.#position = scrollPosition(log))
    const distance = now.height - now.room - now.top
    // The browser itself scrolls up when there is less to show, also if more has been added since: suggestions go, and
    // the message that the user sent is drawn. So when the heights have changed, only scrolling by hand counts.
    const isLess = now.height < before.height || now.room > before.room
    const isSame = now.height === before.height && now.room === before.room
    const isByHand = isSame || (!isLess && performance.now() - this.#touchedAt < inputTime)
    if (now.top < before.top - 0.5 && isByHand) this.away = true
    else if (distance <= nearEnd && (now.top > before.top || isLess)) this.away = false
    this.below = this.away && distance > nearEnd
  }

  /** Scrolls to the end, for the button. */
  #latest = (): void => {
    this.toEnd()
    this.#log?.focus()
  }

  /** Draws older messages near the top. Does not read the position that was set here. */
  #onScroll = (): void => {
    const log = this.#log
    const isKnown = this.#isScrolledHere && performance.now() - this.#touchedAt > inputTime
    this.#isScrolledHere = false
    if (log === null || isKnown) return
    this.#notePosition(log)
    const { top, room } = this.#position
    if (this.away && top < room) this.#older()
  }

  readonly #onInput = {
    handleEvent: (): void => {
      this.#touchedAt = performance.now()
    },
    passive: true,
  }

  /**
   * After opening a card or showing more text, do not scroll to the end: the user reads from here. A finger shows the
   * buttons of the message that it taps.
   */
  #onClick = ({ target }: Event): void => {
    if (!(target instanceof Element)) return
    if (target.closest('summary, .more') !== null) this.away = true
    this.#tapped?.removeAttribute('data-tapped')
    this.#tapped = target.closest('.message')
    this.#tapped?.setAttribute('data-tapped', '')
  }

  /** Draws older messages, or requests them if they are not loaded. One request at a time. */
  #older = (): void => {
    const { session } = this
    if (session === undefined || this.#loadingFrom !== undefined || this.#restorePlace !== undefined) return
    if (this.from > session.start) {
      this.#addOlder(session)
    } else if (session.start > 0) {
      this.#loadingFrom = session.start
      this.dispatchEvent(new ActionEvent({ do: 'run', run: (agent) => agent.loadOlder() }))
    }
  }

  /** Draws one batch more with the next update. */
  #addOlder({ start }: Session): void {
    const log = this.#log
    if (log !== null) this.#restorePlace = keepPlace(log)
    this.from = Math.max(start, this.from - batchSize)
  }
}

/** A turn that continues has no message. */
const isDrawn = ({ parts }: QueuedMessage): boolean => parts.length > 0

const scrollPosition = (log: HTMLElement) => ({ top: log.scrollTop, height: log.scrollHeight, room: log.clientHeight })
