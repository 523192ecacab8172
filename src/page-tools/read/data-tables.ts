// Outlines tables of data: one item per row, with the controls of its cells inside. A calendar gets an item per day.
import { childrenOf, elementsUnder, isElement, isTag } from '../dom/dom.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import { inOneLine, normalizeText, readSpaces } from '../dom/text.js'
import { looksClickable } from './clickables.js'
import { joinedBy, type Line, named, piece, textOf } from './line.js'
import { isDay, isKeyed, isSpace, statesOf } from './outline-item.js'
import type { Steps } from '../dom/steps.js'
import type { OutlineContext } from './outline-item.js'
import type { Visibility } from '../dom/visibility.js'

/** Longer cells are read as text: a row is one item, and items are never truncated. */
const longestCell = 1500
const deepest = 300

/**
 * Whether a table holds data and is not used for layout: its markup says so, or it has several rows and columns and no
 * form.
 */
export function isDataTable(table: Element): boolean {
  const cells = [...table.querySelectorAll('td,[role=cell],[role=gridcell]')]
  if (cells.some((cell) => (cell.textContent ?? '').length > longestCell)) return false
  if (table.getAttribute('role')) return true
  if (!isTag(table, 'table')) return false
  if (table.caption || table.tHead || table.querySelector('th')) return table.querySelector('table') === null
  return (
    table.rows.length > 1 &&
    // An empty row may stand for rows that are not in the document.
    ([...table.rows].find((row) => row.cells.length > 0)?.cells.length ?? 0) > 1 &&
    table.querySelector('table,input,select,textarea,h1,h2,h3,p p') === null
  )
}

/** The text of a table cell with the controls inside. `beside`: the cells of a row, which are not a part of it. */
function cellText(cell: Element, context: OutlineContext, beside?: readonly Element[]): Line {
  const { visibility } = context
  const parts: Line[] = []
  // Texts of neighbours are joined before they are cleaned, because two elements may hold the halves of a fake ref.
  let text = ''
  const endText = (): void => {
    const line = inOneLine(readSpaces(text), context.redact)
    if (line !== '') parts.push([line])
    text = ''
  }
  const visit = (node: Element | Text, depth: number): void => {
    if (!isElement(node)) {
      if (isSpace(node) || visibility.isTextVisible(node)) text += visibility.writtenText(node)
      return
    }
    if (depth > deepest || node.getAttribute('aria-hidden') === 'true') return
    if (beside && (beside.includes(node) || node.matches('tr,[role=row],table,[role=grid],[role=treegrid]'))) return
    const control = beside?.some((one) => node.contains(one)) ? undefined : context.controlIn(node)
    if (control) {
      endText()
      if (control.line.length > 0) parts.push(control.line)
    }
    if (control && !control.hasContents) return
    if (roleOf(node) === 'img' && visibility.isShown(node)) text += ` ${accessibleNameOf(node, visibility)} `
    const gap = visibility.isApart(node)
    if (gap) text += ' '
    for (const child of childrenOf(node)) visit(child, depth + 1)
    if (gap) text += ' '
  }
  // A cell may be a field or a button itself.
  if (!beside && context.controlIn(cell)) visit(cell, 0)
  else for (const child of childrenOf(cell)) visit(child, 0)
  endText()
  return joinedBy(parts, ' ')
}

/** The elements to click by the cells of a calendar; undefined if the cells hold anything else, or no month. */
function daysOf(
  cells: readonly Element[],
  { visibility, controlIn }: OutlineContext,
): ReadonlyMap<Element, Element> | undefined {
  const found = cells.filter((cell) => isDay(cell) && visibility.isShown(cell))
  const isMonth = new Set(found.map((cell) => normalizeText(cell.textContent ?? ''))).size > 27
  const isOther = (cell: Element): boolean =>
    !/^\s*(\d\d?)?\s*$/.test(cell.textContent ?? '') && !isTag(cell, 'th') && roleOf(cell) !== 'columnheader'
  if (!isMonth || cells.some(isOther)) return undefined
  return new Map(
    found.map((cell) => [cell, [...elementsUnder(cell)].find((one) => controlIn(one)?.line.length) ?? cell]),
  )
}

const cellRoles = '[role=cell],[role=gridcell],[role=columnheader],[role=rowheader]'

