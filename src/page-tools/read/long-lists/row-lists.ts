// Finds lists and grids of which only some rows are in the document: by the counts that their ARIA attributes state, or
// by the empty space that stands for the other rows where a box is scrolled. How a library makes this space does not
// matter: a tall box with moved rows, padding, or empty elements before and after.
import { ancestor, childrenOf, currentPage, isElement, isTag, isWithin, parentOf } from '../../dom/dom.js'
import { cachedPerSnapshot } from '../../dom/per-snapshot.js'
import { roleOf } from '../../dom/roles.js'
import {
  areaOf,
  contentsOf,
  heightOf,
  isPage,
  isScrollable,
  largestBoxUnder,
  pageOf,
  scrollBoxesUnder,
  scrollsPage,
  shownPartOf,
} from '../../dom/scroll-boxes.js'
import { isScrolled } from '../../dom/scroll-limits.js'
import type { Visibility } from '../../dom/visibility.js'

/** A list or grid, and how many rows it has. */
export interface RowList {
  /** What scrolls it; undefined if nothing does, such as a table that shows one page of its rows. */
  readonly box: Element | undefined
  /** The element with the role of the list, or else what contains its rows. */
  readonly root: Element
  /** The parent of the rows. */
  readonly container: Element
  /** What is as high as all rows together. */
  readonly space: Element
  /** How many rows are in the document. */
  readonly present: number
  /** How many there are; undefined if the page does not know. */
  readonly total: number | undefined
  /** Whether `total` is an estimate from heights. */
  readonly isAbout: boolean
}

/** An element and where it is. */
export interface Placed {
  readonly element: Element
  readonly rect: DOMRect
}

const things = 'img,svg,canvas,video,input,button,select,textarea,iframe,[role=img]'
function hasContent(node: Element, depth = 0): boolean {
  if (node.matches(things)) return true
  return childrenOf(node).some((child) =>
    isElement(child) ? depth < 12 && hasContent(child, depth + 1) : child.data.trim() !== '',
  )
}

/** More children are not measured: what is rendered in full needs no window. */
const mostChildren = 1_000

/** The children that have contents, in the order in which a person sees them. */
export function placedChildren(node: Element, visibility: Visibility): Placed[] {
  const children = visibility.children(node).filter(isElement)
  if (children.length > mostChildren) return []
  const placed = children.flatMap((element): Placed[] => {
    if (visibility.style(element).display === 'contents') return placedChildren(element, visibility)
    const rect = element.getBoundingClientRect()
    const isSeen = rect.height > 0 && visibility.style(element).visibility === 'visible'
    return isSeen && hasContent(element) ? [{ element, rect }] : []
  })
  return placed.sort((a, b) => a.rect.top - b.rect.top || a.rect.left - b.rect.left)
}

/** The height that most rows have, in pixels. */
export function usualHeight(rows: readonly Placed[]): number {
  const heights = rows.map(({ rect }) => rect.height).sort((a, b) => a - b)
  return Math.max(1, heights[Math.floor(heights.length / 2)] ?? 1)
}

interface Range {
  readonly top: number
  readonly bottom: number
}

/** What no row covers between two heights, without gaps as between rows. */
export function holesBetween(rows: readonly Placed[], { top, bottom }: Range, least: number): Range[] {
  const holes: Range[] = []
  let reached = top
  for (const { rect } of rows) {
    if (Math.min(rect.top, bottom) - reached > least) holes.push({ top: reached, bottom: Math.min(rect.top, bottom) })
    reached = Math.max(reached, rect.bottom)
  }
  if (bottom - reached > least) holes.push({ top: reached, bottom })
  return holes
}

/** Fewer things beside each other are no list. */
const fewestRows = 3

/** Whether most of them have the same tag, and a class in common or none. */
function areAlike(rows: readonly Placed[]): boolean {
  const counts = new Map<string, number>()
  for (const { element } of rows)
    for (const word of element.classList.length > 0 ? element.classList : ['']) {
      const kind = `${element.localName} ${word}`
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
    }
  return Math.max(...counts.values()) >= rows.length * 0.6
}

/** The rows in an element: its children, or those of the part that has most of them. `beside`: the other parts. */
function rowsIn(
  node: Element,
  visibility: Visibility,
): { readonly container: Element; readonly rows: Placed[]; readonly beside: readonly Placed[] } | undefined {
  let [container, rows] = [node, placedChildren(node, visibility)]
  const beside: Placed[] = []
  for (let depth = 0; rows.length < fewestRows && depth < 8; depth++) {
    const inner = rows.map(({ element, rect }) => ({ element, rect, own: placedChildren(element, visibility) }))
    const [most] = inner.sort((a, b) => b.own.length - a.own.length || b.rect.height - a.rect.height)
    if (!most || most.own.length === 0) return undefined
    beside.push(...rows.filter(({ element }) => element !== most.element))
    ;[container, rows] = [most.element, most.own]
  }
  return rows.length >= fewestRows && areAlike(rows) ? { container, rows, beside } : undefined
}

