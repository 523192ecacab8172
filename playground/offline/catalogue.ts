// Requests about things that a tool of the page finds: which there are, what they cost, and what is done with one of
// them. Nothing here knows a particular shop: a search tool has a text argument, and a tool for one thing an argument
// for its id.
import Fuse from 'fuse.js'
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'
import { fillArguments } from './arguments.js'
import type { Tool } from './chat.js'
import { failed, ownTools, said, tried, type Context, type Outcome } from './context.js'
import { findNumbers } from './numbers.js'
import { call, type Plan } from './replay.js'
import { propertiesOf, type Property } from './schema.js'
import { failureInWords, listed, nameOf, recordInWords, resultInWords, shown } from './speak.js'
import type { Call } from './transcript.js'
import { isQuestion, isSame, stem, stemsOf, wordsOf } from './words.js'

type Thing = { readonly id: string | number; readonly record: JsonObject }

const idPattern = /(?:^|[_-])(?:id|sku|slug)$|(?:Id|Sku|Slug)$/
const searching = /^(?:find|search|look|lookup|browse|query|list)$/

/** The argument of a tool that names one thing. */
export function idProperty(tool: Tool): Property | undefined {
  return propertiesOf(tool.schema).find(({ name, required }) => required && idPattern.test(name))
}

/** The tool that finds things by text. */
export function searchTool(context: Context): Tool | undefined {
  return ownTools(context).find(
    ({ name, schema }) =>
      wordsOf(name).some((word) => searching.test(word)) && propertiesOf(schema).some(({ kind }) => kind === 'string'),
  )
}

/** The records of a result that have an id. */
export function thingsIn(value: JsonValue | undefined, depth = 0): Thing[] {
  if (depth > 3) return []
  if (Array.isArray(value)) return value.flatMap((one: JsonValue) => thingsIn(one, depth + 1))
  if (!isObject(value)) return []
  const record = value as JsonObject
  const key = Object.keys(record).find((one) => /^id$|Id$|_id$|^sku$/.test(one))
  const id = key === undefined ? undefined : record[key]
  const inner = Object.values(record).flatMap((one) => thingsIn(one, depth + 1))
  return typeof id === 'string' || typeof id === 'number' ? [{ id, record }, ...inner] : inner
}

const noise = new Set(
  (
    'anything something thing product item one ones them these those it this that everything price cost cheap cheapest expensive ' +
    'most least best recommend under over below above about around up less than more at for euro eur € dollar buy add put ' +
    'take get want cart basket bag stock available sell offer carry have show find search look list tell see give need ' +
    'present gift total together much many how which what whats is are do does in into to of from with without and or ' +
    'please plz my me i we you your the a an any some all order purchase piece pack there would like be would good great ' +
    'first second third fourth last other same actually make just really currently long deliver remove delete drop left'
  )
    .split(' ')
    .map(stem),
)

