// Blocks that few texts have: tables and HTML. How their lines are written, and the template of a table.
import { html, type TemplateResult } from 'lit'
import type { Clip } from '../message/copy-button.js'
import type { Block } from './syntax-tree.js'
import { rawTag } from './span-lexer.js'

type Table = Extract<Block, { type: 'table' }>

/** Characters. A cell with more is text that needs room. */
const longCell = 20
/** The line below the header of a table. */
const delimiterRow = /^\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/
const htmlNames =
  'address article aside base basefont blockquote body caption center col colgroup dd details dialog dir div dl dt ' +
  'fieldset figcaption figure footer form frame frameset h[1-6] head header hr html iframe legend li link main menu ' +
  'menuitem nav noframes ol optgroup option p param search section summary table tbody td tfoot th thead title tr ' +
  'track ul'
/** How HTML blocks start and end. The last kind cannot interrupt a paragraph. */
const htmlKinds: readonly (readonly [start: RegExp, end: RegExp])[] = [
  [/^<(?:script|pre|style|textarea)(?:[\s>]|$)/i, /<\/(?:script|pre|style|textarea)>/i],
  [/^<!--/, /-->/],
  [/^<\?/, /\?>/],
  [/^<![a-z]/i, />/],
  [/^<!\[CDATA\[/, /\]\]>/],
  [new RegExp(`^</?(?:${htmlNames.replaceAll(' ', '|')})(?:\\s|/?>|$)`, 'i'), /^\s*$/],
  [new RegExp(`^(?:${rawTag})\\s*$`, 'i'), /^\s*$/],
]

/** The cells of a row of a table. */
function cellsOf(row: string): string[] {
  const cells = row
    .trim()
    .replace(/^\|/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'))
  return cells.length > 1 && cells.at(-1) === '' ? cells.slice(0, -1) : cells
}

/** The class of the cells of a column, for its cell in the delimiter row. */
function alignmentOf(cell: string): string {
  if (!cell.endsWith(':')) return cell.startsWith(':') ? 'left' : ''
  return cell.startsWith(':') ? 'center' : 'right'
}

/**
 * What the last line of the HTML block that the line starts matches; undefined if it starts none. `interrupts`: the
 * line follows a paragraph, which not every tag ends.
 */
export function htmlEnd(line: string, interrupts: boolean): RegExp | undefined {
  const kind = htmlKinds.findIndex(([start]) => start.test(line))
  return kind === 6 && interrupts ? undefined : htmlKinds[kind]?.[1]
}

/** The table that starts with these two lines; undefined if the second one does not make the first one a header. */
export function tableOf(header: string, line: string): Table | undefined {
  if (!/[|:]/.test(line) || !delimiterRow.test(line)) return undefined
  const names = cellsOf(header)
  const align = cellsOf(line).map(alignmentOf)
  return names.length === align.length ? { type: 'table', align, rows: [names] } : undefined
}

/** Adds the lines below the header. Each row has as many cells as the header. */
export function addRows({ align, rows }: Table, lines: readonly string[]): void {
  for (const cells of lines.map(cellsOf)) rows.push(align.map((_, index) => cells[index] ?? ''))
}

/** How a table draws its parts. */
interface TableParts {
  readonly dir: string
  /** Draws the text of a cell. */
  draw(text: string): unknown
  /** The text of a cell without Markdown. */
  toPlainText(text: string): string
  /** The button that copies the table with this name. */
  copy(name: string, content: () => Clip): unknown
}

/** Draws a table. */
export function drawTable({ align, rows }: Table, { dir, draw, toPlainText, copy }: TableParts): TemplateResult {
  const [header = [], ...others] = rows
  // A column of sentences must not become one word wide.
  const kinds = header.map((_name, index) =>
    [align[index], others.some((row) => (row[index]?.length ?? 0) > longCell) ? 'long' : undefined]
      .filter((kind) => kind !== undefined)
      .join(' '),
  )
  const names = header.map((text, index) => html`<th class=${kinds[index] ?? ''}>${draw(text)}</th>`)
  const cells = others.map(
    (row) => html`<tr>${row.map((text, index) => html`<td class=${kinds[index] ?? ''}>${draw(text)}</td>`)}</tr>`,
  )
  const name = header.map(toPlainText).join(', ')
  // The keyboard scrolls what has the focus.
  return html`<div class="table"><div class="scroll" tabindex="0" role="group" dir=${dir} aria-label=${name}>
    <table part="table"><thead><tr>${names}</tr></thead><tbody>${cells}</tbody></table></div>
    ${copy(name, () => clipOf(rows.map((row) => row.map(toPlainText))))}</div>`
}

/** A table for spreadsheets (cells between tabs) and for text editors (HTML). */
function clipOf(rows: readonly (readonly string[])[]): Clip {
  // A spreadsheet would compute a cell that starts like a formula, and the text is that of a model.
  const safe = rows.map((row) => row.map((text) => text.trim().replace(/^(?=[=@]|[+-](?![\d.,\s]))/, "'")))
  const cells = (row: readonly string[], tag: string): string =>
    row.map((text) => `<${tag}>${escaped(text).replaceAll('\n', '<br>')}</${tag}>`).join('')
  return {
    text: safe.map((row) => row.map((text) => text.replaceAll(/\s+/g, ' ')).join('\t')).join('\n'),
    html: `<table>${safe.map((row, index) => `<tr>${cells(row, index === 0 ? 'th' : 'td')}</tr>`).join('')}</table>`,
  }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
