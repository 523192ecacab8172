// Where something must lie now so that a person can see it, or scroll it into view. `overflow: hidden` limits this area
// to its own box. A box that a person can scroll extends it by what is left to scroll: the contents move, the box does
// not. So the areas are computed from the page inwards, once for each element.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, isTag, parentOf, viewOf } from './dom.js'
import { isScrolled, scrollLimits } from './scroll-limits.js'

/** An area in coordinates of the window of its document. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** What can be seen of the contents of an element, at some position of everything around that scrolls. */
export interface Reach extends Box {
  /** Pixels by which scrolling can move the contents to the right. */
  readonly toRight: number
  /** Pixels by which scrolling can move the contents down. */
  readonly toBottom: number
}

type StyleOf = (element: Element) => CSSStyleDeclaration

/** Whether two areas have a part in common. */
export const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/** Nothing of the contents can ever be seen. */
export const nowhere: Reach = {
  left: Infinity,
  top: Infinity,
  right: -Infinity,
  bottom: -Infinity,
  toRight: 0,
  toBottom: 0,
}
/** Pixels. If less of a box is visible, nobody scrolls it. */
const leastShown = 3

/** What can be seen of a document: all but what lies before its beginning. `outer`: of the frame around it, if any. */
export function pageReach(html: Element, style: StyleOf, outer: Reach | undefined): Reach {
  const frame = parentOf(html)
  if (frame && outer && !overlaps(frame.getBoundingClientRect(), outer)) return nowhere
  const page = unclobbered(html.ownerDocument)
  const { direction, writingMode } = style(page.body ?? html)
  const box = page.scrollingElement ?? html
  const { left, top } = scrollLimits(
    box,
    { direction, writingMode, display: 'block', flexDirection: '', flexWrap: '' },
    viewOf(html).innerHeight,
  )
  const [toRight, toBottom] = [box.scrollLeft - left, box.scrollTop - top]
  return { left: -toRight, top: -toBottom, right: Infinity, bottom: Infinity, toRight, toBottom }
}

/** Whether an element with this position has its place in a box with this style. */
export function isContainingBlock(css: CSSStyleDeclaration, position: 'absolute' | 'fixed'): boolean {
  if (css.display === 'contents') return false
  if (position === 'absolute' && css.position !== 'static') return true
  if (css.filter !== 'none' || !/^(none)?$/.test(css.getPropertyValue('backdrop-filter'))) return true
  return (
    css.display !== 'inline' &&
    ([css.transform, css.translate, css.rotate, css.scale, css.perspective].some((value) => value !== 'none') ||
      /transform|translate|rotate|scale|perspective|filter|contain/.test(css.willChange) ||
      /paint|layout|strict|content/.test(css.contain) ||
      /auto|hidden/.test(css.getPropertyValue('content-visibility')))
  )
}

/** Whether it lies above all else of its window, whatever is around it. */
const isInTopLayer = (element: Element): boolean =>
  Element.prototype.matches.call(element, ':is(:modal, :popover-open, :fullscreen)')

/** The element whose reach counts for a positioned element. Boxes that it skips neither clip nor scroll it. */
export function containingBlock(element: Element, position: 'absolute' | 'fixed', style: StyleOf): Element | null {
  const isRoot = (up: Element): boolean => isTag(up, 'html')
  const found = ancestor(parentOf(element), (up) => isRoot(up) || isContainingBlock(style(up), position))
  return found && !isRoot(found) && isInTopLayer(element) ? ancestor(found, isRoot) : found
}

function turns({ transform, rotate, scale }: CSSStyleDeclaration): boolean {
  if (rotate !== 'none' || scale.includes('-') || transform.startsWith('matrix3d')) return true
  const [a = 1, b = 0, c = 0, d = 1] = /^matrix\((.*)\)/.exec(transform)?.[1]?.split(', ').map(Number) ?? []
  return a < 0 || d < 0 || Math.abs(b) > 0.001 || Math.abs(c) > 0.001
}
/** Whether it is rotated or mirrored, so that its contents may move in other directions than they are scrolled. */
function isTurned(element: Element, style: StyleOf): boolean {
  const found = ancestor(element, (up) => isTag(up, 'html') || turns(style(up)))
  return found !== null && turns(style(found))
}

