// The messages and the place in them. Draws the newest hundred and more on the way up, skips what did not change, and
// stays at the end unless the user has gone elsewhere.
import { html, nothing, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'
import { guard } from 'lit/directives/guard.js'
import type { Session } from '../../core/data/session.js'
import { ActionEvent } from '../panel/actions.js'
import { StreamingMarkdown } from '../markdown/streaming-markdown.js'
import { icon } from '../styles/icons.js'
import { draftView, messagesView, workingView } from './message-view.js'
import { PanelPart, type RenderContext } from '../panel/render-context.js'

const chunk = 100
/** Nearer than this to the end counts as being there, in pixels. */
const nearby = 48

export class Transcript extends PanelPart {
  static override properties: PropertyDeclarations = {
    session: { attribute: false },
    view: { attribute: false },
    notice: { attribute: false },
    empty: { attribute: false },
    working: { attribute: false },
    from: { state: true },
    away: { state: true },
  }
  declare session: Session | undefined
  declare view: RenderContext
  /** How the newest turn ended, if there is something to say or do. */
  declare notice: unknown
  /** What stands in an empty conversation. */
  declare empty: unknown
  /** Something is going on that has no text and no card yet. */
  declare working: boolean
  /** Absolute index of the first message drawn. */
  declare from: number
  /** The user is reading further up. */
  declare away: boolean
  #resize: ResizeObserver | undefined
  #shown: string | undefined
  /** Absolute index behind the last message. */
  #end = 0
  readonly #growth = new StreamingMarkdown()
  #loadingFrom: number | undefined
  #settling = 0
  #place = { top: 0, height: 0, room: 0 }

  constructor() {
    super()
    this.from = 0
    this.away = false
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#resize?.disconnect()
    this.#resize = undefined
  }

  /** Goes to the end, as after sending. */
  toEnd(): void {
    this.away = false
    this.#pin()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('session')) return
    const { session } = this
    const start = session?.start ?? 0
    const end = start + (session?.messages.length ?? 0)
    // Another conversation, or so much at once that nobody followed it.
    if (session?.id !== this.#shown || end - this.#end > chunk) {
      this.#shown = session?.id
      this.from = end - chunk
      this.away = false
      this.#loadingFrom = undefined
    }
    this.from = Math.max(this.from, start)
    this.#end = end
    // Older messages arrived, because this asked for them: they are drawn in one go.
    if (session !== undefined && this.#loadingFrom !== undefined && session.start < this.#loadingFrom) {
      this.from = Math.max(session.start, this.from - chunk)
      this.#loadingFrom = undefined
    }
  }

  protected override render(): TemplateResult {
    const { session, view } = this
    const { words } = view.look
    const messages = session?.messages ?? []
    const start = session?.start ?? 0
    const draft = session?.draft
    const earlier = this.from > 0
    return html`
      <div class="log" part="transcript" role="log" aria-live="off" tabindex="0" aria-label=${words.conversation}
        @scroll=${this.#scroll} @click=${this.#click}>
        <div class="messages">
          ${earlier ? html`<button type="button" class="quiet older" @click=${this.#older}>${words.older}</button>` : nothing}
          ${messages.length === 0 && draft === undefined ? this.empty : nothing}
          ${guard([messages, this.from, view.look, view.active, view.progress], () =>
            messagesView(messages.slice(Math.max(0, this.from - start)), view, true),
          )}
          ${draft === undefined ? nothing : draftView(draft, view, this.#growth.of(draft, view.look))}
          ${this.working ? workingView(view.look) : nothing}
          ${this.notice}
        </div>
      </div>
      ${this.away ? html`<button type="button" class="round latest" title=${words.latest} aria-label=${words.latest} @click=${this.#latest}>${icon('down')}</button>` : nothing}`
  }

  protected override updated(): void {
    const content = this.querySelector('.messages')
    if (this.#resize === undefined && content !== null && this.isConnected) {
      // Heights change after drawing, too: content-visibility measures late, cards open, Markdown arrives.
      this.#resize = new ResizeObserver(() => {
        if (!this.away) this.#pin()
      })
      this.#resize.observe(content)
      const log = this.#log
      if (log !== null) this.#resize.observe(log)
    }
    if (!this.away) this.#pin()
  }

  get #log(): HTMLElement | null {
    return this.querySelector('.log')
  }

  /** Now, and when the frame is laid out: what is drawn for the first time may have had no height yet. */
  #pin(): void {
    const pin = (): void => {
      const log = this.#log
      if (log === null || this.away) return
      log.scrollTop = log.scrollHeight
      this.#place = placeOf(log)
    }
    pin()
    cancelAnimationFrame(this.#settling)
    this.#settling = requestAnimationFrame(pin)
  }

  #latest = (): void => {
    this.toEnd()
    this.#log?.focus()
  }

  #scroll = (): void => {
    const log = this.#log
    if (log === null) return
    const before = this.#place
    const now = (this.#place = placeOf(log))
    const isNear = now.height - now.room - now.top <= nearby
    // The browser moves the place itself where there is less to show; only who scrolls up wants to be away.
    const isByUser = now.top < before.top && now.height >= before.height && now.room <= before.room
    if (isNear) this.away = false
    else if (isByUser) this.away = true
    if (this.away && now.top < now.room) this.#older()
  }

  /** Opening a card near the end must not push its title away, nor more of a text what was read last. */
  #click = (event: Event): void => {
    if (event.target instanceof Element && event.target.closest('summary, .more') !== null) this.away = true
  }

  #older = (): void => {
    const { session } = this
    if (session === undefined || this.#loadingFrom !== undefined) return
    if (this.from > session.start) {
      this.from = Math.max(session.start, this.from - chunk)
    } else if (session.start > 0) {
      this.#loadingFrom = session.start
      this.dispatchEvent(new ActionEvent({ do: 'older' }))
    }
  }
}

const placeOf = (log: HTMLElement) => ({ top: log.scrollTop, height: log.scrollHeight, room: log.clientHeight })
