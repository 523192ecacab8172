// Shortens the list of changed items after an action: long groups, such as the days of a month, become their first
// items and a count.
import { withIndex } from '../../core/data/lists.js'
import { countRefs, has, roleIn, textOf } from '../read/line.js'
import { itemText, type OutlineItem } from '../read/outline-item.js'
import { truncate } from '../dom/text.js'

const maxChars = 3_000
/** Larger groups are summarized. */
const largestGroup = 10
/** So many items of a summarized group are kept. */
const keptItems = 3

/** An item of a shortened list, or a line that stands for several. */
export interface ListItem extends OutlineItem {
  readonly isNote?: true
}

/** The line as it is told. */
export const toldText = (item: ListItem): string => (item.isNote ? textOf(item.line) : itemText(item))

/** The priority of an item in a report, 0 to 3; 0 is the highest. */
function priorityOf({ line, kind }: OutlineItem): number {
  if (/^((alert)?dialog|alert|status)$/.test(roleIn(line) ?? '') || has(line, 'invalid')) return 0
  if (kind === 'heading') return 1
  return kind === 'control' ? 2 : 3
}

/** As many items as `maxChars` allow, the most important ones, in the order of the page. */
export function fitting(items: readonly ListItem[]): string[] {
  const least = Math.min(...items.map(({ depth }) => depth))
  const lines = items.map((item) => '  '.repeat(Math.min(6, item.depth - least)) + truncate(toldText(item), 400))
  const taken = new Set<number>()
  let length = 0
  for (let priority = 0; priority <= 3; priority++) {
    for (const [index, item] of withIndex(items)) {
      const line = lines[index] ?? ''
      if (priorityOf(item) !== priority || length + line.length > maxChars) continue
      taken.add(index)
      length += line.length + 1
    }
  }
  const rest = items.length - taken.size
  return [...lines.filter((_, index) => taken.has(index)), ...(rest > 0 ? [`(and ${rest} more: page_read)`] : [])]
}

/** The number of items in a line: a row of a table holds several controls. */
const countIn = ({ line }: OutlineItem): number => Math.max(1, countRefs(line))

/** The nearest container around each item. Items outside of all containers are missing. */
function containersOf(items: readonly OutlineItem[]): Map<OutlineItem, OutlineItem> {
  const found = new Map<OutlineItem, OutlineItem>()
  const open: OutlineItem[] = []
  for (const item of items) {
    while ((open.at(-1)?.depth ?? -1) >= item.depth) open.pop()
    const around = open.at(-1)
    if (around) found.set(item, around)
    if (item.kind === 'container') open.push(item)
  }
  return found
}

/**
 * Replaces each group of more than ten items by its first ones, and a line with the number of the others and their
 * container. A group has one container and one kind of item. Alerts, dialogs and invalid fields are always kept.
 * @param changed items of `all`, in its order
 */
export function summarized(changed: readonly OutlineItem[], all: readonly OutlineItem[]): ListItem[] {
  const containers = containersOf(all)
  const groups = new Map<string, OutlineItem[]>()
  for (const item of changed) {
    if (priorityOf(item) === 0 || item.kind === 'container') continue
    const around = containers.get(item)
    const role = item.kind === 'control' ? roleIn(item.line) : item.kind
    const key = `${around ? all.indexOf(around) : -1} ${role}`
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  const dropped = new Set<OutlineItem>()
  const notes = new Map<OutlineItem, ListItem>()
  for (const group of groups.values()) {
    if (group.reduce((sum, item) => sum + countIn(item), 0) <= largestGroup) continue
    let kept = 0
    let last: OutlineItem | undefined
    let rest = 0
    for (const item of group) {
      if (kept < keptItems) {
        kept += countIn(item)
        last = item
      } else {
        dropped.add(item)
        rest += countIn(item)
      }
    }
    const around = last && containers.get(last)
    const where = around ? ` in ${truncate(textOf(around.line), 160)}` : ''
    if (last && rest > 0) notes.set(last, { ...last, line: [`(and ${rest} more${where}: page_read)`], isNote: true })
  }
  return changed.flatMap((item) => {
    const note = notes.get(item)
    if (dropped.has(item)) return []
    return note ? [item, note] : [item]
  })
}
