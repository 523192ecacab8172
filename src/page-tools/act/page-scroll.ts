// page_scroll: finds the box, scrolls it, and reads what is visible then. It never asks the user.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { Tool, ToolRun } from '../../page/tools/tool.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import {
  ancestor,
  childrenOf,
  currentPage,
  elementsUnder,
  frameDocument,
  isElement,
  isTag,
  isWithin,
  nativeProperty,
  parentOf,
  viewOf,
} from '../dom/dom.js'
import { isRef } from '../dom/element-refs.js'
import { redactItems, takeSnapshot, textArgument, type PageSnapshot } from '../dom/page-snapshot.js'
import { overlaps } from '../dom/reach.js'
import {
  areaOf,
  contentsOf,
  endOf,
  heightOf,
  isPage,
  isScrollable,
  largestBoxUnder,
  limitsOfBox,
  pageOf,
  scrollsPage,
  sideOf,
  type Axis,
} from '../dom/scroll-boxes.js'
import { toComparable, truncate } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import { moveBox, moveTo, scrollIntoReach } from '../hands/scroll.js'
import { findPart } from '../read/find-part.js'
import { refIn } from '../read/line.js'
import { searchedLists } from '../read/long-lists/row-lists.js'
import { placesOfText } from '../read/long-lists/row-scan.js'
import { placesIn, type CourseEnd } from '../read/long-lists/scroll-through.js'
import { outline } from '../read/outline.js'
import { deadline, patience, waitForPageUpdates, type Deadline } from '../waiting/until.js'
import { fitting } from './change-list.js'
import { runAndCompare, type ObservedChange } from './page-diff.js'
import { describeControl, resolveActionTarget } from './resolve-target.js'
import { turnWheel } from './wheel.js'

/** The output of page_scroll. */
interface Scrolled extends ObservedChange {
  /** What was scrolled: `the page`, or role and name of a box. */
  readonly scrolled: string
  /** The end that is reached now; `both` if there is nothing to scroll, null if neither is reached. */
  readonly end: 'top' | 'bottom' | 'left' | 'right' | 'both' | null
  /** It was scrolled from side to side. */
  readonly isAcross?: true
  /** Where the visible part starts: 0 is the top or left, 100 the bottom or right. */
  readonly percent: number
  /** The page moves its contents by its own handler of the wheel, which says nothing of an end. */
  readonly byWheel?: true
  /** Whether the text of the call is visible; missing if none was asked for. */
  readonly found?: boolean
  /** The search for the text stopped at its time limit, before the end. */
  readonly stopped?: true
  /** The outline of what is visible now in the scrolled box. */
  readonly visible: string
}

/** A place that scrolls, and how it is called in the answer. */
interface ScrollBox {
  readonly box: Element
  readonly words: string
}

/** @throws `invalid-input`, `stale-ref` if the target does not exist */
function findBox(asked: string | undefined, snapshot: PageSnapshot, axis: Axis): ScrollBox {
  if (asked === undefined) {
    const modal = [...currentPage().querySelectorAll('dialog:modal,[aria-modal=true]')]
      .filter((one) => snapshot.visibility.isShown(one))
      .at(-1)
    const inDialog =
      modal && (isScrollable(modal, undefined, axis) ? modal : largestBoxUnder(modal, snapshot.visibility, 0, axis))
    if (inDialog) return named(inDialog, snapshot)
    const page = pageOf(currentPage().documentElement)
    // An app may scroll inside a page that does not.
    if (scrollsPage(page, axis)) return { box: page, words: 'the page' }
    const { body } = currentPage()
    const inner = largestBoxUnder(body, snapshot.visibility, 0, axis)
    const frame = largestFrame(body, inner ? areaOf(inner) : 0, snapshot, axis)
    if (frame) return insideFrame(frame, unclobbered(frameDocument(frame)!), snapshot, axis)
    return inner ? named(inner, snapshot) : { box: page, words: 'the page' }
  }
  const target =
    (isRef(asked) ? undefined : findPart(asked, snapshot)) ?? resolveActionTarget(asked, undefined, snapshot)
  const inside = frameDocument(target)
  if (inside) return insideFrame(target, unclobbered(inside), snapshot, axis)
  const box =
    (isScrollable(target, undefined, axis) ? target : undefined) ??
    largestBoxUnder(target, snapshot.visibility, areaOf(target) / 2, axis) ??
    ancestor(
      parentOf(target),
      (above) => isScrollable(above, undefined, axis) || (isTag(above, 'html') && scrollsPage(pageOf(above), axis)),
    )
  if (box && !isPage(box)) return named(box, snapshot)
  const page = pageOf(box ?? target)
  const frame = parentOf(unclobbered(page.ownerDocument).documentElement)
  return { box: page, words: frame ? `the page in ${describeControl(frame, snapshot)}` : 'the page' }
}

