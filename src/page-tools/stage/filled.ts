// What a fill shows: a ring around each field for some seconds, and a label that glides from field to field. Filling
// never waits for it.
import type { Release } from '../../page/tools/shown-on-page.js'
import { stageAnimation } from './layer.js'
import { draw, fillingLabel, node, ring } from './stage.js'
import { windowBox } from './rects.js'

/** Milliseconds: a ring stays, a label glides to the next field, lags behind at most, and stays at the last one. */
const times = { ring: 4_000, glide: 120, lag: 1_200, last: 900 }
/** CSS pixels between the label and the edge of its field. */
const edge = 8

const waiting: Element[] = []
let isGliding = false
let began = 0
let place: string | undefined
let release: Release = () => {}
let ending: ReturnType<typeof setTimeout> | undefined

function showLabel(target: Element, text: string): Release {
  const label = node('label', { level: 'fill' })
  label.textContent = text
  return draw(() => ({
    target,
    nodes: [label],
    place(box) {
      const { offsetWidth, offsetHeight } = label
      const x = Math.max(edge, Math.min(box.right, windowBox().right) - offsetWidth - edge)
      const next = `${x}px ${box.top - offsetHeight / 2}px`
      return () => {
        const before = place
        place = next
        label.style.translate = next
        if (before === undefined || before === next) return
        const keyframes = [{ translate: before }, { translate: next }]
        label.animate(keyframes, { duration: times.glide, easing: 'ease-out', id: stageAnimation })
      }
    },
  }))
}

function glideOn(): void {
  // The fill may be over.
  if (performance.now() - began > times.lag) waiting.splice(0, waiting.length - 1)
  const field = waiting.shift()
  const text = fillingLabel()
  isGliding = field !== undefined && text !== undefined
  if (field === undefined || text === undefined) {
    ending = setTimeout(() => {
      release()
      place = undefined
    }, times.last)
    return
  }
  release()
  release = showLabel(field, text)
  setTimeout(glideOn, times.glide)
}

/** Shows for a while that a field was filled. */
export function showFilled({
  element,
  members,
}: {
  readonly element: Element
  readonly members: readonly Element[]
}): void {
  for (const one of new Set([element, ...members])) setTimeout(ring(one, { level: 'fill' }), times.ring)
  if (fillingLabel() === undefined || matchMedia('(prefers-reduced-motion: reduce)').matches) return
  waiting.push(element)
  if (isGliding) return
  clearTimeout(ending)
  began = performance.now()
  glideOn()
}
