// Implements page_read: returns the outline in pieces. The outline is kept, so that a cursor continues in the same one:
// nothing is repeated or missing, even if the page changes. Of a page that takes too long, the cursor goes on reading.
import { ToolAgentError } from '../../core/data/errors.js'
import type { ToolRun } from '../../page/tools/tool.js'
import { redactedUrl } from '../sensitive/redact.js'
import { currentPage } from '../dom/dom.js'
import { normalizeText, truncate } from '../dom/text.js'
import { itemText, type OutlineItem } from './outline-item.js'
import { partNamed } from './find-part.js'
import { OutlineWalk } from './outline.js'
import { growingListAt, listAt, ListReading, notesOn } from './long-lists/list-reading.js'
import { containersOf, continuationOf, filterItems, foldEqual, isKind } from './outline-filter.js'
import { readInPieces } from './read-in-pieces.js'
import { deadline, patience } from '../waiting/until.js'
import { rowListsOf, rowsNow, searchedLists, type RowList } from './long-lists/row-lists.js'
import { redactItems, numberArgument, textArgument, redactSecrets } from '../dom/page-snapshot.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { isScrollable, scrollBoxesUnder } from '../dom/scroll-boxes.js'
import type { Steps } from '../dom/steps.js'
import type { Visibility } from '../dom/visibility.js'

/** An outline that a cursor can continue. */
interface KeptOutline {
  readonly items: readonly OutlineItem[]
  readonly head: string
  /** What it was asked for. */
  readonly scope: string | undefined
  readonly filter: string | undefined
  /** Whether more may follow than the items that there were at first. */
  readonly canGoOn: boolean
  /** The rest of the page, if it is not read yet. */
  readonly page: PageReading
  /** The lists whose rows are items, and are not all read yet. */
  readonly readings: readonly ListReading[]
}
const keptOutlines = new Map<string, KeptOutline>()
const maxKept = 4
let outlineCount = 0

/** The walk over a part of the page, as far as it went. */
class PageReading {
  readonly #walk: OutlineWalk
  readonly #steps: Steps<void>
  /** What is told of the items of a piece. */
  readonly #choose: (items: readonly OutlineItem[]) => readonly OutlineItem[]
  #items: readonly OutlineItem[] = []
  isDone = false
  /** Of the whole outline. */
  isWhole = true
  isShortened = false

  constructor(walk: OutlineWalk, choose: (items: readonly OutlineItem[]) => readonly OutlineItem[]) {
    this.#walk = walk
    this.#steps = walk.steps()
    this.#choose = choose
  }

  get items(): readonly OutlineItem[] {
    return this.#items
  }

  /** Reads on until the end, or until the time is over. `visibility`: what can be seen now. */
  *readOn(visibility: Visibility): Steps<void> {
    const isLate = deadline(patience.reading)
    for (let now: Visibility | undefined = visibility; !this.isDone; now = yield) {
      this.isDone = this.#steps.next(now).done === true
      if (isLate()) break
    }
    const { items, whole, isShortened } = this.#walk.take(this.isDone)
    this.#items = [...this.#items, ...this.#choose(items)]
    this.isWhole = whole
    this.isShortened ||= isShortened
  }
}

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

/** The lines from item `start` that fit into `maxChars`; at least one item. */
function pieceFrom(
  id: string,
  { items, head, page, readings }: KeptOutline,
  { start, around = [], maxChars }: Range,
): Piece {
  const lines = [head, ...around]
  let length = lines.join('\n').length
  let index = start
  for (; index < items.length; index++) {
    const item = items[index]
    if (!item) break
    const line = '  '.repeat(item.depth) + itemText(item)
    if (index > start && length + line.length + 1 > maxChars) break
    lines.push(line)
    length += line.length + 1
  }
  const isCut = index < items.length
  const isOpen = !page.isDone || readings.some(({ isDone }) => !isDone)
  if (items.length === 0) lines.push(readings.length > 0 || isOpen ? '(nothing found)' : '(nothing visible)')
  lines.push(...readings.map((reading) => `(${reading.note()})`))
  const next = `next: cursor "${id}.${index}")`
  if (isCut) lines.push(`(items ${start + 1} to ${index} of ${items.length}${isOpen ? ' so far' : ''}; ${next}`)
  else if (!page.isDone) lines.push(`(stopped after ${patience.reading / 1000} seconds, there is more; ${next}`)
  else if (isOpen) lines.push(`(more rows; ${next}`)
  return { text: lines.join('\n'), hasMore: isCut || isOpen }
}

