// Values of a call as text on one line, without invisible characters.
import { isObject, type JsonValue } from '../../core/data/json.js'

/** Characters that change what a text looks like without being seen: shown as their escape. */
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu

export function toVisibleText(text: string): string {
  return text.replaceAll(unseen, (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`)
}

/** Enough of the arguments for one line; empty for none. */
export function argumentsLine(input: JsonValue | undefined): string {
  if (!isObject(input)) return ''
  const scalars = Object.values(input).filter(
    (value) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '',
  )
  return toJsonLine(
    scalars
      .slice(0, 3)
      .map((value) => String(value).slice(0, 120))
      .join(', '),
  )
}

/** The beginning of a text, as one line. */
export function toJsonLine(text: string): string {
  return toVisibleText(text.trim().replaceAll(/\s+/g, ' ').slice(0, 120))
}