/** Lengths that a script writes to make space, or to move rows. */
const sized = /(height|padding|margin|inset|top|transform|translate)[^;]*\d(px|rem|em)/
const isSized = (element: Element): boolean => sized.test(element.getAttribute('style') ?? '')

/** The height of all that is in an element. */
function extentOf(node: Element, box: Element): Range {
  const { top, bottom } = node.getBoundingClientRect()
  if (node !== box || isPage(node)) return { top, bottom }
  const start = top + box.clientTop - box.scrollTop
  return { top: start, bottom: start + box.scrollHeight }
}

/** The rows that are not laid aside for later use, outside of their list. */
const within = (rows: readonly Placed[], { top, bottom }: Range): Placed[] =>
  rows.filter(({ rect }) => rect.bottom > top && rect.top < bottom)

interface Window {
  readonly space: Element
  readonly container: Element
  readonly rows: readonly Placed[]
  /** How many rows fit into the empty space. */
  readonly missing: number
}

/** The rows in an element that has space for more, where the box does not show it now. */
function windowAt(node: Element, box: Element, visibility: Visibility): Window | undefined {
  const found = rowsIn(node, visibility)
  if (!found) return undefined
  const { container } = found
  const extent = extentOf(node, box)
  const rows = within(found.rows, extent)
  if (rows.length < fewestRows) return undefined
  const height = usualHeight(rows)
  // What stands beside the rows fills its space, such as the text beside a short list or a form.
  const filled = [...rows, ...found.beside].sort((a, b) => a.rect.top - b.rect.top)
  const holes = holesBetween(filled, extent, 2.5 * height)
  const gap = holes.reduce((sum, { top, bottom }) => sum + bottom - top, 0)
  if (gap === 0) return undefined
  // A window is as large as what is seen. Where a person looks, nothing is missing.
  const shown = shownPartOf(box)
  const isSeen = holes.some(
    ({ top, bottom }) => Math.min(bottom, shown.bottom) - Math.max(top, shown.top) > 1.5 * height + 10,
  )
  if (isSeen) return undefined
  const [first] = rows
  const spacers = visibility.children(container).filter(isElement)
  const isMade =
    [node, container, ...(first ? [first.element] : []), ...spacers].some(isSized) ||
    (parentOf(container) !== null && isSized(parentOf(container)!))
  // Few libraries draw more than two screens beyond what is seen. An empty end of less than a screen is often a margin.
  const isWhole = extent.bottom - extent.top - gap > 3 * heightOf(box)
  if (gap <= heightOf(box) && (!isMade || isWhole)) return undefined
  const covered = Math.max(height, extent.bottom - extent.top - gap)
  return { space: node, container, rows, missing: Math.round((gap * rows.length) / covered) }
}

/** Bounds the search in one box. */
const mostNodes = 200

/** The list in a box whose rows do not fill it. */
function windowIn(box: Element, visibility: Visibility): Window | undefined {
  const height = heightOf(box)
  const open: Element[] = [contentsOf(box)]
  for (let seen = 0; open.length > 0 && seen < mostNodes; seen++) {
    const node = open.shift()!
    const found = windowAt(node, box, visibility)
    if (found) return found
    for (const { element, rect } of placedChildren(node, visibility))
      if (
        Math.max(rect.height, element.scrollHeight) > height &&
        !isScrolled(visibility.style(element).overflowY) &&
        !isTag(element, 'iframe')
      )
        open.push(element)
  }
  return undefined
}

const listRoles = /^(table|(tree)?grid|list|listbox|tree|feed)$/
const rowRoles = '[role=row],[role=listitem],[role=option],[role=treeitem],[role=article],[aria-posinset],tr,li,article'

