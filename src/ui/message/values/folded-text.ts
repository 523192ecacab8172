// Texts of a question without the space that could hide their end: line breaks and spaces that repeat are counted.
import { toVisibleText } from './json-view.js'

/** Blank lines beyond one are folded. */
const lineBreaks = /(?:[^\S\n]*\n){3,}/g
/** No sentence needs as many. Includes the blank of Braille, which is not white space. */
const spaces = /(?:[^\S\n]|\u2800){12,}/g

/** A text as a question shows it: invisible characters as escapes, `⏎ × 60` for sixty line breaks. */
export function foldedText(text: string): string {
  return toVisibleText(text.replaceAll(/\r\n?/g, '\n'))
    .replaceAll(lineBreaks, (found) => ` ⏎ × ${found.split('\n').length - 1} `)
    .replaceAll(spaces, (found) => ` ␣ × ${found.length} `)
}

/** The beginning and the end of a text, on one line; the whole text if it has at most `most` characters. */
export function cutMiddle(text: string, most: number): string {
  const line = toVisibleText(text).trim().replaceAll(/\s+/g, ' ')
  if (line.length <= most) return line
  const { head, tail } = endsOf(line, Math.ceil(most * 0.6), Math.floor(most * 0.4))
  return `${head}…${tail}`
}

/** The beginning and the end of a text. Keeps the halves of a character together. */
export function endsOf(text: string, head: number, tail: number): { readonly head: string; readonly tail: string } {
  return {
    head: text.slice(0, head).replace(/[\ud800-\udbff]$/, ''),
    tail: text.slice(-tail).replace(/^[\udc00-\udfff]/, ''),
  }
}
