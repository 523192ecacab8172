// Which row of a list an element is in, and whether that is still the row that was read. Lists without keys write other
// rows into the same elements, so an element says nothing. A row is known by its words: by those that no other row of
// its list has. Words that several rows have ("open", "today", "@example.org") and amounts are states, which change.
// Where that decides nothing, the other rows do: whether they have moved, or have been replaced. Rows that say the same
// are told apart by what their fields hold.
import { ancestor, isElement, isTag, isWithin, parentOf } from './dom.js'
import { accessibleNameOf, roleOf } from './accessible-name.js'
import { cachedPerSnapshot } from './per-snapshot.js'
import { rowSelector } from './roles.js'
import { isGeneratedId, normalizeText, saysNothing, toComparable, truncate } from './text.js'
import { holdsTyping } from '../sensitive/sensitive-fields.js'
import { isTyped } from './typed-texts.js'
import type { Visibility } from './visibility.js'

/** The row or card around an element. */
interface Row {
  readonly element: Element
  /** Whether it is one of several, or says that it is a row. Else it is only the text beside the element. */
  readonly isListed: boolean
}

/** What a row says. */
interface RowText {
  /** All of it, with the names of its buttons. */
  readonly whole: string
  /** Without its buttons, whose names tell a state: Done, Undo. */
  readonly own: string
  /** The first of its texts, as it is shown. */
  readonly title: string
  /** Its texts, each up to a gap, without amounts. What stands out as its title comes first. */
  readonly texts: readonly string[]
  /** Those of them that are names of buttons. */
  readonly buttons: readonly string[]
  /** What its fields hold. May be private: only compared. */
  readonly values: readonly string[]
  /** Whether there is more than that. */
  readonly isLong: boolean
  /** Whether the first text stands out. */
  readonly isTitled: boolean
  /** The attributes that name it. */
  readonly key: string
  /** The attributes that number it. They change if a row is inserted above. */
  readonly place: string
}

/** A list at one moment: the rows near one of them. Holds no element. */
interface RowList {
  readonly size: number
  readonly shown: WeakMap<Element, RowText>
  /** How many rows say the same. */
  readonly wholes: ReadonlyMap<string, number>
  /** How many rows hold the same in their fields. */
  readonly values: ReadonlyMap<string, number>
  /** How many rows have a text, or a word. */
  readonly holders: ReadonlyMap<string, number>
  /** Whether the keys only number the rows. */
  readonly isNumbered: boolean
}

/** A row among the others, at one moment. */
export interface RowState {
  readonly element: WeakRef<Element>
  readonly isListed: boolean
  readonly text: RowText
  /** Undefined if it is not listed. */
  readonly list: RowList | undefined
}

/** Levels that are climbed from a control to its row. */
const mostLevels = 6
/** Characters of a row that are compared. A box with more text is a part of the page, and no card. */
const longestRow = 400
/** So many controls of the box beside are looked at. */
const mostPeers = 10
/** Rows before and after one that are compared with it. */
const reach = 32

const buttonRoles = /^(button|checkbox|switch|radio|menuitem)$/
const containers = new RegExp(
  '^(main|navigation|banner|contentinfo|complementary|search|form|region|table|grid|(alert)?dialog|(radio)?group|' +
    'list|article|document)$',
)
/** Whether a row around it is that of another thing: a part of the page is in no row. */
const isPart = (element: Element): boolean => containers.test(roleOf(element) ?? '')

/** Boxes that were cards among others once. The last one of a list still is. */
const cards = new WeakSet<Element>()

/** Whether the box beside has a control of this kind and name, so that both are rows or cards of one list. */
function hasPeer(box: Element, control: Element, name: string, visibility: Visibility): boolean {
  const role = roleOf(control)
  return [box.nextElementSibling, box.previousElementSibling].some((one) => {
    if (one?.localName !== box.localName) return false
    const peers = one.getElementsByTagName(control.localName)
    for (let at = 0; at < Math.min(mostPeers, peers.length); at++)
      if (roleOf(peers[at]!) === role && shortName(peers[at]!, visibility) === name) return true
    return false
  })
}

const shortName = (element: Element, visibility: Visibility): string =>
  toComparable(
    (roleOf(element) === null ? visibility.visibleText(element, undefined, 80) : '') ||
      accessibleNameOf(element, visibility),
  )

