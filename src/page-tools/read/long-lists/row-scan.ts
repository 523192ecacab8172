// Reads a list whose rows are not all in the document: from its top, window by window, each row once and in order.
import type { ToolRun } from '../../../page/tools/tool.js'
import { childrenOf, isElement } from '../../dom/dom.js'
import { takeSnapshot } from '../../dom/page-snapshot.js'
import { heightOf, isPage, limitsOfBox, shownPartOf } from '../../dom/scroll-boxes.js'
import { normalizeText, toComparable } from '../../dom/text.js'
import { Visibility } from '../../dom/visibility.js'
import { announceScroll, moveTo } from '../../hands/scroll.js'
import { nextTask, patience, pause, until, waitForFrame, type Deadline } from '../../waiting/until.js'
import { holesBetween, rowsNow, usualHeight, type Placed, type RowList } from './row-lists.js'
import { inputIn, keepingPlace, placesIn, timeForMore } from './scroll-through.js'

/** How many rows one call reads at most, and how many loads it causes. */
const most = { rows: 20_000, loads: 10 }

/** A row that was seen. Its element may be that of another row by now. */
export interface SeenRow {
  /** The value of the attribute that numbers or names the rows. */
  readonly key: string | undefined
  readonly text: string
  /** Where it begins in the contents of the box, in pixels. */
  top: number
  readonly left: number
  readonly height: number
  readonly width: number
  readonly isSticky: boolean
}

/** A row that is in the document, with what it is known by. */
export interface PresentRow {
  readonly element: Element
  readonly row: SeenRow
}

/** Attributes that number or name a row of its list. */
const keyName = /^(aria-(rowindex|posinset)|(data-)?([a-z]+-)*(row|item)?-?(index|id|key))$/
const generated = /^(id|data-testid)$/

/** The attributes by which all these rows differ. */
function keysOf(rows: readonly Element[]): string[] {
  const [first] = rows
  if (!first) return []
  return first
    .getAttributeNames()
    .filter((name) => keyName.test(name) && !generated.test(name))
    .filter((name) => new Set(rows.map((row) => row.getAttribute(name))).size === rows.length)
    .filter((name) => rows.every((row) => row.getAttribute(name)))
}

/** Knows which rows were seen: by a key, or else by text and place. */
export class SeenRows {
  readonly all: SeenRow[] = []
  readonly #byKey = new Map<string, SeenRow>()
  readonly #byText = new Map<string, SeenRow[]>()
  /** The attribute that is trusted, null if none can be. */
  #keyName: string | null | undefined

