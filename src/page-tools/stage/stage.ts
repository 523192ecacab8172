// What is shown on the page about what the assistant asks and does: rings with labels, the dimmed rest of the page, and
// marks at changed fields. This is the front of the folder; layer.ts draws. To draw another thing, add a function here
// that gives the layer a `Drawing`, and returns its release.
//
// - Everything follows its element while that moves, and is hidden while it is out of sight.
// - Nothing of it is part of the page: no reading, no search for a cover and no difference contains it.
// - The texts, colours and what is not to be drawn come from the panel, by `configure`. Without a panel there are no
//   labels.
import type { Box, Release, RingOptions, StageSettings } from '../../page/tools/shown-on-page.js'
import { currentPage, viewOf } from '../dom/dom.js'
import { canDraw, Layer, type Drawing } from './layer.js'
import { labelPlace, type WindowPoint } from './label-place.js'
import { boxOf, grown, windowBox } from './rects.js'

/** Distances in CSS pixels: of a ring, of the lit part around it, of a mark. */
const gaps = { ring: 4, lit: 12, mark: 2 }

let layer: Layer | undefined
let settings: StageSettings = { mode: 'auto', filling: '', properties: new Map() }
const marks = new Map<Element, Release>()

const isOff = (): boolean => settings.mode === 'off' || !canDraw()
const theLayer = (): Layer => (layer ??= new Layer(() => settings.raised?.()))

/** Draws something; nothing where nothing is to be drawn. */
export const draw = (drawing: () => Drawing): Release => (isOff() ? nothing : theLayer().add(drawing()))
/** The same for what the visitor asks to see, whatever the page has set for questions. */
export const drawAsked = (drawing: () => Drawing): Release => (canDraw() ? theLayer().add(drawing()) : nothing)
/** The label of a field that is being filled; undefined if there is none. */
export const fillingLabel = (): string | undefined =>
  settings.mode === 'auto' && settings.filling !== '' && !isOff() ? settings.filling : undefined
const nothing: Release = () => {}

/** Sets what the panel says. It holds for what is drawn from now on. */
export function configure(next: StageSettings): void {
  settings = next
  setProperties(next.properties)
  if (next.mode === 'off') clear()
}

/** Sets custom properties, such as the colours of the panel. */
export function setProperties(properties: StageSettings['properties']): void {
  if (canDraw()) for (const [name, value] of properties) theLayer().set(name, value)
}

/** A node of the layer. Its name is its part for styling. */
export function node(name: string, data: Readonly<Record<string, string>> = {}): HTMLElement {
  const made = currentPage().createElement('div')
  made.className = name
  made.part.add(name)
  Object.assign(made.dataset, data)
  return made
}

/** Adds styles of what another folder draws. */
export function adopt(styles: string): void {
  if (canDraw()) theLayer().adopt(styles)
}

/** Moves a node, and gives it a size. */
export function put({ style }: HTMLElement, { left, top, right, bottom }: Box): void {
  style.translate = `${left}px ${top}px`
  style.inlineSize = `${right - left}px`
  style.blockSize = `${bottom - top}px`
}

/** The radius of its corners. */
export const cornerOf = (element: Element): number =>
  Number.parseFloat(viewOf(element).getComputedStyle(element).borderStartStartRadius) || 0

/** Outlines an element until it is released. */
export function ring(element: Element, options: RingOptions): Release {
  return draw(() => ringAround(element, options))
}

function ringAround(element: Element, { level, label, section, dims = false }: RingOptions): Drawing {
  const frame = node('ring', { level })
  const text = label === undefined || label === '' ? undefined : node('label', { level })
  if (text && label !== undefined) text.textContent = label
  const dim = dims && settings.mode === 'auto' ? node('dim') : undefined
  const lit = section ?? element
  // Where the label was, and for which boxes: what else is in the section or above it is not read in each frame.
  let known: { readonly for: string; readonly at: WindowPoint } | undefined
  const placeOf = (outer: Box, shown: HTMLElement, isLast: boolean): WindowPoint => {
    // Not `offsetHeight`, which is rounded: the rest would cover the field below.
    const { width, height } = shown.getBoundingClientRect()
    const now = JSON.stringify([outer, section && boxOf(section), width, height, windowBox()])
    if (known?.for !== now || isLast) known = { for: now, at: labelPlace(outer, { width, height }, section) }
    return known.at
  }
  return {
    target: element,
    nodes: [dim, frame, text].filter((one) => one !== undefined),
    place(box, isLast, seen) {
      const outer = grown(box, gaps.ring)
      const around = dim && boxOf(lit)
      const corner = cornerOf(seen) + gaps.ring
      const place = text && placeOf(outer, text, isLast)
      return () => {
        put(frame, outer)
        frame.style.setProperty('--corner', `${corner}px`)
        if (text && place) text.style.translate = `${place.x}px ${place.y}px`
        const light = around ? union(grown(around, gaps.lit), outer) : outer
        if (dim) put(dim, light)
      }
    },
  }
}

const union = (one: Box, other: Box): Box => ({
  left: Math.min(one.left, other.left),
  top: Math.min(one.top, other.top),
  right: Math.max(one.right, other.right),
  bottom: Math.max(one.bottom, other.bottom),
})

/** Marks a field at the edge where its text begins, until it is released, or marked again. */
export function mark(element: Element): Release {
  marks.get(element)?.()
  const remove = draw(() => markAt(element))
  const release = (): void => {
    remove()
    if (marks.get(element) === release) marks.delete(element)
  }
  marks.set(element, release)
  return release
}

function markAt(target: Element): Drawing {
  const edge = node('mark')
  return {
    target,
    nodes: [edge],
    place({ left, top, right, bottom }) {
      const isRightToLeft = viewOf(target).getComputedStyle(target).direction === 'rtl'
      const x = isRightToLeft ? right - gaps.mark - 1 : left - gaps.mark + 1
      return () => {
        edge.style.translate = `${x}px ${top}px`
        edge.style.blockSize = `${bottom - top}px`
      }
    },
  }
}

/** Removes the marks of some elements; without them, all marks. */
export function clear(elements: Iterable<Element> = [...marks.keys()]): void {
  for (const element of elements) marks.get(element)?.()
}
