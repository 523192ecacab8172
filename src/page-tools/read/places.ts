// What tells a control, a field or a text from others with its name: the row, card, list item, section or heading
// around it. The outline, the answers, the errors and the questions to the visitor all take their words from here.
import { memoize } from '../../core/state/memoize.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import { ancestor, currentPage, elementsUnder, isElement, isTag, parentOf } from '../dom/dom.js'
import { cachedPerSnapshot } from '../dom/per-snapshot.js'
import { rowSelector } from '../dom/roles.js'
import { asLabel, foldName, normalizeText, saysNothing, truncate } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import { holdsTyping } from '../sensitive/sensitive-fields.js'
import { looksClickable } from './clickables.js'
import { controlNameOf, submenus } from './icons.js'
import { isDay, isSpace } from './outline-item.js'
import { firstIn, hasOwnText, isLetters, mayLabel } from './own-labels.js'

/** What is known of the page at a moment. */
interface Seen {
  readonly visibility: Visibility
  /** Removes private values. */
  redact(text: string): string
}

/** Characters. A longer heading or cell is a text, and no name of a place. */
const longestName = 60
/** Characters. A box with more text is a part of the page, and no card. */
export const largestCard = 400
/** So many boxes around a control are tried. */
export const deepestCard = 8
/** Items of lists of choices, which may hold buttons. */
const optionSelector = '[role=option],[role=treeitem]'
const titles = 'h1,h2,h3,h4,h5,h6,[role=heading],legend,strong,b'

const isWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

const cellsOf = (row: Element): readonly Element[] =>
  isTag(row, 'tr') ? [...row.cells] : [...row.querySelectorAll('[role=rowheader],[role=cell],[role=gridcell]')]

const textOf = cachedPerSnapshot((element: Element, visibility) => asLabel(visibility.visibleText(element, hasOwnText)))
/** The text of a cell, or else that of the links in it. */
const cellText = cachedPerSnapshot(
  (cell: Element, visibility) =>
    textOf(cell, visibility) || asLabel(visibility.visibleText(cell, (inner) => isTag(inner, 'button', 'option'))),
)

/** What a row is called: cells with letters before those with numbers only, or the first title of an item. */
function rowNames(row: Element, element: Element, visibility: Visibility): string[] {
  const cells = cellsOf(row).filter((cell) => !cell.contains(element))
  if (cells.length > 0) {
    const texts = cells.slice(0, 12).map((cell) => cellText(cell, visibility))
    return [texts.find(isLetters) ?? '', texts.find(isWord) ?? '']
  }
  const head = firstIn(row, titles)
  return head && !head.contains(element) ? [textOf(head, visibility)] : []
}

const partNames = cachedPerSnapshot((part: Element, visibility: Visibility) => {
  const heading = firstIn(part, 'h1,h2,h3,h4,h5,h6,legend')
  return [accessibleNameOf(part, visibility), heading ? asLabel(visibility.visibleText(heading)) : '']
})
/** The heading before each child. */
const headingsIn = cachedPerSnapshot((parent: ParentNode & Node) => {
  const found = new Map<Element, Element>()
  let last: Element | undefined
  for (const child of parent.children) {
    if (last) found.set(child, last)
    if (/^h[1-6]$/.test(child.localName) && mayLabel(child)) last = child
  }
  return found
})
const partRoles = new RegExp(
  '^(article|complementary|(alert)?dialog|figure|group|list|listbox|menu(bar)?|navigation|radiogroup|region|' +
    'tabpanel|toolbar|tree)$',
)
const isNamedPart = (element: Element): boolean =>
  (element.hasAttribute('aria-label') || element.hasAttribute('aria-labelledby')) &&
  partRoles.test(roleOf(element) ?? '')

