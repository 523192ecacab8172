// What page_read does with lists of which only some rows are in the document: says so, and reads the other rows if the
// list is its scope, or if it searches for words that the document does not show.
import { ancestor, isWithin } from '../../dom/dom.js'
import type { Refs } from '../../dom/element-refs.js'
import { partSnapshot, takeSnapshot, type PageSnapshot } from '../../dom/page-snapshot.js'
import { areaOf, isPage } from '../../dom/scroll-boxes.js'
import { patience, type Deadline } from '../../waiting/until.js'
import type { ToolRun } from '../../../page/tools/tool.js'
import { outline } from '../outline.js'
import { type Line, mapTexts, without } from '../line.js'
import { itemText, type OutlineItem } from '../outline-item.js'
import { countWords, plainListIn, rowsNow, type RowList } from './row-lists.js'
import { RowScan, type PresentRow, type ScanEnd, type SeenRow } from './row-scan.js'

/** Lines that say of each list how many of its rows are in the document. */
export function notesOn(lists: readonly RowList[], { refs, visibility }: PageSnapshot): Map<Element, Line> {
  return new Map(
    lists.map((list) => {
      const ref = refs.refFor(list.root, visibility)
      const reading = list.box ? ': page_read with it as scope, or a filter of words, reads the others' : ''
      return [list.root, [`text: (list ${ref}: ${countWords(list)} are in the document${reading})`]]
    }),
  )
}

/** The list that a part of the page is, is in, or mainly consists of. */
export function listAt(part: Element, lists: readonly RowList[]): RowList | undefined {
  const fits = ({ box, container }: RowList): boolean =>
    isWithin(container, part) && (!box || isPage(box) || isWithin(part, box) || areaOf(box) > areaOf(part) / 2)
  return lists.find(fits)
}

/** A list that may load more at its end, if the part scrolls or is the contents of what scrolls. */
export function growingListAt(part: Element, snapshot: PageSnapshot, isScrollable: (one: Element) => boolean) {
  const box = isScrollable(part) ? part : ancestor(part, isScrollable)
  const list = box && plainListIn(box, snapshot.visibility)
  return list && (isWithin(list.container, part) || part === box) ? list : undefined
}

/** Refs for rows that leave the document: none of them is told. */
const noRefs: Refs = {
  refFor: () => 'e0',
  prepare() {},
  find: () => undefined,
  describe: () => undefined,
  known: () => undefined,
  placeOf: () => undefined,
  namesakes: () => [],
}

/** Bounds what is kept of one list. */
const mostChars = 40_000

/** The rows of one list, as far as they were read. `scan` can be continued. */
export class ListReading {
  readonly list: RowList
  readonly #scan: RowScan
  /** The ref of the list. */
  readonly ref: string
  /** What is kept of the items of a row. */
  readonly #choose: (items: readonly OutlineItem[]) => readonly OutlineItem[]
  readonly #items = new Map<SeenRow, readonly OutlineItem[]>()
  #end: ScanEnd | undefined
  #present = 0

  /** `choose`: what is kept of the items of a row. @default all */
  constructor(list: RowList, ref: string, choose = (items: readonly OutlineItem[]) => items) {
    this.list = list
    this.#scan = new RowScan(list)
    this.ref = ref
    this.#choose = choose
  }

  /** The items of all rows that were read, in order. Only rows in the document have refs. */
  get items(): readonly OutlineItem[] {
    return this.#scan.seen.all.flatMap((row) => this.#items.get(row) ?? [])
  }

  /** Whether all rows that were read are in the document. */
  get isWhole(): boolean {
    return this.#present >= this.#scan.seen.all.length
  }

  /** Whether the whole list was read. */
  get isDone(): boolean {
    return this.#scan.isDone || this.#end?.why === 'input'
  }

