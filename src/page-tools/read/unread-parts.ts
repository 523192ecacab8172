// What a page shows and no tool can read: frames of other sites and closed shadow roots, with the fields in them.
import { currentPage, frameDocument, isTag } from '../dom/dom.js'
import { isClosedHost } from '../dom/closed-roots.js'
import { filterElements, type Steps } from '../dom/steps.js'
import type { Visibility } from '../dom/visibility.js'

/** Says how many such parts there are; '' if there are none. */
export function* unreadParts(visibility: Visibility): Steps<string> {
  const isFrame = (element: Element): boolean =>
    isTag(element, 'iframe') && visibility.isShown(element) && frameDocument(element) === null
  const parts = yield* filterElements(
    currentPage().body,
    visibility,
    (element) => isFrame(element) || isClosedHost(element, visibility),
  )
  const frames = parts.filter(isFrame).length
  const counts = [
    [frames, 'frame(s) from other sites'],
    [parts.length - frames, 'closed shadow root(s)'],
  ] as const
  const found = counts.flatMap(([count, what]) => (count > 0 ? `${count} ${what}` : []))
  return found.length === 0 ? '' : `${found.join(' and ')} cannot be read`
}