/** The element that is the parent of most rows, without those of the head. */
function mostRowsIn(list: Element): Element | undefined {
  const counts = new Map<Element, number>()
  for (const row of list.querySelectorAll(rowRoles)) {
    const parent = parentOf(row)
    if (parent && !row.matches('thead *')) counts.set(parent, (counts.get(parent) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}

/** The element with the role of the list around its rows, or of the grid around its box; otherwise the rows' parent. */
function rootOf(container: Element, box: Element | undefined): Element {
  let above = 0
  const found = ancestor(container, (element) => {
    const role = roleOf(element) ?? ''
    if (above > 0) return ++above > 6 || /^((tree)?grid|table)$/.test(role)
    if (element === box) above++
    return listRoles.test(role)
  })
  if (found && above <= 6 && listRoles.test(roleOf(found) ?? '')) return found
  return box && !isPage(box) ? box : container
}

/** How many rows the page says there are; null if it says that it does not know; undefined if it says nothing. */
function statedTotal(container: Element, rows: readonly Element[]): number | null | undefined {
  const table = ancestor(container, (above) => /^(table|(tree)?grid)$/.test(roleOf(above) ?? ''))
  const stated = table?.getAttribute('aria-rowcount')
  if (table && stated) {
    const count = Number(stated)
    const heads = [...table.querySelectorAll('[role=row][aria-rowindex],tr[aria-rowindex]')].filter(
      (row) => row.querySelector('[role=columnheader],th:not([scope=row])') && !row.querySelector('[role=gridcell],td'),
    )
    return count < 0 ? null : count - heads.length
  }
  const [first] = rows
  const item = first?.matches('[aria-setsize]') ? first : first?.querySelector('[aria-setsize]')
  if (!item) return undefined
  const size = Number(item.getAttribute('aria-setsize'))
  return size < 0 || Number.isNaN(size) ? null : size
}

function listOf(box: Element | undefined, { space, container, rows, missing }: Window): RowList {
  const stated = statedTotal(
    container,
    rows.map(({ element }) => element),
  )
  const present = rows.length
  const isAbout = typeof stated !== 'number' || stated < present
  const estimate = missing > 0 ? present + missing : undefined
  const total = isAbout ? estimate : stated
  return { box, root: rootOf(container, box), container, space, present, total, isAbout }
}

/** What scrolls an element with a role: itself, a box inside, one around it, or its page. */
function boxOf(element: Element, visibility: Visibility): Element | undefined {
  if (isScrollable(element)) return element
  const inner = largestBoxUnder(element, visibility, areaOf(element) / 2)
  const found = inner ?? ancestor(parentOf(element), (above) => isScrollable(above))
  if (found) return found
  const page = pageOf(element)
  return scrollsPage(page) ? page : undefined
}

/** The lists of the page that have more rows than the document. */
const rowLists = cachedPerSnapshot((root: Element, visibility: Visibility): readonly RowList[] => {
  const found: RowList[] = []
  const isKnown = (element: Element): boolean =>
    found.some((list) => isWithin(element, list.root) || isWithin(element, list.container))
  const boxes = scrollBoxesUnder(root, visibility)
  const page = pageOf(root)
  for (const box of [...boxes, ...(scrollsPage(page) ? [page] : [])]) {
    const window = windowIn(box, visibility)
    if (window && !isKnown(window.container)) found.push(listOf(box, window))
  }
  for (const element of root.querySelectorAll('[aria-rowcount],[role=feed],[aria-setsize]')) {
    if (!visibility.hasBox(element) || visibility.isOffLimits(element) || isKnown(element)) continue
    const container = element.matches('[aria-setsize]') ? parentOf(element) : mostRowsIn(element)
    if (!container || isKnown(container)) continue
    const rows = placedChildren(container, visibility)
    const stated = statedTotal(
      container,
      rows.map((row) => row.element),
    )
    const isFeed = roleOf(element) === 'feed'
    if (rows.length < 1 || !(isFeed || stated === null || (stated ?? 0) > rows.length)) continue
    found.push(listOf(boxOf(container, visibility), { space: container, container, rows, missing: 0 }))
  }
  return found
})

/** The lists of the whole page that have more rows than the document. */
export const rowListsOf = (visibility: Visibility): readonly RowList[] => rowLists(currentPage().body, visibility)

/** A box that scrolls as a list, of which it is unknown whether it loads more; undefined if it is none. */
export function plainListIn(box: Element, visibility: Visibility): RowList | undefined {
  const found = rowsIn(contentsOf(box), visibility)
  return found && found.rows.length > 4 ? listOf(box, { ...found, space: found.container, missing: 0 }) : undefined
}

/** The rows of a list that are in the document now; none if the list has gone. */
export function rowsNow(list: RowList, visibility: Visibility): Placed[] {
  const { container, box, space } = list
  if (container.isConnected) {
    const all = placedChildren(container, visibility)
    const own = box && space.isConnected ? within(all, extentOf(space, box)) : all
    if (own.length > 0) return own
  }
  const again = box?.isConnected ? (windowIn(box, visibility) ?? rowsIn(contentsOf(box), visibility)) : undefined
  return [...(again?.rows ?? [])]
}

/** How many rows there are, in words: `24 of about 1000 rows`. */
export function countWords({ present, total, isAbout }: RowList): string {
  if (total === undefined) return `${present} rows`
  return `${present} of ${isAbout ? 'about ' : ''}${total} rows`
}

/** A search goes on in so many lists. */
const mostLists = 3

/** The lists in which a search for words may go on. */
export const searchedLists = (visibility: Visibility): readonly RowList[] =>
  rowListsOf(visibility)
    .filter(({ box }) => box !== undefined)
    .slice(0, mostLists)
