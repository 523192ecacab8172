// Finds the point where a click on an element lands, and the innermost element there. Throws if a user could not click.
import { nameOrText, roleOf } from '../dom/accessible-name.js'
import { ancestor, isElement, isOffLimits, isTag, nativeProperty, isTickBox } from '../dom/dom.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { scrollIntoReach } from '../hands/scroll.js'
import { toComparable } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import type { ActionTarget } from '../hands/mouse.js'
import { topmost, withoutOwnModals } from '../hands/point.js'
import { coveredBy } from './cover.js'
import { visibleBox } from './drag/boxes.js'
import { describeControl, enableFirst, unavailable } from './resolve-target.js'

const interactive =
  'a[href],area[href],button,input,select,textarea,summary,label,[onclick],[role=button],[role=link],[role=menuitem],' +
  '[role=tab],[role=checkbox],[role=radio],[role=switch],[role=option],[tabindex]'
const openFirst = 'Open the menu, tab or section that contains it, then use page_read.'

/** The visible label of an invisible checkbox or radio button, or else the element. */
const shownFor = (element: Element, { visibility }: PageSnapshot): Element =>
  (isTickBox(element) &&
    !visibility.isShown(element) &&
    [...(element.labels ?? [])].find((label) => visibility.isShown(label))) ||
  element

/**
 * The point to click. Scrolls the element into view if necessary.
 * @throws `unavailable` if it is hidden or covered
 */
export function describeTarget(element: Element, snapshot: PageSnapshot): ActionTarget {
  const release = snapshot.visibility.holdHover(element)
  try {
    return describeShown(element, snapshot)
  } finally {
    release()
  }
}

function describeShown(element: Element, snapshot: PageSnapshot): ActionTarget {
  const { visibility } = snapshot
  const words = describeControl(element, snapshot)
  const shown = shownFor(element, snapshot)
  const rects = rectsOf(shown)
  if (rects.length === 0 && shown.checkVisibility()) throw unavailable(words, 'has no size', openFirst)
  if (
    rects.length === 0 ||
    visibility.style(shown).visibility !== 'visible' ||
    (visibility.hasBox(shown) && !visibility.isShown(shown))
  )
    throw unavailable(words, 'is hidden', openFirst)
  // The other end of a drag may have been scrolled into view since the snapshot.
  if (visibility.isShown(shown) && !visibility.isInReach(shown) && !new Visibility().isInReach(shown))
    throw unavailable(
      words,
      'is cut off by a box around it, and nobody can scroll there',
      'Use what moves it into view.',
    )
  const first = findHitPoint(element, shown, visibility)
  if (isTarget(first)) return first
  scrollIntoReach(shown, 'center')
  const find = (): ActionTarget | Element | undefined => findHitPoint(element, shown, visibility)
  const below = find()
  const second = isTarget(below) ? below : (withoutOwnModals(find) ?? below)
  if (isTarget(second)) return second
  if (visibility.style(shown).pointerEvents === 'none') throw unavailable(words, 'takes no clicks now', enableFirst)
  if (second === undefined) throw unavailable(words, 'cannot be scrolled into view', openFirst)
  const isOnTop = (one: Element): boolean => isTarget(findHitPoint(one, one, visibility))
  throw unavailable(words, ...coveredBy(second, shown, snapshot, isOnTop))
}

const isTarget = (found: ActionTarget | Element | undefined): found is ActionTarget =>
  found !== undefined && 'on' in found

/** The boxes of the element, or of its contents if it has none. */
function rectsOf(element: Element): DOMRect[] {
  const boxes = (one: Element): DOMRect[] =>
    [...one.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
  const own = boxes(element)
  return (own.length > 0 ? own : [...element.querySelectorAll('*')].slice(0, 20).flatMap(boxes)).slice(0, 3)
}

const hitPoints = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.1, 0.1],
  [0.9, 0.9],
] as const

