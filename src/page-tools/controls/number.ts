// Fields of numbers: the native one, and text fields that call themselves spin buttons.
import type { JsonValue } from '../../core/data/json.js'
import { isTag } from '../dom/dom.js'
import { normalizeText, truncate } from '../dom/text.js'
import { parseNumber } from '../fill/parse-values.js'
import { languagesOf, refused, valueAsText } from '../fill/plan.js'
import type { Field } from '../read/field.js'
import type { ControlKind, Plan } from './control-kind.js'
import { text, writtenText } from './text.js'

/** Why a number is outside of the limits; '' if it is not. A slider would stop at its limit without an error. */
export function outsideLimits(element: Element, number: number): string {
  const native = isTag(element, 'input') && element.type === 'range' ? element : undefined
  const bound = (name: 'min' | 'max', none: number): number =>
    Number(
      native ? native[name] || Math.min(100, Math.max(0, none)) : (element.getAttribute(`aria-value${name}`) ?? none),
    )
  const [min, max] = [bound('min', -Infinity), bound('max', Infinity)]
  return number < min || number > max ? `${number} is not between ${min} and ${max}` : ''
}

function planNumber({ element }: Field, value: JsonValue | undefined): Plan {
  const asked = valueAsText(value)
  if (asked === '') return writtenText({ text: asked }, value)
  const number = parseNumber(value, languagesOf(element))
  const current = isTag(element, 'input') ? element.value : ''
  // A text field that holds a word takes others, and no number.
  if (/^\P{Nd}*\p{L}\P{Nd}*$/u.test(current))
    return number === undefined
      ? writtenText({ text: asked }, value)
      : refused(`The field holds a word, such as ${JSON.stringify(truncate(normalizeText(current), 60))}, not a number`)
  if (number === undefined) return refused(`${JSON.stringify(asked)} is not a number`)
  // A native number field validates by itself.
  const outside = outsideLimits(element, number)
  return outside ? refused(outside) : writtenText({ text: String(number) }, value)
}

/** A native field of numbers. */
export const number: ControlKind = {
  ...text,
  types: ['number'],
  writes: (element) => isTag(element, 'input', 'textarea') && element.getAttribute('role') === 'spinbutton',
  takes: 'number',
  plan: planNumber,
}