/** What holds the controls of a whole page or part. */
const bars = /^(banner|navigation|toolbar|menubar|tablist|contentinfo)$/

/** Whether it is a field whose value is its own: a text, a choice, a number. */
const isValueField = (element: Element): boolean =>
  isTag(element, 'select') ||
  (holdsTyping(element) &&
    !(isTag(element, 'input') && /^(button|checkbox|image|radio|reset|submit)$/.test(element.type)))

/** Longer boxes without a role are content. */
const longestControl = 60

/**
 * What tells equal controls apart: the row or card around. In a row it may be a card of its own, such as a comment
 * under an article. Null for parts of the page, for text fields outside of rows, and if nothing around says more.
 */
const rowOf = cachedPerSnapshot((element: Element, visibility: Visibility): Row | null => {
  if (isPart(element)) return null
  const row = ancestor(element, (one) => one.matches(rowSelector))
  const listed = row && { element: row, isListed: true }
  if (element === row || isValueField(element)) return listed
  const name = shortName(element, visibility)
  if (roleOf(element) === null && name.length > longestControl) return listed
  let nearest: Element | undefined
  let up = parentOf(element)
  for (
    let level = 0;
    up && up !== row && level < mostLevels && !isTag(up, 'body', 'main');
    up = parentOf(up), level++
  ) {
    const { own, isLong, values } = textOf(up, visibility)
    if (isLong) break
    // Only its own text, or that of the buttons beside it.
    const isNamed = own.replace(name, '').trim() !== ''
    if ((!isNamed && values.length === 0) || bars.test(roleOf(up) ?? '')) continue
    if (isNamed) nearest ??= up
    if (cards.has(up) || hasPeer(up, element, name, visibility)) {
      cards.add(up)
      return { element: up, isListed: true }
    }
  }
  if (listed) return listed
  return nearest ? { element: nearest, isListed: false } : null
})

const keyNames = /^(id|data-([a-z]+-)*(id|key|uuid|guid))$/
const placeNames = /^(aria-(rowindex|posinset)|(data-)?([a-z]+-)*index)$/
const attributesOf = (row: Element, names: RegExp): string =>
  row
    .getAttributeNames()
    .filter((name) => names.test(name) && !/^(data-testid|tabindex)$/.test(name))
    .map((name) => [name, row.getAttribute(name) ?? ''] as const)
    .filter(([, value]) => !isGeneratedId(value))
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')

