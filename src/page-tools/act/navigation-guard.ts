// Blocks navigations to other sites while an action runs: a click that the user approved must not lead where the user
// was not asked about.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, currentPage, isTag } from '../dom/dom.js'
import { siteOf } from './planned-action.js'

/** Milliseconds after an input of the user in which a navigation is theirs. */
const afterInput = 1_000

/** Guards the page from its creation until `end`. */
export class NavigationGuard {
  /** The sites of the navigations that were blocked. */
  readonly blocked: string[] = []
  readonly #site: string | undefined
  readonly #ending = new AbortController()
  #isLeaving = false
  #lastInput = -Infinity

  /** `site`: the other site that the user has approved. `roots`: all documents and shadow roots of the page. */
  constructor(site: string | undefined, roots: readonly (Document | ShadowRoot)[]) {
    this.#site = site
    for (const root of roots) this.#watch(root)
    this.#listen(window, 'beforeunload', () => {
      this.#isLeaving = true
    })
  }

  /** Whether a navigation of the page has begun. */
  get isLeaving(): boolean {
    return this.#isLeaving
  }

  /** Removes all listeners. */
  end(): void {
    this.#ending.abort()
  }

  #listen(target: EventTarget, type: string, listener: (event: Event) => void): void {
    target.addEventListener(type, listener, { signal: this.#ending.signal })
  }

  #watch(root: Document | ShadowRoot): void {
    const view = unclobbered(root as Partial<Document>).defaultView
    // Runs after the listeners of the page, which may change the target. A `submit` in a shadow root does not leave it,
    // so every root needs a listener.
    this.#listen(view ?? root, 'submit', (event) => {
      const { target: form, submitter } = event as SubmitEvent & { target: Element }
      const declared = (name: string): string | null =>
        submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name)
      if (declared('method')?.toLowerCase() !== 'dialog') this.#block(event, declared('action') || currentPage().URL)
    })
    if (view) this.#watchWindow(view)
  }

  #watchWindow(view: EventTarget): void {
    const noteInput = (event: Event): void => {
      if (event.isTrusted) this.#lastInput = performance.now()
    }
    for (const type of ['pointerdown', 'keydown'])
      view.addEventListener(type, noteInput, { capture: true, passive: true, signal: this.#ending.signal })
    this.#listen(view, 'click', (event) => {
      const link = ancestor(
        (event.composedPath()[0] ?? null) as Node | null,
        (above) => isTag(above, 'a', 'area') && above.hasAttribute('href'),
      )
      if (link) this.#block(event, link.getAttribute('href'))
    })
    const { navigation } = view as { navigation?: EventTarget }
    if (navigation)
      this.#listen(navigation, 'navigate', (event) => {
        const { destination, userInitiated } = event as Event & {
          destination?: { url: string }
          userInitiated?: boolean
        }
        // The presses in the panel are not seen here, and it has links, too.
        if (!userInitiated) this.#block(event, destination?.url)
      })
  }

  /** Cancels a navigation to another site, unless it is approved or follows an input of the user. */
  #block(event: Event, address: string | null | undefined): void {
    if (
      !event.cancelable ||
      event.defaultPrevented ||
      address == null ||
      !URL.canParse(address, currentPage().baseURI) ||
      performance.now() - this.#lastInput < afterInput
    )
      return
    const other = siteOf(new URL(address, currentPage().baseURI))
    if (other === undefined || other === this.#site) return
    event.preventDefault()
    this.blocked.push(other)
  }
}
