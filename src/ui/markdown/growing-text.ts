// Text of an answer that is being written. Lit replaces the whole text of a node, and the browser then drops a
// selection in it. This directive changes only what differs, so that a visitor can copy while the answer grows.
import { AsyncDirective } from 'lit/async-directive.js'
import { noChange } from 'lit'
import { directive, type ChildPart } from 'lit/directive.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'

/** Draws one text, or `colours` of it when they are there. */
class GrowingText extends AsyncDirective {
  #text: string | undefined
  #colours: Promise<unknown> | undefined
  /** The colours are drawn. */
  #isColoured = false

  render(text: string, _colours?: Promise<unknown>): unknown {
    return text
  }

  override update(part: ChildPart, [text, colours]: [string, Promise<unknown>?]): unknown {
    const node = part.startNode?.nextSibling
    const isDrawn = !this.#isColoured && this.#text !== undefined && node?.nodeType === 3
    if (this.#isColoured && text === this.#text && colours === this.#colours) return noChange
    this.#text = text
    this.#isColoured = false
    if (colours !== this.#colours) {
      this.#colours = colours
      void colours?.then((words) => this.#colour(part, colours, words))
    }
    if (!isDrawn) return text
    replaceEnd(node as Text, text)
    return noChange
  }

  async #colour(part: ChildPart, colours: Promise<unknown>, words: unknown): Promise<void> {
    if (part.parentNode instanceof Element) await whileSelected(part.parentNode)
    if (this.#colours !== colours || !this.isConnected || typeof words === 'string') return
    this.#isColoured = true
    this.setValue(words)
  }
}

/** Sets the text of a node, whose unchanged beginning keeps its part of a selection. */
function replaceEnd(node: Text, text: string): void {
  const before = node.data
  if (text === before) return
  if (text.startsWith(before)) return node.appendData(text.slice(before.length))
  let same = 0
  while (same < text.length && text[same] === before[same]) same++
  node.replaceData(same, before.length - same, text.slice(same))
}

/** Resolves when no end of the selection is inside of an element. */
async function whileSelected(element: Element): Promise<void> {
  while (holdsSelection(element))
    await new Promise((resolve) => unclobbered(document).addEventListener('selectionchange', resolve, { once: true }))
}

function holdsSelection(element: Element): boolean {
  const root = element.getRootNode() as ShadowRoot & { getSelection?: () => Selection | null }
  // Chromium tells the shadow root what is selected inside, Firefox the document, Safari who asks for it.
  const selection = root.getSelection?.() ?? getSelection()
  if (selection?.type !== 'Range') return false
  const composed = selection as Selection & { getComposedRanges?: (more: object) => StaticRange[] }
  const ranges = composed.getComposedRanges?.({ shadowRoots: [root] }) ?? [selection.getRangeAt(0)]
  return ranges.some(({ startContainer, endContainer }) =>
    [startContainer, endContainer].some((end) => element.contains(end)),
  )
}

/** A text that changes mostly at its end, and its colours when they are found. */
export const growingText = directive(GrowingText)
