// The labels that the browser ties to a control. Its own `labels` walks the whole document for each control, so a page
// of many buttons would take quadratic time: here the document is searched once per snapshot.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { isTag, propertyOf } from './dom.js'
import { cachedPerSnapshot } from './per-snapshot.js'
import type { Visibility } from './visibility.js'
import { isHiddenInput } from './dom.js'

/** The labels of each control of a document or shadow root, in tree order. */
const labelsIn = cachedPerSnapshot((root: Node): ReadonlyMap<Element, readonly Element[]> => {
  const found = new Map<Element, Element[]>()
  for (const label of unclobbered(root as Document | ShadowRoot).querySelectorAll('label')) {
    if (!label.control) continue
    const same = found.get(label.control)
    if (same) same.push(label)
    else found.set(label.control, [label])
  }
  return found
})

const none: readonly Element[] = []

/** The labels that are tied to an element, as `labels` has them; undefined if it is none that can have labels. */
export function labelsOf(element: Element, visibility: Visibility): readonly Element[] | undefined {
  // What a custom element says of itself only the element knows.
  if (element.localName.includes('-')) {
    const own = propertyOf(element, 'labels')
    return own ? [...own] : undefined
  }
  if (!isTag(element, 'button', 'input', 'meter', 'output', 'progress', 'select', 'textarea')) return undefined
  if (isHiddenInput(element)) return undefined
  return labelsIn(element.getRootNode(), visibility).get(element) ?? none
}