/** Whether the browser leaves out the contents until they come near to the window, so that their sizes are guesses. */
const isPostponed = ({ firstElementChild: child }: Element): boolean =>
  child !== null && child.checkVisibility() && !child.checkVisibility({ contentVisibilityAuto: true })

/** What is left to scroll, in pixels of the window. */
function extended(shown: Box, outer: Reach, element: Element, style: StyleOf): Reach {
  const css = style(element)
  const limits = scrollLimits(element, css)
  const [x, y] = [isScrolled(css.overflowX), isScrolled(css.overflowY)]
  const across = x ? limits.right - limits.left : 0
  const down = y ? limits.bottom - limits.top : 0
  if (across + down === 0) return { ...outer, ...shown }
  if (shown.right - shown.left < leastShown || shown.bottom - shown.top < leastShown) return nowhere
  const { width, height } = element.getBoundingClientRect()
  const { offsetWidth, offsetHeight } = element as Partial<HTMLElement>
  const [scaleX, scaleY] = [width / (offsetWidth || width), height / (offsetHeight || height)]
  let [toRight, toLeft, toBottom, toTop] = [
    x ? (element.scrollLeft - limits.left) * scaleX : 0,
    x ? (limits.right - element.scrollLeft) * scaleX : 0,
    y ? (element.scrollTop - limits.top) * scaleY : 0,
    y ? (limits.bottom - element.scrollTop) * scaleY : 0,
  ]
  if (isTurned(element, style)) toRight = toLeft = toBottom = toTop = Math.hypot(across, down)
  return {
    left: shown.left - toRight,
    top: shown.top - toBottom,
    // Sizes of scrolled contents are rounded to whole pixels.
    right: shown.right + toLeft + (across ? 0.5 : 0),
    bottom: shown.bottom + toTop + (down ? 0.5 : 0),
    toRight: outer.toRight + toRight,
    toBottom: outer.toBottom + toBottom,
  }
}

/** What can be seen of the contents of an element. `outer`: of its containing block. */
export function reachInside(outer: Reach, element: Element, style: StyleOf): Reach {
  const css = style(element)
  if (isTag(element, 'html') || /^(inline|contents)$/.test(css.display)) return outer
  if (isTag(element, 'body')) {
    // The window scrolls for the body, unless the root element has an overflow of its own. Pages that lock scrolling
    // while a dialog is open hide nothing.
    const root = parentOf(element)
    return !root || style(root).overflowY === 'visible' ? outer : extended(outer, outer, element, style)
  }
  const postponed = css.getPropertyValue('content-visibility') === 'auto'
  const isContained = /paint|strict|content/.test(css.contain)
  const isOpen = !isContained && css.overflowX === 'visible' && css.overflowY === 'visible'
  if (isOpen && !postponed) return outer
  const box = element.getBoundingClientRect()
  if (postponed && isPostponed(element)) {
    const { left, top, right, bottom } = box
    return overlaps({ left: left - 1, top: top - 1, right: right + 1, bottom: bottom + 1 }, outer)
      ? { ...outer, bottom: Infinity }
      : nowhere
  }
  if (isOpen) return outer
  const across = isContained || css.overflowX !== 'visible'
  const down = isContained || css.overflowY !== 'visible'
  const shown = {
    left: across ? Math.max(box.left, outer.left) : outer.left,
    top: down ? Math.max(box.top, outer.top) : outer.top,
    right: across ? Math.min(box.right, outer.right) : outer.right,
    bottom: down ? Math.min(box.bottom, outer.bottom) : outer.bottom,
  }
  return shown.left < shown.right && shown.top < shown.bottom ? extended(shown, outer, element, style) : nowhere
}
