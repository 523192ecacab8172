// The native field of a color.
import { currentPage } from '../dom/dom.js'
import { refused, valueAsText } from '../fill/plan.js'
import type { ControlKind } from './control-kind.js'
import { text, writtenText } from './text.js'

/** Converts any CSS color to #rrggbb by the canvas; undefined if it is not a color. */
function parseColor(text: string): string | undefined {
  if (!CSS.supports('color', text)) return undefined
  const canvas = currentPage().createElement('canvas').getContext('2d')
  if (!canvas) return /^#[\da-f]{6}$/i.test(text) ? text.toLowerCase() : undefined
  canvas.fillStyle = text
  return /^#[\da-f]{6}$/.test(canvas.fillStyle) ? canvas.fillStyle : undefined
}

const example = '#3366cc'

/** A field of a color. */
export const color: ControlKind = {
  ...text,
  types: ['color'],
  flags: ({ type }) => [type],
  takes: 'format',
  example: () => example,
  plan(_field, value) {
    const asked = valueAsText(value)
    const wanted = asked === '' ? asked : parseColor(asked)
    return wanted === undefined
      ? refused(`${JSON.stringify(asked)} is not a valid color; use the format ${example}`)
      : writtenText({ text: wanted }, value)
  },
}
