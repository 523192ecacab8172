// Adapts the panel to phones, touch screens, low windows and forced colours.
import { adaptedStyles } from '../styles/adapted.js'
import { adoptStyles } from '../panel/render-context.js'

const adapted = new WeakSet<Element>()

/**
 * Adds the styles, and keeps a panel that fills the window above the on-screen keyboard, which covers the page.
 * styles/panel.ts uses `--_top` and `--_height`. Calling it again for the same element does nothing.
 */
export function adaptPanel(element: Element): void {
  const viewport = visualViewport
  if (adapted.has(element)) return
  adapted.add(element)
  adoptStyles(element, adaptedStyles)
  const fit = (): void => {
    const style = element.shadowRoot?.querySelector<HTMLElement>('.panel')?.style
    // A user who zooms by pinching pans to the rest of the panel.
    const isFitting = viewport !== null && viewport.scale < 1.01
    style?.setProperty('--_top', isFitting ? `${viewport.offsetTop}px` : '')
    style?.setProperty('--_height', isFitting ? `${viewport.height}px` : '')
  }
  for (const type of ['resize', 'scroll']) viewport?.addEventListener(type, fit)
  fit()
}
