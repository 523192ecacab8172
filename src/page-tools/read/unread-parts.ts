// What a page shows and no tool can read: frames of other sites and closed shadow roots, with the fields in them. No
// browser tells the hosts of closed roots, so only those are found that show nothing else: an element that is as large
// as something in it, and has nothing in it.
import { currentPage, frameDocument, isTag, isElement, isHtml, nativeProperty, parentOf, viewOf } from '../dom/dom.js'
import { filterElements, type Steps } from '../dom/steps.js'
import type { Visibility } from '../dom/visibility.js'
import { cachedPerSnapshot } from '../dom/per-snapshot.js'

/** The elements of HTML that can have a shadow root. */
const hosts = /^(article|aside|blockquote|div|footer|h[1-6]|header|main|nav|p|section|span)$/
/** Pixels. A smaller element is an icon, or a line. */
const least = { width: 40, height: 16 }
/** Pixels. A custom element without contents is an icon, unless it is larger. */
const leastCustom = { width: 100, height: 40 }

/** Whether something of an element outside of shadow roots has a box. */
function hasContents(element: Element, visibility: Visibility): boolean {
  const children = visibility.children(element)
  if (children.length === 0) return false
  if (children.some((one) => (isElement(one) ? visibility.hasBox(one) : visibility.isTextVisible(one)))) return true
  const range = Document.prototype.createRange.call(nativeProperty('Node', element, 'ownerDocument'))
  range.selectNodeContents(element)
  return range.getClientRects().length > 0
}

/** Whether nothing but contents can be the reason of its height. */
function isStretched(element: Element, visibility: Visibility): boolean {
  const own = (element as Partial<Pick<Element, 'computedStyleMap'>>).computedStyleMap?.()
  const up = parentOf(element)
  if (!own || (up && /flex|grid/.test(visibility.style(up).display))) return false
  const isUnset = (name: string): boolean => /^(auto|0px)$/.test(String(own.get(name) ?? 'auto'))
  const { display, position, paddingTop, paddingBottom } = visibility.style(element)
  if (/absolute|fixed/.test(position) || !['height', 'min-height', 'aspect-ratio'].every(isUnset)) return false
  return display !== 'inline' && element.clientHeight > parseFloat(paddingTop) + parseFloat(paddingBottom)
}

/** Whether an element shows what no script can read: the contents of a closed shadow root. */
export const isClosedHost = cachedPerSnapshot((element: Element, visibility: Visibility): boolean => {
  const isCustom = element.localName.includes('-')
  if (!isHtml(element) || element.shadowRoot || !(isCustom || hosts.test(element.localName))) return false
  // An empty editor is as large as a line.
  if (element.isContentEditable || !visibility.isShown(element)) return false
  const { width, height } = element.getBoundingClientRect()
  if (width < least.width || height < least.height || hasContents(element, visibility)) return false
  const { backgroundImage } = visibility.style(element)
  const isLarge = isCustom && width >= leastCustom.width && height >= leastCustom.height && backgroundImage === 'none'
  if (!isLarge && !isStretched(element, visibility)) return false
  return ['::before', '::after'].every((pseudo) =>
    /^n(one|ormal)$/.test(viewOf(element).getComputedStyle(element, pseudo).content),
  )
})

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