/** Amounts, shares, times and counts in brackets: they change, and name nothing. A date may name a row. */
const amounts = new RegExp(
  [
    /\d{1,4}([-./])\d{1,2}\1\d{1,4}/,
    /[+-]?(?:\p{Sc}\s?)?\d+(?:[.,:'’]\d+)+\s?[%\p{Sc}]?/u,
    /\p{Sc}\s?\d+|\d+\s?[%\p{Sc}]|\(\d+\)/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
)
const withoutAmounts = (text: string): string =>
  text.replaceAll(amounts, (found, separator: string | undefined) =>
    separator === undefined ? ' ' : found.replaceAll(separator, ''),
  )
/** Whether a word may name something. A short number counts something. */
const isNaming = (word: string): boolean => !/^\d{1,2}$/.test(word) && word !== ''
const wordsOf = (text: string): string[] => text.split(' ').filter(isNaming)

/** Roles and elements whose text is a title. */
const titles = /^(heading|rowheader|strong|b|dt|term)$/

/** What a row says now: in one walk, because it is done for every row of a list. */
const textOf = cachedPerSnapshot((row: Element, visibility: Visibility): RowText => {
  const texts: { text: string; readonly isButton: boolean; readonly isTitle: boolean }[] = []
  const values: string[] = []
  let length = 0
  let isOpen = false
  let isTitle = false
  const say = (text: string, isButton: boolean): void => {
    const last = texts.at(-1)
    if (isOpen && last?.isButton === isButton) last.text += text
    else texts.push({ text, isButton, isTitle })
    isOpen = true
    length += text.length
  }
  const visit = (node: Element | Text, isButton: boolean): void => {
    if (length > longestRow) return
    if (!isElement(node)) {
      if (node.data.trim() === '') {
        if (isOpen) say(' ', texts.at(-1)!.isButton)
      } else if (visibility.isTextVisible(node)) say(node.data, isButton)
      return
    }
    if (
      isTag(node, 'datalist', 'iframe') ||
      node.getAttribute('aria-hidden') === 'true' ||
      visibility.isOffLimits(node)
    )
      return
    if (holdsTyping(node) || isTag(node, 'select')) {
      if (isValueField(node)) values.push((node as Partial<HTMLInputElement>).value ?? node.textContent)
      return
    }
    const role = roleOf(node)
    const isApart = role !== null || visibility.isApart(node)
    if (isApart) isOpen = false
    const isOwnButton = isButton || buttonRoles.test(role ?? '')
    if (isTag(node, 'img') && visibility.level(node) === 'visible' && !saysNothing(node.alt)) say(node.alt, isOwnButton)
    const outer = isTitle
    isTitle ||= titles.test(role ?? node.localName)
    const label = isOwnButton && !isButton ? (node.getAttribute('aria-label') ?? '') : ''
    if (label !== '') say(label, true)
    else for (const child of visibility.children(node)) visit(child, isOwnButton)
    isTitle = outer
    if (isApart) isOpen = false
  }
  if (!visibility.isOffLimits(row)) for (const child of visibility.children(row)) visit(child, false)
  const said = texts.map((one) => ({ ...one, text: one.text.trim() })).filter(({ text }) => text !== '')
  const titled = said.filter((one) => one.isTitle && !one.isButton)
  const names = [...titled, ...said.filter((one) => !titled.includes(one))]
    .map((one) => ({ ...one, text: toComparable(withoutAmounts(one.text)) }))
    .filter(({ text }) => wordsOf(text).length > 0)
  return {
    title: truncate(normalizeText(said.find(({ text, isButton }) => !isButton && /\p{L}/u.test(text))?.text ?? ''), 60),
    whole: toComparable(said.map(({ text }) => text).join(' ')),
    own: toComparable(
      said
        .filter(({ isButton }) => !isButton)
        .map(({ text }) => text)
        .join(' '),
    ),
    texts: names.map(({ text }) => text),
    buttons: names.filter(({ isButton }) => isButton).map(({ text }) => text),
    values,
    isLong: length > longestRow,
    isTitled: names[0]?.isTitle === true,
    key: attributesOf(row, keyNames),
    place: attributesOf(row, placeNames),
  }
})

/** What the fields of a row hold, to be compared. */
const heldIn = ({ values }: RowText): string => values.join('\n')

/** The last number of a key: `row-12`. */
const numberIn = (key: string): number => Number(/(\d+)\D*$/.exec(key)?.[1] ?? NaN)

function listFrom(rows: readonly Element[], visibility: Visibility): RowList {
  const shown = new WeakMap<Element, RowText>()
  const wholes = new Map<string, number>()
  const holders = new Map<string, number>()
  const values = new Map<string, number>()
  const count = (map: Map<string, number>, key: string): void => void map.set(key, (map.get(key) ?? 0) + 1)
  const texts = rows.map((row) => textOf(row, visibility))
  for (const [at, text] of texts.entries()) {
    shown.set(rows[at]!, text)
    count(wholes, text.whole)
    count(values, heldIn(text))
    for (const part of new Set([...text.texts, ...text.texts.flatMap(wordsOf)])) count(holders, part)
  }
  const first = numberIn(texts[0]?.key ?? '')
  const isNumbered = texts.every(({ key }, at) => numberIn(key) - at === first) && (rows.length > 1 || first < 2)
  return { size: rows.length, shown, wholes, values, holders, isNumbered }
}

/** The row and those near it in its list, in order. Rows of one part of a long list have the same near rows. */
const nearRows = cachedPerSnapshot((row: Element, visibility: Visibility): readonly Element[] => {
  // Some tables have a body for each row, and some lists a box.
  const isAlone = (one: Element): boolean => one.nextElementSibling === null && one.previousElementSibling === null
  let item = row
  for (let level = 0; level < 2 && isAlone(item); level++) {
    const up = parentOf(item)
    const beside = up?.nextElementSibling ?? up?.previousElementSibling
    if (!up || beside?.localName !== up.localName || !/^(tbody|div|span)$/.test(up.localName)) break
    item = up
  }
  const list = parentOf(item)
  const found = list ? partsIn(list, visibility).get(item) : undefined
  return found ?? [item]
})

/** Whether it is the row with the names of the columns. */
const isHead = (row: Element): boolean =>
  row.querySelector('th,[role=columnheader]') !== null && row.querySelector('td,[role=cell],[role=gridcell]') === null

/** The part of a list around each of its rows. */
const partsIn = cachedPerSnapshot((list: Element, visibility: Visibility) => {
  const byTag = new Map<string, Element[]>()
  for (const child of visibility.children(list)) {
    if (!isElement(child) || isHead(child)) continue
    const same = byTag.get(child.localName)
    if (same) same.push(child)
    else byTag.set(child.localName, [child])
  }
  const parts = new Map<Element, readonly Element[]>()
  for (const rows of byTag.values())
    for (let from = 0; from < rows.length; from += reach) {
      const part = rows.slice(Math.max(0, from - reach), from + 2 * reach)
      for (const row of rows.slice(from, from + reach)) parts.set(row, part)
    }
  return parts
})

const lists = new WeakMap<readonly Element[], RowList>()
function listOf(row: Element, visibility: Visibility): RowList {
  const rows = nearRows(row, visibility)
  let found = lists.get(rows)
  if (!found) lists.set(rows, (found = listFrom(rows, visibility)))
  return found
}

/** The row of an element now. `row`: where it was, if it is still in it. */
export function rowStateOf(element: Element, visibility: Visibility, row?: RowState): RowState | undefined {
  const former = row?.element.deref()
  const found =
    row && former?.isConnected && isWithin(element, former)
      ? { element: former, isListed: row.isListed }
      : rowOf(element, visibility)
  return found ? stateOf(found.element, found.isListed, visibility) : undefined
}

function stateOf(row: Element, isListed: boolean, visibility: Visibility): RowState {
  const text = textOf(row, visibility)
  return { element: new WeakRef(row), isListed, text, list: isListed ? listOf(row, visibility) : undefined }
}

/** Whether one text has all words of the other, in order and side by side. */
const holdsText = (one: string, other: string): boolean => other !== '' && ` ${one} `.includes(` ${other} `)

/** Which part of the words two texts have in common, from 0 to 1. */
function sharedWords(one: string, other: string): number {
  const words = new Set(one.split(' '))
  const others = new Set(other.split(' '))
  const shared = [...words].filter((word) => others.has(word)).length
  return shared / Math.max(words.size, others.size)
}

/**
 * How much speaks for one row before and now: `same`; `likely` if they have something in common, but not what comes
 * first; `unknown` if nothing names one of them; `other`.
 */
type Verdict = 'same' | 'likely' | 'unknown' | 'other'
interface Seen {
  readonly text: RowText
  readonly list: RowList
}

/** Compares what only this row says in its list, before and now. */
function compareRows(before: Seen, now: Seen): Verdict {
  const isOwn = (part: string): boolean => [before, now].every(({ list }) => (list.holders.get(part) ?? 0) < 2)
  const were = before.text.texts.filter(isOwn)
  const are = now.text.texts.filter(isOwn)
  const common = were.filter((text) => are.includes(text))
  if (common.length > 0 && were[0] === are[0]) return 'same'
  // Other rows have buttons of other names, but a button is not what a row is about.
  const isName = (text: string): boolean => !now.text.buttons.includes(text)
  // A list of one row tells no names from states: what comes first decides.
  const isAlone = before.list.size === 1 || now.list.size === 1
  const isTold = common.some(isName) || !were.some(isName) || !are.some(isName)
  if (common.length > 0 && isTold) {
    if (common.length * 2 > Math.min(were.length, are.length)) return 'same'
    return isAlone ? 'other' : 'likely'
  }
  const wordsIn = (texts: readonly string[]): string[] => [...new Set(texts.flatMap(wordsOf).filter(isOwn))]
  const [words, others] = [wordsIn(before.text.texts.filter(isName)), wordsIn(now.text.texts.filter(isName))]
  if (words.length === 0 || others.length === 0) return 'unknown'
  const shared = words.filter((word) => others.includes(word)).length
  if (words[0] === others[0]) return 'same'
  if (isAlone || shared === 0) return 'other'
  return shared * 2 > Math.max(words.length, others.length) ? 'same' : 'likely'
}

/** Whether another row of the list said this before, and has moved here: no more rows say it now. */
const hasMoved = ({ whole }: RowText, before: RowList, now: RowList): boolean =>
  whole !== '' && (before.wholes.get(whole) ?? 0) >= Math.max(1, now.wholes.get(whole) ?? 0)

/**
 * Whether a row that says what others of its list say holds what another one held, or anything else after a row is
 * gone. What was typed into it is its own.
 */
function holdsOthers(before: RowState & Seen, now: RowState & Seen): boolean {
  const [was, is] = [before.text, now.text]
  const row = now.element.deref()
  const fresh = is.values.filter((value, at) => value !== was.values[at])
  if (fresh.every((value) => isTyped(toComparable(value), row))) return false
  const [had, has] = [before.list.values.get(heldIn(is)) ?? 0, now.list.values.get(heldIn(is)) ?? 0]
  return now.list.size < before.list.size || had >= Math.max(1, has)
}

/** How the other rows of the list have changed: whether one has moved, has been replaced, or says anything else. */
function othersOf(
  before: RowState & Seen,
  now: RowState & Seen,
  visibility: Visibility,
): { readonly moved: boolean; readonly replaced: boolean; readonly changed: boolean } {
  const own = now.element.deref()
  let [moved, replaced, changed] = [false, false, before.list.size !== now.list.size]
  for (const row of own ? nearRows(own, visibility) : []) {
    const was = before.list.shown.get(row)
    const text = textOf(row, visibility)
    if (row === own || !was || was.whole === text.whole) continue
    changed = true
    if (hasMoved(text, before.list, now.list)) moved = true
    else if (compareRows({ text: was, list: before.list }, { text, list: now.list }) === 'other') replaced = true
  }
  return { moved, replaced, changed }
}

const isListed = (row: RowState): row is RowState & Seen => row.list !== undefined

/** Whether the keys of two rows mean something and are not equal. Keys that number the rows mean nothing. */
const haveOtherKeys = (before: RowState, now: RowState): boolean =>
  before.text.key !== now.text.key && !before.list?.isNumbered && !now.list?.isNumbered

/** Whether an element that stayed in its place shows another row than before. */
export function isAnotherRow(before: RowState, now: RowState, visibility: Visibility): boolean {
  const [was, is] = [before.text, now.text]
  if (is.whole === '') return false
  if (!isListed(before) || !isListed(now)) {
    // Beside a control stands its state more often than its name. A title names what the box is about.
    const [title = '', titleNow = ''] = [was.texts[0], is.texts[0]]
    return was.isTitled && is.isTitled && sharedWords(title, titleNow) === 0
  }
  const isKeyed = was.key !== '' && is.key !== ''
  if (isKeyed && haveOtherKeys(before, now)) return true
  const isFewer = (before.list.wholes.get(was.whole) ?? 0) > (now.list.wholes.get(was.whole) ?? 0)
  // Of equal rows, one is gone, and the others may have taken its place.
  if (was.whole === is.whole) {
    if ((before.list.wholes.get(was.whole) ?? 0) < 2) return false
    const isSameKey = isKeyed && !now.list.isNumbered
    return (isFewer && othersOf(before, now, visibility).moved) || (!isSameKey && holdsOthers(before, now))
  }
  if (hasMoved(is, before.list, now.list)) return true
  if (isKeyed && was.key === is.key && !now.list.isNumbered) return false
  const verdict = compareRows(before, now)
  if (verdict === 'same') return false
  if (was.place !== is.place) return true
  if (verdict !== 'other') return othersOf(before, now, visibility).replaced
  return !isRenamed(before, now, visibility)
}

/** Whether the only change of a list is a name that somebody typed before. */
function isRenamed(before: RowState & Seen, now: RowState & Seen, visibility: Visibility): boolean {
  const row = now.list.size === 1 ? now.element.deref() : undefined
  const fresh = now.text.texts.filter((text) => !before.text.texts.includes(text))
  return fresh.some((text) => isTyped(text, row)) && !othersOf(before, now, visibility).changed
}

/** Whether a new element can be in the row of a former one, whose text has changed since. */
export function isSameRow(before: RowState, now: RowState): boolean {
  const [was, is] = [before.text, now.text]
  if (haveOtherKeys(before, now)) return false
  if (was.own === is.own || holdsText(was.own, is.own) || holdsText(is.own, was.own)) return true
  if (isListed(before) && isListed(now) && compareRows(before, now) === 'same') return true
  // The key may be a number that another row has now. Then little else is the same.
  return was.key !== '' && was.key === is.key && sharedWords(was.own, is.own) >= 0.5
}
