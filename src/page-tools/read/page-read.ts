// Implements page_read: returns the outline in pieces. The outline is kept, so that a cursor continues in the same one:
// nothing is repeated or missing, even if the page changes.
import { ToolAgentError } from '../../core/data/errors.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { redactedUrl } from '../sensitive/redact-url.js'
import { currentPage, elementsUnder, isTag } from '../dom/dom.js'
import { normalizeText, truncate } from '../dom/text.js'
import type { OutlineItem } from './outline-item.js'
import { findInSnapshot } from './find-part.js'
import { outline } from './outline.js'
import { continuationOf, filterItems } from './outline-piece.js'
import { takeSnapshotInPieces } from './read-in-pieces.js'
import { redactItems, numberArgument, takeSnapshot, textArgument, redactSecrets } from '../dom/page-snapshot.js'
import { isScrolled } from '../dom/scrolling.js'
import type { Visibility } from '../dom/visibility.js'

/** An outline that a cursor can continue. */
interface KeptOutline {
  readonly items: readonly OutlineItem[]
  readonly head: string
  /** What it was asked for. */
  readonly scope: string | undefined
  readonly filter: string | undefined
}
const keptOutlines = new Map<string, KeptOutline>()
const maxKept = 4
let outlineCount = 0

interface Range {
  /** Index of the first item. */
  readonly start: number
  /** The lines between the head and the first item. */
  readonly around?: readonly string[]
  readonly maxChars: number
}

interface Piece {
  readonly text: string
  /** Whether items follow, for which the text contains a cursor. */
  readonly hasMore: boolean
}

/** A page with more elements is read with pauses. */
const fewElements = 1500

/** The lines from item `start` that fit into `maxChars`; at least one item. */
function pieceFrom(id: string, { items, head }: KeptOutline, { start, around = [], maxChars }: Range): Piece {
  const lines = [head, ...around]
  let length = lines.join('\n').length
  let index = start
  for (; index < items.length; index++) {
    const item = items[index]
    if (!item) break
    const line = '  '.repeat(item.depth) + item.line
    if (index > start && length + line.length + 1 > maxChars) break
    lines.push(line)
    length += line.length + 1
  }
  if (items.length === 0) lines.push('(nothing visible)')
  if (index < items.length)
    lines.push(`(items ${start + 1} to ${index} of ${items.length}; next: cursor "${id}.${index}")`)
  return { text: lines.join('\n'), hasMore: index < items.length }
}

/** The height of the page with that of the longest box that scrolls in it, if the box is not small. In windows. */
function screensOf(visibility: Visibility): number {
  const height = Math.max(1, window.innerHeight)
  let longest = 0
  for (const box of elementsUnder(currentPage().body, visibility.children)) {
    if (!isScrolled(visibility.style(box).overflowY) || isTag(box, 'body', 'textarea', 'select')) continue
    const below = box.scrollHeight - box.clientHeight
    if (below > longest && box.clientHeight > height / 4 && visibility.isShown(box)) longest = below
  }
  return Math.max(1, Math.ceil((currentPage().documentElement.scrollHeight + longest) / height))
}

/** Implements page_read. */
export async function runPageRead(input: Record<string, unknown>, run: ToolRun): Promise<string> {
  const maxChars = numberArgument(input['maxChars'], 500, 40_000, 12_000)
  const cursor = textArgument(input['cursor'])
  const scope = textArgument(input['scope'])
  const filter = textArgument(input['filter'])
  if (cursor !== undefined) {
    const { id, start, around } = continuationOf(cursor, keptOutlines)
    const kept = keptOutlines.get(id)!
    if ((scope !== undefined && scope !== kept.scope) || (filter !== undefined && filter !== kept.filter))
      throw new ToolAgentError(
        'invalid-input',
        'A cursor continues the result that it is from, with its scope and filter. Omit scope and filter, or omit ' +
          'the cursor to read another part.',
      )
    return pieceFrom(id, kept, { start, around, maxChars }).text
  }
  const isLarge = currentPage().getElementsByTagName('*').length > fewElements
  const { snapshot, part: root } =
    scope === undefined
      ? { snapshot: isLarge ? await takeSnapshotInPieces(run) : takeSnapshot(run), part: currentPage().body }
      : findInSnapshot(run, scope)
  const { visibility, refs, redact } = snapshot
  const fields = snapshot.fields()
  const screens = scope === undefined ? screensOf(visibility) : 0
  const { items, whole, isShortened } = outline({
    root,
    visibility,
    refs,
    fields,
    redact,
    isShort: filter === undefined,
  })
  const all = redactItems(items, fields)
  const { innerWidth: width, innerHeight: height } = window
  const address = redactedUrl(location.href)
  const head =
    redactSecrets(`page ${JSON.stringify(normalizeText(currentPage().title))} ${address}`, fields) +
    (scope === undefined
      ? ` (${screens} screens of ${width} x ${height})`
      : ` scope ${JSON.stringify(normalizeText(truncate(scope, 80)))}`) +
    (whole ? '' : ' (start only: use scope)') +
    (isShortened ? ' (some addresses left out: use filter links)' : '')
  const id = `r${++outlineCount}`
  const record: KeptOutline = {
    items: filter === undefined ? all : filterItems(all, filter),
    head,
    scope,
    filter,
  }
  const { text, hasMore } = pieceFrom(id, record, { start: 0, maxChars })
  if (hasMore) {
    keptOutlines.set(id, record)
    const [oldest] = keptOutlines.keys()
    if (oldest !== undefined && keptOutlines.size > maxKept) keptOutlines.delete(oldest)
  }
  return text
}