/** The page of a frame, or its largest box if it does not scroll. */
function insideFrame(frame: Element, inside: Document, snapshot: PageSnapshot, axis: Axis): ScrollBox {
  const page = pageOf(inside.documentElement)
  const inner = scrollsPage(page, axis) ? undefined : largestBoxUnder(inside.body, snapshot.visibility, 0, axis)
  return inner ? named(inner, snapshot) : { box: page, words: `the page in ${describeControl(frame, snapshot)}` }
}

/** The largest frame of more than an area whose page scrolls. */
function largestFrame(root: Element, least: number, { visibility }: PageSnapshot, axis: Axis): Element | undefined {
  let found: Element | undefined
  for (const element of elementsUnder(root, visibility.children)) {
    const inside = frameDocument(element)
    const isLarger = areaOf(element) > Math.max(least, found ? areaOf(found) : 0)
    if (
      inside &&
      isLarger &&
      visibility.isShown(element) &&
      scrollsPage(pageOf(unclobbered(inside).documentElement), axis)
    )
      found = element
  }
  return found
}

/** The box by its own name, or that of the nearest named part around it. */
function named(box: Element, snapshot: PageSnapshot): ScrollBox {
  const { visibility } = snapshot
  const around = ancestor(box, (above) => roleOf(above) !== null && accessibleNameOf(above, visibility) !== '')
  if (around === box) return { box, words: describeControl(box, snapshot) }
  return { box, words: around && !isPage(around) ? `the box in ${describeControl(around, snapshot)}` : 'a box' }
}

/** Finds words in a text. No match begins or ends within a number, or begins within a word of these scripts. */
function finderOf(wanted: string): (text: string) => boolean {
  const [letters, number] = ['[\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}]', '\\p{N}']
  const start = [letters, number].find((kind) => new RegExp(`^${kind}`, 'u').test(wanted))
  const end = new RegExp(`${number}$`, 'u').test(wanted) ? `(?!${number})` : ''
  const pattern = new RegExp(`${start === undefined ? '' : `(?<!${start})`}${wanted}${end}`, 'u')
  return (text) => pattern.test(toComparable(text))
}

/** The smallest element that shows the text. The redacted text decides, so that no private value can be guessed. */
function elementWith(text: string, root: Element, { visibility, redact }: PageSnapshot): Element | undefined {
  const wanted = toComparable(text)
  const hasWanted = finderOf(wanted)
  const shows = (element: Element): boolean => {
    const shown = visibility.visibleText(element)
    return hasWanted(shown) && hasWanted(redact(shown).replaceAll('[private]', 'ꙮ'))
  }
  if (wanted === '' || !shows(root)) return undefined
  let found = root
  for (;;) {
    const inner = childrenOf(found).find((child): child is Element => isElement(child) && shows(child))
    if (!inner) return found
    found = inner
  }
}

