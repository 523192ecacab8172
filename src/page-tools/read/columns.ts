// The columns of a grid of boxes without the markup of a table, such as the week of a calendar: which box stands under
// which one of a row of headers. Only geometry says so, and only a row of headers that look alike, and unlike the rest,
// counts.
import { isAction, roleOf } from '../dom/roles.js'
import { isElement } from '../dom/dom.js'
import type { Visibility } from '../dom/visibility.js'
import { looksClickable } from './clickables.js'
import { isDay } from './outline-item.js'

/** Fewer boxes beside each other are no row of headers; more boxes are no grid that a person reads. */
const [fewestHeaders, mostHeaders, mostBoxes] = [3, 40, 600]
/** Characters. */
const longestHeader = 40
/** Pixels by which edges of one column may differ. */
const slack = 4
/** So many rows may be between a row and the headers. */
const mostRows = 60

interface Header {
  readonly text: string
  readonly left: number
  readonly right: number
}

const lookOf = (element: Element, visibility: Visibility): string => {
  const { fontWeight, backgroundColor, color } = visibility.style(element)
  return [element.localName, element.getAttribute('class') ?? '', fontWeight, backgroundColor, color].join('\n')
}
const shownIn = (element: Element, visibility: Visibility): Element[] =>
  visibility.children(element).filter((one): one is Element => isElement(one) && visibility.hasBox(one))
const isLaidOut = (element: Element, visibility: Visibility): boolean =>
  /flex|grid/.test(visibility.style(element).display)

/** The boxes as headers, if they stand in one row and are short texts; undefined otherwise. A corner may be empty. */
function headersOf(boxes: readonly Element[], visibility: Visibility): readonly Header[] | undefined {
  if (boxes.length < fewestHeaders || boxes.length > mostHeaders) return undefined
  const top = boxes[0]!.getBoundingClientRect().top
  const headers: Header[] = []
  for (const box of boxes) {
    const rect = box.getBoundingClientRect()
    const text = visibility.visibleText(box, undefined, longestHeader)
    const isControl = isAction(roleOf(box)) || looksClickable(box, visibility)
    if (Math.abs(rect.top - top) > slack || text.length > longestHeader || isControl) return undefined
    if (box.querySelector('input,select,textarea')) return undefined
    if (text !== '') headers.push({ text, left: rect.left, right: rect.right })
  }
  return headers.length >= fewestHeaders ? headers : undefined
}

/** The headers that begin a grid, or stand in a row of their own above it and above rows like it. */
function headersAbove(node: Element, boxes: readonly Element[], visibility: Visibility): readonly Header[] | undefined {
  if (visibility.style(node).display.includes('grid')) {
    const top = boxes[0]?.getBoundingClientRect().top ?? 0
    const end = boxes.findIndex((box) => Math.abs(box.getBoundingClientRect().top - top) > slack)
    const first = boxes.slice(0, Math.max(0, end))
    const looks = new Set(first.slice(1).map((box) => lookOf(box, visibility)))
    const isOwn = looks.size === 1 && !boxes.slice(end).some((box) => looks.has(lookOf(box, visibility)))
    const found = isOwn ? headersOf(first, visibility) : undefined
    if (found) return found
  }
  const isPlaced = boxes[0] !== undefined && visibility.style(boxes[0]).position === 'absolute'
  if (!isPlaced && !isLaidOut(node, visibility)) return undefined
  const look = lookOf(node, visibility)
  let head = node.previousElementSibling
  for (let rows = 0; head && rows < mostRows && lookOf(head, visibility) === look; rows++)
    head = head.previousElementSibling
  if (!head || !visibility.hasBox(head)) return undefined
  let row = shownIn(head, visibility)
  if (row.length === 1) {
    head = row[0]!
    row = shownIn(head, visibility)
  }
  return isLaidOut(head, visibility) ? headersOf(row, visibility) : undefined
}

/** The header above a box, or the first and the last one of those that it stretches over; '' if it is under none. */
function headerOf(box: Element, headers: readonly Header[]): string {
  const { left, right } = box.getBoundingClientRect()
  const over = headers.filter((header) => Math.min(right, header.right) - Math.max(left, header.left) > slack)
  const [first, last] = [over[0], over.at(-1)]
  if (!first || !last || over.length === headers.length) return ''
  const [start, end] = [Math.min(...over.map((one) => one.left)), Math.max(...over.map((one) => one.right))]
  if (left < start - slack || right > end + slack) return ''
  return over.length === 1 ? first.text : `${first.text} to ${last.text}`
}

/** The names of the columns of the boxes in an element; empty if it is no such grid, or if its boxes can be counted. */
export function columnsIn(node: Element, visibility: Visibility): ReadonlyMap<Element, string> {
  const none = new Map<Element, string>()
  if (node.childElementCount < 2 || node.childElementCount > mostBoxes) return none
  const boxes = shownIn(node, visibility)
  const headers = boxes.length < 2 ? undefined : headersAbove(node, boxes, visibility)
  if (!headers) return none
  const found = new Map<Element, string>()
  for (const box of boxes) {
    const name = headerOf(box, headers)
    if (name !== '' && !headers.some(({ text }) => text === visibility.visibleText(box, undefined, longestHeader)))
      found.set(box, name)
  }
  const isWhole = [...found].every(
    ([box, name], at) =>
      name === headers[at % headers.length]?.text && visibility.visibleText(box, undefined, 1) !== '',
  )
  const isMonth = [...found.keys()].filter(isDay).length > found.size / 2
  return new Set(found.values()).size < 2 || isWhole || isMonth ? none : found
}
