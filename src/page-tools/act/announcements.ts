// What live regions of the page say while an action runs: messages may disappear before the page is still, may be for
// screen readers only, and may say again what was there.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, isElement, parentOf } from '../dom/dom.js'
import { Visibility } from '../dom/visibility.js'
import { spokenText } from './watched-state.js'

/** Characters of a message that are read, so that private values in it are found. */
const longestMessage = 1_000

const live = '[role=alert],[role=status],[role=log],[aria-live=polite],[aria-live=assertive],output'
/** Regions that interrupt: what they say again is meant again. */
const urgent = '[role=alert],[aria-live=assertive]'

/**
 * How something was said: `seen` on the page, `heard` with a screen reader only, `again` in the same region as before,
 * `shown-again` after it was gone, `drawn-again` by a new element.
 */
export type Said = 'seen' | 'heard' | 'again' | 'shown-again' | 'drawn-again'
type Root = Document | ShadowRoot

const regionsIn = (roots: readonly Root[]): Element[] =>
  roots.flatMap((root) => [...unclobbered(root).querySelectorAll(live)])

/** The text of a live region now; undefined if it has none that may be read. */
function announcementOf(
  region: Element,
  visibility = new Visibility(),
): { readonly text: string; readonly how: 'seen' | 'heard' } | undefined {
  if (visibility.isOffLimits(region) || !region.isConnected) return undefined
  const shown = visibility.visibleText(region, undefined, longestMessage)
  const text = shown || spokenText(region, visibility).slice(0, longestMessage)
  return text === '' ? undefined : { text, how: shown ? 'seen' : 'heard' }
}

/** Notes the messages of a page from its creation on. */
export class Announcements {
  /** What was said, in order. */
  readonly said = new Map<string, Said>()
  readonly #roots: readonly Root[]
  /** The last text of each region. */
  readonly #known: Map<Element, string | undefined>
  readonly #saidBefore: ReadonlySet<string | undefined>

  constructor(roots: readonly Root[]) {
    this.#roots = roots
    this.#known = new Map(regionsIn(roots).map((region) => [region, announcementOf(region)?.text]))
    this.#saidBefore = new Set(this.#known.values())
  }

  /** Must be called for every change at once. */
  note(records: readonly MutationRecord[]): void {
    const visibility = new Visibility()
    const written = new Set<Element | null>(
      records.flatMap(({ type, target, addedNodes }) =>
        type === 'characterData' || (type === 'childList' && addedNodes.length > 0)
          ? [ancestor(isElement(target) ? target : parentOf(target), (above) => above.matches(live))]
          : [],
      ),
    )
    const touched = new Set<Node>(
      records.flatMap(({ type, target, attributeName }) =>
        type === 'attributes' && /^(hidden|class|style|open)$/.test(attributeName ?? '') ? [target] : [],
      ),
    )
    for (const region of regionsIn(this.#roots)) {
      const message = announcementOf(region, visibility)
      if (!message) {
        if (this.#known.has(region)) this.#known.set(region, undefined)
        continue
      }
      this.#noteIn(region, message, { isWritten: written.has(region), isTouched: touched.has(region) })
      this.#known.set(region, message.text)
    }
  }

  #noteIn(
    region: Element,
    { text, how }: { readonly text: string; readonly how: 'seen' | 'heard' },
    { isWritten, isTouched }: { readonly isWritten: boolean; readonly isTouched: boolean },
  ): void {
    const wasSaid = this.#saidBefore.has(text)
    const isFresh = !this.#known.has(region)
    if (!(isFresh && wasSaid) && this.#known.get(region) !== text)
      this.said.set(text, wasSaid && how === 'seen' ? 'shown-again' : how)
    else if (this.said.has(text)) return
    else if (isWritten && !isFresh) this.said.set(text, 'again')
    // A region that was rendered anew says nothing new, but an alert may be meant again.
    else if ((isFresh || isTouched) && region.matches(urgent)) this.said.set(text, 'drawn-again')
  }
}
