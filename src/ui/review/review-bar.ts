// The bar at the lower edge of the window that leads through the fields that a turn has changed. Loaded when the
// visitor asks for it. What it shows on the page is drawn by the page tools, above the fields.
import { css, html, type PropertyDeclarations, type PropertyValues, type TemplateResult } from 'lit'
import type { FieldReview, ReviewedField } from '../../page/tools/tool.js'
import type { Release } from '../../page/tools/shown-on-page.js'
import { removeNode } from '../element/nodes.js'
import type { Words } from '../i18n/en.js'
import { undoIcons } from '../message/call/undo-view.js'
import { fieldText } from '../message/values/arguments-view.js'
import { textsOf } from '../message/message-texts.js'
import { cutMiddle } from '../message/values/shown-text.js'
import { icon, type IconPath } from '../styles/icons.js'
import { adoptStyles, definePart, PanelPart, reactiveProperties } from '../panel/render-context.js'

/** What the bar needs. */
export interface Review {
  readonly words: Words
  readonly review: FieldReview
  readonly sessionId: string
  /** The calls whose fields are shown. */
  readonly calls: readonly string[]
  /** Puts one field back. */
  undo(field: ReviewedField): Promise<void>
  /** A field is about to be shown, which the panel must not cover. */
  showing(field: ReviewedField): void
  /** The bar is gone. */
  closed(): void
}

const arrows: Readonly<Record<'previous' | 'next', IconPath>> = {
  previous: 'M12 19V5m-6 6 6-6 6 6',
  next: 'M12 5v14m-6-6 6 6 6-6',
}

/** CSS pixels that the bar needs beside the panel. */
const leastWidth = 320

const styles = css`
.review {
  all: initial; color-scheme: inherit; box-sizing: border-box; position: fixed; inset: auto auto 12px; left: 50%;
  margin: 0;
  translate: -50% 0; inline-size: max-content; max-inline-size: calc(100vw - 24px); display: flex; flex-wrap: wrap;
  align-items: center; gap: calc(.4 * var(--_rem)) calc(.6 * var(--_rem));
  padding: calc(.55 * var(--_rem)) calc(.8 * var(--_rem)); background: var(--_bg); color: var(--_text);
  border: 1px solid var(--_control); border-radius: var(--_radius); box-shadow: 0 12px 40px rgb(0 0 0 / .28);
  font: 400 calc(.9375 * var(--_rem))/1.55 var(--tool-agent-font, system-ui, sans-serif);
}
.review:not(:popover-open) { display: none; }
.review .where {
  flex: 1 1 auto; min-inline-size: 0; max-inline-size: calc(18 * var(--_rem)); margin: 0; overflow-wrap: anywhere;
}
.review .where b { font-weight: 600; }
.review .group { display: flex; gap: calc(.3 * var(--_rem)); }
.review button { min-block-size: 36px; display: inline-flex; align-items: center; gap: .4em; }
.review :is([aria-pressed=true], .good) {
  background: var(--_accent); color: var(--_on-accent); border-color: transparent;
}
@media (pointer: coarse) { .review button { min-block-size: 44px; min-inline-size: 44px; } }
@media (forced-colors: active) {
  .review [aria-pressed=true] { forced-color-adjust: none; background: Highlight; color: HighlightText; }
}
`

class ReviewBar extends PanelPart {
  static override properties: PropertyDeclarations = reactiveProperties('options', 'at', 'isBefore')
  declare options: Review
  /** Index of the field. */
  declare at: number
  declare isBefore: boolean
  #fields: readonly ReviewedField[] = []
  #ring: Release = () => {}
  #veils: readonly Release[] = []
  /** Where the focus was. */
  #from: Element | null = null

  constructor() {
    super()
    this.at = 0
    this.isBefore = false
  }

  /** Takes the focus. */
  async open(): Promise<void> {
    this.#from = (this.getRootNode() as ShadowRoot).activeElement
    await this.updateComplete
    const bar = this.querySelector<HTMLElement>('.review')
    bar?.showPopover()
    this.querySelector<HTMLElement>('.after')?.focus()
  }

