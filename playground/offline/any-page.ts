// What works on any page: a tool called by its name, fields given as `Label: value`, a button pressed by its name, and a
// plain phrase for a function of the page all of whose words the function's own texts contain.
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'
import { fieldsOf, fillFields, plainLabel, type Field } from './booking.js'
import type { Tool } from './chat.js'
import {
  done,
  escape,
  failed,
  failureIn,
  quoted,
  say,
  tried,
  type Context,
  type Intent,
  type Outcome,
} from './grammar.js'
import { fold, readIn, type Token } from './lexer.js'
import { call, type Plan } from './replay.js'
import type { Result } from './transcript.js'
import { reduceValues } from './values.js'

/** Tools that the SDK brings; all others are the page's own. */
const builtIn = /^(?:page|form|dom|todo)_|^read_result$|^final_result$/
const wordsOf = (text: string): string[] =>
  fold(text.replaceAll(/([a-z])([A-Z])/g, '$1 $2')).match(/[\p{L}\p{M}]+/gu) ?? []
const stem = (word: string): string => word.replace(/(?:ies|es|s)$/, '')
const propertiesOf = ({ schema }: Tool): [string, JsonObject][] =>
  Object.entries(isObject(schema['properties']) ? schema['properties'] : {}).filter(
    (entry): entry is [string, JsonObject] => isObject(entry[1]),
  )

export function explicitIntent(text: string, tokens: readonly Token[], tools: readonly Tool[]): Intent | undefined {
  const named = tools.find(({ name }) =>
    new RegExp(`^\\W*(?:please |call |use |run )*\`?${name}\`?(?![\\w])`, 'i').test(text),
  )
  if (named && !builtIn.test(named.name))
    return (context) => callNamed(context, named, text.slice(text.indexOf(named.name) + named.name.length))
  if (tokens[0]?.kind === 'click' && tools.some(({ name }) => name === 'page_click'))
    return (context) =>
      click(
        context,
        text.slice((tokens[0]?.start ?? 0) + (tokens[0]?.text.length ?? 0)).replaceAll(/^[\s"“«]+|[\s"”».!]+$/g, ''),
      )
  const pairs = labelled(text)
  return pairs && tools.some(({ name }) => name === 'form_fill') ? (context) => fillLabelled(context, pairs) : undefined
}

function* callNamed(context: Context, tool: Tool, rest: string): Plan<Outcome> {
  const json = /\{[\s\S]*\}/.exec(rest)?.[0]
  const input: Record<string, JsonValue> = {}
  const parts = rest.split(/(?:^|[\s,]+(?:with |and )?)([A-Za-z_]\w*)\s*[:=]\s*/).slice(1)
  for (let index = 0; index < parts.length; index += 2) {
    const key = parts[index] ?? ''
    const schema = propertiesOf(tool).find(([name]) => name === key)?.[1] ?? {}
    input[key] = typed((parts[index + 1] ?? '').replaceAll(/^"|"$/g, ''), schema)
  }
  const made = yield* tried(context, tool.name, json === undefined ? input : parse(json))
  return made.result?.failed === false ? done(inWords(made.result), made.note) : failed(failureIn(context, made.result))
}

function parse(json: string): JsonObject {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? (value as JsonObject) : {}
  } catch {
    return {}
  }
}

/** What does not fit the schema stays as it was written, for the page to refuse. */
function typed(text: string, { type, items, enum: choices }: JsonObject): JsonValue {
  if ((type === 'number' || type === 'integer') && text !== '' && !Number.isNaN(Number(text))) return Number(text)
  if (type === 'boolean' && /^(?:yes|no|true|false)$/i.test(text)) return /^(?:yes|true)$/i.test(text)
  if (type === 'array' || items) return text.split(/,\s*/)
  const choice = Array.isArray(choices)
    ? choices.find((one) => String(one).toLowerCase() === text.toLowerCase())
    : undefined
  return choice ?? text
}

/** What a function of the page returned. */
function inWords({ text, value }: Result): string {
  if (!isObject(value)) return escape(text.slice(0, 400))
  const { message } = value as { message?: JsonValue }
  if (typeof message === 'string') return escape(message)
  return escape(
    Object.entries(value)
      .map(([key, one]) => `${wordsOf(key).join(' ')}: ${typeof one === 'object' ? JSON.stringify(one) : String(one)}`)
      .join(', ')
      .slice(0, 400),
  )
}

