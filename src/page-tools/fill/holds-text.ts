// Whether a text field holds what was asked, perhaps in another format.
import type { TextPlan, Wanted } from '../controls/control-kind.js'
import { isTag } from '../dom/dom.js'
import { toComparable } from '../dom/text.js'
import type { Field } from '../read/field.js'
import { isSameDay, parseTemporal, parseTime } from './dates.js'
import { numbersIn, sameValue } from './parse-values.js'
import { languagesOf } from './plan.js'
import { mayBeDay } from './typed-text.js'

/** A text that is wanted of a field. */
export const wantedText = (plan: TextPlan, write: Wanted['write']): Wanted => ({
  text: plan.text,
  holds: (field, current) => current.text === plan.text || holdsText(field, plan, current.text),
  write,
})

/** Whether both are the same time, or the same day and time, in any format. */
function isSameMoment(current: string, text: string, languages: readonly string[]): boolean {
  if (!/\d:\d{2}/.test(text)) return false
  const moment = parseTemporal('datetime-local', text, languages)
  if (moment !== undefined) return parseTemporal('datetime-local', current, languages) === moment
  return /^\d/.test(text) && parseTime(text) !== undefined && parseTime(current) === parseTime(text)
}

/**
 * Whether a text has these labels and no other words. A field may show only some of several values, and the number of
 * the others: "Tea + 2", "Tea, 2 more", "3 chosen".
 */
function holdsLabels(current: string, labels: readonly string[]): boolean {
  let rest = toComparable(current)
  const missing: string[] = []
  for (const label of labels.map(toComparable).sort((one, other) => other.length - one.length)) {
    const without = rest.replace(label, ' ')
    if (without === rest) missing.push(label)
    rest = without
  }
  if (missing.length === 0) return labels.length < 2 || !/[\p{L}\p{N}]/u.test(rest)
  return labels.length > 1 && numbersIn(rest).join() === String(missing.length)
}

/**
 * Whether a telephone field holds a number without its country code, which the control beside it shows now, such as a
 * button with a flag and "+41".
 */
function holdsNumberBeside(element: Element, current: string, asked: string): boolean {
  const digits = (text: string): string => text.replace(/\D/g, '')
  const national = digits(current).replace(/^0/, '')
  const code = digits(asked).slice(0, -national.length)
  if (!/^\s*(?:\+|00)/.test(asked) || national.length < 5 || !digits(asked).endsWith(national)) return false
  const country = code.replace(/^00/, '')
  if (!/^[1-9]\d{0,3}$/.test(country)) return false
  const isShown = (one: Element): boolean =>
    [one.textContent, one.getAttribute('aria-label'), one.getAttribute('title')].some((text) =>
      new RegExp(`\\+\\s*${country}(?!\\d)`).test(text ?? ''),
    )
  let around = element.parentElement
  for (let level = 0; around && level < 3 && !isTag(around, 'form', 'body'); level++, around = around.parentElement)
    if (around.querySelectorAll('input:not([type=hidden])').length > 1) return false
    else if ([...around.querySelectorAll('button,[role=button],[role=combobox],select')].some(isShown)) return true
  return false
}

function holdsText({ element }: Field, { text, labels = [], number }: TextPlan, current: string): boolean {
  if (labels.length > 0 && holdsLabels(current, labels)) return true
  if (labels.length > 1) return false
  const sameDay = mayBeDay(text) ? isSameDay : undefined
  if (sameValue(current, text, languagesOf(element), number, sameDay)) return true
  if (isSameMoment(current, text, languagesOf(element)) || holdsNumberBeside(element, current, text)) return true
  return element.matches('input:is([type=number],[type=range])') && Number(current) === Number(text) && current !== ''
}
