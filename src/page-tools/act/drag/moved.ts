// What a drag moved: the comparison of two outlines sees what is new or gone, not that the order or a place changed.
import { currentPage, elementsUnder, isElement, parentOf } from '../../dom/dom.js'
import type { PageSnapshot } from '../../dom/page-snapshot.js'
import { textOf, without } from '../../read/line.js'
import { outline } from '../../read/outline.js'
import { placeOf } from '../../read/places.js'
import { describeControl } from '../resolve-target.js'

/** Where the dragged item stands. */
export interface Standing {
  readonly item: Element
  readonly text: string
  /** The lines of the page in their order, without refs. */
  readonly order: string
  /** Its place in the box around it, in pixels. */
  readonly place: readonly number[]
}

/** Where the item stands now. */
export function standingOf(item: Element, snapshot: PageSnapshot): Standing {
  const { visibility, refs, fields, redact } = snapshot
  const { items } = outline({ root: currentPage().body, visibility, refs, fields: fields(), redact })
  const own = item.getBoundingClientRect()
  const around = parentOf(item)
  const box = around?.getBoundingClientRect()
  const [left, top] = [(box?.left ?? 0) - (around?.scrollLeft ?? 0), (box?.top ?? 0) - (around?.scrollTop ?? 0)]
  return {
    item,
    text: visibility.visibleText(item),
    order: items.map(({ line }) => textOf(without(line, 'ref', 'day'))).join('\n'),
    place: [own.left - left, own.top - top, own.width, own.height].map(Math.round),
  }
}

/** Whether its place or the order of the page is another one. */
export const hasMoved = (before: Standing, now: Standing): boolean =>
  before.order !== now.order ||
  (before.item.isConnected && before.place.some((length, at) => Math.abs(length - (now.place[at] ?? 0)) > 1))

/** The item as it is on the page now: pages may have rendered it anew in another list. */
function itemNow({ item, text }: Standing, { visibility }: PageSnapshot): Element | undefined {
  if (item.isConnected && visibility.isShown(item)) return item
  return [...elementsUnder(currentPage().body)].find(
    (one) =>
      text !== '' &&
      one.localName === item.localName &&
      visibility.isShown(one) &&
      visibility.visibleText(one) === text,
  )
}

/** What the item stands between now, in words; undefined if it has no neighbours. */
export function placeNow(before: Standing, snapshot: PageSnapshot): string | undefined {
  const { visibility } = snapshot
  const item = itemNow(before, snapshot)
  const around = item && parentOf(item)
  if (!item || !around) return undefined
  const all = visibility
    .children(around)
    .filter(isElement)
    .filter((one) => visibility.isShown(one) || one === item)
  const at = all.indexOf(item)
  const [previous, next] = [all[at - 1], all[at + 1]]
  const words = [
    ...(previous ? [`after ${describeControl(previous, snapshot)}`] : []),
    ...(next ? [`before ${describeControl(next, snapshot)}`] : []),
  ].join(', ')
  const place = placeOf(around, snapshot)
  const inside = place ? `in ${JSON.stringify(place)}` : ''
  return [words, inside].filter((part) => part !== '').join(' ') || undefined
}