  /** Beside a floating panel or a sidebar, if there is room. */
  #avoidPanel(): void {
    const bar = this.querySelector<HTMLElement>('.review')
    const panel = this.parentElement?.querySelector('.panel:popover-open')?.getBoundingClientRect()
    if (!panel || !bar) return
    const isLeft = panel.left >= innerWidth - panel.right
    const free = isLeft ? panel.left : innerWidth - panel.right
    if (free < leastWidth) return
    const place = { left: `${(isLeft ? 0 : panel.right) + free / 2}px`, maxInlineSize: `${free - 24}px` }
    Object.assign(bar.style, place)
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#ring()
    for (const release of this.#veils) release()
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (!changed.has('options')) return
    const { review, sessionId, calls } = this.options
    this.#fields = review.fields(sessionId, calls).filter((field) => field.isChanged())
    this.at = Math.min(this.at, Math.max(0, this.#fields.length - 1))
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (this.#fields.length === 0) return this.#close()
    const { words } = this.options
    const field = this.#fields[this.at]
    if (field && (changed.has('at') || changed.has('options'))) {
      this.options.showing(field)
      this.#avoidPanel()
    }
    this.#ring()
    this.#ring = field?.show(true) ?? (() => {})
    if (!changed.has('isBefore') && !changed.has('options')) return
    for (const release of this.#veils) release()
    this.#veils = this.isBefore ? this.#fields.map((field) => field.cover(fieldText(field.was, words))) : []
  }

  protected override render(): TemplateResult {
    const { words } = this.options
    const { receipt } = textsOf(words)
    const { position } = words.approval
    const label = cutMiddle(this.#fields[this.at]?.label ?? '', 60)
    return html`<section class="review" part="review" popover="manual" role="dialog" aria-label=${receipt.review}
      lang=${words.language} @keydown=${this.#onKeydown}>
      <p class="where" aria-live="polite"><b>${position(this.at + 1, this.#fields.length)}</b> <bdi>${label}</bdi></p>
      <div class="group">${this.#arrow('previous', -1)}${this.#arrow('next', 1)}</div>
      <div class="group">
        <button type="button" aria-pressed=${this.isBefore}
          @click=${() => (this.isBefore = true)}>${receipt.before}</button>
        <button type="button" class="after" aria-pressed=${!this.isBefore}
          @click=${() => (this.isBefore = false)}>${receipt.after}</button>
      </div>
      <div class="group">
        <button type="button" aria-label=${receipt.undo(receipt.thisField)} @click=${this.#undo}>${icon(
          undoIcons.undo,
        )}${receipt.thisField}</button>
        <button type="button" class="good" @click=${this.#confirm}>${receipt.good}</button>
      </div>
    </section>`
  }

  #arrow(name: 'previous' | 'next', by: number): TemplateResult {
    const title = textsOf(this.options.words).receipt[name]
    return html`<button type="button" aria-label=${title} title=${title} @click=${() => {
      this.#move(by)
    }}>${icon(arrows[name])}</button>`
  }

  #move(by: number): void {
    const { length } = this.#fields
    this.at = (this.at + by + length) % length
  }

  #undo = async (): Promise<void> => {
    const field = this.#fields[this.at]
    if (field === undefined) return
    this.isBefore = false
    await this.options.undo(field)
    this.options = { ...this.options }
  }

  #confirm = (): void => {
    const { review, sessionId, calls } = this.options
    review.confirm(sessionId, calls)
    this.#close()
  }

  #onKeydown = (event: KeyboardEvent): void => {
    const moves: Partial<Record<string, number>> = { ArrowUp: -1, ArrowDown: 1 }
    const by = moves[event.key]
    if (by !== undefined) this.#move(by)
    else if (event.key === 'Escape') this.#close()
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  #close(): void {
    const from = this.#from
    removeNode(this)
    this.options.closed()
    if (from instanceof HTMLElement) from.focus()
  }
}

/** Opens the bar beside the panel. */
export function openReview(element: Element, options: Review): void {
  definePart('tool-agent-review', ReviewBar)
  adoptStyles(element, styles)
  const root = element.shadowRoot?.querySelector('.root')
  const before = root?.querySelector('tool-agent-review')
  if (before) removeNode(before)
  const bar = new ReviewBar()
  bar.options = options
  root?.appendChild(bar)
  void bar.open()
}
