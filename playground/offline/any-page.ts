// What works on any page: fields given as `Label: value`, and a plain phrase for a function of the page, all of whose
// words the function's own texts contain.
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'
import { parseJson, type Tool } from '../server/chat.js'
import { fillFields, plainLabel, readFields, type Field } from './form.js'
import { escape, Refused, use, type Message, type Rule } from './grammar.js'
import { fold, readIn } from './lexer.js'
import type { Plan } from './replay.js'
import type { Result } from './transcript.js'
import { reduceValues } from './values.js'

type PlanOf = Rule[2]

/** Tools that the SDK brings; all others are the page's own. */
const builtIn = /^(?:page|form|dom|todo)_|^read_result$|^final_result$/
const wordsOf = (text: string): string[] =>
  fold(text.replaceAll(/([a-z])([A-Z])/g, '$1 $2')).match(/[\p{L}\p{M}]+/gu) ?? []
const stem = (word: string): string => word.replace(/(?:ies|es|s)$/, '')
const stemsOf = (text: string): string[] => wordsOf(text).map(stem)

/** The plan for `Label: value, Label: value`, or an e-mail address in place of a pair. */
export function labelled(message: Message): PlanOf | undefined {
  const parts = message.text.split(/,\s*(?=[^,:\p{N}]{1,40}:\s*\S|[\w.+-]+@)/u)
  const pairs = parts.map((part): readonly [string, string] | undefined => {
    if (/^[\w.+-]+@[\w.-]+$/.test(part.trim())) return ['E-mail', part.trim()]
    const [, label, value] = /^\s*([\p{L}][^:,\p{N}]{0,40}?)\s*[:：]\s*(\S[\s\S]*?)\s*$/u.exec(part) ?? []
    return label === undefined || value === undefined || /^https?$/i.test(label) ? undefined : [label, value]
  })
  if (!/[:：]/.test(message.text) || !message.canCall('form_fill')) return undefined
  const given = pairs.filter((pair) => pair !== undefined)
  return given.length === pairs.length ? () => fillLabelled(message, given) : undefined
}

function* fillLabelled(message: Message, pairs: readonly (readonly [string, string])[]): Plan<string> {
  const fields = (yield* readFields(message)).filter(({ type }) => type !== 'password')
  const given = pairs.flatMap(([label, text]): [string, JsonValue][] => {
    const found = fieldsNamed(label, fields)
    const names = text.split(' ')
    const isFullName = found.length === 2 && names.length === 2 && found.every((field) => /name/i.test(field.label))
    if (isFullName) return found.map((field, index) => [field.label, names[index] ?? ''])
    if (found.length === 1) return [[found[0]!.label, valueFor(found[0]!, text, message)]]
    if (found.length > 0) throw new Refused(message.say('which', message.quote(found.map((field) => field.label))))
    const known = fields.slice(0, 5).map((field) => `\n- ${escape(plainLabel(field.label))}: …`)
    const offers = known.length === 0 ? '' : `\n\n${message.say('try')}${known.join('')}`
    throw new Refused(`${message.say('nofield', escape(label))}${offers}`)
  })
  return yield* fillFields(message, given)
}

/** The field with this label or name, or those that have it as a word. */
function fieldsNamed(label: string, fields: readonly Field[]): Field[] {
  const wanted = fold(label).trim()
  const exact = fields.find((field) => [plainLabel(field.label), field.name].some((one) => fold(one) === wanted))
  return exact ? [exact] : fields.filter((field) => ` ${wordsOf(field.label).join(' ')} `.includes(` ${wanted} `))
}

function valueFor({ type }: Field, text: string, { context }: Message): JsonValue {
  if (type === 'checkbox') return !/^(?:no|nein|non|false|off|否|いいえ|لا)$/i.test(text)
  const [day] = reduceValues(readIn(text, context.section, context.language).tokens, context.today)
  return type === 'date' && day?.kind === 'date_' ? day.value : text
}

/** The plan for a phrase that means one function of the page, and no other as well. */
export function phrase(message: Message): PlanOf | undefined {
  const own = message.context.tools.filter(({ name }) => !builtIn.test(name))
  const fitting = own.flatMap((tool) => callFor(tool, message.text) ?? [])
  const most = Math.max(...fitting.map(({ hits }) => hits))
  const [best, ...others] = fitting.filter(({ hits }) => hits === most)
  if (best === undefined || others.length > 0) return undefined
  return function* () {
    return inWords(yield* use(message, best.tool.name, best.input), message)
  }
}

/** Up to three sentences for functions of the page. Each is made of a name and a schema, and would be understood. */
export function examplesFor({ context }: Message): string[] {
  const own = context.tools.filter(({ name }) => !builtIn.test(name))
  return own
    .flatMap((tool) => {
      const sentence = exampleOf(tool)
      return callFor(tool, sentence) ? [sentence] : []
    })
    .slice(0, 3)
}

