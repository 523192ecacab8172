// Highlights a field for four seconds, and longer while somebody wants it. An animation needs no attribute, no
// stylesheet and no permission of the page's content security policy, and ends by itself.
import type { Field } from '../read/field.js'
import { propertyOf } from './dom.js'

/** The animation, which is none of the page. */
export const highlightId = 'tool-agent-filled'

/** Outlines the field, or its label if the control itself is invisible; again as long as `isWanted` at the end. */
export function highlight({ element, members }: Pick<Field, 'element' | 'members'>, isWanted?: () => boolean): void {
  for (const target of new Set([element, ...members])) {
    const shown =
      target.getBoundingClientRect().width > 4 ? target : (propertyOf(target, 'labels')?.[0] ?? target.parentElement)
    // Shown as the fill of the delay: while an animation waits, the page draws no frames for it.
    const outline = shown?.animate?.(
      [
        { outline: '2px solid rgb(70 130 220 / 0.9)', outlineOffset: '2px' },
        { outline: '2px solid rgb(70 130 220 / 0)', outlineOffset: '2px' },
      ],
      { delay: 3200, duration: 800, fill: 'backwards', id: highlightId },
    )
    outline?.addEventListener('finish', () => {
      if (isWanted?.() === true) outline.play()
    })
  }
}