function* click(context: Context, name: string): Plan<Outcome> {
  const made = yield* tried(context, 'page_click', { target: name })
  if (made.result?.failed !== false) return failed(failureIn(context, made.result))
  const [, changes = ''] = /\n([\s\S]*)$/.exec(made.result.text) ?? []
  const said = changes.split('\n').find((line) => /^(?:announced|new or changed: "|text: )/.test(line))
  return done(
    `${escape(/^Clicked (.*?)[.,]/.exec(made.result.text)?.[1] ?? name)}.`,
    said ? say(context, 'says', escape(said)) : '',
  )
}

/** `Label: value, Label: value`, or an e-mail address in place of a pair. */
function labelled(text: string): [string, string][] | undefined {
  const parts = text.split(/,\s*(?=[^,:\p{N}]{1,40}:\s*\S|[\w.+-]+@)/u)
  const pairs = parts.map((part): [string, string] | undefined => {
    if (/^[\w.+-]+@[\w.-]+$/.test(part.trim())) return ['E-mail', part.trim()]
    const [, label, value] = /^\s*([\p{L}][^:,\p{N}]{0,40}?)\s*[:：]\s*(\S[\s\S]*?)\s*$/u.exec(part) ?? []
    return label === undefined || value === undefined || /^https?$/i.test(label) ? undefined : [label, value]
  })
  return pairs.includes(undefined) || !/[:：]/.test(text) ? undefined : (pairs as [string, string][])
}

/** The fields with this label: the whole, or the only one that begins with it. */
function fieldsNamed(label: string, fields: readonly Field[]): Field[] {
  const wanted = fold(label).trim()
  const open = fields.filter(({ type }) => type !== 'password')
  const exact = open.filter((field) => fold(plainLabel(field.label)) === wanted || fold(field.name) === wanted)
  if (exact.length > 0) return exact.slice(0, 1)
  const near = open.filter(
    (field) => wordsOf(field.label).includes(wanted) || fold(field.label).startsWith(`${wanted} `),
  )
  return near
}

function* fillLabelled(context: Context, pairs: readonly [string, string][]): Plan<Outcome> {
  const fields = fieldsOf(yield* call('form_read', {}))
  const given: { field: string; value: JsonValue }[] = []
  for (const [label, text] of pairs) {
    const found = fieldsNamed(label, fields)
    const names = text.split(' ')
    const isFullName = found.length === 2 && names.length === 2 && found.every((field) => /name/i.test(field.label))
    if (isFullName) given.push(...found.map(({ label: each }, index) => ({ field: each, value: names[index]! })))
    else if (found.length === 1) given.push({ field: found[0]!.label, value: valueFor(found[0]!, text, context) })
    else
      return {
        ...failed(
          found.length === 0
            ? say(context, 'nofield', escape(label))
            : say(
                context,
                'which',
                quoted(
                  context,
                  found.map((field) => field.label),
                ),
              ),
        ),
      }
  }
  return yield* fillFields(context, given)
}

function valueFor({ type }: Field, text: string, { language, today, section }: Context): JsonValue {
  if (type === 'checkbox') return !/^(?:no|nein|non|false|off|否|いいえ|لا)$/i.test(text)
  const [day] = type === 'date' ? reduceValues(readIn(text, section, language).tokens, today) : []
  return day?.kind === 'date_' ? day.value : text
}

/** A plain phrase for a function of the page. */
export function phraseIntent(text: string, tools: readonly Tool[]): Intent | undefined {
  const [request = '', content] = /^([^:：]*)[:：]\s*(\S[\s\S]*)$/.exec(text)?.slice(1) ?? [text]
  const { tokens } = readIn(request, 'page', 'en')
  const own = tools.filter(({ name }) => !builtIn.test(name))
  const fitting = own.flatMap((tool) => callFor(tool, tokens, content) ?? [])
  const most = Math.max(...fitting.map(({ hits }) => hits))
  const best = fitting.filter(({ hits }) => hits === most)
  if (best.length !== 1) return undefined
  const { tool, input } = best[0]!
  return function* (context) {
    const made = yield* tried(context, tool.name, input)
    return made.result?.failed === false
      ? done(inWords(made.result), made.note)
      : failed(failureIn(context, made.result))
  }
}

/** The call, where each word is one of the tool's, a number, a choice, or the one text that it needs. */
function callFor(
  tool: Tool,
  tokens: readonly Token[],
  content: string | undefined,
): { tool: Tool; input: JsonObject; hits: number } | undefined {
  const names = new Set(wordsOf(tool.name).map(stem))
  const known = new Set([...names, ...wordsOf(tool.description).map(stem)])
  const properties = propertiesOf(tool)
  const input: Record<string, JsonValue> = {}
  const rest: string[] = []
  let hits = 0
  for (const { kind, value, text } of tokens) {
    if (/^(?:_|hello|thanks|and|in|for|attime|q|it|what)$/.test(kind)) continue
    const word = stem(fold(text))
    const choice = properties.find(
      ([, { enum: list }]) => Array.isArray(list) && list.some((each) => stem(fold(String(each))) === word),
    )
    const number = properties.find(
      ([key, { type }]) => (type === 'integer' || type === 'number') && input[key] === undefined,
    )
    if (kind === 'num' && number) input[number[0]] = Number(value)
    else if (choice)
      input[choice[0]] = (choice[1]['enum'] as JsonValue[]).find((each) => stem(fold(String(each))) === word) ?? ''
    else if (wordsOf(text).every((each) => known.has(stem(each))))
      hits += wordsOf(text).filter((each) => names.has(stem(each))).length
    else rest.push(text)
  }
  const free = properties.filter(
    ([key, { type, enum: list }]) => type === 'string' && !list && input[key] === undefined,
  )
  const said = content ?? (rest.length > 0 ? rest.join(' ') : undefined)
  if (content !== undefined && rest.length > 0) return undefined
  if (said !== undefined) {
    if (free.length !== 1) return undefined
    input[free[0]![0]] = said
  }
  const required = Array.isArray(tool.schema['required']) ? tool.schema['required'].map(String) : []
  return hits > 0 && required.every((key) => key in input) ? { tool, input, hits } : undefined
}
