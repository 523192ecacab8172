// The lines of an outline, and what several kinds of them share.
import { isTag } from '../dom/dom.js'
import { type Line, type Piece, piece, textOf } from './line.js'
import { isDisabled } from '../dom/field-state.js'
import { isDraggable } from './affordances.js'
import type { Steps } from '../dom/steps.js'
import type { Visibility } from '../dom/visibility.js'
import { toComparable } from '../dom/text.js'

/** A line of the outline. */
export interface OutlineItem {
  /** Indentation, from 0. */
  readonly depth: number
  /** The whole line, without indentation and dash. Items are never truncated or split. */
  line: Line
  /** For filters and the diff after an action. A `table` is one row. */
  readonly kind: 'control' | 'heading' | 'text' | 'table' | 'container'
  /** The row of a list that it is in, of those that the outline was asked to tell apart. */
  readonly row?: Element
}

/** The line of an item, without indentation. */
export const itemText = ({ line }: Pick<OutlineItem, 'line'>): string => `- ${textOf(line)}`

/** A control as a line of text. */
export interface ControlLine {
  /** Empty if the control is not visible. */
  readonly line: Line
  /** The name of a control. That of a box may also be its first text. */
  readonly name?: string
  /** Whether the contents of a box have lines of their own. @default false */
  readonly hasContents?: boolean
  /** Whether the line has all text of the box, so that only the controls inside have lines. @default false */
  readonly hasText?: boolean
}

/** What the parts of an outline need of it. */
export interface OutlineContext {
  /** What can be seen now. It is another one after a pause in which the page has changed. */
  readonly visibility: Visibility
  /** Where a large page may run. */
  pause(): Steps<void>
  refOf(element: Element): string
  /** Removes private values. */
  redact(text: string): string
  /** Adds an item. `element`: the control that it describes, if any. */
  add(depth: number, line: Line, kind: OutlineItem['kind'], element?: Element): void
  /** Runs a step whose items are in a row. */
  inRow(row: Element, step: () => void): void
  /** A line about the contents of a list, if there is one. */
  noteOn(element: Element): Line | undefined
  /** The first rows of a long list, and a line about the others; undefined if all rows are listed. */
  shortList<Row>(
    list: Element,
    rows: readonly Row[],
  ): { readonly rows: readonly Row[]; readonly note: Line } | undefined
  isField(element: Element): boolean
  /** The line of a field, a control or a box that looks clickable; undefined for other elements. */
  controlIn(element: Element): ControlLine | undefined
}

/** The states of a control. */
export function statesOf(element: Element): readonly Piece[] {
  const found: string[] = []
  const is = (name: string, value = 'true'): boolean => element.getAttribute(`aria-${name}`) === value
  const expanded =
    element.getAttribute('aria-expanded') ??
    (isTag(element, 'summary') && isTag(element.parentElement, 'details') ? String(element.parentElement.open) : null)
  if (expanded !== null) found.push(expanded === 'true' ? 'expanded' : 'collapsed')
  if (is('selected')) found.push('selected')
  if (is('pressed')) found.push('pressed')
  if (is('checked')) found.push('checked')
  if (is('checked', 'mixed') || is('pressed', 'mixed')) found.push('mixed')
  const current = element.getAttribute('aria-current')
  if (current && current !== 'false') found.push('current')
  if (isDisabled(element)) found.push('disabled')
  const popUp = element.getAttribute('aria-haspopup') ?? ''
  if (/^(true|menu|listbox|tree|grid|dialog)$/.test(popUp)) found.push(`opens ${popUp.replace('true', 'menu')}`)
  if (isDraggable(element)) found.push('draggable')
  return found.map((state) => piece('state', state))
}

/** Whether it is white space between two elements, as a node of its own. */
export const isSpace = (node: Text): boolean => node.data.trim() === ''

/** Whether its text is a day of a month. */
export const isDay = (element: Element): boolean => /^\s*([1-9]|[12]\d|3[01])\s*$/.test(element.textContent ?? '')

/** Whether keys reach the element itself: it has a tab stop. */
export const isKeyed = (element: Element): boolean => Number(element.getAttribute('tabindex') ?? -1) >= 0

/** Of the addresses in one folder, this many are listed. */
const listedPerFolder = 3
/** Characters. A longer address is shown without its query. */
const longest = 100

/** Whether the name of a link has all words of the last part of its address. */
function isNamed(last: string, name: string): boolean {
  const words = toComparable(last)
  return words !== '' && ` ${toComparable(name)} `.includes(` ${words} `)
}

/**
 * Shortens the addresses of one outline, because a list of links would otherwise be mostly addresses: call it once for
 * each address. The first `few` are listed
 * in full. A later one on this site becomes '' if the name of the link says the same, or if three addresses in its
 * folder were listed. Of an address on another site, at least the site remains.
 */
export function shortTargets(few: number): (target: string, name: string) => string {
  let count = 0
  const inFolder = new Map<string, number>()
  return (target, name) => {
    const [, site = '', path = '', rest = ''] = /^(https?:\/\/[^/?#]+)?([^?#]*)(.*)$/.exec(target) ?? []
    // The scheme of another kind of address says what a click does.
    if (/^[a-z]+:/.test(path)) return target
    const start = path.replace(/\/$/, '').lastIndexOf('/') + 1
    const folder = site + path.slice(0, start)
    const before = inFolder.get(folder) ?? 0
    inFolder.set(folder, before + 1)
    if (++count > few && (before >= listedPerFolder || (rest === '' && isNamed(path.slice(start), name))))
      return site && `${site}/…`
    return target.length > longest && rest.startsWith('?') ? `${site}${path}?…` : target
  }
}
