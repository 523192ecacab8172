// Where the panel goes while something of the page must be free: each place is tried and measured, so that the styles
// of an author count, and the one that leaves the most is kept. The page is drawn once, with that.
import type { Box, Placed } from '../../page/tools/shown-on-page.js'
import { fillsWindow, markModal } from '../layout/modal-panel.js'

/**
 * `own`: where the panel is otherwise. `aside`: at the other side of the window. `half`, `top`: the lower, upper half.
 * `side`, `far-side`: a half of a low window, at the end or the start. `bar`: a line at the lower edge. `glass`: the
 * same, while the page is shown as the assistant reads it.
 */
export type Place = 'own' | 'aside' | 'half' | 'top' | 'side' | 'far-side' | 'bar' | 'glass'

/** CSS pixels that should be free around the element. */
const room = 24
/** CSS pixels in which a question has its title and its buttons. */
const leastHeight = 180

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

/** A place, and how high the panel may be there in CSS pixels, if it must be lower than its place allows. */
interface Position {
  readonly place: Place
  readonly height?: number
}

/** Moves the panel so that the target is free, and the target into the window. Returns the place. */
export function makeRoom(panel: HTMLElement, target: Placed, question: HTMLElement | null): Place {
  const isDialog = question?.matches(':modal') === true
  const mover = isDialog ? question : panel
  const places = placesFor(isDialog)
  // A panel that has moved away for the question before stays there if it can.
  const before = placeOf(mover)
  const tried = before === 'aside' && places.includes('aside') ? (['aside', 'own', 'half', 'top'] as const) : places
  const place = chooseFrom(tried, target, mover)
  if (place !== before) settle(mover)
  return place
}

/** Tries places until one leaves the target free. Takes the one that leaves most of it. */
function chooseFrom(places: readonly Place[], target: Placed, mover: HTMLElement): Place {
  const measure = (position: Position): number => {
    put(mover, position)
    const view = windowBox()
    const width = (size: Box | undefined): number => (size ? size.right - size.left : 0)
    target.bringInto(freeBeside(mover.getBoundingClientRect(), view, width(target.box() ?? target.around())))
    return freedom(mover.getBoundingClientRect(), view, { box: target.box(), around: target.around() })
  }
  let best: { readonly position: Position; readonly free: number } = { position: { place: 'own' }, free: -1 }
  let last: Position | undefined
  const attempt = (position: Position): void => {
    last = position
    const free = measure(position)
    if (free > best.free) best = { position, free }
  }
  for (const place of places) {
    attempt({ place })
    // The section need not be free for that: the panel would jump for it.
    if (best.free >= 3 && (best.free === 4 || place === places[1])) break
  }
  const heightFor = (place: Place, { top, bottom }: Box): number =>
    (place === 'half' ? innerHeight - bottom : top) - room
  // A page that cannot be scrolled may have it in the middle.
  const box = target.box()
  for (const place of ['half', 'top'] as const) {
    const height = box ? heightFor(place, box) : 0
    if (best.free < 2 && height >= leastHeight) attempt({ place, height })
  }
  const { place } = best.position
  if (last !== best.position) measure(best.position)
  // It may grow later, when its details are opened.
  const found = target.box()
  const height = found && (place === 'half' || place === 'top') ? heightFor(place, found) : 0
  if (height >= leastHeight) put(mover, { place, height })
  return place
}

/**
 * Shows the element that a question of a panel in the page is about. The question stays where it is if it can be seen
 * then; otherwise it comes above the page, beside the element.
 */
export function keepInSight(question: HTMLElement, target: Placed): void {
  const view = windowBox()
  lower(question)
  target.bringInto(view)
  const own = question.querySelector('dialog')?.getBoundingClientRect()
  const box = target.box()
  if (own && within(own, view) && !(box && overlap(own, box))) return
  question.popover = 'manual'
  question.showPopover()
  const places: readonly Place[] = matchMedia(low).matches ? ['side', 'far-side', 'half', 'top'] : ['half', 'top']
  chooseFrom(places, target, question)
}

/** Puts a question back into the panel. */
export function lower(question: HTMLElement): void {
  question.popover = null
  put(question, { place: 'own' })
}

/** Where the panel is. */
export const placeOf = (panel: HTMLElement): Place => (panel.dataset['place'] as Place | undefined) ?? 'own'

/** Puts the panel into a place. */
export function setPlace(panel: HTMLElement, place: Place): void {
  if (placeOf(panel) === place) return
  put(panel, { place })
  settle(panel)
}

function put(panel: HTMLElement, { place, height }: Position): void {
  if (place === 'own') delete panel.dataset['place']
  else panel.dataset['place'] = place
  if (height === undefined) panel.style.removeProperty('--_room')
  else panel.style.setProperty('--_room', `${height}px`)
  markModal(panel)
}

/**
 * The panel is drawn as if it had just come. Browsers that measure layout shifts would count its move as one of the
 * page, whose search rank depends on them.
 */
function settle(panel: HTMLElement): void {
  if (!globalThis.PerformanceObserver?.supportedEntryTypes?.includes('layout-shift')) return
  panel.style.display = 'none'
  panel.getBoundingClientRect()
  panel.style.display = ''
}