/** The name in words, and a value for each argument that is needed: "Add to cart teapot", "Add note: …". */
function exampleOf({ name, schema: { properties = {}, required = [] } }: Tool): string {
  const fields = properties as Record<string, JsonObject>
  const values = (required as JsonValue[]).map((key) => {
    const field = fields[String(key)] ?? {}
    if (Array.isArray(field['enum'])) return ` ${String(field['enum'][0])}`
    return isNumber(['', field]) ? ` ${String(field['minimum'] ?? 1)}` : ': …'
  })
  const words = [
    wordsOf(name).join(' '),
    ...values.sort((one, other) => Number(one === ': …') - Number(other === ': …')),
  ]
  return words.join('').replace(/^./u, (first) => first.toUpperCase())
}

/** What a function of the page returned: a list of records as a table, anything else in a line. */
function inWords({ text }: Pick<Result, 'text'>, message: Message): string {
  const given = parseJson(text)
  if (given === undefined || given === null || typeof given !== 'object') return escape(text.slice(0, 400))
  const records = recordsIn(given)
  if (records !== undefined) return tableOf(records)
  const { message: said } = given as { message?: JsonValue }
  const line = typeof said === 'string' ? said : shown(given)
  return line === '' ? message.say('nothing') : escape(line.slice(0, 400))
}

/** A value as people write it, without brackets and quotes. */
function shown(one: unknown): string {
  if (Array.isArray(one)) return one.map(shown).filter(Boolean).join(', ')
  if (!isObject(one)) return String(one ?? '')
  const entries = Object.entries(one).map(([key, value]) => [wordsOf(key).join(' '), shown(value)] as const)
  return entries.flatMap(([key, value]) => (value === '' ? [] : [`${key}: ${value}`])).join(', ')
}

/** The records of a result that is a list of them, or whose only list it is: `{ products: […], total: 2 }`. */
function recordsIn(value: JsonValue | undefined): readonly JsonObject[] | undefined {
  const lists = Array.isArray(value) ? [value] : Object.values(value ?? {}).filter((one) => Array.isArray(one))
  const [list = [], ...others]: readonly (readonly unknown[])[] = lists
  const isRecords = list.length > 0 && others.length === 0 && list.every((one) => isObject(one))
  return isRecords ? (list as JsonObject[]) : undefined
}

/** A table in Markdown, as large as an answer should be. */
function tableOf(records: readonly JsonObject[]): string {
  const keys = [...new Set(records.flatMap(Object.keys))].slice(0, 5)
  const row = (cells: readonly string[]): string => `| ${cells.map(escape).join(' | ')} |`
  const rows = records.slice(0, 20).map((record) => row(keys.map((key) => shown(record[key] ?? '').slice(0, 80))))
  return [row(keys.map((key) => wordsOf(key).join(' '))), `|${' --- |'.repeat(keys.length)}`, ...rows].join('\n')
}

const isNumber = ([, { type }]: readonly [string, JsonObject]): boolean => /^(?:number|integer)$/.test(String(type))

/** The call, where each word is one of the tool's, a number, a choice, or the one text that it needs. */
function callFor(tool: Tool, text: string): { tool: Tool; input: JsonObject; hits: number } | undefined {
  const [request = '', content] = /^([^:：]*)[:：]\s*(\S[\s\S]*)$/.exec(text)?.slice(1) ?? [text]
  const names = new Set(stemsOf(tool.name))
  const known = new Set([...names, ...stemsOf(tool.description)])
  const { properties = {}, required = [] } = tool.schema
  const fields = Object.entries(properties as Record<string, JsonObject>)
  const input: Record<string, JsonValue> = {}
  const rest: string[] = []
  let hits = 0
  for (const { kind, value, text: said } of readIn(request, 'page', 'en').tokens) {
    if (/^(?:_|hello|thanks|and|in|for|attime|q|it|what)$/.test(kind)) continue
    const isSame = (one: JsonValue): boolean => stem(fold(String(one))) === stem(fold(said))
    const choice = fields.find(([, { enum: list }]) => Array.isArray(list) && list.some(isSame))
    const number = fields.find((field) => isNumber(field) && !(field[0] in input))
    // Words of an amount: "under 12 euros".
    if (/^(?:under|euro)$/.test(kind) && fields.some(isNumber)) continue
    if (kind === 'num' && number) input[number[0]] = Number(value)
    else if (choice) input[choice[0]] = (choice[1]['enum'] as JsonValue[]).find(isSame) ?? ''
    else if (stemsOf(said).every((word) => known.has(word)))
      hits += stemsOf(said).filter((word) => names.has(word)).length
    else rest.push(said)
  }
  const free = fields.filter(([key, { type, enum: list }]) => type === 'string' && !list && !(key in input))
  const words = content ?? (rest.length > 0 ? rest.join(' ') : undefined)
  if (words !== undefined) {
    if (free.length !== 1 || (content !== undefined && rest.length > 0)) return undefined
    input[free[0]![0]] = words
  }
  const isWhole = (required as JsonValue[]).every((key) => String(key) in input)
  return hits > 0 && isWhole ? { tool, input, hits } : undefined
}