  /** Describes rows of the document. */
  present(list: RowList, placed: readonly Placed[], visibility: Visibility): PresentRow[] {
    const elements = placed.map(({ element }) => element)
    const keys = keysOf(elements)
    if (this.#keyName === undefined && placed.length > 1) this.#keyName = keys[0] ?? null
    else if (this.#keyName && placed.length > 1 && !keys.includes(this.#keyName)) this.#keyName = null
    const { box } = list
    const start = box ? (isPage(box) ? 0 : shownPartOf(box).top) - box.scrollTop : 0
    return placed.map(({ element, rect: { top, left, height, width } }) => ({
      element,
      row: {
        key: (this.#keyName && element.getAttribute(this.#keyName)) || undefined,
        text: textOf(element),
        top: top - start,
        left,
        height,
        width,
        isSticky: visibility.style(element).position === 'sticky',
      },
    }))
  }

  /** The row that was seen before; undefined if this one is new. */
  find(row: SeenRow): SeenRow | undefined {
    const isAt = (one: SeenRow): boolean =>
      Math.abs(one.top - row.top) < row.height / 2 && Math.abs(one.left - row.left) < row.width / 2
    const keyed = this.#keyName && row.key !== undefined ? this.#byKey.get(row.key) : undefined
    if (keyed) {
      if (keyed.text === row.text || isAt(keyed)) return keyed
      // Numbers of places in the window and not of rows.
      this.#keyName = null
    }
    const same = this.#byText.get(`${row.text.length} ${row.text}`)
    const found = same?.find((one) => one.isSticky || row.isSticky || isAt(one))
    // A key that each rendering makes anew.
    if (found && row.key !== undefined && found.key !== row.key) this.#keyName = null
    return found
  }

  /** Notes a row. */
  add(row: SeenRow): void {
    this.all.push(row)
    if (row.key !== undefined) this.#byKey.set(row.key, row)
    const name = `${row.text.length} ${row.text}`
    const same = this.#byText.get(name)
    if (same) same.push(row)
    else this.#byText.set(name, [row])
  }
}

/** All text of a row, also of what is not visible: it only tells rows apart. */
function textOf(element: Element): string {
  const own = element.textContent ?? ''
  if (own.trim() !== '') return normalizeText(own)
  return childrenOf(element)
    .map((child) => (isElement(child) ? textOf(child) : child.data))
    .join('')
}

/** Why a scan ended. */
export type ScanEnd =
  | { readonly why: 'end' | 'time' | 'rows' | 'loads' | 'put-back' | 'enough' | 'visitor' }
  | { readonly why: 'effect' | 'input'; readonly what: string }

const placeholder =
  /^\W*(loading|please wait|laden|lädt|wird geladen|chargement|cargando|carregando|加载中|読み込み中)\W*$/i

/** The rows that the last scan of a box has seen. */
const remembered = new WeakMap<Element, SeenRows>()

/** Where a row with a text was when the box was last read, in the contents of the box. The first ones only. */
export function placesOfText(box: Element, text: string): number[] {
  const wanted = toComparable(text)
  const found = remembered.get(box)?.all.filter((row) => wanted !== '' && toComparable(row.text).includes(wanted))
  return (found ?? []).slice(0, 3).map(({ top }) => top)
}

/** Receives new rows. Returns whether they are enough. */
type Visit = (rows: readonly PresentRow[], visibility: Visibility) => boolean

/** A scan that can be continued. */
export class RowScan {
  readonly list: RowList
  readonly seen = new SeenRows()
  /** Where the next call begins, in the contents of the box. */
  #next: number | undefined
  #vain = 0

  constructor(list: RowList) {
    this.list = list
  }

  /** Whether the last window is of the end of the list. */
  isDone = false

  /**
   * Reads on, and gives each new row to `visit`, in order, while it is in the document. Ends when `visit` returns true.
   * Afterwards the list is where it was.
   */
  async readOn(run: ToolRun, isLate: Deadline, visit: Visit): Promise<ScanEnd> {
    const { box } = this.list
    const input = inputIn(this.list.root, takeSnapshot(run))
    if (input !== undefined) return { why: 'input', what: input }
    if (!box) return this.#readWindow(visit) ? { why: 'enough' } : this.#ended()
    return keepingPlace(box, run, async (interruption) => {
      remembered.set(box, this.seen)
      const limit = this.seen.all.length + most.rows
      moveTo(box, this.#next ?? limitsOfBox(box).top)
      const settle = (): Promise<void> => this.#settle(isLate)
      await settle()
      const course = {
        box,
        direction: 'down',
        signal: run.signal,
        isLate,
        mostLoads: this.#isWhole() ? 0 : most.loads,
        // All rows of such a list are in the document.
        growsByLoads: this.list.total === undefined,
        next: () => this.#nextPosition(),
        settle,
        isFound: () => interruption().by !== undefined || this.#isWhole(),
      } as const
      const places = placesIn(course)
      for (;;) {
        const step = await places.next()
        const { by, what } = interruption()
        if (by === 'visitor') return { why: 'visitor' }
        if (by === 'effect') return { why: 'effect', what }
        if (step.done === true) {
          if (step.value !== 'end') return { why: step.value }
          // The last rows may have been drawn while the walk waited for more.
          this.#readWindow(visit)
          return this.#ended()
        }
        await this.#goBackToKnown(settle)
        const isEnough = this.#readWindow(visit)
        this.#next = box.scrollTop
        if (isEnough) return { why: 'enough' }
        if (this.seen.all.length >= limit) return { why: 'rows' }
      }
    })
  }

  #ended(): ScanEnd {
    this.isDone = true
    return { why: 'end' }
  }

  /** Whether as many rows were seen as the page states. */
  #isWhole(): boolean {
    const { total, isAbout } = this.list
    return !isAbout && total !== undefined && this.seen.all.length >= total
  }

  /** A list that has measured its rows may have moved them: then goes back until a row is in view that was seen. */
  async #goBackToKnown(settle: () => Promise<void>): Promise<void> {
    const { box } = this.list
    for (let attempts = 0; box && this.seen.all.length > 0 && attempts < 4; attempts++) {
      const visibility = new Visibility()
      const present = this.seen.present(this.list, rowsNow(this.list, visibility), visibility)
      if (present.length === 0 || present.some(({ row }) => this.seen.find(row) !== undefined)) return
      moveTo(box, box.scrollTop - heightOf(box) / 2)
      await settle()
    }
  }

  #readWindow(visit: Visit): boolean {
    const visibility = new Visibility()
    const present = this.seen.present(this.list, rowsNow(this.list, visibility), visibility)
    const fresh = present.filter(({ row }) => this.seen.find(row) === undefined)
    for (const { row } of fresh) this.seen.add(row)
    return fresh.length > 0 && visit(fresh, visibility)
  }