/** The height of the page with that of the longest box that scrolls in it, if the box is not small. In windows. */
function screensOf(visibility: Visibility): number {
  const height = Math.max(1, window.innerHeight)
  let longest = 0
  for (const box of scrollBoxesUnder(currentPage().body, visibility)) {
    const below = box.scrollHeight - box.clientHeight
    if (below > longest && box.clientHeight > height / 4 && visibility.isShown(box)) longest = below
  }
  return Math.max(1, Math.ceil((currentPage().documentElement.scrollHeight + longest) / height))
}

function keep(id: string, record: KeptOutline): void {
  keptOutlines.set(id, record)
  const [oldest] = keptOutlines.keys()
  if (oldest !== undefined && keptOutlines.size > maxKept) keptOutlines.delete(oldest)
}

/** @throws `invalid-input` for an unknown cursor, or one with another scope or filter */
async function continueFrom(cursor: string, { scope, filter, maxChars }: Asked, run: ToolRun): Promise<string> {
  const { id, start } = continuationOf(cursor, keptOutlines)
  const kept = keptOutlines.get(id)!
  if ((scope !== undefined && scope !== kept.scope) || (filter !== undefined && filter !== kept.filter))
    throw new ToolAgentError(
      'invalid-input',
      'A cursor continues the result that it is from, with its scope and filter. Omit scope and filter, or omit ' +
        'the cursor to read another part.',
    )
  if (start === kept.items.length && !kept.page.isDone)
    await readInPieces(run, ({ visibility }) => kept.page.readOn(visibility), false)
  else if (start === kept.items.length) {
    const open = kept.readings.find(({ isDone }) => !isDone)
    await open?.readOn(run, deadline(patience.rows), maxChars)
  }
  return pieceFrom(id, kept, { start, around: containersOf(kept.items, start), maxChars }).text
}

interface Asked {
  readonly scope: string | undefined
  readonly filter: string | undefined
  readonly maxChars: number
}

/** The list that a call reads to its end, with a choice of items: that of its scope, or those a search goes on in. */
async function readLists(
  { scope, filter, maxChars }: Asked,
  part: Element,
  found: { readonly snapshot: PageSnapshot; readonly isEmpty: boolean },
  run: ToolRun,
): Promise<readonly ListReading[]> {
  const { snapshot, isEmpty } = found
  const { visibility, refs } = snapshot
  const isSearch = filter !== undefined && !isKind(filter)
  let lists: readonly RowList[] = []
  if (scope !== undefined) {
    const isScrolledBox = (one: Element): boolean => isScrollable(one, visibility.style(one))
    const list =
      listAt(part, rowListsOf(visibility)) ??
      (isSearch && isEmpty ? growingListAt(part, snapshot, isScrolledBox) : undefined)
    lists = list ? [list] : []
  } else if (isSearch && isEmpty) lists = searchedLists(visibility)
  const choose = (items: readonly OutlineItem[]): readonly OutlineItem[] => {
    if (filter === undefined) return items
    const kept = filterItems(items, filter)
    // What has the words is one part of the row that is meant.
    return isSearch && kept.length > 0 ? items : kept
  }
  const readings = lists.map((list) => new ListReading(list, refs.refFor(list.root, visibility), choose))
  const isLate = deadline(patience.rows)
  for (const reading of readings) {
    await reading.readOn(run, isLate, maxChars)
    if (!reading.isDone) break
  }
  return readings
}

