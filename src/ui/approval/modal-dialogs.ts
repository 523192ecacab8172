// Modal dialogs of the page, and menus that use `inert`, make the panel inert. While one is open, the question is a
// modal dialog itself, above it. The page does not notice that the focus is in the question meanwhile.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { AgentElement } from '../element/agent-element.js'
import { withoutFocusEvents } from '../isolation/isolation.js'

/** Modal dialogs in shadow trees of the page, found by the focus inside them. Those that are closed are removed. */
const inShadowTrees = new Set<HTMLDialogElement>()

/** Whether the page makes the element inert. `own`: the dialog of the questions. */
function isInert(element: Element, own: HTMLDialogElement): boolean {
  const doc = unclobbered(document)
  for (let active = doc.activeElement; active; active = active.shadowRoot?.activeElement ?? null) {
    const modal = active.closest<HTMLDialogElement>('dialog:modal')
    if (modal !== null && modal !== own) inShadowTrees.add(modal)
  }
  for (const dialog of inShadowTrees) if (!dialog.isConnected || !dialog.matches(':modal')) inShadowTrees.delete(dialog)
  const around = new Set<Node | null>()
  for (let node: Node | null = element; node !== null; node = parentOf(node)) {
    if (node instanceof Element && node.hasAttribute('inert')) return true
    around.add(node)
  }
  return [...doc.querySelectorAll('dialog:modal'), ...inShadowTrees].some((dialog) => !around.has(dialog))
}

/** The parent in the flat tree, below the document, whose properties an element of the page may replace. */
function parentOf(node: Node): Node | null {
  if (node instanceof Document) return null
  const slot = node instanceof Element ? node.assignedSlot : null
  return slot ?? node.parentNode ?? (node instanceof ShadowRoot ? node.host : null)
}

/** Calls a function when the page may have made the panel inert, or have ended that, until `stop`. */
export class ModalWatch {
  readonly #onChange: () => void
  readonly #observer: MutationObserver
  #isAbove: boolean | undefined

  constructor(onChange: () => void) {
    this.#onChange = onChange
    this.#observer = new MutationObserver(onChange)
  }

  /** Starts, or goes on. `isAbove`: the question is above a dialog of the page, which may also be removed. */
  start(isAbove: boolean): void {
    if (this.#isAbove === isAbove) return
    this.#isAbove = isAbove
    const doc = unclobbered(document)
    this.#observer.disconnect()
    this.#observer.observe(document, { subtree: true, attributeFilter: ['open', 'inert'], childList: isAbove })
    // The attribute of a dialog in a shadow tree cannot be observed from here, but the dialog gets the focus.
    doc.addEventListener('focusin', this.#onChange)
  }

  /** Stops. */
  stop(): void {
    this.#isAbove = undefined
    this.#observer.disconnect()
    unclobbered(document).removeEventListener('focusin', this.#onChange)
  }
}

/**
 * Shows the questions as a modal dialog while the page makes the panel inert, and inside the panel
 * otherwise. The user cannot dismiss the dialog, only decide. Returns whether it is modal.
 */
export function keepOnTop(questions: HTMLDialogElement, element: AgentElement, isDeciding: () => boolean): boolean {
  const isModal = questions.matches(':modal')
  if (isDeciding() || questions.hidden) return isModal
  // Who wants to press it themselves must reach it.
  const isLeft = questions.querySelector('.left-to-user') !== null
  const mustBeModal = !isLeft && isInert(element, questions)
  if (mustBeModal && element.layout !== 'inline' && !element.open) {
    element.open = true
    return isModal // The update opens the panel and calls this again, so the dialog comes on top of the panel.
  }
  questions.oncancel = (event) => {
    event.preventDefault()
  }
  questions.onclose = () => {
    keepOnTop(questions, element, isDeciding)
  }
  if (isModal !== mustBeModal) closeDialog(questions)
  if (mustBeModal && !isModal)
    withoutFocusEvents(() => {
      questions.showModal()
    })
  else if (!questions.open) questions.setAttribute('open', '')
  return mustBeModal
}

/** Closes the dialog. The focus returns to where it was. */
export function closeDialog(questions: HTMLDialogElement): void {
  withoutFocusEvents(() => {
    questions.close()
  })
}
