// Requests without the facts of the page before the words of the user. The test endpoints show them like that, because
// most tests are about the words; `raw` has all of a request.
import { factsHeading } from '../../../src/core/prompt/facts.js'
import { isObject, type JsonValue } from '../../../src/core/data/json.js'

/** The value without facts. A part of a message that has nothing else is left out. */
export function wordsOnly<T extends JsonValue | undefined>(value: T): T {
  return strip(value) as T
}

function strip(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value === 'string') return withoutFacts(value)
  if (Array.isArray(value))
    return (value as JsonValue[]).filter((part) => !isFactsPart(part)).map((part) => strip(part)!)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, strip(inner as JsonValue)!]))
}

function withoutFacts(text: string): string {
  if (!text.startsWith(factsHeading)) return text
  const end = text.indexOf('\n\n')
  return end < 0 ? '' : text.slice(end + 2)
}

function isFactsPart(part: JsonValue): boolean {
  if (!isObject(part)) return false
  // The Prompt API has `value` instead.
  const { text, value = text } = part as { text?: JsonValue; value?: JsonValue }
  return typeof value === 'string' && value.startsWith(factsHeading) && withoutFacts(value) === ''
}
