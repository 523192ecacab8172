// Finds what is dragged, and where: also parts, lists and headings, on which nobody clicks.
import { ancestor, isTag, parentOf } from '../../dom/dom.js'
import { roleOf } from '../../dom/accessible-name.js'
import { isRef } from '../../dom/element-refs.js'
import type { PageSnapshot } from '../../dom/page-snapshot.js'
import { looksClickable } from '../../read/clickables.js'
import { isDraggable } from '../../read/affordances.js'
import { findPart } from '../../read/find-part.js'
import { namedWith, orElse, resolveActionTarget } from '../resolve-target.js'
import { isSameKind, lists, type DropPlace } from './boxes.js'

const handleRoles = /^(slider|separator|scrollbar|listitem|row|gridcell|cell|article|group|img|figure|treeitem)$/

/**
 * What is dragged: as for a click, or a handle, slider or item with this name, or a heading, by which a hand takes a
 * card. @throws as `resolveActionTarget`
 */
export function resolveDragged(asked: string, snapshot: PageSnapshot): Element {
  return orElse(
    () => resolveActionTarget(asked, undefined, snapshot),
    () =>
      namedWith(handleRoles, asked, snapshot) ?? namedWith(/^heading$/, asked, snapshot) ?? findPart(asked, snapshot),
  )
}

const partRoles = /^(region|group|list|listbox|grid|tree|table|article|complementary|form|main|navigation)$/

/** Where something is dropped, and what names it: a column without a name has its title. */
export interface DropTarget {
  readonly element: Element
  readonly title: Element
}

/** The elements of the kind of a title in a box: headings of its level, or boxes with its class. */
function titlesIn(box: Element, title: Element): Element[] {
  const isHeading = roleOf(title) === 'heading'
  const isTitle = (one: Element): boolean =>
    isHeading ? roleOf(one) === 'heading' && one.localName === title.localName : isSameKind(one, title)
  return [...box.querySelectorAll(title.localName)].filter(isTitle)
}

/**
 * The column that begins with a title: the smallest box around it that has another one of its kind beside it, with such
 * a title. What is no heading must be the only one of its kind in both, or else it may be a card. A heading without
 * such a box is the title of the smallest box in which there is room below it.
 */
function columnUnder(title: Element): Element | undefined {
  const isHeading = roleOf(title) === 'heading'
  const isTitled = (box: Element): boolean => {
    const titles = titlesIn(box, title)
    return isHeading ? titles.length > 0 : titles.length === 1
  }
  const isColumn = (box: Element): boolean =>
    !isTag(box, 'body', 'html') &&
    titlesIn(box, title)[0] === title &&
    isTitled(box) &&
    [...(parentOf(box)?.children ?? [])].some((one) => one !== box && isSameKind(one, box) && isTitled(one))
  const column = ancestor(parentOf(title), isColumn)
  if (column || !isHeading) return column ?? undefined
  const { bottom, height } = title.getBoundingClientRect()
  const hasRoom = (box: Element): boolean =>
    box.getBoundingClientRect().bottom > bottom + height || box.querySelector(lists) !== null
  const part = ancestor(parentOf(title), (above) => isTag(above, 'body') || hasRoom(above))
  return isTag(part, 'body') ? undefined : (part ?? undefined)
}

/** The element itself, or the column below it, if it is the title of one and nothing that is dragged itself. */
function orColumn(element: Element, place: DropPlace, { visibility }: PageSnapshot): DropTarget {
  const role = roleOf(element)
  const isText = role === null && place === 'on' && !looksClickable(element, visibility)
  const isTitle = (role === 'heading' || isText) && !isDraggable(element)
  return { element: (isTitle && columnUnder(element)) || element, title: element }
}

/** Where it is dropped: a part with this name, what a click would mean, or the column below this title. */
export function resolveDropTarget(asked: string, place: DropPlace, snapshot: PageSnapshot): DropTarget {
  const part = isRef(asked) ? undefined : namedWith(partRoles, asked, snapshot)
  if (part) return { element: part, title: part }
  const found = orElse(
    () => resolveActionTarget(asked, undefined, snapshot),
    () =>
      namedWith(/^heading$/, asked, snapshot) ?? namedWith(handleRoles, asked, snapshot) ?? findPart(asked, snapshot),
  )
  return orColumn(found, place, snapshot)
}
