// Parses the certain part of an incomplete JSON text, so that arguments can be shown while they stream. For display
// only: a call runs with arguments parsed from the complete text. Finds where to cut; JSON.parse does the rest.
import type { JsonValue } from '../../../core/data/json.js'

/**
 * The value that a JSON text starts with; the text may be cut anywhere. Every key and value of it is in the complete
 * value, except that its last string may still grow. Undefined while nothing is certain, and for invalid JSON.
 */
export function partialJson(text: string): JsonValue | undefined {
  const closers: string[] = []
  let isKey = false
  // The text before this index is certain; `closers` complete it.
  let certain = 0
  let quote = ''
  for (let at = 0; at < text.length && quote === ''; at++) {
    const sign = text[at]
    if (sign === '{' || sign === '[') {
      closers.push(sign === '{' ? '}' : ']')
      isKey = sign === '{'
      certain = at + 1
    } else if (sign === '}' || sign === ']') {
      closers.pop()
      certain = at + 1
    } else if (sign === ',') {
      // A number is complete when something follows it.
      certain = at
      isKey = closers.at(-1) === '}'
    } else if (sign === ':') {
      isKey = false
    } else if (sign === '"') {
      const { end, whole } = stringAt(text, at + 1)
      at = end
      if (!isKey && end === text.length) quote = '"'
      if (!isKey) certain = quote === '' ? end + 1 : whole
    }
  }
  if (certain === 0) return undefined
  try {
    // Nothing is open, so the text after the value must be checked, too.
    return JSON.parse(
      closers.length === 0 && quote === '' ? text : text.slice(0, certain) + quote + closers.reverse().join(''),
    ) as JsonValue
  } catch {
    return undefined // Invalid JSON, as documented above.
  }
}

/** `end`: index of the closing quote, or the text's length. `whole`: index after the last complete character. */
function stringAt(text: string, from: number): { readonly end: number; readonly whole: number } {
  let whole = from
  for (let at = from; at < text.length;) {
    if (text[at] === '"') return { end: at, whole }
    let length = 1
    if (text[at] === '\\') length = text[at + 1] === 'u' ? 6 : 2
    const unit = length === 6 ? Number.parseInt(text.slice(at + 2, at + 6), 16) : text.charCodeAt(at)
    at += length
    // The first half of a surrogate pair is not a complete character.
    if (at <= text.length && unit >> 10 !== 0x36) whole = at
  }
  return { end: text.length, whole }
}
