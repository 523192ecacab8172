// Where a hand is, and what is there. The panel of the agent is never in its way.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, currentPage, elementsUnder } from '../dom/dom.js'

const ownTag = /^tool-agent(-|$)/

/** Whether it is part of the agent, or a box of the page that holds nothing but the agent. */
const isOwn = (element: Element): boolean =>
  ancestor(element, (above) => ownTag.test(above.localName)) !== null ||
  (element.childElementCount === 1 &&
    ownTag.test(element.firstElementChild?.localName ?? '') &&
    element.textContent?.trim() === '')

/** The topmost element at a point, through open shadow roots. Ignores the agent's own panel. */
export function topmost(page: Document, x: number, y: number): Element | undefined {
  return innermostAt(unclobbered(page).elementsFromPoint(x, y), x, y)
}

/** The first of the elements that are hit in one tree, or what is hit in its shadow root. */
function innermostAt(hit: readonly Element[], x: number, y: number): Element | undefined {
  for (const element of hit) {
    if (isOwn(element)) continue
    const root = element.shadowRoot
    const within = root ? root.elementsFromPoint(x, y).filter((one) => one.getRootNode() === root) : []
    const inner = innermostAt(within, x, y)
    if (inner) return inner
    // A host is also hit if only the agent's panel in its shadow root is.
    const { left, top, right, bottom } = element.getBoundingClientRect()
    if (within.length === 0 || (left <= x && x < right && top <= y && y < bottom)) return element
  }
  return undefined
}

/** The shadow roots of the agent's own elements, also of those in shadow roots of the page. */
export function ownRoots(): ShadowRoot[] {
  const { documentElement } = currentPage()
  const roots: ParentNode[] = [
    documentElement,
    ...[...elementsUnder(documentElement)].flatMap((one) => one.shadowRoot ?? []),
  ]
  return roots
    .flatMap((root) => [...root.querySelectorAll('tool-agent, tool-agent-inspector')])
    .flatMap((own) => own.shadowRoot ?? [])
}

/**
 * Runs a step while no modal dialog of the agent is open, and then opens them again, before the browser draws: below a
 * modal dialog the browser finds no element at any point. Returns undefined, and runs nothing, if none is open.
 */
export function withoutOwnModals<T>(step: () => T): T | undefined {
  const open = ownRoots().flatMap((root) =>
    [...root.querySelectorAll('dialog')]
      .filter((dialog) => dialog.matches(':modal'))
      .map((dialog) => ({ dialog, focus: root.activeElement as HTMLElement | null })),
  )
  if (open.length === 0) return undefined
  for (const { dialog } of open) dialog.close()
  try {
    return step()
  } finally {
    for (const { dialog, focus } of open) {
      if (!dialog.open && dialog.isConnected) dialog.showModal()
      focus?.focus({ preventScroll: true })
    }
  }
}
