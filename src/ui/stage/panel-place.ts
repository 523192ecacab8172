// Where the panel goes while something of the page must be free: each place is tried and measured, so that the styles
// of an author count, and the one that leaves the most is kept. The page is drawn once, with that.
import type { Box, StagedTarget } from '../../page/tools/page-stage.js'
import { fillsWindow, markModal } from '../layout/modal-panel.js'

/**
 * `own`: where the panel is otherwise. `aside`: at the other side of the window. `half`, `top`: the lower, upper half.
 * `side`, `far-side`: a half of a low window, at the end or the start. `bar`: a line at the lower edge. `glass`: the
 * same, while the page is shown as the assistant reads it.
 */
export type Place = 'own' | 'aside' | 'half' | 'top' | 'side' | 'far-side' | 'bar' | 'glass'

/** CSS pixels that should be free around the element. */
const room = 24

const low = '(max-height: 32em) and (min-width: 36em)'

/** The places to try, the best first. `isDialog`: the question is above a dialog of the page. */
function placesFor(isDialog: boolean): readonly Place[] {
  if (matchMedia(low).matches) return ['side', 'far-side', 'half', 'top']
  if (fillsWindow()) return ['half', 'top']
  return isDialog ? ['own', 'side', 'far-side', 'half', 'top'] : ['own', 'aside', 'half', 'top']
}

const grown = ({ left, top, right, bottom }: Box, by: number): Box => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
})
const overlap = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
const within = ({ left, top, right, bottom }: Box, outer: Box): boolean =>
  left >= outer.left && top >= outer.top && right <= outer.right && bottom <= outer.bottom

/** The part of the window beside a panel that is best for an element of a certain width. */
export function freeBeside(panel: Box, view: Box, width: number): Box {
  const strips: Box[] = [
    { ...view, right: panel.left },
    { ...view, left: panel.right },
    { ...view, bottom: panel.top },
    { ...view, top: panel.bottom },
  ]
  const area = ({ left, top, right, bottom }: Box): number => Math.max(0, right - left) * Math.max(0, bottom - top)
  const fitting = strips.filter(({ left, right }) => right - left >= Math.min(width, view.right))
  return (fitting.length > 0 ? fitting : strips).reduce((best, one) => (area(one) > area(best) ? one : best))
}

/** How much of what matters is free: section and element, element with room, element, its middle, nothing. */
export function freedom(
  panel: Box,
  view: Box,
  { box, around }: { box: Box | undefined; around: Box | undefined },
): number {
  if (!box) return 0
  const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2]
  if (overlap(panel, { left: x, top: y, right: x + 1, bottom: y + 1 })) return 0
  if (overlap(panel, box)) return 1
  if (overlap(panel, grown(box, room))) return 2
  return around && within(around, view) && !overlap(panel, around) ? 4 : 3
}

const windowBox = (): Box => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })

/** Moves the panel so that the target is free, and the target into the window. Returns the place. */
export function makeRoom(panel: HTMLElement, target: StagedTarget, question: HTMLElement | null): Place {
  const isDialog = question?.matches(':modal') === true
  const mover = isDialog ? question : panel
  const measure = (place: Place): number => {
    setPlace(mover, place)
    const view = windowBox()
    const width = (size: Box | undefined): number => (size ? size.right - size.left : 0)
    const free = freeBeside(mover.getBoundingClientRect(), view, width(target.box() ?? target.around()))
    target.bringInto(free)
    return freedom(mover.getBoundingClientRect(), view, { box: target.box(), around: target.around() })
  }
  const places = placesFor(isDialog)
  // A panel that has moved away for the question before stays there if it can.
  const before = placeOf(mover)
  const tried = before === 'aside' && places.includes('aside') ? (['aside', 'own', 'half', 'top'] as const) : places
  const best = { place: tried[0] ?? 'own', free: -1 }
  for (const place of tried) {
    const free = measure(place)
    if (free > best.free) Object.assign(best, { place, free })
    // The section need not be free for that: the panel would jump for it.
    if (best.free >= 3 && (best.free === 4 || place === tried.at(1))) break
  }
  if (placeOf(mover) !== best.place) measure(best.place)
  return best.place
}

/** Where the panel is. */
export const placeOf = (panel: HTMLElement): Place => (panel.dataset['place'] as Place | undefined) ?? 'own'

/** Puts the panel into a place. */
export function setPlace(panel: HTMLElement, place: Place): void {
  if (place === 'own') delete panel.dataset['place']
  else if (placeOf(panel) !== place) panel.dataset['place'] = place
  markModal(panel)
}
