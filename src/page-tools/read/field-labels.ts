// Finds the label of a control without an accessible name: text before it, in the cell beside or above, text after it,
// the placeholder, or its identifier in words. Near text wins over distant text, and text over identifiers.
import { byIds, childrenOf, isElement, isTag, parentOf, rootOf, isTickBox } from '../dom/dom.js'
import { roleOf, labelsOf } from '../dom/accessible-name.js'
import { asLabel, toComparable, toReadable } from '../dom/text.js'
import { cachedPerSnapshot } from '../dom/per-snapshot.js'
import type { Visibility } from '../dom/visibility.js'
import { groupOf, hasOwnText, isLetters, looseLabel, looselyLabelled, mayLabel, ownNameOf } from './own-labels.js'

const controls =
  'input:not([type=hidden]),select,textarea,button,[contenteditable=""],[contenteditable=true],' +
  '[role=textbox],[role=combobox]'
const holdsControl = (element: Element): boolean =>
  element.matches(controls) || element.querySelector(controls) !== null
const childrenIn = cachedPerSnapshot((parent: Element, visibility) => {
  const nodes = visibility.children(parent)
  return {
    nodes,
    places: new Map(nodes.map((node, index) => [node as Node, index])),
    controlAt: nodes.findIndex((node) => isElement(node) && holdsControl(node)),
  }
})

/** Whether it is a box with a text that a press on it is about. Labels are pressed, too, but lie in a line of text. */
const isPressed = (element: Element, visibility: Visibility): boolean => {
  const around = parentOf(element)
  return (
    visibility.isBlock(element) &&
    visibility.style(element).cursor === 'pointer' &&
    (!around || visibility.style(around).cursor !== 'pointer') &&
    !element.matches('label,legend') &&
    element.querySelector('label,legend') === null
  )
}

/** The text on one side of a node within its parent, up to the next control or the end of a block. */
function textBeside(node: Node, step: -1 | 1, visibility: Visibility): string {
  const parent = parentOf(node)
  if (!parent) return ''
  const { nodes: siblings, places } = childrenIn(parent, visibility)
  const parts: string[] = []
  for (let index = (places.get(node) ?? -1) + step; index >= 0 && index < siblings.length; index += step) {
    const sibling = siblings[index]
    if (!sibling) break
    const block = isElement(sibling) && visibility.isBlock(sibling)
    if (isElement(sibling) && (holdsControl(sibling) || (step < 0 && isPressed(sibling, visibility)))) break
    if (block && parts.length > 0) break
    const text = isElement(sibling) && hasOwnText(sibling) ? '' : visibility.visibleText(sibling, hasOwnText)
    if (text !== '') parts[step < 0 ? 'unshift' : 'push'](text)
    if (block && parts.length > 0) break
  }
  return asLabel(parts.join(' '))
}

/** The header of the column of a cell, in a table whose first row names its columns. */
function columnHeader(cell: HTMLTableCellElement, visibility: Visibility): string {
  const [head] = cell.closest('table')?.rows ?? []
  const row = cell.parentElement as HTMLTableRowElement
  if (!head || head === row || head.cells.length !== row.cells.length) return ''
  const own = head.cells[cell.cellIndex]
  // Of a form that is laid out as a table, each row begins with the header of its field.
  const names = [...head.cells].filter((one) => isTag(one, 'th')).length
  const isHead = isTag(head.parentElement, 'thead') || names > 1
  return isHead && isTag(own, 'th') ? asLabel(visibility.visibleText(own, hasOwnText)) : ''
}

/** The header of the column, or else the text of the table cell before, or of the cell above. */
function textInCells(cell: HTMLTableCellElement, visibility: Visibility): string {
  const row = parentOf(cell)
  if (!isTag(row, 'tr')) return ''
  const header = columnHeader(cell, visibility)
  if (isLetters(header)) return header
  for (let index = cell.cellIndex - 1; index >= 0; index--) {
    const before = row.cells[index]
    if (!before || holdsControl(before)) break
    const text = asLabel(visibility.visibleText(before, hasOwnText))
    if (isLetters(text)) return text
  }
  const table = row.closest('table')
  for (let index = row.rowIndex - 1; table && index >= 0; index--) {
    const above = table.rows[index]?.cells[cell.cellIndex]
    if (!above || table.rows[index]?.cells.length !== row.cells.length) continue
    if (holdsControl(above)) {
      if (index > row.rowIndex - 2) continue
      else break
    }
    const text = asLabel(visibility.visibleText(above, hasOwnText))
    if (isLetters(text)) return text
  }
  return ''
}

