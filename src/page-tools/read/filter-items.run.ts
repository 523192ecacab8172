// The filter of page_read. Loaded with the first call that has one.
import { toComparable } from '../dom/text.js'
import type { OutlineItem } from './outline.js'

const kinds = new Map<string, readonly OutlineItem['kind'][]>([
  ['interactive', ['control']],
  ['controls', ['control']],
  ['headings', ['heading']],
  ['text', ['text', 'heading']],
  ['tables', ['table']],
])

/** The items that match the filter, a kind or words, and the containers around them. */
export function filterItems(items: readonly OutlineItem[], filter: string): OutlineItem[] {
  const wanted = kinds.get(filter.toLowerCase())
  const words = toComparable(filter)
  const matches = (item: OutlineItem): boolean =>
    wanted ? wanted.includes(item.kind) : toComparable(item.line).includes(words)
  const found: OutlineItem[] = []
  let shallowest = -1
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (!item) continue
    if (matches(item)) {
      found.push(item)
      shallowest = item.depth
    } else if (item.depth < shallowest) {
      if (item.kind === 'container') found.push(item)
      shallowest = item.depth
    }
  }
  return found.reverse()
}
