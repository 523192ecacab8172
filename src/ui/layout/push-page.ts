// Makes room for an open sidebar beside the page: a margin of the root element.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { AgentElement } from '../element/agent-element.js'

const pushing = new WeakMap<HTMLElement, () => void>()

/** Keeps the margin of the page as wide as the sidebar. Restores the page's own while the sidebar does not push. */
export function pushPage(element: AgentElement, panel: HTMLElement): void {
  const { style } = unclobbered(document).documentElement
  const known = pushing.get(panel)
  if (known !== undefined) return known()
  const before = style.marginInlineEnd
  const update = (): void => {
    const { width } = panel.getBoundingClientRect()
    // A closed sidebar has no width. One that fills the window has no page beside it.
    const isPushing = element.layout === 'sidebar' && element.sidebar === 'push' && width < innerWidth
    style.marginInlineEnd = isPushing && width > 0 ? `${width}px` : before
  }
  pushing.set(panel, update)
  // Also called when the panel is closed or removed.
  new ResizeObserver(update).observe(panel)
}