/** Whether the text is visible at the present place of a box. */
function isInView(text: string, box: Element, snapshot: PageSnapshot): boolean {
  const found = elementWith(text, contentsOf(box), snapshot)
  return found !== undefined && inViewOf(box)(found)
}

/** Where the row was when the list was read. Leaves the box where it is if the text is not there. */
async function rememberedRow(box: Element, text: string, found: () => Element | undefined) {
  const start = box.scrollTop
  for (const top of placesOfText(box, text)) {
    moveTo(box, top - heightOf(box) / 2)
    await waitForPageUpdates()
    const row = found()
    if (row) return row
  }
  moveTo(box, start)
  return undefined
}

/** Scrolls until the text is visible, the end is reached and nothing more is loaded there, or the time is over. */
async function search(
  { box }: ScrollBox,
  { text, to, isLate }: { readonly text: string; readonly to: string | undefined; readonly isLate: Deadline },
  run: ToolRun,
): Promise<Pick<Scrolled, 'found' | 'stopped'> & { readonly across?: Element }> {
  const root = contentsOf(box)
  const found = (): Element | undefined => elementWith(text, root, takeSnapshot(run))
  const start = box.scrollTop
  const walk = async (direction: 'up' | 'down', isOver = (): boolean => false): Promise<Element | CourseEnd> => {
    const isFound = (): boolean => found() !== undefined
    const places = placesIn({ box, direction, signal: run.signal, isLate, mostLoads: Infinity, isFound })
    for (;;) {
      const { done, value } = await places.next()
      const shown = found()
      if (shown) return shown
      if (done === true) return value
      if (isOver()) return 'end'
    }
  }
  const known = await rememberedRow(box, text, found)
  let end = known ?? (await walk(to === 'up' || to === 'top' ? 'up' : 'down'))
  if ((end === 'end' || end === 'put-back') && to === undefined && start > limitsOfBox(box).top + 1) {
    // What is above is searched from its top.
    const [height, last] = [heightOf(box), box.scrollTop]
    moveBox(box, 'top')
    await waitForPageUpdates()
    end = await walk('down', () => box.scrollTop >= start)
    if (end === 'end') moveTo(box, Math.max(last, limitsOfBox(box).bottom - height))
  }
  if (typeof end === 'string') return { found: false, ...(end === 'time' ? { stopped: true } : {}) }
  const before: (readonly [Element, number])[] = []
  ancestor(end, (above) => before.push([above, above.scrollLeft]) < 0)
  scrollIntoReach(end)
  const [across] = before.find(([above, left]) => above.scrollLeft !== left) ?? []
  return { found: true, ...(across ? { across } : {}) }
}

/** Scrolls from side to side until the text is in view, or the end is reached. */
async function searchAcross(
  { box }: ScrollBox,
  { text, to, isLate }: { readonly text: string; readonly to: string; readonly isLate: Deadline },
  run: ToolRun,
): Promise<Pick<Scrolled, 'found' | 'stopped'>> {
  for (;;) {
    const found = elementWith(text, contentsOf(box), takeSnapshot(run))
    if (found) scrollIntoReach(found, 'center')
    if (found) return { found: true }
    run.signal.throwIfAborted()
    if (isLate()) return { found: false, stopped: true }
    const before = box.scrollLeft
    moveBox(box, to)
    await waitForPageUpdates()
    if (box.scrollLeft === before) return { found: false }
  }
}

/**
 * Whether a part of the node is inside the visible area of the box, and of the boxes in it that scroll. Other documents
 * count by their frame.
 */
