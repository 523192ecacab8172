// Shows the visitor what the assistant reads of the page: parts that are read are outlined, private fields are hatched,
// and what is closed to it is dashed. Loaded when the visitor asks. page-parts.ts finds what is drawn; another kind of
// part is an entry there, a drawing and a style here.
import type { GlassLook, GlassShown, PageGlass, Box, Release } from '../../page/tools/shown-on-page.js'
import { isPageChange, isWithin, viewOf } from '../dom/dom.js'
import type { Drawing } from '../stage/layer.js'
import { awayFromEdge, freePlace, type LabelSize, type WindowPoint } from '../stage/label-place.js'
import { boxOf, clipsAround, commonPart, grown, shownPart, windowBox } from '../stage/rects.js'
import { adopt, cornerOf, drawAsked, node, put, setProperties } from '../stage/stage.js'
import { pageParts, type PageParts } from './page-parts.js'

/** Of each kind at most so many are drawn: they follow what scrolls. */
const most = 60
/** CSS pixels between an outline and what it is about, around a text, from a field to its text and to one beside it. */
const gaps = { read: 6, closed: 3, text: 10, away: 2, beside: 80 }
/** Milliseconds from a change of the page until it is looked at again. Each time doubles it: some pages never rest. */
const pauses = { least: 300, most: 5_000 }

/** Whether the layer has the styles. */
let isStyled = false

const lookOf = ({ read, never, closed }: PageParts): GlassLook => ({
  read: read.length,
  hidden: never.map(({ label }) => label),
  closed: closed.length,
})

/** A box around an element, with a text at the edge where lines begin. */
function around(element: Element, kind: 'read' | 'closed', text: string, controls: Controls): Drawing {
  const frame = node(kind)
  const tag = new Tag(element, tagOf(kind, text), controls)
  return {
    target: element,
    nodes: [frame, tag.node],
    place(box, isLast) {
      const outer = grown(box, gaps[kind])
      const corner = cornerOf(element) + gaps[kind]
      const move = tag.place(outer, isLast, onEdge)
      return () => {
        put(frame, outer)
        frame.style.setProperty('--corner', `${corner}px`)
        move()
      }
    },
  }
}

/** Hatches a private field. The text is at its end, and at the lower edge of a field that has no room for it. */
function hatched(element: Element, text: string, controls: Controls): Drawing {
  const target = shownPart(element)
  const cover = node('never')
  const tag = new Tag(target, tagOf('never', text), controls)
  return {
    target,
    nodes: [cover, tag.node],
    place(box, isLast) {
      const corner = cornerOf(target)
      const move = text === '' ? () => {} : tag.place(box, isLast, inField)
      return () => {
        put(cover, box)
        cover.style.setProperty('--corner', `${corner}px`)
        move()
      }
    },
  }
}

function tagOf(kind: string, text: string): HTMLElement {
  const tag = node('tag', { kind })
  tag.textContent = text
  return tag
}

const isRightToLeft = (element: Element): boolean => viewOf(element).getComputedStyle(element).direction === 'rtl'

/** Places of a text at a box, the best first: `x` where lines begin, and where they end. */
type Places = (box: Box, size: LabelSize, x: { readonly begin: number; readonly end: number }) => readonly WindowPoint[]

/** On the upper edge, on the lower one, above the box, below it, beside it. */
const onEdge: Places = ({ left, top, right, bottom }, { width, height }, { begin, end }) => {
  const middle = (left + right - width) / 2
  const rows = [top - height / 2, bottom - height / 2, top - height, bottom]
  const aside = [right, left - width].map((x) => ({ x, y: (top + bottom - height) / 2 }))
  return [...rows.flatMap((y) => [begin, end, middle].map((x) => ({ x, y }))), ...aside]
}

/** In the field, at its end; on the lower edge of one that has no room for it; then around it. */
const inField: Places = (box, size, { begin, end }) => {
  const { width, height } = size
  const y = (box.top + box.bottom - height) / 2
  const hasRoom = box.right - box.left > width * 1.5
  const inside = [end, begin].map((x) => ({ x, y }))
  const below = { x: (box.left + box.right - width) / 2, y: box.bottom - gaps.text / 2 }
  return [...(hasRoom ? inside : [below]), ...onEdge(grown(box, gaps.away), size, { begin, end }).slice(6)]
}

