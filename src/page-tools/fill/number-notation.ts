// How a text field writes numbers: one that takes a comma for the decimals reads 1234.56 as a hundred times as much.
import { byIds, isTag } from '../dom/dom.js'
import { decimalSign, numberReadings } from './parse-values.js'

/** What stands before the decimals. */
export type Decimal = '.' | ','
/** The other one of the two. */
export const otherDecimal = (decimal: Decimal): Decimal => (decimal === '.' ? ',' : '.')

/** The decimal sign that the numbers of a text show; undefined if they show none, or one that may also group digits. */
export function shownDecimal(text: string): Decimal | undefined {
  for (const [numeral] of text.matchAll(/\d[\d.,\s'’]*\d/g)) {
    const signs = numeral.replace(/[^.,]/g, '')
    const last = signs.at(-1) as Decimal | undefined
    if (last === undefined) continue
    const decimals = numeral.length - 1 - numeral.lastIndexOf(last)
    if (signs.includes(otherDecimal(last))) return last
    if (signs.length > 1) return otherDecimal(last)
    if (decimals !== 3) return last
  }
  return undefined
}

/** How a text field writes decimals: by what it holds, by its hints, or by the language that the page declares. */
function decimalOf(element: HTMLInputElement): Decimal {
  const hints = [
    element.placeholder,
    element.title,
    ...byIds(element, 'aria-describedby').map((one) => one.textContent),
  ]
  const language = element.closest('[lang]')?.getAttribute('lang')
  return (
    [element.value, ...hints].reduce<Decimal | undefined>(
      (found, text) => found ?? shownDecimal(text ?? ''),
      undefined,
    ) ?? (language && decimalSign(language) === ',' ? ',' : '.')
  )
}

/** The digits of a number without an exponent. */
const plainDigits = (number: number): string => {
  const text = String(number)
  return /e/.test(text) ? number.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 }) : text
}

/** A number as the field writes it. */
export const writtenNumber = (element: Element, number: number): string =>
  isTag(element, 'input') ? plainDigits(number).replace('.', decimalOf(element)) : String(number)

/** The number that a text can only mean; undefined for other texts, and for digits that are a code. */
export function onlyNumber(text: string): number | undefined {
  if (!/^-?(?!0\d)\d+(?:[.,]\d+)*$/.test(text) || text.length > 15) return undefined
  const readings = new Set(numberReadings(text))
  return readings.size === 1 ? [...readings][0] : undefined
}