/** Whether a text is short enough to be a label. A question may be longer. */
const fits = (text: string): boolean => isLetters(text) && (text.length <= 80 || /[?？؟]$/.test(text))

/** The text before the control or before its ancestors up to `levels`, unless another control is in between. */
function textAround(element: Element, visibility: Visibility, levels: number): string {
  let node: Element = element
  for (let level = 0; level < levels; level++) {
    const before = textBeside(node, -1, visibility)
    const parent = parentOf(node)
    // What stands before a list is about all of its items.
    if (fits(before) || (isLetters(before) && parent?.matches('li,[role=listitem]'))) return before
    if (!parent || isTag(parent, 'form', 'fieldset', 'body', 'dialog')) return ''
    if (isTag(parent, 'td', 'th')) {
      const beside = textInCells(parent, visibility)
      if (fits(beside)) return beside
    }
    const { places, controlAt } = childrenIn(parent, visibility)
    if (controlAt >= 0 && controlAt < (places.get(node) ?? -1)) return ''
    node = parent
  }
  return ''
}

/** Attributes that browsers or libraries render in or beside the control. */
const labelAttributes = ['placeholder', 'aria-placeholder', 'data-placeholder', 'data-label', 'data-title', 'alt']

function fromAttributes(element: Element, names: readonly string[]): string {
  for (const name of names) {
    const text = asLabel(element.getAttribute(name) ?? '')
    if (isLetters(text)) return text
  }
  return ''
}

const fromCode = (element: Element): string =>
  toReadable(element.getAttribute('name') ?? '') ||
  toReadable(element.id) ||
  toReadable(element.getAttribute('autocomplete')?.replace(/^(on|off)$/, '') ?? '') ||
  toReadable(element.getAttribute('data-testid') ?? element.getAttribute('data-test') ?? '')

/** `<label>` elements for the control, also for widgets that a native label does not apply to. */
const labelsFor = (element: Element, visibility: Visibility): Iterable<Element> =>
  labelsOf(element, visibility) ??
  (element.id === '' ? [] : rootOf(element).querySelectorAll(`label[for="${CSS.escape(element.id)}"]`))
const tiedLabels = (element: Element, visibility: Visibility): string =>
  asLabel(
    [...new Set([...labelsFor(element, visibility), ...byIds(element, 'aria-labelledby')])]
      // The value of a widget is no label: the chosen option that names it, or its text inside its own label.
      .filter((label) => !element.contains(label) && !label.matches('[role=option]') && mayLabel(label))
      .map((label) => visibility.visibleText(label, (part) => part === element))
      .join(' '),
  )

/** The name and the tied label of a control, those with letters first. */
function givenLabels(element: Element, visibility: Visibility): { words: string; other: string } {
  const name = ownNameOf(element, visibility)
  if (isLetters(name)) return { words: name, other: '' }
  const tied = tiedLabels(element, visibility)
  return isLetters(tied) ? { words: tied, other: '' } : { words: '', other: name || tied }
}

/** The text after a checkbox or radio button, or after the element that contains only it. */
function textAfterToggle(element: Element, visibility: Visibility): string {
  const parent = element.parentElement
  const after =
    textBeside(element, 1, visibility) ||
    (parent?.querySelectorAll(controls).length === 1 ? textBeside(parent, 1, visibility) : '')
  return after.length <= 200 ? after : ''
}

/** Whether the text on the line above is a title of this and the next field, which have placeholders. */
const hasTitle = ({ previousElementSibling, nextElementSibling }: Element, visibility: Visibility): boolean =>
  previousElementSibling !== null &&
  visibility.isBlock(previousElementSibling) &&
  nextElementSibling?.matches('[placeholder]') === true

