// The filter and the cursor of page_read.
import { ToolAgentError } from '../../core/data/errors.js'
import { isRef } from '../dom/element-refs.js'
import { normalizeText, toComparable, truncate } from '../dom/text.js'
import { has, hasRef, type Line, textOf, without } from './line.js'
import { itemText, type OutlineItem } from './outline-item.js'

const isOf =
  (...kinds: readonly OutlineItem['kind'][]) =>
  ({ kind }: OutlineItem): boolean =>
    kinds.includes(kind)
const kinds = new Map<string, (item: OutlineItem) => boolean>([
  ['interactive', isOf('control')],
  ['controls', isOf('control')],
  ['links', ({ line }) => has(line, 'target')],
  ['headings', isOf('heading')],
  ['text', isOf('text', 'heading')],
  ['tables', isOf('table')],
])

/** So many equal lines become one. */
const fewestEqual = 4

/** The words that are searched: without the numbers that the outline itself gives. */
const searched = (line: Line): string => textOf(without(line, 'ref', 'day', 'level', 'note'))

/** Whether the line of an item has the words of a filter, or the ref if it is one. */
function matcherFor(filter: string): (item: OutlineItem) => boolean {
  if (isRef(filter)) return ({ line }) => hasRef(line, filter)
  const words = toComparable(filter)
  return ({ line }) => toComparable(searched(line).replaceAll(/\\[nt]/g, ' ')).includes(words)
}

/** Whether a filter names a kind of items, and is not words to search for. */
export const isKind = (filter: string): boolean => kinds.has(filter.toLowerCase())

/** So many lines below a heading belong to what a search finds. */
const mostBelow = 12

/** The lines below a heading, up to the next one. */
function below(items: readonly OutlineItem[], at: number): number[] {
  const found: number[] = []
  for (let index = at + 1; index < items.length && found.length < mostBelow; index++) {
    const item = items[index]!
    if (item.kind === 'heading' || item.depth < items[at]!.depth) break
    found.push(index)
  }
  return found
}

/**
 * The items that match the filter, a kind or words, and the containers around them. Of words, also what belongs to a
 * heading or text that has them. `beside`: the items in the row or card of an item, by their places.
 */
export function filterItems(
  items: readonly OutlineItem[],
  filter: string,
  beside: (at: number) => readonly number[] = () => [],
): OutlineItem[] {
  const isSearch = !isKind(filter) && !isRef(filter)
  const matches = kinds.get(filter.toLowerCase()) ?? matcherFor(filter)
  const meant = new Set<number>()
  for (const [at, item] of items.entries()) {
    if (!matches(item)) continue
    meant.add(at)
    if (!isSearch) continue
    if (item.kind === 'heading') for (const other of below(items, at)) meant.add(other)
    if (item.kind === 'text') for (const other of beside(at)) meant.add(other)
  }
  const found: OutlineItem[] = []
  let shallowest = -1
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (!item) continue
    if (meant.has(index)) {
      found.push(item)
      shallowest = item.depth
    } else if (item.depth < shallowest) {
      // A row that is a control, and has no name of its own, is found by what is in it.
      if (item.kind === 'container' || (isSearch && item.kind === 'control')) found.push(item)
      shallowest = item.depth
    }
  }
  return found.reverse()
}

/** Equal lines that follow each other are one, with their number, if they hold nothing that could be used. */
export function foldEqual(items: readonly OutlineItem[]): OutlineItem[] {
  const folded: OutlineItem[] = []
  for (let index = 0; index < items.length;) {
    const first = items[index]!
    let end = index + 1
    while (isEqual(first, items[end])) end++
    const count = end - index
    if (count < fewestEqual) folded.push(...items.slice(index, end))
    else folded.push({ ...first, line: [...first.line, ` (× ${count - 1} more like this)`] })
    index = end
  }
  return folded
}

const isEqual = (item: OutlineItem, other: OutlineItem | undefined): boolean =>
  /^(?:text|table)$/.test(item.kind) &&
  item.kind === other?.kind &&
  item.depth === other.depth &&
  itemText(item) === itemText(other)

/** The containers around an item, as the first lines of a later piece. */
export function containersOf(items: readonly OutlineItem[], start: number): string[] {
  const lines: string[] = []
  let depth = items[start]?.depth ?? 0
  for (let index = start - 1; index >= 0 && depth > 0; index--) {
    const item = items[index]
    if (item && item.depth < depth) {
      lines.push(`${'  '.repeat(item.depth)}${itemText(item)} (continued)`)
      depth = item.depth
    }
  }
  return lines.reverse()
}

/**
 * What a cursor means: the id of the outline, and the index of the next item.
 * @throws `invalid-input` for a cursor of no kept outline
 */
export function continuationOf(
  cursor: string,
  kept: ReadonlyMap<string, { readonly items: readonly OutlineItem[]; readonly canGoOn: boolean }>,
): { readonly id: string; readonly start: number } {
  const [id = '', place = ''] = cursor.split('.')
  const { items, canGoOn } = kept.get(id) ?? {}
  const start = Number(place)
  // After the last item, more may follow that was not read yet.
  const most = (items?.length ?? 0) - (canGoOn === true ? 0 : 1)
  if (!items || !/^\d+$/.test(place) || start > most)
    throw new ToolAgentError(
      'invalid-input',
      `Unknown or expired cursor ${truncate(normalizeText(cursor), 40)}. Call page_read without cursor.`,
    )
  return { id, start }
}
