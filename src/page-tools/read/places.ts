// What tells a control, a field or a text from others with its name: the row, card, list item, section or heading
// around it. The outline, the answers, the errors and the questions to the visitor all take their words from here.
//
// The place is the smallest box around with a text that is no control's own, no letters of a picture, and not that of a
// row or card beside. In a table it is the header of the row. What a control has opened is in the place of that one. Of
// several controls with one name, the texts at one position of their boxes are taken that differ for all of them.
import { memoize } from '../../core/state/memoize.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import { ancestor, currentPage, elementsUnder, isElement, isTag, isWithin, parentOf } from '../dom/dom.js'
import { openerOfBox } from '../dom/openers.js'
import { cachedPerSnapshot } from '../dom/per-snapshot.js'
import { rowSelector } from '../dom/roles.js'
import { asLabel, foldName, normalizeText, truncate, withoutSymbols } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import { isPictureText, isSmallBox, linesOf, mayName, titles, type BoxLine } from './box-lines.js'
import { boxNameOf, looksClickable } from './clickables.js'
import { controlNameOf, submenus } from './icons.js'
import { isDay } from './outline-item.js'
import { firstIn, hasOwnText, isLetters, mayLabel } from './own-labels.js'

/** What is known of the page at a moment. */
interface Seen {
  readonly visibility: Visibility
  /** Removes private values. */
  redact(text: string): string
}

/** A text around a control, and its position in the boxes around: equal ones of alike rows stand for the same. */
interface Around {
  readonly text: string
  readonly at: string
  /** Whether it is a heading, or looks like one. */
  readonly isTitle?: boolean
}

/** Characters. A longer heading or cell is a text, and no name of a place. */
const longestName = 60
/** So many boxes around a control are tried. */
export const deepestCard = 10
/** Of one control so many texts are compared. */
const mostTexts = 24
/** Items of lists of choices, which may hold buttons. */
const optionSelector = '[role=option],[role=treeitem]'

const isWord = (text: string): boolean => /[\p{L}\p{N}]/u.test(text)

const cellsOf = (row: Element): readonly Element[] =>
  isTag(row, 'tr') ? [...row.cells] : [...row.querySelectorAll('[role=rowheader],[role=cell],[role=gridcell]')]
const isRowHeader = (cell: Element): boolean =>
  roleOf(cell) === 'rowheader' || (isTag(cell, 'th') && cell.scope === 'row')

const textOf = cachedPerSnapshot((element: Element, visibility) => asLabel(visibility.visibleText(element, hasOwnText)))
/** The text of a cell, or else that of the links in it. */
const cellText = cachedPerSnapshot(
  (cell: Element, visibility) =>
    textOf(cell, visibility) || asLabel(visibility.visibleText(cell, (inner) => isTag(inner, 'button', 'option'))),
)

/** The cells that may say which row it is: its header, or else those with letters, before those with numbers only. */
const rowCells = cachedPerSnapshot((row: Element, visibility: Visibility) => {
  const cells = cellsOf(row)
    .slice(0, 12)
    .map((cell, at) => ({ cell, at: `cell ${at}`, text: cellText(cell, visibility) }))
  const lines = cells.map(({ cell, text }) => ({ text, holder: cell, isControl: false, isTitle: false }))
  const said = cells.filter(({ text }, at) => isWord(text) && !isPictureText(lines[at]!, lines, visibility))
  const [header] = said.filter(({ cell }) => isRowHeader(cell))
  const named = said.filter((one) => one !== header && isLetters(one.text))
  return [...(header ? [header] : []), ...named, ...said.filter((one) => one !== header && !named.includes(one))]
})

