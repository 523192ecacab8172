// Where elements are in the window: through frames, and cut by what scrolls around them.
import type { Box } from '../../page/tools/shown-on-page.js'
import { isTag, parentOf, propertyOf, viewOf } from '../dom/dom.js'

/** What is inside both; nothing is left of boxes that do not meet. */
export function commonPart(one: Box, other: Box): Box | undefined {
  const box = {
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  }
  return box.left < box.right && box.top < box.bottom ? box : undefined
}

/** A box that is larger on each side. */
export const grown = ({ left, top, right, bottom }: Box, by: number): Box => ({
  left: left - by,
  top: top - by,
  right: right + by,
  bottom: bottom + by,
})

/** The window of the page. */
export const windowBox = (): Box => ({ left: 0, top: 0, right: innerWidth, bottom: innerHeight })

/** What a person sees of a control: its label if the control itself is invisible. */
export function shownPart(element: Element): Element {
  const { width, height } = element.getBoundingClientRect()
  if (Math.max(width, height) > 4) return element
  return (propertyOf(element, 'labels') as NodeListOf<HTMLElement> | undefined)?.[0] ?? parentOf(element) ?? element
}

/** The boxes around an element that cut what is outside of them, and the frames, from the inside. */
export function clipsAround(element: Element): readonly Element[] {
  const found: Element[] = []
  let isFree = /fixed/.test(viewOf(element).getComputedStyle(element).position)
  for (let box = parentOf(element); box; box = parentOf(box)) {
    if (isTag(box, 'iframe')) {
      found.push(box)
      isFree = false
      continue
    }
    if (isFree || isTag(box, 'html', 'body')) continue
    const { overflow, position } = viewOf(box).getComputedStyle(box)
    if (overflow !== 'visible') found.push(box)
    if (position === 'fixed') isFree = true
  }
  return found
}

/** Where an element is in the window. `clips`: `clipsAround`; without them also what is cut off. */
export function boxOf(element: Element, clips?: readonly Element[]): Box | undefined {
  let box: Box | undefined = fromRect(element.getBoundingClientRect())
  for (const clip of clips ?? clipsAround(element).filter((one) => isTag(one, 'iframe'))) {
    const around = fromRect(clip.getBoundingClientRect())
    if (isTag(clip, 'iframe')) {
      const [x, y] = [around.left + clip.clientLeft, around.top + clip.clientTop]
      box = { left: box.left + x, top: box.top + y, right: box.right + x, bottom: box.bottom + y }
    }
    if (clips) box = commonPart(box, around)
    if (!box) return undefined
  }
  return box.left < box.right && box.top < box.bottom ? box : undefined
}

const fromRect = ({ left, top, right, bottom }: DOMRect): Box => ({ left, top, right, bottom })