function inViewOf(box: Element): (node: Node) => boolean {
  const owner = nativeProperty('Node', box, 'ownerDocument')
  const own = box.getBoundingClientRect()
  const inner = [...elementsUnder(contentsOf(box))]
    .filter((one) => one !== box && (isScrollable(one) || isScrollable(one, undefined, 'x')))
    .map((one) => [one, one.getBoundingClientRect()] as const)
  const { innerWidth, innerHeight } = viewOf(box)
  const area = isPage(box) ? { left: 0, top: 0, right: innerWidth, bottom: innerHeight } : own
  return (node) => {
    const document = nativeProperty('Node', node, 'ownerDocument')
    if (document !== owner) return true
    let rect: DOMRect
    if (isElement(node)) rect = node.getBoundingClientRect()
    else {
      const range = Document.prototype.createRange.call(document)
      range.selectNodeContents(node)
      rect = range.getBoundingClientRect()
    }
    // An element without a box, such as `display: contents`, may have visible contents.
    return (
      (rect.width === 0 && rect.height === 0) ||
      (overlaps(rect, area) && inner.every(([one, shown]) => overlaps(rect, shown) || !isWithin(node, one)))
    )
  }
}

/** What a person sees of a page at its present scroll positions. */
class VisibilityInView extends Visibility {
  readonly #all: Visibility
  readonly #isInView: (node: Node) => boolean

  /** `all`: what can be seen, also after scrolling. */
  constructor(all: Visibility, isInView: (node: Node) => boolean) {
    super(all)
    this.#all = all
    this.#isInView = isInView
  }

  override isShown(element: Element): boolean {
    return this.#all.isShown(element) && this.#isInView(element)
  }

  override hasBox(element: Element): boolean {
    return this.#all.hasBox(element) && this.#isInView(element)
  }

  override isTextVisible(node: Text): boolean {
    return this.#all.isTextVisible(node) && this.#isInView(node)
  }

  // A part that is in view is named by its whole text, so only the root is tested.
  override visibleText(root: Node, skip?: (element: Element) => boolean, most?: number): string {
    return this.#isInView(root) ? this.#all.visibleText(root, skip, most) : ''
  }
}

/** The outline of what is in view, redacted. */
function visibleIn(box: Element, snapshot: PageSnapshot): string {
  const { visibility, refs, redact } = snapshot
  const isInView = inViewOf(box)
  const outside = new Set<string>()
  const { items } = outline({
    root: contentsOf(box),
    visibility: new VisibilityInView(visibility, isInView),
    refs: {
      ...refs,
      // References must not depend on what is in view.
      refFor(element) {
        const ref = refs.refFor(element, visibility)
        if (!isInView(element)) outside.add(ref)
        return ref
      },
    },
    fields: snapshot.fields(),
    redact,
  })
  const shown = redactItems(items, snapshot.fields()).filter(
    ({ kind, line }) => kind !== 'control' || !outside.has(refIn(line) ?? ''),
  )
  return shown.length === 0 ? '' : fitting(shown).join('\n')
}

/** The lists that may have a text in a row that is not in the document, if the box does not show it. */
function otherLists(text: string, { box }: ScrollBox, snapshot: PageSnapshot): ScrollBox[] {
  if (elementWith(text, contentsOf(box), snapshot)) return []
  return searchedLists(snapshot.visibility).flatMap((list) =>
    list.box && list.box !== box ? [named(list.box, snapshot)] : [],
  )
}

