// How the lines of each kind of block are written.
import { rawTag } from './span-lexer.js'

/** A line between blocks. */
export const rule = /^([*_-])[ \t]*(?:\1[ \t]*){2,}$/
/** The start of an item: a bullet, or a number and the sign after it. */
export const listMarker = /^(?:([-+*])|(\d{1,9})([.)]))(?=[ \t]|$)/
/** The line below the header of a table. */
export const delimiterRow = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const htmlNames =
  'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
  'fieldset figcaption figure footer form frame frameset h[1-6] head header hr html iframe legend li link main menu ' +
  'menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr ' +
  'track ul'
/** How HTML blocks start and end. The last kind cannot interrupt a paragraph. */
export const htmlKinds: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [new RegExp(`^</?(?:${htmlNames.replaceAll(' ', '|')})(?:\\s|/?>|$)`, 'i'), /^\s*$/],
  [new RegExp(`^(?:${rawTag})\\s*$`, 'i'), /^\s*$/],
]

/** The text of a heading, without the signs that close it. */
export function headingText(written: string): string {
  const text = written.trimEnd()
  let end = text.length
  while (text.charAt(end - 1) === '#') end--
  return (/^[ \t]?$/.test(text.charAt(end - 1)) ? text.slice(0, end) : text).trim()
}

/** The cells of a row of a table. */
export function cellsOf(row: string): string[] {
  const cells = row
    .trim()
    .replace(/^\|/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
  return cells.length > 1 && cells.at(-1) === '' ? cells.slice(0, -1) : cells
}

/** The class of the cells of a column, for its cell in the delimiter row. */
export function alignmentOf(cell: string): string {
  if (!cell.endsWith(':')) return cell.startsWith(':') ? 'left' : ''
  return cell.startsWith(':') ? 'center' : 'right'
}
