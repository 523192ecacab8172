// A panel that fills the window is modal: the keyboard does not walk into the page behind it, where nobody would see
// the focus, and Escape closes the panel wherever the focus is. Nothing of the page is made inert, because tools fill
// and press it meanwhile. A controller of the panel.
import type { ReactiveController } from 'lit'
import { ActionEvent } from '../panel/actions.js'
import type { PanelHost } from '../panel/render-context.js'

/** Windows that a floating panel or a sidebar fills: as in styles/panel.ts. */
const full = '(max-width: 40em), (max-height: 32em)'
let fullWindow: MediaQueryList | undefined
const whetherFull = (): MediaQueryList => (fullWindow ??= matchMedia(full))
/** Whether the panel fills the window, unless it has made room for the page. */
export const fillsWindow = (): boolean => whetherFull().matches

/** Says whether a panel is modal, where a screen reader reads it. Writes only what has changed: each update asks. */
export function markModal(panel: HTMLElement): void {
  const isModal = panel.matches('[popover]:not([data-place])') && fillsWindow()
  if (isModal !== panel.hasAttribute('aria-modal')) panel.ariaModal = isModal ? 'true' : null
}

const focusable = 'button, a[href], input, textarea, select, summary, [tabindex]'

/** The controller. */
export class ModalPanel implements ReactiveController {
  readonly #host: PanelHost
  readonly #section: HTMLElement
  /** Where the Tab key that is pressed leads. Nothing else takes the focus back: a page may have a trap of its own. */
  #tab: 'first' | 'last' | undefined

  constructor(host: PanelHost, section: HTMLElement) {
    this.#host = host
    this.#section = section
    whetherFull().addEventListener('change', this.#mark)
  }

  /** The panel was put into a document. */
  hostConnected(): void {
    // The keys of the panel do not leave it.
    for (const target of [globalThis, this.#host.element.shadowRoot])
      target?.addEventListener('keydown', this.#onKey, true)
    addEventListener('focusin', this.#onFocus, true)
  }

  /** The panel was removed. */
  hostDisconnected(): void {
    whetherFull().removeEventListener('change', this.#mark)
    for (const target of [globalThis, this.#host.element.shadowRoot])
      target?.removeEventListener('keydown', this.#onKey, true)
    removeEventListener('focusin', this.#onFocus, true)
  }

  /** The panel was drawn. */
  hostUpdated(): void {
    this.#mark()
  }

  readonly #mark = (): void => {
    markModal(this.#section)
  }

  get #isModal(): boolean {
    return this.#section.matches('[aria-modal]:popover-open')
  }

  readonly #onKey = (event: Event): void => {
    this.#tab = undefined
    if (!(event instanceof KeyboardEvent) || !this.#isModal) return
    if (event.key === 'Tab') this.#tab = event.shiftKey ? 'last' : 'first'
    const isOutside = event.currentTarget === globalThis && event.target !== this.#host.element
    if (event.key !== 'Escape' || !isOutside || event.defaultPrevented) return
    event.preventDefault()
    this.#section.dispatchEvent(new ActionEvent({ do: 'close' }))
  }

  /** The Tab key has left the panel: it goes on at the other end. */
  readonly #onFocus = ({ target }: Event): void => {
    const to = this.#tab
    const { element } = this.#host
    if (to === undefined || !this.#isModal || !(target instanceof Node) || element.contains(target)) return
    this.#tab = undefined
    const inside = [...this.#section.querySelectorAll<HTMLElement>(focusable)].filter(
      (one) => one.tabIndex >= 0 && !one.matches(':disabled') && one.checkVisibility({ visibilityProperty: true }),
    )
    const next = to === 'first' ? inside[0] : inside.at(-1)
    next?.focus()
  }
}