/** The outline of a part, whose rows of lists are replaced by all that were read. */
function withRows(page: PageReading, readings: readonly ListReading[]): { readonly items: readonly OutlineItem[] } {
  const [first] = readings
  if (!first) return page
  const { items } = page
  const isRow = ({ row }: OutlineItem): boolean => row !== undefined
  const start = items.findIndex(isRow)
  const end = items.findLastIndex(isRow) + 1
  const [before, after] = start < 0 ? [items, []] : [items.slice(0, start), items.slice(end)]
  return {
    get items() {
      const rows = readings.flatMap((reading) => reading.items)
      return readings.every(({ isDone }) => isDone) ? [...before, ...rows, ...after] : [...before, ...rows]
    },
  }
}

/** The first part of a reading. */
interface Begun {
  readonly snapshot: PageSnapshot
  readonly root: Element
  readonly page: PageReading
  readonly screens: number
}

/** Reads the page, or the part that is the scope, until the time is over. */
function* begin({ scope, filter }: Asked, snapshot: PageSnapshot): Steps<Begun> {
  const root = scope === undefined ? currentPage().body : partNamed(scope, snapshot)
  const { visibility, refs, redact } = snapshot
  const fields = snapshot.fields()
  const screens = scope === undefined ? screensOf(visibility) : 0
  const lists = rowListsOf(visibility)
  const own = scope === undefined ? undefined : listAt(root, lists)
  const walk = new OutlineWalk({
    root,
    visibility,
    refs,
    fields,
    redact,
    isShort: filter === undefined,
    rows: new Set(own ? rowsNow(own, visibility).map(({ element }) => element) : []),
    // A filter chooses items of the page.
    notes:
      filter === undefined
        ? notesOn(
            lists.filter((list) => list !== own),
            snapshot,
          )
        : new Map(),
  })
  const page = new PageReading(walk, (items) => {
    const redacted = redactItems(items, fields)
    if (filter !== undefined) return filterItems(redacted, filter, (at) => walk.beside(items, at))
    return own === undefined ? foldEqual(redacted) : redacted
  })
  yield* page.readOn(visibility)
  return { snapshot, root, page, screens }
}

/** Implements page_read. */
export async function runPageRead(input: Record<string, unknown>, run: ToolRun): Promise<string> {
  const maxChars = numberArgument(input['maxChars'], 500, 40_000, 12_000)
  const cursor = textArgument(input['cursor'])
  const scope = textArgument(input['scope'])
  const filter = textArgument(input['filter'])
  const asked = { scope, filter, maxChars }
  if (cursor !== undefined) return continueFrom(cursor, asked, run)
  const { value, hasChanged } = await readInPieces(run, (snapshot) => begin(asked, snapshot))
  const { snapshot, root, page, screens } = value
  const { innerWidth: width, innerHeight: height } = window
  const head =
    redactSecrets(
      `page ${JSON.stringify(normalizeText(currentPage().title))} ${redactedUrl(location.href)}`,
      snapshot.fields(),
    ) +
    (scope === undefined
      ? ` (${screens} screens of ${width} x ${height})`
      : ` scope ${JSON.stringify(normalizeText(truncate(scope, 80)))}`) +
    (hasChanged ? ' (changed while it was read)' : '') +
    (page.isWhole ? '' : ' (start only: use scope)') +
    (page.isShortened ? ' (some addresses left out: use filter links)' : '')
  const id = `r${++outlineCount}`
  const isEmpty = page.isDone && page.items.length === 0
  const readings = page.isDone ? await readLists(asked, root, { snapshot, isEmpty }, run) : []
  const rows = withRows(page, readings)
  const record: KeptOutline = {
    get items() {
      return rows.items
    },
    head,
    scope,
    filter,
    canGoOn: !page.isDone || readings.length > 0,
    page,
    readings,
  }
  const { text, hasMore } = pieceFrom(id, record, { start: 0, maxChars })
  if (hasMore) keep(id, record)
  return text
}
