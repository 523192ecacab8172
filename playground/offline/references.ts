// Which thing of an earlier result a sentence means: "add two to the cart" is about what was found before. An id is
// never invented: it stands in the sentence or in a result.
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'
import type { Tool } from './chat.js'
import { numberPattern } from './numbers.js'
import type { Call } from './transcript.js'
import { escapePattern, isQuestion, isRelated, isSame, stemsOf } from './words.js'

interface Candidate {
  readonly id: string | number
  readonly record: JsonObject
}

/** The value for the property `name`, or undefined where neither sentence nor results give one. */
export function referenceIn(text: string, name: string, tool: Tool, calls: readonly Call[]): JsonValue | undefined {
  const perCall = calls
    .toReversed()
    .map(({ result }) => candidatesOf(name, result?.value))
    .filter((found) => found.length > 0)
  const all = perCall.flat()
  const written = all.find(({ id }) => new RegExp(`(?<![\\w-])${escapePattern(String(id))}(?![\\w-])`, 'i').test(text))
  if (written) return written.id
  const like = /(?<![\w-])(?=[\w-]*\d)[A-Za-z]+[-_][\w-]+/.exec(text)?.[0]
  if (like !== undefined) return like
  const said = describingWords(text, tool).flatMap(stemsOf)
  if (said.length === 0) return chosen(text, perCall[0] ?? [])?.id
  const scored = all.map((candidate) => ({
    candidate,
    score: said.filter((word) => wordsOfRecord(candidate).some((other) => isSame(word, other))).length,
  }))
  const top = Math.max(0, ...scored.map(({ score }) => score))
  return top === 0
    ? undefined
    : chosen(
        text,
        scored.filter(({ score }) => score === top).map(({ candidate }) => candidate),
      )?.id
}

function candidatesOf(name: string, value: JsonValue | undefined): Candidate[] {
  return recordsIn(value).flatMap((record) => {
    const key = [name, 'id', 'sku', 'ref', 'key', 'slug'].find((one) => isScalar(record[one]))
    return key === undefined ? [] : [{ id: record[key] as string | number, record }]
  })
}

function recordsIn(value: JsonValue | undefined, depth = 0): JsonObject[] {
  if (depth > 3) return []
  if (Array.isArray(value)) return value.flatMap((item: JsonValue) => recordsIn(item, depth + 1))
  if (!isObject(value)) return []
  return [value as JsonObject, ...Object.values(value as JsonObject).flatMap((item) => recordsIn(item, depth + 1))]
}

const choosing =
  /^(first|second|third|last|cheap|cheapest|expensive|dear|dearest|most|least|best|one|ones|them|thing|item|product|same|each|more|other|another|of)$/

/** Words that describe the thing itself, as they stand in the text: neither what is done nor how many nor which. */
export function describingWords(text: string, tool: Tool): string[] {
  const name = stemsOf(tool.name)
  return text
    .replace(new RegExp(`(?<![\\p{L}\\d])${numberPattern}(?![\\p{L}\\d])`, 'giu'), ' ')
    .split(/\s+/)
    .filter((word) => stemsOf(word).length > 0)
    .slice(isQuestion(text) ? 0 : 1)
    .filter((word) => stemsOf(word).every((one) => !choosing.test(one) && !name.some((part) => isRelated(part, one))))
}

function wordsOfRecord({ record }: Candidate): string[] {
  return Object.values(record).flatMap((value) => (typeof value === 'string' ? stemsOf(value) : []))
}

/** Of several the one that the sentence picks: the second, the cheapest; else the first. */
function chosen(text: string, candidates: readonly Candidate[]): Candidate | undefined {
  const price = ({ record }: Candidate): number => Number(record['price'] ?? record['cost'] ?? record['amount'] ?? NaN)
  const byPrice = candidates.filter((one) => !Number.isNaN(price(one))).sort((a, b) => price(a) - price(b))
  if (/\b(cheapest|least expensive|lowest)\b/i.test(text)) return byPrice[0] ?? candidates[0]
  if (/\b(most expensive|dearest|priciest)\b/i.test(text)) return byPrice.at(-1) ?? candidates[0]
  if (/\bsecond\b/i.test(text)) return candidates[1]
  if (/\bthird\b/i.test(text)) return candidates[2]
  if (/\blast (one|item|product)\b/i.test(text)) return candidates.at(-1)
  return candidates[0]
}

export function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number'
}
