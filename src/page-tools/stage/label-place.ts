// Where a label goes: near its element, where it covers nothing that a person reads before they decide, such as a total
// above the button, and no control.
import type { Box } from '../../page/tools/shown-on-page.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { currentPage, isOwnElement } from '../dom/dom.js'
import { boxOf, commonPart, windowBox } from './rects.js'

/** CSS pixels: between ring and label, and between label and window. */
const gaps = { label: 8, edge: 8 }
/** Texts of a section that are looked at. In one with more, such as a long list, the first ones decide. */
const mostTexts = 300

/** A place in the window. */
export interface WindowPoint {
  readonly x: number
  readonly y: number
}

/** What has a content of its own beside text. */
const drawn = 'input, select, textarea, img, picture, canvas, video, svg'

/** Where texts, fields and pictures of a section are in the window. */
function contentsOf(section: Element): readonly Box[] {
  const own = section.getBoundingClientRect()
  const inWindow = boxOf(section)
  if (!inWindow) return []
  // In a frame, boxes are those in the frame.
  const [dx, dy] = [inWindow.left - own.left, inWindow.top - own.top]
  const page = unclobbered(section.ownerDocument)
  const walker = page.createTreeWalker(section, NodeFilter.SHOW_TEXT)
  const range = page.createRange()
  const rects: DOMRect[] = []
  for (let count = 0; count < mostTexts && walker.nextNode(); count++) {
    if (walker.currentNode.nodeValue?.trim() === '') continue
    range.selectNodeContents(walker.currentNode)
    rects.push(...range.getClientRects())
  }
  for (const one of [...unclobbered(section).querySelectorAll(drawn)].slice(0, mostTexts))
    rects.push(one.getBoundingClientRect())
  return rects.map(({ left, top, right, bottom }) => ({
    left: left + dx,
    top: top + dy,
    right: right + dx,
    bottom: bottom + dy,
  }))
}

/** Whether the panel or its question would hide a part of a label. The layer itself is never hit. */
const isUnderPanel = ({ left, top, right, bottom }: Box): boolean =>
  [left, (left + right) / 2, right].some((x) => {
    const y = (top + bottom) / 2
    const hit = currentPage().elementFromPoint(x, y)
    if (hit === null || !isOwnElement(hit)) return false
    // Beside a modal question its backdrop is hit, which covers nothing.
    const inner = hit.shadowRoot?.elementFromPoint(x, y) ?? hit
    return commonPart(inner.getBoundingClientRect(), { left: x, top: y, right: x + 1, bottom: y + 1 }) !== undefined
  })

/** The size of a label in CSS pixels. */
export interface LabelSize {
  readonly width: number
  readonly height: number
}

/** Between this and `most`, and away from the edge of the window. */
export const awayFromEdge = (value: number, most: number): number =>
  Math.max(gaps.edge, Math.min(value, most - gaps.edge))

/**
 * The first of these places that is inside the window, not under the panel, and covers nothing. If each covers
 * something, the one that covers least of the first list, and then least of the next. Undefined if none is free of
 * window and panel.
 */
export function freePlace(
  places: readonly WindowPoint[],
  { width, height }: LabelSize,
  ...contents: readonly (readonly Box[])[]
): WindowPoint | undefined {
  const view = windowBox()
  const { edge } = gaps
  const boxAt = (at: WindowPoint): Box => ({ left: at.x, top: at.y, right: at.x + width, bottom: at.y + height })
  const isInside = (at: WindowPoint): boolean =>
    at.x >= edge && at.y >= edge && at.x + width <= view.right - edge && at.y + height <= view.bottom - edge
  let best: { readonly at: WindowPoint; readonly covered: readonly number[] } | undefined
  for (const at of places) {
    if (!isInside(at) || isUnderPanel(boxAt(at))) continue
    const covered = contents.map((boxes) => boxes.reduce((sum, box) => sum + areaOf(commonPart(box, boxAt(at))), 0))
    if (covered.every((area) => area === 0)) return at
    const [differs] = covered.map((area, index) => area - (best?.covered[index] ?? Infinity)).filter((by) => by !== 0)
    if (differs !== undefined && differs < 0) best = { at, covered }
  }
  return best?.at
}

const areaOf = (box: Box | undefined): number => (box ? (box.right - box.left) * (box.bottom - box.top) : 0)

/**
 * The place of a label: below the ring, above it, beside it, below or above the section; the first one that is inside
 * the window, not under the panel, and covers nothing of the section. If each covers something, the one that covers
 * least.
 */
export function labelPlace(ring: Box, { width, height }: LabelSize, section: Element | undefined): WindowPoint {
  const view = windowBox()
  const { edge, label: gap } = gaps
  const seen = commonPart(ring, view) ?? ring
  // In the middle of the ring, or where it ends or begins: the panel may be beside it.
  const columns = [(seen.left + seen.right) / 2 - width / 2, seen.right - width, seen.left].map((left) =>
    awayFromEdge(left, view.right - width),
  )
  const rows = (...tops: readonly number[]): WindowPoint[] => columns.flatMap((x) => tops.map((y) => ({ x, y })))
  const y = awayFromEdge((seen.top + seen.bottom) / 2 - height / 2, view.bottom - height)
  const around = section && boxOf(section)
  const places: WindowPoint[] = [
    ...rows(ring.bottom + gap, ring.top - gap - height),
    { x: ring.right + gap, y },
    { x: ring.left - gap - width, y },
    ...(around ? rows(Math.max(around.bottom, ring.bottom) + gap, Math.min(around.top, ring.top) - gap - height) : []),
  ]
  // Nothing else is left in a window that the element fills.
  return (
    freePlace(places, { width, height }, section ? contentsOf(section) : []) ?? {
      x: columns[0]!,
      y: awayFromEdge(seen.bottom - height - edge, view.bottom - height),
    }
  )
}
