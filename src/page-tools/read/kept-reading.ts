// What a message says of the page: its texts without private values, and the names of its forms. Reading a page costs a
// style, a layout and time for each field, so it is done ahead, and kept while the document does not change. Values and
// style sheets can change without that. So what was kept is used only for a text in which no value occurs that a field
// holds at that moment, whether it was private or not. For any other text, the page is read anew.
import type { PageReading } from '../../page/tools/tool.js'
import { currentPage, frameDocument, isElement, isTag, maxFrames, nativeProperty } from '../dom/dom.js'
import { quickRedaction, secretsHeld, takeSnapshot, valuesOf, type PageSnapshot } from '../dom/page-snapshot.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { redactEchoes } from '../sensitive/redact.js'
import { mayHoldSecret } from '../sensitive/sensitive-fields.js'
import { typeOf } from '../controls/kinds.js'
import { formNames } from './forms.js'

/** Elements of the largest page whose fields are all read: reading a larger one would delay the message. */
const mostElements = 3_000
/** Milliseconds from a change of the page until it is read again, while the focus is in the panel. */
const pauses = { least: 300, most: 10_000 }

let kept: KeptReading | undefined
let pause = pauses.least
let timer: ReturnType<typeof setTimeout> | undefined

/** What the facts of a message need to know of the page as it is now. */
export function readPage(): PageReading {
  // A test of an agent in Node may offer the tools, too.
  if (typeof document !== 'object') return { redact: String }
  if (isTooLarge()) return { redact: quickRedaction() }
  pause = pauses.least
  return keptReading().forMessage()
}

const isTooLarge = (): boolean => currentPage().getElementsByTagName('*').length > mostElements

function keptReading(): KeptReading {
  if (kept?.isCurrent()) return kept
  kept?.end()
  return (kept = new KeptReading(readSoon))
}

/**
 * Reads the page again in idle time, if the focus is in the panel then: the visitor may be writing. Each reading
 * doubles the pause before the next one until a message uses it, so a page that always changes is rarely read.
 */
function readSoon(): void {
  kept = undefined
  clearTimeout(timer)
  timer = setTimeout(() => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(readAhead)
    else readAhead()
  }, pause)
}

function readAhead(): void {
  if (kept || !isOwn(currentPage().activeElement) || isTooLarge()) return
  pause = Math.min(pause * 2, pauses.most)
  keptReading()
}

/** What can be read apart from what is around it. */
export type Root = Document | ShadowRoot

class KeptReading {
  readonly #roots = readableRoots()
  /** Inputs and text areas, whose values are properties, and what else is a field or may become one. */
  readonly #holders: readonly Element[]
  readonly #redact: (text: string) => string
  readonly #forms: string
  readonly #hidden: number
  readonly #observer: MutationObserver
  // Valid until the page can run.
  #snapshot: PageSnapshot | undefined

  /** `onChange` is called once, after the document has changed. */
  constructor(onChange: () => void) {
    const snapshot = snapshotNow()
    this.#snapshot = snapshot
    queueMicrotask(() => {
      this.#snapshot = undefined
    })
    this.#redact = redactEchoes(secretsHeld(snapshot.fields()))
    this.#forms = formNames(snapshot)
    this.#hidden = snapshot.fields().filter(({ secret }) => secret).length
    this.#holders = [...this.#roots].flatMap((root) => elementsIn(root, '*').filter(mayHoldValue))
    this.#observer = new MutationObserver((records) => {
      if (!records.some(isChange)) return
      this.end()
      onChange()
    })
    const all = { subtree: true, childList: true, attributes: true, characterData: true }
    for (const root of this.#roots) this.#observer.observe(root, all)
  }

  /** Whether the document is still the one that was read. */
  isCurrent(): boolean {
    // A shadow root may be attached, and a frame may navigate, without a change of the document around them.
    const roots = readableRoots()
    return (
      !this.#observer.takeRecords().some(isChange) &&
      roots.size === this.#roots.size &&
      [...roots].every((root) => this.#roots.has(root))
    )
  }

  end(): void {
    this.#observer.disconnect()
  }

  /** The reading for the texts of one message, which are all made before the page can run. */
  forMessage(): PageReading {
    let held: HeldValues | undefined
    let snapshot = this.#snapshot
    const isSafe = (text: string): boolean => !(held ??= new HeldValues(this.#holders)).occurIn(text)
    const now = (): PageSnapshot => (snapshot ??= snapshotNow())
    return {
      redact: (text) => {
        const redacted = this.#redact(text)
        return isSafe(redacted) ? redacted : now().redact(text)
      },
      forms: () => (isSafe(this.#forms) ? this.#forms : formNames(now())),
      hidden: this.#hidden,
    }
  }
}

/** All values that fields hold at this moment and that could be private. */
class HeldValues {
  readonly #numbers: readonly string[]
  readonly #redact: (text: string) => string

  constructor(holders: readonly Element[]) {
    const values = holders
      .filter((one) => !isTag(one, 'input', 'textarea') || mayHoldSecret(one))
      .flatMap(valuesOf)
      .filter(Boolean)
    this.#numbers = values.filter((value) => /^\d{1,6}$/.test(value))
    this.#redact = redactEchoes(values)
  }

  occurIn(text: string): boolean {
    if (this.#redact(text) !== text) return true
    // A number may be split over several fields: then two of its parts follow each other.
    const joined = text.replace(/[^\p{L}\p{N}]/gu, '')
    return this.#numbers.some((one, at) =>
      this.#numbers.some((next, other) => other !== at && joined.includes(one + next)),
    )
  }
}

const snapshotNow = (): PageSnapshot => takeSnapshot({ sessionId: '', messages: [] })

const elementsIn = (root: Root, selector: string): Element[] => [...unclobbered(root).querySelectorAll(selector)]

/** The document, all open shadow roots, and the documents of as many frames as a snapshot reads. */
export function readableRoots(): Set<Root> {
  const roots = new Set<Root>()
  let frames = 0
  const add = (root: Root): void => {
    roots.add(root)
    for (const element of elementsIn(root, '*')) {
      if (isOwn(element)) continue
      const shadow = nativeProperty('Element', element, 'shadowRoot')
      if (shadow) add(shadow)
      const inside = frameDocument(element)
      if (inside && ++frames <= maxFrames) add(inside)
    }
  }
  add(document)
  return roots
}

/** Whether an element is a field, or can become one without a change of the document. */
const mayHoldValue = (element: Element): boolean =>
  isTag(element, 'input', 'textarea') || element.matches(':not(:defined)') || typeOf(element) !== undefined

/** Whether the node is an element of the agent. What is not read, but belongs to the page, may hold a password. */
const isOwn = (node: Node | null): boolean =>
  isElement(node) && /^tool-agent(-|$)/.test(nativeProperty('Element', node, 'localName'))

/** Whether a reading may differ after this change. The title is read with each message. */
function isChange({ type, target, addedNodes, removedNodes }: MutationRecord): boolean {
  if (isTag(target, 'title') || isTag(target.parentNode, 'title')) return false
  if (type === 'attributes') return !isOwn(target)
  return type !== 'childList' || [...addedNodes, ...removedNodes].some((node) => !isOwn(node) || node.hasChildNodes())
}