  /** Where the last row that is complete would be the first one in view. */
  #nextPosition(): number | undefined {
    const { box } = this.list
    if (!box) return undefined
    const rows = rowsNow(this.list, new Visibility())
    const height = usualHeight(rows)
    const { top } = shownPartOf(box)
    let reached = top
    for (const { rect } of rows) {
      if (rect.bottom <= reached) continue
      if (rect.top - reached > 2.5 * height) break
      reached = rect.bottom
    }
    const step = Math.max(reached - top - height, heightOf(box) / 2)
    return box.scrollTop + step
  }

  /** Waits until rows cover what is seen of the list, and none of them is a placeholder. */
  async #settle(isLate: Deadline): Promise<void> {
    // Most lists render at once when they are told. Waiting for a frame at each step would take most of the time.
    if (this.list.box) announceScroll(this.list.box)
    await nextTask()
    await nextTask()
    if (this.#isCovered()) return
    await waitForFrame()
    const isVain = this.#vain > 1
    const end = await until({
      done: () => (this.#isCovered() ? 'covered' : isLate() && 'late'),
      atMost: () => (isVain ? patience.vainWindow.atMost : timeForMore()),
      fewestTurns: isVain ? 0 : patience.rowWindow.fewestTurns,
      async every() {
        await pause(patience.rowWindow.every)
        await waitForFrame()
      },
    })
    this.#vain = end === 'covered' ? 0 : this.#vain + 1
  }

  #isCovered(): boolean {
    const { box } = this.list
    if (!box) return true
    const visibility = new Visibility()
    const rows = rowsNow(this.list, visibility)
    if (rows.length === 0) return false
    const height = usualHeight(rows)
    const shown = shownPartOf(box)
    const { space } = this.list
    const { top, bottom } = space.isConnected && space !== box ? space.getBoundingClientRect() : shown
    const part = { top: Math.max(shown.top, top), bottom: Math.min(shown.bottom, bottom) }
    const last = Math.max(...rows.map(({ rect }) => rect.bottom))
    const isLast = box.scrollTop >= limitsOfBox(box).bottom - 1 && last >= shown.top
    const isEmpty = !isLast && holesBetween(rows, part, 1.5 * height + 10).length > 0
    return !isEmpty && !rows.some(({ element, rect }) => rect.top < shown.bottom && isPending(element))
  }
}

function isPending(row: Element): boolean {
  return row.matches('[aria-busy=true]') || placeholder.test((row.textContent ?? '').slice(0, 60))
}