/** The cells of a row. Grids may wrap the cells of columns that stay in place. */
function cellsOf(row: Element): Element[] {
  if (isTag(row, 'tr')) return [...row.cells]
  const cells = [...row.querySelectorAll(cellRoles)].filter((cell) => cell.closest('[role=row],tr') === row)
  return inOrderOf('aria-colindex', cells)
}

/** Sorted by the numbers of an attribute, if all have one: a grid adds rows to the document as they come into view. */
function inOrderOf(attribute: string, elements: Element[]): Element[] {
  const numbers = new Map(elements.map((element) => [element, Number(element.getAttribute(attribute) || NaN)]))
  if ([...numbers.values()].some((number) => Number.isNaN(number))) return elements
  return elements.sort((a, b) => numbers.get(a)! - numbers.get(b)!)
}

/** A row: its elements, of which there are several if columns stay in place, and its cells. */
interface Row {
  readonly rows: readonly [Element, ...Element[]]
  readonly cells: readonly Element[]
}

/** The rows of a table in order. Elements with the same number are parts of one row, such as its fixed columns. */
function rowsOf(table: Element, visibility: Visibility): [Element, ...Element[]][] {
  const all =
    isTag(table, 'table') && !table.hasAttribute('role')
      ? [...table.rows]
      : [...table.querySelectorAll('[role=row],tr')]
  const own = all.filter(
    (row) => row.closest('table,[role=table],[role=grid],[role=treegrid]') === table && visibility.isShown(row),
  )
  const rows: [Element, ...Element[]][] = []
  let last: string | null = null
  for (const row of inOrderOf('aria-rowindex', own)) {
    const number = row.getAttribute('aria-rowindex')
    if (number !== null && number === last) rows.at(-1)?.push(row)
    else rows.push([row])
    last = number
  }
  return rows
}

/** Adds the items of a data table. */
export function* addTable(table: Element, depth: number, context: OutlineContext): Steps<void> {
  const { visibility, refOf } = context
  if (!visibility.hasBox(table)) return
  // A grid that draws its cells itself is operated by keys.
  const kind = isKeyed(table) ? 'control' : 'container'
  context.add(depth, [...named('table', accessibleNameOf(table, visibility)), piece('ref', refOf(table))], kind)
  const note = context.noteOn(table)
  if (note !== undefined) context.add(depth + 1, note, 'text')
  const own = rowsOf(table, visibility).map((rows) => ({ rows, cells: rows.flatMap(cellsOf) }))
  const days = daysOf(
    own.flatMap(({ cells }) => cells),
    context,
  )
  const short = days ? undefined : context.shortList(table, own)
  for (const { rows, cells } of short?.rows ?? own) {
    yield* context.pause()
    if (days && cells.some((cell) => days.has(cell))) {
      for (const cell of cells) {
        const day = days.get(cell)
        if (day) context.add(depth + 1, [], 'control', day)
      }
    } else
      context.inRow(rows[0], () => {
        const line = rowLine({ rows, cells }, context)
        if (textOf(line).trim() !== '|') context.add(depth + 1, line, 'table')
      })
  }
  if (short) context.add(depth + 1, short.note, 'text')
}

/** A row as one line: its states and its cells. */
function rowLine({ rows, cells }: Row, context: OutlineContext): Line {
  const { visibility, refOf } = context
  const [row] = rows
  const isHead = cells.length > 0 && cells.every((cell) => isTag(cell, 'th') || roleOf(cell) === 'columnheader')
  const sorted = (cell: Element): Line => {
    const order = cell.getAttribute('aria-sort')
    return order && order !== 'none' ? [piece('state', normalizeText(order))] : []
  }
  const isClickable = looksClickable(row, visibility)
  // A row that expands is operated by keys, or by an arrow in it.
  const marks: Line = [
    ...(isClickable || row.hasAttribute('aria-expanded') ? [piece('ref', refOf(row))] : []),
    ...(isClickable ? [piece('state', 'clickable')] : []),
    ...statesOf(row),
  ]
  const shown = cells.filter((cell) => visibility.hasBox(cell))
  const texts = shown.map((cell): Line => [...cellText(cell, context), ...sorted(cell)])
  // A grid may put a button into its row beside the cells.
  for (const part of rows) {
    const beside = isTag(part, 'tr') ? [] : cellText(part, context, cells)
    if (beside.length > 0) texts.push(beside)
  }
  const start = marks.length > 0 ? ['row', ...marks, ' |'] : ['|']
  return [...(isHead ? ['header', ...marks, ':'] : start), ' ', ...joinedBy(texts, ' | ')]
}