/** Names around an element: row, section headings, form, named parts. Near ones come first. */
export const surroundings = cachedPerSnapshot((element: Element, visibility: Visibility): readonly string[] => {
  const found: string[] = []
  const option = element.parentElement?.closest(optionSelector)
  if (option) found.push(asLabel(visibility.visibleText(option, (one) => hasOwnText(one) || one.matches(submenus))))
  const row = element.closest(rowSelector)
  if (row) found.push(...rowNames(row, element, visibility))
  for (let node: Element | null = element; node && !isTag(node, 'body'); node = parentOf(node)) {
    const heading = node.parentNode && headingsIn(node.parentNode, visibility).get(node)
    if (heading) found.push(asLabel(visibility.visibleText(heading)))
    if (isTag(node, 'form', 'section', 'dialog')) found.push(...partNames(node, visibility))
    else if (node !== element && isNamedPart(node)) found.push(accessibleNameOf(node, visibility))
  }
  return found.filter((text, index) => isWord(text) && text.length <= longestName && found.indexOf(text) === index)
})

/** The first line of text in a box, up to the next block. */
function firstLine(box: Element, visibility: Visibility, skip: (element: Element) => boolean): string {
  let line = ''
  const visit = (node: Element | Text, depth: number): boolean => {
    if (!isElement(node)) {
      if (isSpace(node) || visibility.isTextVisible(node)) line += node.data
      return false
    }
    if (depth > 50 || holdsTyping(node) || isTag(node, 'select', 'datalist', 'iframe') || skip(node)) return false
    if (node.getAttribute('aria-hidden') === 'true') return false
    const isBlock = visibility.isBlock(node)
    if (isBlock && isWord(line)) return true
    if (isTag(node, 'img') && !saysNothing(node.alt) && visibility.isShown(node)) line += ` ${node.alt} `
    for (const child of visibility.children(node)) if (visit(child, depth + 1)) return true
    if (visibility.isApart(node)) line += ' '
    return isBlock && isWord(line)
  }
  visit(box, 0)
  return asLabel(line)
}

/** The largest box around each element that has none of the others in it and little text: its row or card. */
function cardsAround(elements: readonly Element[], visibility: Visibility): (Element | undefined)[] {
  const holding = new Map<Element, number>()
  for (const element of elements)
    for (let up = parentOf(element); up; up = parentOf(up)) holding.set(up, (holding.get(up) ?? 0) + 1)
  return elements.map((element) => {
    let card: Element | undefined
    let up = parentOf(element)
    for (let level = 0; up && level < deepestCard; level++, up = parentOf(up)) {
      if (holding.get(up) !== 1 || isTag(up, 'body', 'main')) break
      if (visibility.visibleText(up, undefined, largestCard).length > largestCard) break
      card = up
    }
    return card
  })
}

/** What a card is called: its first title, or else its first line, with and without its links. */
function cardNames(card: Element, element: Element, visibility: Visibility): string[] {
  const title = firstIn(card, titles)
  const isButton = (one: Element): boolean => one === element || (hasOwnText(one) && !isTag(one, 'a'))
  return [
    title && !title.contains(element) ? textOf(title, visibility) : '',
    firstLine(card, visibility, isButton),
    firstLine(card, visibility, (one) => one === element || hasOwnText(one)),
  ]
}

/** Counted instead of compared in pairs: a page may have thousands of controls with one name. */
function countsOf(options: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const holders = new Map<string, number>()
  for (const texts of options) for (const text of new Set(texts)) holders.set(text, (holders.get(text) ?? 0) + 1)
  return holders
}

/** Of the texts of each, the nearest that no other has, or else one that not all have; undefined if there is none. */
export function distinctive(options: readonly (readonly string[])[]): (string | undefined)[] {
  const holders = countsOf(options)
  return options.map(
    (texts) =>
      texts.find((text) => holders.get(text) === 1) ?? texts.find((text) => (holders.get(text) ?? 0) < options.length),
  )
}

/**
 * All names of places around each of several elements with one name, near ones first. Redacted before they are
 * compared, so that no result depends on whether a text equals a private value.
 */
