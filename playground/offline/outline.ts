// The outline that `page_read` returns, as data: controls, texts and tables.
import { stemsOf } from './words.js'

/** A line of the outline, or a control inside of a table cell. */
export interface Item {
  readonly role: string
  readonly name: string
  readonly ref: string
  /** What follows the name: states, address, value. */
  readonly rest: string
  readonly depth: number
  /** Roles and names of the lines around it, outermost first. */
  readonly inside: readonly string[]
}

export interface Row {
  readonly cells: readonly Item[]
  /** The lines around it, such as a dialog. */
  readonly inside: readonly string[]
}

export interface Outline {
  readonly title: string
  readonly items: readonly Item[]
  /** Header cells of the first table. */
  readonly header: readonly Item[]
  readonly rows: readonly Row[]
}

const linePattern = /^(\s*)- ([a-z]\w*|\|)(?: "((?:[^"\\]|\\.)*)")?(.*)$/

export function parseOutline(text: string): Outline {
  const items: Item[] = []
  const rows: Row[] = []
  const header: Item[] = []
  const stack: { depth: number; name: string }[] = []
  for (const line of text.split('\n')) {
    const [, space = '', role = '', name = '', rest = ''] = linePattern.exec(line) ?? []
    if (role === '') continue
    const depth = space.length
    while ((stack.at(-1)?.depth ?? -1) >= depth) stack.pop()
    const inside = stack.map((one) => one.name)
    const isRow = role === '|' || role === 'row'
    if (isRow || role === 'header') {
      const cells = rest
        // A row that is a control has its reference and states before its cells.
        .replace(/^(?: \[[^\]]*\])*(?: \||:)? ?/, '')
        .split(' | ')
        .map((cell) => cellOf(cell, depth, inside))
      if (isRow) rows.push({ cells, inside })
      else if (header.length === 0) header.push(...cells)
      items.push(...cells.filter(({ role: kind }) => kind !== 'cell'))
    } else {
      const isText = role === 'text'
      const ref = /\[ref=(e\d+)\]/.exec(rest)?.[1] ?? ''
      items.push({ role, name: isText ? rest.replace(/^:\s*/, '') : unescape(name), ref, rest, depth, inside })
      stack.push({ depth, name: `${role} ${name}` })
    }
  }
  return { title: /^page "((?:[^"\\]|\\.)*)"/m.exec(text)?.[1] ?? '', items, header, rows }
}

function cellOf(cell: string, depth: number, inside: readonly string[]): Item {
  const [, role = '', name = '', rest = ''] = /^([a-z]+) "((?:[^"\\]|\\.)*)"(.*)$/.exec(cell.trim()) ?? []
  const ref = /\[ref=(e\d+)\]/.exec(rest)?.[1] ?? ''
  if (role === '') return { role: 'cell', name: cell.trim(), ref: '', rest: '', depth, inside }
  return { role, name: unescape(name), ref, rest, depth, inside }
}

const unescape = (text: string): string => text.replace(/\\(.)/g, '$1')

const clickable = new Set(['button', 'link', 'tab', 'menuitem'])

export function controls({ items }: Outline): Item[] {
  return items.filter(({ role, rest }) => clickable.has(role) && !rest.includes('[disabled]'))
}

/** The buttons of the form that holds most fields, in order. */
export function submitButton({ items }: Outline): string | undefined {
  const submitting =
    /^(?:book|order|send|submit|save|pay|place|apply|sign|register|continue|add|buy|confirm|reserve|request|create)\b/i
  return items.find(
    ({ role, name, inside }) =>
      role === 'button' && submitting.test(name) && inside.some((one) => one.startsWith('form ')),
  )?.name
}

/** The control whose name the text names: all words of it, or with `isClick` one whose words the text is made of. */
export function namedControl(outline: Outline, text: string, isClick: boolean): Item | undefined {
  const said = stemsOf(text)
  const scored = controls(outline).map((item) => {
    const words = stemsOf(item.name)
    const hits = words.filter((word) => said.includes(word)).length
    const isWhole = words.length > 0 && hits === words.length
    return { item, score: isWhole && (words.length > 1 || isClick || said.length === 1) ? hits : 0 }
  })
  return scored.reduce<(typeof scored)[number] | undefined>(
    (top, one) => (one.score > (top?.score ?? 0) ? one : top),
    undefined,
  )?.item
}