  /**
   * Gives the rows that were not read yet to `visit`, with a snapshot of the list, until it returns true or the list,
   * the time or another bound ends.
   */
  async through(
    run: ToolRun,
    isLate: Deadline,
    visit: (fresh: readonly PresentRow[], snapshot: PageSnapshot, root: Element) => boolean,
  ): Promise<void> {
    const page = takeSnapshot(run).fields()
    this.#end = await this.#scan.readOn(run, isLate, (fresh, visibility) => {
      const root = this.#rootNow(fresh)
      return visit(fresh, partSnapshot(root, { visibility, refs: noRefs, page }), root)
    })
  }

  /** Reads on until about so many characters are there. */
  async readOn(run: ToolRun, isLate: Deadline, characters: number): Promise<void> {
    const most = Math.min(characters, mostChars)
    let length = 0
    await this.through(run, isLate, (fresh, snapshot) => {
      for (const [row, items] of this.#read(fresh, snapshot)) {
        const told = items.map((item) => ({ ...item, line: without(item.line, 'ref', 'day') }))
        this.#items.set(row, told)
        for (const item of told) length += 2 * item.depth + itemText(item).length + 1
      }
      return length > most
    })
    this.#giveRefs(run)
  }

  #rootNow([first]: readonly PresentRow[]): Element {
    const { root } = this.list
    return root.isConnected ? root : (first?.element.parentElement ?? root)
  }

  /** The chosen items of rows in the document. */
  #read(present: readonly PresentRow[], snapshot: PageSnapshot): readonly [SeenRow, readonly OutlineItem[]][] {
    const rows = new Map(present.map(({ element, row }) => [element, row]))
    const { visibility, refs, redact } = snapshot
    const fields = snapshot.fields()
    const { items } = outline({
      root: this.#rootNow(present),
      visibility,
      refs,
      fields,
      redact,
      rows: new Set(rows.keys()),
    })
    const found = new Map<SeenRow, OutlineItem[]>()
    for (const item of items) {
      const row = item.row && rows.get(item.row)
      if (row) found.set(row, [...(found.get(row) ?? []), { ...item, line: mapTexts(item.line, snapshot.redact) }])
    }
    // In the order of sight, which is not always that of the document.
    return present.flatMap(({ row }): [SeenRow, readonly OutlineItem[]][] => {
      const chosen = this.#choose(found.get(row) ?? [])
      return chosen.length > 0 ? [[row, chosen]] : []
    })
  }

  /** The rows that are in the document again, or still, have refs. */
  #giveRefs(run: ToolRun): void {
    const snapshot = takeSnapshot(run)
    const { visibility } = snapshot
    const { seen } = this.#scan
    const rows = seen.present(this.list, rowsNow(this.list, visibility), visibility)
    const present = rows.flatMap(({ element, row }): PresentRow[] => {
      const known = seen.find(row)
      return known && this.#items.has(known) ? [{ element, row: known }] : []
    })
    this.#present = rows.length
    if (present.length === 0) return
    for (const [row, items] of this.#read(present, snapshot))
      // A cursor counts items.
      if (items.length === this.#items.get(row)?.length) this.#items.set(row, items)
  }

  /** What the last line says: how much was read, why it ended, and how rows without refs are reached. */
  note(): string {
    const { all } = this.#scan.seen
    const { total, isAbout } = this.list
    const whole = total !== undefined && total > all.length ? `${isAbout ? 'about ' : ''}${total}` : ''
    const isAll = this.#end?.why === 'end' && (isAbout || whole === '')
    const read = this.isDone && isAll ? `all ${all.length} rows` : rowsRead(all.length, whole)
    const reach = this.isWhole ? '' : '. Rows without refs: page_scroll with it as target and a text of the row'
    return `list ${this.ref}: ${read} read${why(this.#end)}${reach}`
  }
}

const rowsRead = (count: number, whole: string): string =>
  whole === '' ? `the first ${count} rows` : `the first ${count} of ${whole} rows`

function why(end: ScanEnd | undefined): string {
  switch (end?.why) {
    case 'time':
      return `; stopped after ${patience.rows / 1000} seconds`
    case 'loads':
      return '; stopped after it had loaded more 10 times'
    case 'put-back':
      return '; stopped because the page does not let it scroll further'
    case 'visitor':
      return '; stopped because the user scrolls or presses something'
    case 'effect':
      return `; stopped because scrolling it ${end.what}, which was prevented`
    case 'input':
      return `; not scrolled, because ${end.what}`
    default:
      return ''
  }
}