/** What a row of a table is called: the texts of its cells. None if the control is in the cell that names the row. */
function rowNames(row: Element, element: Element, visibility: Visibility): readonly Around[] {
  const cells = rowCells(row, visibility)
  return cells[0] && isWithin(element, cells[0].cell) ? [] : cells.filter(({ cell }) => !isWithin(element, cell))
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

/** A step on the way up from a control: a box, and its part that holds the control. */
interface Step {
  readonly box: Element
  readonly part: Element
  readonly level: number
}

/** The lines of one level around a control, and in which order they count. */
interface Level {
  readonly lines: readonly BoxLine[]
  /** Whether the order is that of the page. Otherwise near ones come first, whatever they look like. */
  readonly isFlat: boolean
}

const sharesClass = (one: Element, other: Element): boolean =>
  (one.classList.length === 0 && other.classList.length === 0) ||
  [...one.classList].some((name) => other.classList.contains(name))

/**
 * The lines in a box beside the part that holds the control. Parts that are alike and hold controls too are other rows,
 * cards or options. Between such parts, the lines before the part are its own; or else those before all of them.
 */
function linesBeside({ box, part }: Step, role: string, visibility: Visibility): Level {
  const children = visibility.children(box)
  const holdsControl = (one: Element): boolean =>
    linesOf(one, visibility).some(({ isControl, holder }) => isControl && controlRoleOf(holder, visibility) === role)
  const isNamed = (lines: readonly BoxLine[]): boolean =>
    lines.some(({ text, isControl }) => !isControl && mayName(text))
  const isPartNamed = isNamed(linesOf(part, visibility))
  const isAlike = children.map(
    (one) =>
      isElement(one) &&
      one !== part &&
      one.localName === part.localName &&
      sharesClass(one, part) &&
      holdsControl(one) &&
      isNamed(linesOf(one, visibility)) === isPartNamed,
  )
  const at = children.indexOf(part)
  const cuts = children.flatMap((_, index) => (isAlike[index] || index === at ? [index] : []))
  const linesIn = (from: number, to: number): readonly BoxLine[] =>
    children.slice(from, to).flatMap((one) => (one === part ? [] : linesOf(one, visibility)))
  if (cuts.length === 1) return { lines: linesIn(0, children.length), isFlat: false }
  const [first, last] = [cuts[0]!, cuts.at(-1)!]
  const head = linesIn(0, first)
  // Labels and controls in turn, in one box.
  const isFlat = cuts.slice(1).some((cut, index) => isNamed(linesIn(cuts[index]! + 1, cut)))
  if (!isFlat) return { lines: head, isFlat }
  const order = cuts.indexOf(at)
  const isLabelBehind = isNamed(linesIn(last + 1, children.length)) && head.every((line) => line.isTitle)
  const behind = linesIn(at + 1, cuts[order + 1] ?? children.length)
  // A label between two controls, with none before the first one, is that of both.
  if (isLabelBehind || (order === 0 && !isNamed(head))) return { lines: behind, isFlat }
  return { lines: [...linesIn(order > 0 ? cuts[order - 1]! + 1 : 0, at)].reverse(), isFlat }
}

/** Whether a line stands out from the text of the box that it is in. */
function isTitle({ holder, isTitle }: BoxLine, box: Element, { style }: Visibility): boolean {
  if (isTitle) return true
  const [own, around] = [style(holder), style(box)]
  return (
    parseFloat(own.fontSize) >= parseFloat(around.fontSize) * 1.15 ||
    Number(own.fontWeight) >= Math.max(600, Number(around.fontWeight) + 100)
  )
}

/** The place of each line among those of its kind in a row: equal ones of alike rows stand for the same. */
function columnsOf(lines: readonly BoxLine[]): readonly string[] {
  const counts = new Map<string, number>()
  return lines.map(({ holder }) => {
    const kind = `${holder.localName}.${holder.classList[0] ?? ''}`
    const count = counts.get(kind) ?? 0
    counts.set(kind, count + 1)
    return `${kind} ${count}`
  })
}

/** The texts of the rows in a box, by the tag of the row and the column. */
const tableOf = cachedPerSnapshot((box: Element, visibility: Visibility) => {
  const table = new Map<string, string[]>()
  for (const row of visibility.children(box).filter(isElement)) {
    // A row that is a control itself has lines, too.
    const lines = visibility.children(row).flatMap((inner) => linesOf(inner, visibility))
    const columns = columnsOf(lines)
    for (const [at, { text }] of lines.entries()) {
      const column = `${row.localName} ${columns[at]}`
      const texts = table.get(column)
      if (texts) texts.push(text)
      else table.set(column, [text])
    }
  }
  return table
})

/** Whether several rows around have the same text where a row has this one: a state or a command, and no name. */
function isShared(row: Element, column: string, visibility: Visibility): boolean {
  const box = parentOf(row)
  const texts = box ? (tableOf(box, visibility).get(`${row.localName} ${column}`) ?? []) : []
  return new Set(texts).size < texts.length
}

/** The texts of one level: those that may be names first, then numbers, sentences and letters of pictures. */
function textsBeside(
  element: Element,
  step: Step,
  visibility: Visibility,
): { readonly names: readonly Around[]; readonly rest: readonly Around[] } {
  const { box, level } = step
  const role = controlRoleOf(element, visibility)
  const { lines, isFlat } = linesBeside(step, role, visibility)
  // One field gives its name to the button beside it; of several, none does.
  const isForm = lines.filter(({ isLabel }) => isLabel).length > 1
  const columns = columnsOf(lines)
  // Of rows with the same commands, each begins with its name, which may be a control as well.
  const [own] = columnsOf([{ text: '', holder: element, isControl: true, isTitle: false }])
  const isRow = isShared(box, own!, visibility)
  const first = lines.find((line) => isWord(line.text) && !isPictureText(line, lines, visibility))
  const ranked: { readonly around: Around; readonly rank: number }[] = []
  for (const [index, line] of lines.entries()) {
    const { holder, isControl } = line
    if (!isWord(line.text) || (isForm && line.isLabel)) continue
    const isHead = !isFlat && !isControl && isTitle(line, box, visibility)
    const around = { text: line.text, at: `${level} ${columns[index]}`, isTitle: isHead }
    const isState = isShared(box, columns[index]!, visibility)
    if (!mayName(line.text) || isPictureText(line, lines, visibility)) ranked.push({ around, rank: isControl ? 4 : 3 })
    else if (isControl) {
      const isOther = controlRoleOf(holder, visibility) !== role || (isRow && line === first)
      ranked.push({ around, rank: isOther && !isState ? 2 : 4 })
    } else if (isHead) ranked.push({ around, rank: 0 })
    else ranked.push({ around, rank: isState ? 3 : 1 })
  }
  const sorted = ranked.sort((one, other) => one.rank - other.rank)
  const texts = (test: (rank: number) => boolean): Around[] =>
    sorted.filter(({ rank }) => test(rank)).map(({ around }) => around)
  // What is left are names of controls of another role: a link beside buttons, and never another option.
  const names = texts((rank) => rank < 2)
  const others = texts((rank) => rank === 2)
  const numbers = texts((rank) => rank === 3)
  return names.length > 0 ? { names, rest: [...numbers, ...others] } : { names: others, rest: numbers }
}

/** The texts around an element, near ones first: of its row, its boxes, section headings, named parts, its opener. */
const textsAround = cachedPerSnapshot((element: Element, visibility: Visibility): readonly Around[] => {
  const found: Around[] = []
  const rest: Around[] = []
  const option = element.parentElement?.closest(optionSelector)
  if (option)
    found.push({
      text: asLabel(visibility.visibleText(option, (one) => hasOwnText(one) || one.matches(submenus))),
      at: 'option',
    })
  // Of a text, the line that it stands in is no place.
  const isText = controlRoleOf(element, visibility) === ''
  let isCard = !isText
  let level = 0
  for (let part: Element | null = element; part && !isTag(part, 'body'); level++) {
    const at = (what: string): string => `${level} ${what}`
    const heading = part.parentNode && headingsIn(part.parentNode, visibility).get(part)
    if (isTag(part, 'form', 'section', 'dialog'))
      found.push(
        ...partNames(part, visibility).map((text, index) => ({ text, at: at(`part ${index}`), isTitle: true })),
      )
    else if (part !== element && isNamedPart(part))
      found.push({ text: accessibleNameOf(part, visibility), at: at('part'), isTitle: true })
    const opening = part === element ? undefined : openerOfBox(part, visibility)
    if (opening) {
      const heads = found.filter((one) => one.isTitle)
      const others = found.filter((one) => !one.isTitle)
      found.splice(0, found.length, ...heads, ...textsOfOpener(opening, part, visibility), ...others)
      break
    }
    const box: Element | null = parentOf(part)
    if (box?.matches(rowSelector) && cellsOf(box).length > 0) {
      const cells = rowNames(box, element, visibility)
      // The row says more than what else stands in the cell.
      found.unshift(...cells.filter(({ text }) => isLetters(text)))
      rest.push(...cells.filter(({ text }) => !isLetters(text)))
    } else if (box?.matches(rowSelector) && isText) {
      const head = firstIn(box, titles)
      if (head && !isWithin(element, head))
        found.push({ text: textOf(head, visibility), at: at('title'), isTitle: true })
    } else if (box && isCard && level < deepestCard) {
      isCard = !isTag(box, 'body', 'main', 'tbody', 'table') && isSmallBox(box, visibility)
      if (isCard) {
        const texts = textsBeside(element, { box, part, level }, visibility)
        found.push(...texts.names)
        rest.push(...texts.rest)
      }
    }
    if (heading) found.push({ text: asLabel(visibility.visibleText(heading)), at: at('heading'), isTitle: true })
    part = box
  }
  const seen = new Set<string>()
  return [...found.filter(({ text }) => text.length <= longestName), ...rest]
    .filter(({ text }) => isWord(text) && !seen.has(text) && seen.add(text))
    .slice(0, mostTexts)
})

/** What stands around the opener of a box, which is also around what the box holds. */
function textsOfOpener(
  { opener, around }: { readonly opener?: Element; readonly around: readonly string[] },
  box: Element,
  visibility: Visibility,
): readonly Around[] {
  if (!opener || ancestor(opener, (above) => above === box))
    return around.map((text, at) => ({ text, at: `opener ${at}` }))
  const own = { text: controlNameOf(opener, visibility), at: 'opener' }
  const texts = textsAround(opener, visibility).map(({ text, at }) => ({ text, at: `opener ${at}` }))
  return isLetters(own.text) ? [...texts, own] : texts
}

/** Names around an element. Near ones come first. */
export const surroundings = (element: Element, visibility: Visibility): readonly string[] =>
  textsAround(element, visibility).map(({ text }) => text)

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

/** The texts at one position that differ for all; undefined if there is no such position. */
function differingAtOnce(options: readonly (readonly Around[])[]): readonly string[] | undefined {
  for (const { at } of options[0] ?? []) {
    const texts = options.map((all) => all.find((one) => one.at === at)?.text)
    const known = texts.filter((text) => text !== undefined)
    if (known.length === options.length && new Set(known).size === known.length) return known
  }
  return undefined
}

/** What tells each apart: texts at one position, or else the nearest of each that no other has, or two together. */
function tellingApart(options: readonly (readonly Around[])[]): readonly (string | undefined)[] {
  const atOnce = differingAtOnce(options)
  if (atOnce) return atOnce
  const texts = options.map((all) => all.map(({ text }) => text))
  const holders = countsOf(texts)
  const nearest = countsOf(texts.map((all) => all.slice(0, 1)))
  const alone = texts.map(([near, ...others]) =>
    near !== undefined && nearest.get(near) === 1 ? near : others.find((text) => holders.get(text) === 1),
  )
  const pairs = texts.map(([near, ...others], index) =>
    alone[index] === undefined
      ? others
          .filter(isLetters)
          .slice(0, 4)
          .map((other) => `${near}, ${other}`)
      : [],
  )
  const count = countsOf(pairs)
  const some = distinctive(texts)
  return alone.map((one, index) => one ?? pairs[index]!.find((pair) => count.get(pair) === 1) ?? some[index])
}

/** A text as a place: without symbols and pictures before and after it. */
const asPlace = (text: string): string => withoutSymbols(normalizeText(text))

/**
 * All places around each of several elements with one name, near ones first. Redacted before they are compared, so that
 * no result depends on whether a text equals a private value.
 */
function placesOf(elements: readonly Element[], { visibility, redact }: Seen): readonly (readonly Around[])[] {
  return elements.map((element) => {
    const own = foldName(redact(nameOfControl(element, visibility)))
    // The other days of a week say nothing of one of them.
    const isOneOfDays = isDay(element)
    return textsAround(element, visibility)
      .map(({ text, at }) => ({ text: asPlace(redact(text)), at }))
      .filter(({ text }) => isWord(text) && foldName(text) !== own && (isLetters(text) || !isOneOfDays))
  })
}

/** `placesOf` as texts. */
export const placesAmong = (
  elements: readonly Element[],
  visibility: Visibility,
  redact: (text: string) => string = String,
): string[][] => placesOf(elements, { visibility, redact }).map((all) => all.map(({ text }) => text))

/** The name of a control, or of a box that looks clickable, as the outline shows it. */
export const nameOfControl = (element: Element, visibility: Visibility): string =>
  roleOf(element) === null && !isTag(element, 'iframe')
    ? boxNameOf(element, visibility)
    : controlNameOf(element, visibility)

/** The role of a control, also of a box that looks clickable; '' for other elements. */
export const controlRoleOf = (element: Element, visibility: Visibility): string =>
  roleOf(element) ?? (looksClickable(element, visibility) ? 'clickable' : '')

const controlsByRole = memoize(({ visibility }: Seen) => {
  const found = new Map<string, Element[]>()
  for (const element of elementsUnder(currentPage().body, visibility.children)) {
    const role = controlRoleOf(element, visibility)
    if (role === '' || !visibility.isInReach(element)) continue
    const same = found.get(role)
    if (same) same.push(element)
    else found.set(role, [element])
  }
  return found
})

/** The element and all controls of the page with its role and name, in document order. */
function equalsOf(element: Element, snapshot: Seen): readonly Element[] {
  const { visibility, redact } = snapshot
  const role = controlRoleOf(element, visibility)
  const keyOf = (one: Element): string => foldName(redact(nameOfControl(one, visibility)))
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
export function placesApart(elements: readonly Element[], name: string, snapshot: Seen): (string | undefined)[] {
  const options = placesOf(elements, snapshot)
  const apart = elements.length > 1 ? tellingApart(options) : []
  return options.map(([near], at) => {
    const place = apart[at] ?? (name === '' ? near?.text : undefined)
    return place && placeWords(place)
  })
}

/** What tells a control from all others of the page that have its role and name; undefined if there are none. */
export function placeApart(element: Element, snapshot: Seen): string | undefined {
  const equal = equalsOf(element, snapshot)
  const name = nameOfControl(element, snapshot.visibility)
  return equal.length < 2 && name !== '' ? undefined : placesApart(equal, name, snapshot)[equal.indexOf(element)]
}

/** The part around a control: what tells it from equal ones, or else what is nearest and may name it. */
export function placeOf(element: Element, snapshot: Seen, mayBe = (_text: string) => true): string | undefined {
  const near = placesAmong([element], snapshot.visibility, snapshot.redact)[0]?.find(mayBe) ?? ''
  return (placeApart(element, snapshot) ?? placeWords(near)) || undefined
}