/** The words of a text that describe a thing. */
export function thingWords(text: string): string[] {
  const numbers = findNumbers(text).map(({ start, end }) => text.slice(start, end).toLowerCase())
  return wordsOf(text.replace(/['’](?:s|ll|d|re|ve|m)\b/g, ''))
    .filter((word) => !numbers.includes(word) && !/^\d/.test(word) && word.length > 2)
    .filter((word) => !noise.has(stem(word)))
}

/** Things that fit the words, best first, with equal ones together. */
function matches(things: readonly Thing[], words: readonly string[]): { best: Thing[]; rest: Thing[] } {
  if (words.length === 0) return { best: [], rest: [] }
  const wanted = words.map(stem)
  const entries = things.map((thing) => ({
    thing,
    name: wordsOf(nameOf(thing.record)).map(stem),
    other: Object.values(thing.record).flatMap((value) => (typeof value === 'string' ? stemsOf(value) : [])),
  }))
  const scored = entries.map(({ thing, name, other }) => {
    const hits = wanted.map((word) => {
      if (name.some((one) => isSame(one, word) || (one.length > 4 && one.endsWith(word)))) return 3
      if (new Fuse(name, { threshold: 0.3, distance: 2 }).search(word).length > 0 && word.length > 3) return 2.5
      return other.some((one) => isSame(one, word)) ? 1 : 0
    })
    return { thing, hits: hits.filter(Boolean).length, score: hits.reduce((sum: number, hit) => sum + hit, 0) }
  })
  const fitting = scored.filter(({ hits }) => hits > 0 && hits * 2 >= wanted.length).sort((a, b) => b.score - a.score)
  const top = fitting[0]?.score ?? 0
  return {
    best: fitting.filter(({ score }) => score === top && score >= 2).map(({ thing }) => thing),
    rest: fitting.filter(({ score }) => score < top || top < 2).map(({ thing }) => thing),
  }
}

/** Asks the search tool, with fewer words if it finds nothing, and at last for everything. */
function* searched(
  context: Context,
  tool: Tool,
  words: readonly string[],
  bound: string,
): Plan<{ made: Call; things: Thing[] }> {
  const ask = function* (text: string): Plan<Call> {
    const { input } = fillArguments(tool, `find ${text} ${bound}`.trim(), [], context.today)
    const query = propertiesOf(tool.schema).find(({ kind }) => kind === 'string')?.name ?? 'query'
    return yield* tried(context, tool.name, { ...input, [query]: text })
  }
  const first = yield* ask(words.join(' '))
  const found = thingsIn(first.result?.value)
  if (found.length > 0 || words.length === 0 || first.result?.failed) return { made: first, things: found }
  const all = yield* ask('')
  return { made: all, things: thingsIn(all.result?.value) }
}

/** The limit of a price that the text names. */
function boundIn(text: string): { words: string; fits: (price: number) => boolean } {
  const [words = '', word = '', value = ''] =
    /\b(under|below|up to|at most|less than|max(?:imum)?|over|above|at least|more than|about|around|roughly|before|after)\s*[€$£]?\s*(\d+(?:[.,]\d+)?)/i.exec(
      text,
    ) ?? []
  const limit = Number(value.replace(',', '.'))
  if (words === '') return { words, fits: () => true }
  if (/^(?:about|around|roughly)$/i.test(word))
    return { words: '', fits: (price) => price >= limit * 0.75 && price <= limit * 1.25 }
  return { words, fits: (price) => (/over|above|least|more|after/i.test(word) ? price >= limit : price <= limit) }
}

const priceOf = ({ record }: Thing): number => Number(record['price'] ?? record['cost'] ?? NaN)

/** Answers what there is, what it costs, which is the cheapest. */
export function* listing(context: Context, tool: Tool, text: string): Plan<Outcome> {
  const bound = boundIn(text)
  const asked = /\bwhich ((?:\p{L}+ ){0,2}?\p{L}+) (?:would|do|is|are|should|can)\b/iu.exec(text)?.[1] ?? ''
  const head = thingWords(asked)
  const pieces = text.split(/,|\band\b|\bplus\b/i).filter((piece) => thingWords(piece).length > 0)
  const isSum = /\bhow much\b|\bprice\b|\bcosts?\b/i.test(text) && pieces.length > 1
  const quoted = /["“„]([^"”“]+)["”]/.exec(text)?.[1]
  const name = stemsOf(tool.name)
  const described =
    head.length > 0 ? head : thingWords(text.replace(bound.words, ' ').replace(/\band tell me\b.*$/i, ''))
  const plain = described.filter((word) => !name.includes(stem(word)))
  const words = quoted === undefined ? plain : [quoted]
  const { made, things } = yield* searched(context, tool, isSum ? [] : words, bound.words)
  if (made.result === undefined || made.result.failed) return failed(failureInWords(made.result))
  if (isSum) return summed(context, things, pieces)
  const query = propertiesOf(tool.schema).find(({ kind }) => kind === 'string')?.name ?? ''
  const isExact = String(made.input[query] ?? '') === words.join(' ')
  const { best, rest } = matches(things, words)
  const candidates = isExact ? things : [...best, ...(best.length === 0 ? rest : [])]
  const isOpen = words.length > 0 && candidates.length === 0
  const fitting = (isOpen && bound.words + text.match(/\d/)?.[0] ? things : candidates).filter((thing) =>
    Number.isNaN(priceOf(thing)) ? true : bound.fits(priceOf(thing)),
  )
  if (fitting.length === 0 || (isOpen && !/\d/.test(text)))
    return failed(`I found nothing${words.length > 0 ? ` for “${words.join(' ')}”` : ' that fits'}.`)
  return said(answerAbout(context, text, fitting) + (isOpen ? ` I cannot tell which suits “${words.join(' ')}”.` : ''))
}

function answerAbout({ money }: Context, text: string, things: readonly Thing[]): string {
  const line = ({ record }: Thing): string => recordInWords(record, money)
  const priced = things.filter((thing) => !Number.isNaN(priceOf(thing))).sort((a, b) => priceOf(a) - priceOf(b))
  const isHigh = /\b(?:most expensive|dearest|priciest|highest)\b/i.test(text)
  if (priced.length > 0 && (isHigh || /\b(?:cheapest|least expensive|lowest)\b/i.test(text))) {
    const one = isHigh ? priced.at(-1) : priced[0]
    return one ? `The ${isHigh ? 'most expensive' : 'cheapest'} is ${line(one)}.` : ''
  }
  const [only] = things
  if (things.length === 1 && only && /\b(?:how much|price|costs?)\b/i.test(text))
    return `${nameOf(only.record)} costs ${money(only.record['price']) || shown(only.record['price'])}.`
  const judged = /\b(?:best|recommend|better|nicest|favou?rite)\b/i.test(text)
    ? ' Which is best I cannot judge, because I only compare words and prices.'
    : ''
  const head = things.length === 1 ? 'I found one' : `I found ${things.length}`
  const about = ({ record }: Thing): string =>
    typeof record['about'] === 'string' ? `, ${shown(record['about'])}` : ''
  return things.length <= 3
    ? `${head}: ${things.map((thing) => `${line(thing)}${about(thing)}`).join('; ')}.${judged}`
    : `${head}: ${listed(things.map(line))}.${judged}`
}

function summed({ money }: Context, things: readonly Thing[], pieces: readonly string[]): Outcome {
  const parts = pieces.map((piece) => ({
    piece,
    count: findNumbers(piece)[0]?.value ?? 1,
    thing: matches(things, thingWords(piece)).best[0],
  }))
  const unknown = parts
    .filter(({ thing }) => thing === undefined)
    .map(({ piece }) => `“${thingWords(piece).join(' ')}”`)
  const lines = parts.flatMap(({ count, thing }) =>
    thing ? [`${count} × ${nameOf(thing.record)} ${money(count * priceOf(thing))}`] : [],
  )
  const sum = parts.reduce((total, { count, thing }) => total + (thing ? count * priceOf(thing) : 0), 0)
  if (lines.length === 0) return failed(`I found nothing for ${listed(unknown)}.`)
  const missing = unknown.length > 0 ? ` I found nothing for ${listed(unknown)}.` : ''
  return said(`${listed(lines)}. Together that is ${money(Math.round(sum * 100) / 100)}.${missing}`)
}

interface Wish {
  readonly thing: Thing | undefined
  readonly choices: readonly Thing[]
  readonly text: string
  readonly said: string
}

/** Does something with one or several things: "add two cups and a kettle", "is it in stock?". */
export function* withThings(context: Context, tool: Tool, text: string): Plan<Outcome> {
  const id = idProperty(tool)?.name ?? 'id'
  const verbs = stemsOf(tool.name)
  const parts = text.split(/,|\band\b|\bplus\b/i).filter((part) => describing(part, tool).length > 0)
  const wishes: Wish[] = []
  if (parts.length === 0) wishes.push(yield* pointedAt(context, text))
  else {
    const words = parts.length === 1 ? describing(parts[0] ?? '', tool) : []
    const search = searchTool(context)
    const known = parts.length === 1 ? pickedEarlier(context, words) : undefined
    const things = known ?? (search ? (yield* searched(context, search, words, '')).things : [])
    for (const part of parts) {
      const { best } = matches(things, describing(part, tool))
      const superlative = chosen(part, best)
      wishes.push({ thing: superlative, choices: best, text: part, said: describing(part, tool).join(' ') })
    }
  }
  const done: string[] = []
  const open: string[] = []
  let isRetried = false
  for (const { thing, choices, text: part, said: words } of wishes) {
    if (thing === undefined) {
      open.push(questionAbout(words, choices, context))
      continue
    }
    const plain = wishes.length === 1 ? text : part
    const { input } = fillArguments(tool, `${verbs[0] ?? ''} ${plain}`, [], context.today)
    const made = yield* tried(context, tool.name, { ...input, [id]: thing.id })
    if (made.result === undefined || made.result.failed) open.push(failureInWords(made.result))
    else {
      const price = /\b(?:price|costs?|how much)\b/i.test(text)
        ? ` It costs ${context.money(thing.record['price'])}.`
        : ''
      done.push(`${resultInWords(made.result, context.money)}${price}`)
      isRetried ||= made.isRetried
    }
  }
  const again = isRetried ? 'The first try failed, the second worked. ' : ''
  return { text: `${again}${[...done, ...open].join(' ')}`, isDone: open.length === 0 }
}

/** What is asked or said if it is not clear which thing is meant. */
function questionAbout(words: string, choices: readonly Thing[], { money }: Context): string {
  const names = listed(choices.map(({ record }) => recordInWords(record, money)))
  if (choices.length > 1) return `For “${words}” there is a choice: ${names}. Which one do you mean?`
  return words === '' ? 'Which one do you mean? I know of none here.' : `I found no ${words} here.`
}

/** Words of a wish without those that the tool is named by. */
function describing(part: string, tool: Tool): string[] {
  const name = stemsOf(tool.name)
  // Words that belong to another argument, such as "at the north branch".
  const others = propertiesOf(tool.schema).flatMap((property) => [property.name, ...property.options.map(String)])
  const taken = others.filter((one) => !idPattern.test(one)).flatMap(stemsOf)
  return thingWords(part).filter((word) => ![...name, ...taken].includes(stem(word)))
}

/** Of several things the one that the text picks; undefined if it does not say. */
function chosen(text: string, things: readonly Thing[]): Thing | undefined {
  if (things.length < 2) return things[0]
  const sorted = [...things].sort((a, b) => priceOf(a) - priceOf(b))
  if (/\b(?:cheapest|least expensive)\b/i.test(text)) return sorted[0]
  if (/\b(?:most expensive|dearest|priciest)\b/i.test(text)) return sorted.at(-1)
  return undefined
}

/** A thing of an earlier result that the words name alone. */
function pickedEarlier({ earlier, log }: Context, words: readonly string[]): Thing[] | undefined {
  for (const { result } of [...earlier, ...log].toReversed()) {
    const { best } = matches(thingsIn(result?.value), words)
    if (best.length === 1) return best
  }
  return undefined
}

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth']

/** "Add two", "the second one", "these": a thing of the last list, or the one that the page is about. */
function* pointedAt(context: Context, text: string): Plan<Wish> {
  const reader = ownTools(context).find(
    (tool) => /read|get|show|current/.test(tool.name) && /\bthis page\b/i.test(tool.description),
  )
  const last = [...context.earlier, ...context.log]
    .toReversed()
    .map(({ result }) => thingsIn(result?.value))
    .find((things) => things.length > 0)
  const isThis = /\b(?:this|these|it|that)\b/i.test(text) || last === undefined
  // After a navigation the tool may be gone, but its call is in the transcript.
  const recorded = context.made[context.log.length]?.name
  const name = recorded !== undefined && /read|get|show|current/.test(recorded) ? recorded : reader?.name
  if (name !== undefined && isThis) {
    const made = yield* call(name)
    const [thing] = thingsIn(made.result?.value)
    if (thing) return { thing, choices: [thing], text, said: '' }
  }
  const things = last ?? []
  const place = ordinals.findIndex((word) => new RegExp(`\\b${word}\\b`, 'i').test(text))
  const isLast = /\blast one\b/i.test(text)
  const picked = chosen(text, things) ?? (isLast ? things.at(-1) : things[Math.max(0, place)])
  return {
    thing: picked,
    choices: [],
    text: text.replace(/\b(?:the )?(?:first|second|third|fourth|fifth|last) one\b/i, ''),
    said: '',
  }
}

/** Whether a text asks about things that the search tool finds. */
export function isAboutThings(text: string): boolean {
  return (
    /\b(?:cheapest|most expensive|dearest|priciest|recommend)\b/i.test(text) ||
    /\b(?:find|search|look(?:ing)? for|show me|do you (?:sell|have|offer|carry)|have you got|how much|price|costs?|browse|list|any(?:thing)?|need|want)\b/i.test(
      text,
    ) ||
    (isQuestion(text) && /\b(?:under|below|over|about|around)\s*[€$£]?\d/i.test(text))
  )
}
