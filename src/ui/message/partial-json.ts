// What is sure of a JSON text that is still being written, so that a call's arguments can be read as they arrive. Only
// ever shown: what runs is parsed once, from the whole text. Scans to the cut and leaves the parsing to the browser.
import type { JsonValue } from '../../core/data/json.js'

/**
 * The value a JSON text begins with, cut anywhere: every key and value in it stands in the whole, and only its last
 * string may still grow. Undefined while nothing is sure, and for what is no JSON.
 */
export function partialJson(text: string): JsonValue | undefined {
  const closers: string[] = []
  let isKey = false
  // What stands before is sure, and `closers` close it.
  let sure = 0
  let quote = ''
  for (let at = 0; at < text.length && quote === ''; at++) {
    const sign = text[at]
    if (sign === '{' || sign === '[') {
      closers.push(sign === '{' ? '}' : ']')
      isKey = sign === '{'
      sure = at + 1
    } else if (sign === '}' || sign === ']') {
      closers.pop()
      sure = at + 1
    } else if (sign === ',') {
      // A number is known to end when something follows it.
      sure = at
      isKey = closers.at(-1) === '}'
    } else if (sign === ':') {
      isKey = false
    } else if (sign === '"') {
      const { end, whole } = stringAt(text, at + 1)
      at = end
      if (!isKey && end === text.length) quote = '"'
      if (!isKey) sure = quote === '' ? end + 1 : whole
    }
  }
  if (sure === 0) return undefined
  try {
    // Nothing open: what follows the value has to be looked at, too.
    return JSON.parse(
      closers.length === 0 && quote === '' ? text : text.slice(0, sure) + quote + closers.reverse().join(''),
    ) as JsonValue
  } catch {
    return undefined // As said above: no JSON.
  }
}

/** `end`: of the closing quote, or of the text; `whole`: behind the last character that is complete there. */
function stringAt(text: string, from: number): { readonly end: number; readonly whole: number } {
  let whole = from
  for (let at = from; at < text.length;) {
    if (text[at] === '"') return { end: at, whole }
    const length = text[at] !== '\\' ? 1 : text[at + 1] === 'u' ? 6 : 2
    const unit = length === 6 ? Number.parseInt(text.slice(at + 2, at + 6), 16) : text.charCodeAt(at)
    at += length
    // Half a character is none yet.
    if (at <= text.length && unit >> 10 !== 0x36) whole = at
  }
  return { end: text.length, whole }
}