/**
 * Whether an inner control is the inside of the outer one and no control of its own, such as the link that fills a tab:
 * it has no role, or the same name.
 */
function isInsideOf(inner: Element, outer: Element, visibility: Visibility): boolean {
  if (isOffLimits(inner)) return false
  if (/^\s*(none|presentation)\b/i.test(inner.getAttribute('role') ?? '')) return true
  const nameOf = (one: Element): string => toComparable(nameOrText(one, visibility))
  const name = nameOf(inner)
  return name !== '' && name === nameOf(outer)
}

const nativeControl = 'a[href],area[href],button,input,select,textarea,summary,label'

/**
 * The part inside that the target consists of, at which a person aims: the link in a tab, or the words of a box without
 * a role, which may be the only part that listens.
 */
function partInside(shown: Element, visibility: Visibility): Element | undefined {
  if (shown.matches(nativeControl)) return undefined
  if (roleOf(shown) === null) {
    let inner = shown
    for (let next: Element | undefined = shown; next; next = onlyPart(inner, visibility)) inner = next
    return inner === shown ? undefined : inner
  }
  return [...shown.querySelectorAll(nativeControl)]
    .slice(0, 5)
    .find((inner) => visibility.isShown(inner) && isInsideOf(inner, shown, visibility))
}

/** The child that shows all the text of an element, if it takes clicks. */
function onlyPart(element: Element, visibility: Visibility): Element | undefined {
  const text = visibility.visibleText(element)
  if (text === '') return undefined
  return visibility
    .children(element)
    .filter(isElement)
    .find(
      (child) =>
        visibility.isShown(child) &&
        visibility.style(child).pointerEvents !== 'none' &&
        visibility.visibleText(child) === text,
    )
}

/** A point where the target is topmost, or else the element that covers it; undefined if no point is in view. */
function findHitPoint(element: Element, shown: Element, visibility: Visibility): ActionTarget | Element | undefined {
  let cover: Element | undefined
  let nested: ActionTarget | undefined
  const inside = partInside(shown, visibility)
  const visible = visibleBox(shown)
  const rects = [
    ...(inside ? rectsOf(inside) : []),
    ...rectsOf(shown),
    ...(Math.min(visible.width, visible.height) > 0 ? [visible] : []),
  ]
  for (const { left, top, width, height } of rects) {
    for (const [across, down] of hitPoints) {
      const place = { x: left + width * across, y: top + height * down }
      const on = topmost(shown.ownerDocument, place.x, place.y)
      if (!on) continue
      const within = ancestor(
        on,
        (above) => above === shown || above === element || (isTag(above, 'label') && above.control === element),
      )
      const outside = within ? coverOfFrame(shown.ownerDocument, place.x, place.y) : on
      if (outside) {
        cover ??= outside
        continue
      }
      // A button inside a card that is a link: the card is meant, not the button. A part that is off limits is not
      // clicked either.
      const inner = isOffLimits(on)
        ? on
        : ancestor(
            on,
            (above) =>
              above === within || (above.matches(interactive) && !isInsideOf(above, within ?? element, visibility)),
          )
      if (inner === within) return { on, ...place }
      nested ??= { on: element, ...place }
    }
  }
  return nested ?? cover
}

/** The element that covers a frame at a point of its document, if any. */
function coverOfFrame(page: Document, x: number, y: number): Element | undefined {
  if (page === document) return undefined
  const frame = nativeProperty('Document', page, 'defaultView')?.frameElement
  if (!frame) return undefined
  const { left, top } = frame.getBoundingClientRect()
  const [outerX, outerY] = [x + left + frame.clientLeft, y + top + frame.clientTop]
  const on = topmost(frame.ownerDocument, outerX, outerY)
  if (!on || ancestor(on, (above) => above === frame) === null) return on ?? frame
  return coverOfFrame(frame.ownerDocument, outerX, outerY)
}