/** The controls of the page, where they are in this frame, and the texts that have their place in it. */
class Controls {
  readonly #all: Map<Element, readonly Element[] | undefined>
  #now: { readonly controls: ReadonlyMap<Element, Box>; readonly texts: Box[] } | undefined

  constructor(controls: readonly Element[]) {
    this.#all = new Map(controls.map((control) => [control, undefined]))
  }

  /** What is in the window. Read once for all texts of a frame. */
  now(): { readonly controls: ReadonlyMap<Element, Box>; readonly texts: Box[] } {
    if (this.#now) return this.#now
    const controls = new Map<Element, Box>()
    for (const [control, known] of this.#all) {
      if (!control.isConnected) continue
      const clips = known ?? clipsAround(control)
      if (!known) this.#all.set(control, clips)
      const shown = shownPart(control)
      const box = boxOf(shown, clips)
      const inWindow = box && commonPart(box, windowBox())
      if (inWindow) controls.set(shown, inWindow)
    }
    queueMicrotask(() => (this.#now = undefined))
    return (this.#now = { controls, texts: [] })
  }
}

/** A text at a box. Its place is looked for when nothing moves; while the box moves, it moves with it. */
class Tag {
  /** From the corner of the box, and the size of the box for which it was found. */
  #known: { readonly for: string; readonly by: WindowPoint } | undefined

  /** Without a free place there is only the outline. */
  #isFree = true
  readonly node: HTMLElement
  readonly #element: Element
  readonly #controls: Controls

  constructor(element: Element, node: HTMLElement, controls: Controls) {
    this.#element = element
    this.node = node
    this.#controls = controls
  }

  /** Reads, and returns what writes. */
  place(box: Box, isLast: boolean, places: Places): () => void {
    const { offsetWidth: width, offsetHeight: height } = this.node
    const size = JSON.stringify([box.right - box.left, box.bottom - box.top, width, height])
    if (this.#known?.for !== size || isLast) {
      const { x, y } = this.#find(box, { width, height }, places)
      this.#known = { for: size, by: { x: x - box.left, y: y - box.top } }
    }
    const { by } = this.#known
    const view = windowBox()
    const x = Math.max(0, Math.min(box.left + by.x, view.right - width))
    const y = Math.max(0, box.top + by.y)
    return () => {
      this.node.style.translate = `${x}px ${y}px`
      this.node.style.visibility = this.#isFree ? '' : 'hidden'
    }
  }

  /** Whether a control is the field itself, or a card that is pressed as a whole and has room for texts. */
  #isAround(control: Element, { top, bottom }: Box, { height }: LabelSize, places: Places): boolean {
    if (control === this.#element && places === inField) return true
    return bottom - top > height * 4 && isWithin(this.#element, control)
  }

  #find(box: Box, size: LabelSize, places: Places): WindowPoint {
    const ends = [box.left + gaps.text, box.right - size.width - gaps.text] as const
    const [begin, end] = isRightToLeft(this.#element) ? [ends[1], ends[0]] : ends
    const view = windowBox()
    const all = places(box, size, { begin, end }).map(({ x, y }) => ({
      x: awayFromEdge(x, view.right - size.width),
      y: awayFromEdge(y, Infinity),
    }))
    const { controls, texts } = this.#controls.now()
    const others = [...controls].filter(([control, whole]) => !this.#isAround(control, whole, size, places))
    const taken = others.map(([, one]) => one)
    const at = freePlace(all, size, taken, texts) ?? all[0]!
    const own = { left: at.x, top: at.y, right: at.x + size.width, bottom: at.y + size.height }
    this.#isFree = !taken.some((one) => commonPart(one, own))
    if (this.#isFree) texts.push(own)
    return at
  }
}

/** Whether a box follows another one so closely that it has no room for a text of its own, as those of a code do. */
function isBeside(before: Element | undefined, element: Element): boolean {
  if (before === undefined || before.ownerDocument !== element.ownerDocument) return false
  const [one, other] = [before, element].map((box) => shownPart(box).getBoundingClientRect())
  if (!one || !other) return false
  return Math.abs(one.top - other.top) < gaps.text && Math.abs(one.left - other.left) < gaps.beside
}

function drawAll(parts: PageParts, texts: GlassShown['texts']): readonly Release[] {
  const { read, filled, never, closed } = parts
  const controls = new Controls(parts.controls)
  const frame = (element: Element, kind: 'read' | 'closed', text: string): Release =>
    drawAsked(() => around(element, kind, text, controls))
  const hidden = never.slice(0, most).flatMap(({ members }) => members)
  return [
    ...read.slice(0, most).map((element) => frame(element, 'read', filled.has(element) ? texts.filled : texts.read)),
    ...closed.slice(0, most).map((element) => frame(element, 'closed', texts.closed)),
    ...hidden.map((one, index) =>
      drawAsked(() => hatched(one, isBeside(hidden[index - 1], one) ? '' : texts.never, controls)),
    ),
  ]
}

function show({ texts, properties, onChange }: GlassShown): Release {
  if (!isStyled) adopt(glassStyles)
  isStyled = true
  setProperties(properties)
  let drawn: readonly Release[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let pause = pauses.least
  const observer = new MutationObserver((records) => {
    if (timer !== undefined || !records.some(isPageChange)) return
    timer = setTimeout(() => {
      timer = undefined
      onChange(again())
    }, pause)
    pause = Math.min(pause * 2, pauses.most)
  })
  const end = (): void => {
    for (const release of drawn) release()
    observer.disconnect()
  }
  const again = (): GlassLook => {
    end()
    const parts = pageParts()
    drawn = drawAll(parts, texts)
    const all = { subtree: true, childList: true, attributes: true, characterData: true }
    for (const root of parts.roots) observer.observe(root, all)
    return lookOf(parts)
  }
  again()
  return () => {
    clearTimeout(timer)
    end()
  }
}

/** What the panel reaches, by the internals of a page tool. */
export const pageGlass: PageGlass = { look: () => lookOf(pageParts()), show }

/** Dark enough for white text, and visible on white and on black pages with its light edge. */
const grey = '#4b5160'

/** The styles, in the layer above the page. Each kind has a line of its own, so that nobody needs its colour. */
const glassStyles = `
.read, .never, .closed { box-sizing: border-box; border-radius: var(--corner); --colour: ${grey}; }
.read {
  --colour: oklch(from var(--_accent, #2f5bd0) min(l, .5) min(c, .17) h);
  border: 2px solid var(--colour); box-shadow: 0 0 0 1px rgb(255 255 255 / .7);
}
.closed {
  border: 2px dashed var(--colour); background: rgb(120 126 138 / .12);
  box-shadow: 0 0 0 1px rgb(255 255 255 / .7);
}
.never {
  border: 1px solid var(--colour);
  background: repeating-linear-gradient(135deg, rgb(75 81 96 / .34) 0 5px, rgb(255 255 255 / .3) 5px 11px);
}
.tag {
  --colour: ${grey}; inline-size: max-content; max-inline-size: calc(100vw - 16px); padding: 1px 8px;
  border-radius: 99px; font: 600 12px/1.4 var(--tool-agent-font, system-ui, sans-serif);
  background: var(--colour); color: #fff; box-shadow: 0 0 0 1px rgb(255 255 255 / .7);
}
.tag[data-kind=read] { --colour: oklch(from var(--_accent, #2f5bd0) min(l, .5) min(c, .17) h); }
/* The other boxes of a code. */
.tag:empty { display: none; }
@media (forced-colors: active) {
  .read { border-color: Highlight; box-shadow: none; }
  .closed { border-color: CanvasText; background: none; box-shadow: none; }
  .never {
    forced-color-adjust: none; border-color: CanvasText;
    background: repeating-linear-gradient(135deg, CanvasText 0 2px, transparent 2px 9px);
  }
  .tag { forced-color-adjust: none; background: CanvasText; color: Canvas; box-shadow: none; }
  .tag[data-kind=read] { background: Highlight; color: HighlightText; }
}
`
