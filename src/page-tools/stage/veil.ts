// Draws a value over a field, as if the field held it. The field itself is left alone.
import type { Release } from '../../page/tools/shown-on-page.js'
import { viewOf } from '../dom/dom.js'
import { shownPart } from './rects.js'
import { draw, node } from './stage.js'

/** What the drawn field has of the real one. */
const taken = [
  'font',
  'letterSpacing',
  'textAlign',
  'direction',
  'borderRadius',
  'paddingBlock',
  'paddingInline',
] as const
/** CSS pixels. In a narrower field, such as a box to tick, a text has no room: it is a line above it. */
const narrow = 60
const lineHeight = 18

/** Covers a field with a text until it is released; an empty text covers it with nothing. */
export function veil(element: Element, text: string): Release {
  const target = shownPart(element)
  const cover = node('veil')
  cover.textContent = text
  const style = viewOf(target).getComputedStyle(target)
  for (const name of taken) cover.style[name] = style[name]
  return draw(() => ({
    target,
    nodes: [cover],
    place({ left, top, right, bottom }) {
      const isNarrow = right - left < narrow
      return () => {
        cover.style.translate = `${left}px ${isNarrow ? top - lineHeight : top}px`
        cover.style.inlineSize = isNarrow ? 'max-content' : `${right - left}px`
        cover.style.blockSize = `${isNarrow ? lineHeight : bottom - top}px`
      }
    },
  }))
}
