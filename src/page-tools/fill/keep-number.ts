// Sees that a text field holds the number that was written. Masks and formats may make another one of it.
import { truncate } from '../dom/text.js'
import { waitForPageUpdates } from '../waiting/until.js'
import { type Decimal, otherDecimal, shownDecimal } from './number-notation.js'
import { numberReadings, sameValue } from './parse-values.js'
import { languagesOf } from './plan.js'
import { writeText, typeByKeys } from './write-text.js'

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
