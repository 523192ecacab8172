// Numbers in fields. A text field writes them in its own way: one that takes a comma for the decimals reads 1234.56 as
// a hundred times as much, and masks and formats may make another number of what was written. Controls also say numbers
// as words.
import { truncate, toComparable } from '../dom/text.js'
import { waitForPageUpdates } from '../waiting/until.js'
import { numberReadings, sameValue, decimalSign } from './parse-values.js'
import { languagesOf } from './plan.js'
import { writeText, typeByKeys } from './write-text.js'
import { byIds, isTag } from '../dom/dom.js'

const digitsIn = (text: string): string => text.replace(/\D/g, '')

/** Whether the page made another number of what was written. With all its digits, it is a format of another kind. */
function isAnother(element: HTMLInputElement, number: number, text: string): boolean {
  const { value } = element
  const readings = numberReadings(value)
  if (value !== '' && readings.length === 0) return !digitsIn(value).includes(digitsIn(text))
  return !readings.includes(number) && !sameValue(value, String(number), languagesOf(element), number)
}

/** The other texts for a number: as many decimals as the field shows, the other decimal sign, and the same by keys. */
function otherTexts(number: number, text: string, made: string): readonly string[] {
  const shown = shownDecimal(made)
  const decimals = shown === undefined ? 0 : made.length - 1 - made.lastIndexOf(shown)
  const sign = /[.,]/.exec(text)?.[0] as Decimal | undefined
  const texts = [
    ...(shown && Number(number.toFixed(decimals)) === number ? [number.toFixed(decimals).replace('.', shown)] : []),
    ...(sign ? [text.replace(sign, otherDecimal(sign))] : []),
    text,
  ]
  return [...new Set(texts)]
}

/**
 * Looks at what a field made of a number that was written as `text`. If that is another number, types it by keys, in
 * other ways of writing it. If that does not help, the former text comes back. Returns the problem.
 */
export async function keepNumber(
  element: HTMLInputElement,
  number: number,
  { text, former }: { readonly text: string; readonly former: string },
): Promise<string | undefined> {
  const isKept = (): boolean => !element.isConnected || !isAnother(element, number, text)
  // Digits alone are kept or changed at once.
  if (element.value === text && /^-?\d+$/.test(text)) return undefined
  await waitForPageUpdates()
  if (isKept()) return undefined
  const made = element.value
  for (const way of otherTexts(number, text, made)) {
    await typeByKeys(element, way)
    await waitForPageUpdates()
    if (isKept()) return undefined
  }
  await typeByKeys(element, former)
  await waitForPageUpdates()
  if (element.value !== former) await writeText(element, former, true)
  return (
    `The page ${made === '' ? 'drops' : `makes ${JSON.stringify(truncate(made, 40))} of`} ${number}. ` +
    (element.value === former ? 'The former value is back' : 'The former value could not be brought back')
  )
}

/** What stands before the decimals. */
type Decimal = '.' | ','
/** The other one of the two. */
const otherDecimal = (decimal: Decimal): Decimal => (decimal === '.' ? ',' : '.')

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

/**
 * Words by their number, from 0, in the languages of the SDK, as far as ratings ("eight stars") and days of a month
 * ("first") need them. Callers must compare with the value: some of these words also mean something else.
 */
const lists = [
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
    'eighteen nineteen twenty',
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth ' +
    'fifteenth sixteenth seventeenth eighteenth nineteenth twentieth',
  'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
  'zéro un deux trois quatre cinq six sept huit neuf dix onze douze',
  'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce',
  'صفر واحد اثنان ثلاثة أربعة خمسة ستة سبعة ثمانية تسعة عشرة',
]
const numbers = new Map<string, number>([
  ...lists.flatMap((list) => list.split(' ').map((word, at) => [toComparable(word), at] as const)),
  ...['ein', 'eine', 'une', 'una'].map((word) => [word, 1] as const),
  ['thirty', 30],
  ['thirtieth', 30],
])
const numerals = '零一二三四五六七八九十'

/** The first number that a text says in words; undefined if it says none. */
export function numberWordIn(text: string): number | undefined {
  const words = toComparable(text).split(' ')
  const at = words.findIndex((word) => numbers.has(word))
  const number = numbers.get(words[at] ?? '')
  if (number === undefined) {
    const numeral = numerals.indexOf(words[0]?.[0] ?? ' ')
    return numeral < 0 ? undefined : numeral
  }
  const next = numbers.get(words[at + 1] ?? '') ?? 0
  return number >= 20 && next > 0 && next < 10 ? number + next : number
}