/** Scrolls and reports. @throws `invalid-input`, `stale-ref`; the reason of the signal if the call is stopped */
async function runPageScroll(input: Record<string, unknown>, run: ToolRun): Promise<Scrolled> {
  const text = textArgument(input['text'])
  const to = textArgument(input['to'])
  const target = textArgument(input['target'])
  const snapshot = takeSnapshot(run)
  let axis: Axis = to === 'left' || to === 'right' ? 'x' : 'y'
  let found = findBox(target, snapshot, axis)
  let result: Pick<Scrolled, 'found' | 'stopped'> = {}
  let byWheel = false
  const observed = await runAndCompare(run, { effect: 'view', by: 'rule' }, async () => {
    if (axis === 'x') {
      const way = to ?? 'right'
      if (text === undefined) moveBox(found.box, way)
      else result = await searchAcross(found, { text, to: way, isLate: deadline(patience.search) }, run)
      return
    }
    if (endOf(found.box) === 'both') {
      const { box } = found
      const hasText = (): boolean => text !== undefined && isInView(text, box, takeSnapshot(run))
      const isFound = hasText()
      byWheel =
        !isFound &&
        (await turnWheel(box, to ?? 'down', {
          look: () => visibleIn(box, takeSnapshot(run)),
          isDone: () => (text === undefined ? !/^(top|bottom)$/.test(to ?? '') : hasText()),
          signal: run.signal,
        }))
      if (byWheel && text !== undefined) result = { found: hasText() }
      if (byWheel) return
    }
    if (text === undefined) return moveBox(found.box, to ?? 'down')
    const isLate = deadline(patience.search)
    const last = found
    for (const next of [...(target === undefined ? otherLists(text, last, snapshot) : []), last]) {
      const start = next.box.scrollTop
      found = next
      const { across, ...outcome } = await search(next, { text, to, isLate }, run)
      result = outcome
      if (across && next.box.scrollTop === start) {
        axis = 'x'
        found = isPage(across) ? next : named(across, snapshot)
      }
      if (result.found) break
      if (next !== last) moveTo(next.box, start)
    }
  })
  const { box, words } = found
  const { top, bottom, left, right } = limitsOfBox(box)
  const isAcross = (axis as Axis) === 'x'
  const [at, least, most] = isAcross ? [box.scrollLeft, left, right] : [box.scrollTop, top, bottom]
  return {
    scrolled: words,
    end: isAcross ? sideOf(box) : endOf(box),
    ...(isAcross ? { isAcross } : {}),
    ...(byWheel ? { byWheel } : {}),
    percent: most > least ? Math.round((100 * (at - least)) / (most - least)) : 100,
    ...result,
    visible: truncate(visibleIn(box, takeSnapshot(run)), 4_000),
    ...observed,
  }
}

function positionOf({ end, percent, byWheel, isAcross }: Scrolled): string {
  if (byWheel) return 'It moves with the wheel of the mouse, so its ends are not known.'
  const ends = isAcross ? 'left and right' : 'top and bottom'
  if (end === 'both') return `There is nothing more to scroll: ${ends} are visible.`
  if (end === 'left' || end === 'right') return `The ${end} end is reached.`
  return end === null ? `Neither end is reached (at ${percent} %).` : `The ${end} is reached.`
}

function searchOf({ found, stopped, end }: Scrolled): string[] {
  if (found === undefined) return []
  if (found) return ['The text was found and is visible.']
  if (stopped) return ['The text was not found before the time limit. Call again to search further, or use page_read.']
  return [
    `The text was not found${end === null ? '' : ', and the search has reached the end'}. ` +
      'Check the words with page_read, or search in the other direction.',
  ]
}

/** `page_scroll`. It asks nobody, because scrolling only shows what a person could see as well. */
export const pageScroll: Tool<Record<string, unknown>, Scrolled> = {
  name: 'page_scroll',
  title: 'Scroll the page',
  description: 'Scrolls the page or a box. Returns what is visible now, what changed, and whether it is the end.',
  inputSchema: {
    type: 'object',
    properties: {
      to: {
        type: 'string',
        enum: ['top', 'bottom', 'up', 'down', 'left', 'right'],
        description: 'Default: down, by a screen.',
      },
      target: { type: 'string', description: 'Ref or name in the box. Default: the page.' },
      text: { type: 'string', description: 'Scroll until it is visible.' },
    },
  },
  annotations: { untrustedContentHint: true },
  timeout: 45_000,
  exclusive: true,
  execute: runPageScroll,
  toModelOutput: ({ output }) =>
    [
      `Scrolled ${output.scrolled}. ${positionOf(output)}`,
      ...searchOf(output),
      ...(output.changed ? [output.changes] : []),
      output.visible === '' ? 'Nothing readable is visible there.' : `visible now:\n${output.visible}`,
    ].join('\n'),
}