/** Characters. A longer text before a field explains it, or something else. */
const longestLabel = 60
/** A placeholder that shows what a value may look like, and does not say what it is. */
const example = /[@\d#]|[._/-]{2}|^(e\.?\s?g\.?|ex[.:]|example|such as|z\.\s?b\.|p\. ?ej|例|مثال)|(…|\.{3})$/i

/** What a field shows while it is empty, unless it is an example of a value. */
function ownHint(element: Element): string {
  const text = fromAttributes(element, ['placeholder', 'aria-placeholder', 'data-placeholder'])
  return example.test(text) ? '' : text
}

/** Whether the text directly before a field is a heading, or too long for a label, so that it may be about more. */
function isBelowText(element: Element, visibility: Visibility): boolean {
  const before = textBeside(element, -1, visibility)
  if (before.length > longestLabel) return true
  let beside = element.previousElementSibling
  while (beside && !visibility.isShown(beside)) beside = beside.previousElementSibling
  return beside !== null && roleOf(beside) === 'heading'
}

/** What a field shows while it is empty, if the text before it is about more than this field. */
function hintBelowText(element: Element, visibility: Visibility): string {
  const hint = ownHint(element)
  return hint !== '' && (hasTitle(element, visibility) || isBelowText(element, visibility)) ? hint : ''
}

const fields = 'input:not([type=hidden],[type=button],[type=submit]),select,textarea,[contenteditable],[role=slider]'

/** The text of a `<label>` before the box of this field alone, which the markup ties to nothing. */
function labelOfOwnBox(element: Element, visibility: Visibility): string {
  const box = looselyLabelled(element, visibility)
  const isAlone = box && [...box.querySelectorAll(fields)].every((one) => one === element)
  return isAlone ? looseLabel(box, visibility) : ''
}

/** The label of a control whose accessible name has no letters; not unique on the page. Empty if there is none. */
function labelWithoutName(element: Element, visibility: Visibility): string {
  const { words, other } = givenLabels(element, visibility)
  const toggle = isTickBox(element)
  return (
    words ||
    (toggle ? '' : labelOfOwnBox(element, visibility)) ||
    (toggle ? textAfterToggle(element, visibility) : '') ||
    hintBelowText(element, visibility) ||
    textAround(element, visibility, 1) ||
    fromAttributes(element, labelAttributes) ||
    textAround(element, visibility, 5) ||
    (toggle ? '' : textAfter(element, visibility)) ||
    fromCode(element) ||
    other
  )
}

/** The label of a control; not unique on the page. Empty if there is none. */
export function labelOf(element: Element, visibility: Visibility): string {
  const name = ownNameOf(element, visibility)
  return isLetters(name) ? name : labelWithoutName(element, visibility)
}

/**
 * The labels of the buttons of a radio group. Text before a button is its label only if all buttons have one, because
 * before the first one is the question. Equal labels are numbered ("Select 1 of 3"), so that each is of one button.
 */
export function radioLabels(members: readonly Element[], visibility: Visibility): string[] {
  const [first] = members
  if (first && members.length === 1) return [labelWithoutName(first, visibility)]
  const given = members.map((member) => givenLabels(member, visibility))
  const [after = [], before = []] = [textAfterToggle, textAround].map((textOf) =>
    members.map((member, at) => given[at]?.words || textOf(member, visibility, 5) || given[at]?.other || ''),
  )
  const labels = (before.includes('') || !after.includes('') ? after : before).map(
    (label, at) => label || toReadable(members[at]?.getAttribute('value') ?? '') || 'radio',
  )
  const keys = labels.map((label) => toComparable(label) || label)
  return labels.map((label, at) => {
    const equal = keys.flatMap((key, index) => (key === keys[at] ? index : []))
    return equal.length < 2 ? label : `${label} ${equal.indexOf(at) + 1} of ${equal.length}`
  })
}

function textAfter(element: Element, visibility: Visibility): string {
  const after = textBeside(element, 1, visibility)
  return fits(after) && after.length <= 40 ? after : ''
}

/** The label of a radio group: its legend or group name, or else the text before its first button. */
export function groupLabel(members: readonly Element[], visibility: Visibility): string {
  const first = members[0]
  if (!first) return ''
  const group = groupOf(first, visibility)
  if (group !== '') return group
  let around: Element | null = parentOf(first)
  while (around && !members.every((member) => around?.contains(member))) around = parentOf(around)
  const start = around && [...childrenOf(around)].find((child) => isElement(child) && child.contains(first))
  if (start && isElement(start)) {
    const before = start === first ? textBeside(first, -1, visibility) : textAround(start, visibility, 3)
    if (fits(before)) return before
  }
  const above = around && !isTag(around, 'form', 'body') ? textAround(around, visibility, 3) : ''
  return above || toReadable(first.getAttribute('name') ?? '')
}
