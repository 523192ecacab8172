// The arguments of a call, taken from a sentence and from what tools answered before. Each property of the tool's
// schema is filled by what its type, name and description ask for; nothing is made up.
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'
import { parseJson, type Tool } from './chat.js'
import { findDay, findTime, weekOf, type Day } from './dates.js'
import { findDetails } from './details.js'
import { findNumbers } from './numbers.js'
import { isScalar, referenceIn } from './references.js'
import { coerce, propertiesOf, type Property } from './schema.js'
import type { Call } from './transcript.js'
import { escapePattern, isRelated, isSame, stem, stemsOf, wordsOf } from './words.js'

export interface Arguments {
  readonly input: JsonObject
  /** Required properties that nothing was said about. */
  readonly missing: readonly string[]
}

/** Arguments written as `key: value` or `key=value`, or as one JSON object, behind a tool's name. */
export function readPairs(text: string, tool: Tool): JsonObject {
  const brace = text.indexOf('{')
  const object = brace === -1 ? undefined : parseJson(text.slice(brace, text.lastIndexOf('}') + 1))
  if (isObject(object)) return object as JsonObject
  const properties = propertiesOf(tool.schema)
  const keys = [...text.matchAll(/(?<=^|[\s,;(`])["']?([A-Za-z_][\w-]*)["']?\s*(?::(?!\/\/)|=)\s*/g)]
  const pairs = keys.map((match, index): [string, JsonValue] => {
    const end = keys[index + 1]?.index ?? text.length
    const raw = text
      .slice(match.index + match[0].length, end)
      .trim()
      .replace(/(?:[,;]|\band)\s*$/, '')
      .replace(/[).`]+$/, '')
      .trim()
    const key = match[1] ?? ''
    const property = properties.find(({ name }) => name.toLowerCase() === key.toLowerCase())
    return property
      ? [property.name, coerce(raw, property)]
      : [key, coerce(raw, { kind: 'unknown', options: [], schema: {} })]
  })
  return Object.fromEntries(pairs)
}

/** Arguments understood from a plain sentence. `calls` are all earlier calls, in order. */
export function fillArguments(tool: Tool, text: string, calls: readonly Call[], today: Day | undefined): Arguments {
  const input: Record<string, JsonValue> = {}
  const missing: string[] = []
  const properties = propertiesOf(tool.schema)
  const sentence: Sentence = { text, tool, calls, today, numbers: findNumbers(text), single: properties.length === 1 }
  // What is recognised by its form goes first: the free text is what is left.
  const ordered = [...properties].sort((a, b) => Number(isFreeText(a)) - Number(isFreeText(b)))
  for (const property of ordered) {
    const value = valueOf(property, sentence, input)
    if (value !== undefined) input[property.name] = value
    else if (property.required && property.schema['default'] === undefined) missing.push(property.name)
  }
  return { input, missing }
}

interface Sentence {
  readonly text: string
  readonly tool: Tool
  readonly calls: readonly Call[]
  readonly today: Day | undefined
  readonly numbers: { value: number; start: number; end: number }[]
  readonly single: boolean
}

const isId = (name: string): boolean =>
  /(^|[_-])(id|sku|ref|key|handle|slug)$/i.test(name) || /(Id|Sku|Ref|Key|Handle|Slug)$/.test(name)
const isFreeText = ({ kind, name, options }: Property): boolean =>
  kind === 'string' &&
  options.length === 0 &&
  /^(q|query|text|search|term|terms|keywords?|words|phrase|message|question|note|notes|content|body|prompt|input|title|item|product|subject|filter)$/i.test(
    name,
  )

function valueOf(
  property: Property,
  sentence: Sentence,
  filled: Readonly<Record<string, JsonValue>>,
): JsonValue | undefined {
  const { name, kind, options } = property
  const { text, today } = sentence
  const aspects = wordsOf(`${name} ${property.description}`).join(' ')
  if (options.length > 0) return optionIn(text, options)
  // Which of several things of one name: nobody says so in passing.
  if (name === 'role') return behindName(property, text)
  if (kind === 'number') return numberFor(property, sentence)
  if (kind === 'boolean') return truthIn(text, name)
  if (isId(name)) return behindName(property, text) ?? referenceIn(text, name, sentence.tool, sentence.calls)
  if (kind !== 'string') return kind === 'array' ? listFor(property, sentence, filled) : behindName(property, text)
  const format = typeof property.schema['format'] === 'string' ? property.schema['format'] : ''
  const of = (what: string): string | undefined =>
    findDetails(text, today).found.find((detail) => detail.kind === what)?.value
  const about = (pattern: RegExp): boolean => pattern.test(wordsOf(name).join(' '))
  if (format === 'email' || about(/\be ?mail\b/)) return of('email')
  if (format === 'uri' || about(/\b(url|link|website)\b/)) return of('url')
  if (format === 'date-time') return dateTimeIn(text, today)
  if (format === 'date' || about(/\b(date|day)\b/)) return findDay(text, today)?.value
  if (format === 'time' || about(/\btime\b/)) return findTime(text)?.value
  if (about(/\bweek\b/)) return weekIn(text, today)
  if (about(/\b(phone|tel|mobile)\b/)) return of('phone')
  if (isFreeText(property)) return behindName(property, text) ?? remainder(sentence, filled)
  if (/\b(code|coupon|voucher|number|reference|token)\b/.test(aspects))
    return behindName(property, text) ?? codeIn(text)
  if (/\b(city|town|place|location|destination|country|region|where|address)\b/.test(aspects))
    return behindName(property, text) ?? placeIn(text)
  if (/\b(post ?code|postal|zip)\b/.test(aspects)) return /\b[A-Z]{0,2}\d[A-Z\d]{2,5}(?: \d[A-Z]{2})?\b/.exec(text)?.[0]
  if (about(/\b(name|person|customer|guest)\b/)) return behindName(property, text) ?? of('name')
  return behindName(property, text) ?? quoted(text) ?? (property.required ? remainder(sentence, filled) : undefined)
}

function optionIn(text: string, options: readonly JsonValue[]): JsonValue | undefined {
  const said = stemsOf(text)
  const all = wordsOf(text).map(stem)
  return options.find((option) => {
    const words = wordsOf(String(option)).map(stem)
    return words.length > 0 && words.every((word) => [...said, ...all].some((other) => isSame(word, other)))
  })
}

const bounds: readonly [name: RegExp, said: string][] = [
  [
    /^max|max$|maximum|under|up ?to|at ?most|below|limit|before|until/i,
    'under|before|until|below|up to|at most|less than|cheaper than|no more than|max(?:imum)?(?: of)?|within',
  ],
  [
    /^min|min$|minimum|over|from|at ?least|above|after|since/i,
    'over|after|since|above|at least|more than|from|min(?:imum)?(?: of)?',
  ],
]

function numberFor(property: Property, { text, numbers, single }: Sentence): JsonValue | undefined {
  const bound = bounds.find(([name]) => name.test(property.name))
  if (bound) {
    const behind = new RegExp(`\\b(?:${bound[1]})\\s*[€$£]?\\s*$`, 'i')
    const hit = numbers.find(({ start }) => behind.test(text.slice(0, start)))
    if (hit) return whole(property, hit.value)
  }
  const free = numbers.filter(
    ({ start }) =>
      !bounds.some(([, said]) => new RegExp(`\\b(?:${said})\\s*[€$£]?\\s*$`, 'i').test(text.slice(0, start))),
  )
  const near = free.find(({ start, end }) =>
    wordsOf(property.name).some(
      (word) =>
        new RegExp(`\\b${escapePattern(word)}s?\\s*(?:to|is|of|:|=)?\\s*$`, 'i').test(text.slice(0, start)) ||
        new RegExp(`^\\s*${escapePattern(word)}s?\\b`, 'i').test(text.slice(end)),
    ),
  )
  if (near) return whole(property, near.value)
  const counts = /^(quantity|qty|count|amount|number|pieces|units|copies|people|guests|size|how_?many)$/i.test(
    property.name,
  )
  const hit = counts || (property.required && !bound) || (single && !bound) ? free[0] : undefined
  return hit && whole(property, hit.value)
}

function whole(property: Property, value: number): number {
  return property.schema['type'] === 'integer' ? Math.trunc(value) : value
}

function truthIn(text: string, name: string): boolean | undefined {
  const words = wordsOf(name)
    .filter((word) => !['is', 'has', 'only', 'with', 'include', 'in'].includes(word))
    .map(escapePattern)
  if (words.length === 0) return undefined
  const phrase = words.join('\\W+')
  if (new RegExp(`\\b(?:no|not|without|don['’]?t|un)\\W*(?:\\w+\\s+)?${phrase}`, 'i').test(text)) return false
  return new RegExp(`\\b${phrase}`, 'i').test(text) ? true : undefined
}

/** `coupon TEA10`, `city: Hamburg`, `name is Ada`: the value behind the property's own word. */
function behindName(property: Property, text: string): string | undefined {
  for (const word of [wordsOf(property.name).join('\\s+'), ...wordsOf(property.name)].filter(
    (name) => name.length > 2,
  )) {
    const match = new RegExp(
      `\\b${word}\\s*(?:code\\s*)?(?:is|to|as|of|:|=|called|named)\\s*["'“]?([^"'”,;.!?]+)`,
      'i',
    ).exec(text)
    if (match?.[1]?.trim()) return match[1].trim()
  }
  return undefined
}

function codeIn(text: string): string | undefined {
  const behind =
    /\b(?:code|coupon|voucher|reference|number)\s+["'“]?([A-Za-z\d][\w-]*\d[\w-]*|[A-Z][A-Z\d-]{2,}|[A-Z\d-]*\d[A-Z\d-]*)/.exec(
      text,
    )?.[1]
  return behind ?? quoted(text) ?? /(?<![\w-])(?=[A-Z\d-]*[A-Z])[A-Z\d][A-Z\d-]{2,}(?![\w-])/.exec(text)?.[0]
}

function placeIn(text: string): string | undefined {
  return (
    /\b(?:in|to|at|from|near|is)\s+((?:[\p{Lu}][\p{L}'’-]+)(?:\s+(?:am|an der|de|la|le|on)?\s*[\p{Lu}][\p{L}'’-]+)*)/u.exec(
      text,
    )?.[1] ??
    quoted(text) ??
    /(?<=\s)([\p{Lu}][\p{L}'’-]+)/u.exec(text)?.[1]
  )
}

function quoted(text: string): string | undefined {
  return /["“„]([^"”“]+)["”“]|(?<!\w)'([^']+)'(?!\w)/
    .exec(text)
    ?.slice(1)
    .find((part) => part !== undefined)
}

function dateTimeIn(text: string, today: Day | undefined): string | undefined {
  const day = findDay(text, today)?.value
  return day && `${day}T${findTime(text)?.value ?? '00:00'}:00`
}

function weekIn(text: string, today: Day | undefined): string | undefined {
  const day = findDay(text, today)?.value
  return day && weekOf(day)
}

function listFor(
  property: Property,
  sentence: Sentence,
  filled: Readonly<Record<string, JsonValue>>,
): JsonValue | undefined {
  const behind = new RegExp(`\\b${escapePattern(property.name)}\\s*[:=]?\\s+(.+)$`, 'i').exec(sentence.text)?.[1]
  const text = behind ?? (property.required ? remainder(sentence, filled) : undefined)
  return text && coerce(text.replace(/,?\s+and\s+/g, ', '), property)
}

/** What is left of `find me a green teapot under 40 euros` without verb, fillers, bounds and what the tool is called. */
function remainder({ text, tool }: Sentence, filled: Readonly<Record<string, JsonValue>>): string | undefined {
  const inQuotes = quoted(text)
  if (inQuotes !== undefined) return inQuotes
  const taken = new Set(
    Object.values(filled)
      .filter(isScalar)
      .map((value) => String(value).toLowerCase()),
  )
  const bounded = bounds.map(([, said]) => said).join('|')
  const rest = text
    .replace(
      new RegExp(`\\b(?:${bounded})\\s*[€$£]?\\s*\\d+(?:[.,]\\d+)?\\s*(?:€|\\$|£|euros?|eur|dollars?|pounds?)?`, 'gi'),
      ' ',
    )
    .replace(
      /^\s*(?:(?:please|can you|could you|would you|will you|i(?:'d| would)? (?:want|like|need)(?: you)? to|help me(?: to)?|let's|show me|tell me)\s+)*/i,
      '',
    )
    .replace(/[.!?]+\s*$/, '')
  const name = stemsOf(tool.name)
  const words = rest.split(/\s+/).filter((word) => word !== '')
  const isVerb = (word: string): boolean => name.some((part) => isRelated(stem(wordsOf(word)[0] ?? ''), part))
  while (
    words[0] !== undefined &&
    (isVerb(words[0]) ||
      /^(me|us|for|up|a|an|the|some|any|all|about|out|that|in|is|are|there|what|which|of|products?|items?|things?)$/i.test(
        words[0],
      ))
  )
    words.shift()
  const left = words
    .filter((word) => !taken.has(word.toLowerCase()))
    .join(' ')
    .replace(/[,;:]+$/, '')
    .trim()
  return stemsOf(left).length === 0 ? undefined : left
}
