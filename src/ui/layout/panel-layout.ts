// How a panel fits the screen and the page: what the panel needs of this folder. What every floating panel and sidebar
// has is a controller in `layoutControllers`; what only phones, touch screens, low windows and forced colours need is
// added by `adaptPanel`.
import type { ReactiveController } from 'lit'
import type { Words } from '../i18n/en.js'
import { adoptStyles, type PanelHost } from '../panel/render-context.js'
import { adaptedStyles } from '../styles/layout.js'
import { FittedHeight } from './fit-height.js'
import { Floating } from './floating.js'
import { ModalPanel } from './modal-panel.js'

/** The controllers of a floating panel or a sidebar. `section`: what was drawn. */
export function layoutControllers(host: PanelHost, section: HTMLElement, words: () => Words): ReactiveController[] {
  return [new Floating(host, words), new ModalPanel(host, section), new FittedHeight(host, section)]
}

/** Screens on which only the styles of `adaptPanel` make the panel usable. */
const special = '(max-width: 40em), (max-height: 32em), (pointer: coarse), (forced-colors)'
const adapted = new WeakSet<Element>()

/**
 * Adapts the panel of an element to a special screen, now or when the screen becomes one: adds the styles, and keeps a
 * panel that fills the window above the on-screen keyboard, which covers the page. styles/panel.ts uses `--_top` and
 * `--_height`.
 */
export function adaptPanel(element: Element): void {
  const query = matchMedia(special)
  const viewport = visualViewport
  const fit = (): void => {
    const style = element.shadowRoot?.querySelector<HTMLElement>('.panel')?.style
    // A user who zooms by pinching pans to the rest of the panel.
    const isFitting = viewport !== null && viewport.scale < 1.01
    style?.setProperty('--_top', isFitting ? `${viewport.offsetTop}px` : '')
    style?.setProperty('--_height', isFitting ? `${viewport.height}px` : '')
  }
  const adapt = (): void => {
    if (!query.matches || adapted.has(element)) return
    adapted.add(element)
    adoptStyles(element, adaptedStyles)
    for (const type of ['resize', 'scroll']) viewport?.addEventListener(type, fit)
    fit()
  }
  query.onchange = adapt
  adapt()
}