export function placesAmong(
  elements: readonly Element[],
  visibility: Visibility,
  redact: (text: string) => string = String,
): string[][] {
  const cleaned = (element: Element, texts: readonly string[]): string[] => {
    const own = foldName(redact(controlNameOf(element, visibility)))
    return (
      texts
        .map((text) => normalizeText(redact(text)))
        .filter((text, index, all) => isWord(text) && foldName(text) !== own && all.indexOf(text) === index)
        // The other days of a week say nothing of one of them.
        .filter((text) => isLetters(text) || !isDay(element))
    )
  }
  const near = elements.map((element) => cleaned(element, surroundings(element, visibility)))
  // Cards are searched only where rows and headings do not tell all apart.
  const count = countsOf(near)
  if (elements.length > 1 && near.every((texts) => texts.some((text) => count.get(text) === 1))) return near
  const cards = elements.length > 1 ? cardsAround(elements, visibility) : []
  return elements.map((element, at) => {
    const found = near[at] ?? []
    // Of a text, the line that it stands in is no place.
    const card = roleIn(element, visibility) === '' ? null : (cards[at] ?? element.closest(rowSelector))
    return card ? cleaned(element, [...found, ...cardNames(card, element, visibility)]) : found
  })
}

const roleIn = (element: Element, visibility: Visibility): string =>
  roleOf(element) ?? (looksClickable(element, visibility) ? 'clickable' : '')

const controlsByRole = memoize(({ visibility }: Seen) => {
  const found = new Map<string, Element[]>()
  for (const element of elementsUnder(currentPage().body, visibility.children)) {
    const role = roleIn(element, visibility)
    if (role === '' || !visibility.isShown(element)) continue
    const same = found.get(role)
    if (same) same.push(element)
    else found.set(role, [element])
  }
  return found
})

/** The element and all controls of the page with its role and name, in document order. */
function equalsOf(element: Element, snapshot: Seen): readonly Element[] {
  const { visibility, redact } = snapshot
  const role = roleIn(element, visibility)
  const keyOf = (one: Element): string => foldName(redact(controlNameOf(one, visibility)))
  const key = keyOf(element)
  const all = role === '' ? [] : (controlsByRole(snapshot).get(role) ?? [])
  const equal = all.filter((one) => one === element || keyOf(one) === key)
  // Boxes inside each other are one thing.
  const known = new Set(equal)
  const around = new Set<Element>()
  for (let up = parentOf(element); up; up = parentOf(up)) around.add(up)
  const others = equal.filter(
    (one) => one === element || (!around.has(one) && ancestor(parentOf(one), (above) => known.has(above)) === null),
  )
  return others.includes(element) ? others : [element]
}

/** A place as it is written. It must have been redacted, because a part of a private value is not recognized. */
export const placeWords = (place: string): string => truncate(place, longestName)

/**
 * What tells each of several controls with one role and name from the others. A control without a name has at least the
 * nearest place. Undefined where nothing tells them apart.
 */
export function placesApart(
  elements: readonly Element[],
  name: string,
  { visibility, redact }: Seen,
): (string | undefined)[] {
  const options = placesAmong(elements, visibility, redact)
  const apart = elements.length > 1 ? distinctive(options) : []
  return options.map(([near], at) => {
    const place = apart[at] ?? (name === '' ? near : undefined)
    return place && placeWords(place)
  })
}

/** What tells a control from all others of the page that have its role and name; undefined if there are none. */
export function placeApart(element: Element, snapshot: Seen): string | undefined {
  const equal = equalsOf(element, snapshot)
  const name = controlNameOf(element, snapshot.visibility)
  return equal.length < 2 && name !== '' ? undefined : placesApart(equal, name, snapshot)[equal.indexOf(element)]
}

/** The part around a control: what tells it from equal ones, or else what is nearest. */
export function placeOf(element: Element, snapshot: Seen): string | undefined {
  const [near = ''] = placesAmong([element], snapshot.visibility, snapshot.redact)[0] ?? []
  return (placeApart(element, snapshot) ?? placeWords(near)) || undefined
}
