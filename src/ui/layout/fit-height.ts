// A floating panel is as high as what it shows, between the two limits of styles/panel.ts: a tall empty box covers the
// page for nothing. It never gets lower within a conversation, because what is under the pointer must not move away. A
// size that the visitor has chosen, and a height that the page has set, count more. A controller of the panel.
import type { ReactiveController } from 'lit'
import type { PanelHost } from '../panel/render-context.js'
import { fillsWindow } from './modal-panel.js'

/** What scrolls in the panel. */
const scrollers = '.log, .reading, .notices, .list'
/** Parts that grow inside of what scrolls. */
const contents = '.messages, .approvals'
/** A question is as high as a part of the panel, so another step may follow; not many. */
const mostSteps = 4

/** Milliseconds. */
const growing = 160
/** The newest growth of a panel. */
const growths = new WeakMap<HTMLElement, Animation>()

/** Makes the panel higher if a part of its content is cut. Returns whether it did. Costs little after a layout. */
export function fitHeight(panel: HTMLElement): boolean {
  // The stage decides about the other places.
  if (!panel.matches('[data-layout=floating]:is(:not([data-place]), [data-place=aside])') || fillsWindow()) return false
  const { style, offsetHeight } = panel
  const fit = parseFloat(style.getPropertyValue('--_fit')) || 0
  // The limit, or on the way to it.
  if (offsetHeight < Math.floor(fit)) return false
  const cut = [panel, ...panel.querySelectorAll(scrollers)].reduce(
    (sum, { scrollHeight, clientHeight }) => sum + scrollHeight - clientHeight,
    0,
  )
  if (cut <= 0) return false
  style.setProperty('--_fit', `${offsetHeight + cut}px`)
  // Whoever is asked something reads it at once, and the stage measures where the panel is.
  const isCalm = panel.querySelector('.approvals:not([hidden])') !== null
  if (!isCalm && !matchMedia('(prefers-reduced-motion: reduce)').matches)
    growths.set(
      panel,
      panel.animate({ blockSize: `${offsetHeight}px`, offset: 0 }, { duration: growing, easing: 'ease-out' }),
    )
  return true
}

/**
 * The same, until nothing is cut or the limit is reached. Makes the browser compute the layout. A panel that is growing
 * has its height now: the stage would measure one that is lower.
 */
export function fitAtOnce(panel: HTMLElement): void {
  growths.get(panel)?.finish()
  for (let step = 0; step < mostSteps && fitHeight(panel); step++);
}

/** The controller. */
export class FittedHeight implements ReactiveController {
  readonly #host: PanelHost
  readonly #section: HTMLElement
  readonly #observer: ResizeObserver
  #observed = new WeakSet<Element>()
  /** The conversation that has this height. */
  #session: string | undefined

  constructor(host: PanelHost, section: HTMLElement) {
    this.#host = host
    this.#section = section
    // After the layout and before the frame is painted.
    this.#observer = new ResizeObserver(() => {
      if (fitHeight(section)) section.dispatchEvent(new Event('fit'))
    })
  }

  /** The panel was put into a document. */
  hostConnected(): void {
    this.hostUpdated()
  }

  /** The panel was removed. */
  hostDisconnected(): void {
    this.#observer.disconnect()
    this.#observed = new WeakSet()
  }

  /** The panel was drawn. */
  hostUpdated(): void {
    const id = this.#host.agent()?.session?.id
    if (this.#session !== undefined && id !== undefined && id !== this.#session)
      this.#section.style.removeProperty('--_fit')
    this.#session = id ?? this.#session
    this.#observe(this.#section)
    for (const child of this.#section.children) {
      this.#observe(child)
      const content = child.querySelector(contents)
      if (content !== null) this.#observe(content)
    }
  }

  #observe(element: Element): void {
    if (this.#observed.has(element)) return
    this.#observed.add(element)
    this.#observer.observe(element)
  }
}
