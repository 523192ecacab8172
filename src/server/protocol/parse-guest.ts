// From the text of a frame to a message. Three gates, in this order: the text, its shape, the schema of its type.
// Nothing of a message is used before it has passed all of them. Errors are for the author of the page: they name the
// field and what was sent, and nothing of the server.
import type { z } from 'zod'
import type { Failure } from '../../core/data/failure.js'
import { isObject, parseJson, type JsonValue } from '../../core/data/json.js'
import { guestAnswers, guestProgress, type GuestQuery } from './answers.js'
import { maxDepth, maxFrame, maxValues } from './bounds.js'
import { guestMessages, type GuestMessage } from './guest-messages.js'
import { importedFile, maxFileDepth, maxFileValues, type ImportedFile } from './imported-file.js'

/** A value that passed, or why it did not. */
export type Parsed<T> =
  | { readonly value: T; readonly error?: never }
  | {
      readonly error: Failure
      /** The client id of the message, if it can be read, so that the page knows which one failed. */
      readonly id?: string | number
      readonly value?: never
    }

/** Parses the text of a frame. Never throws. */
export function parseGuestMessage(text: string): Parsed<GuestMessage> {
  if (text.length > maxFrame)
    return fail(`A message of ${text.length} characters was sent, and ${maxFrame} are read. Shorten it; upload files.`)
  const given = parseJson(text)
  if (given === undefined) return fail('A message is not JSON. Send the text of JSON.stringify().')
  const id = isObject(given) ? given['id'] : undefined
  const isNamed = (typeof id === 'string' && id.length <= 256) || typeof id === 'number'
  const named = isNamed ? { id } : {}
  const problem = shapeProblem(given)
  if (problem) return { ...fail(problem), ...named }
  const type = isObject(given) ? given['type'] : undefined
  if (typeof type !== 'string' || !Object.hasOwn(guestMessages, type))
    return fail(`type: expected ${Object.keys(guestMessages).join(', ')}, received ${shown(type)}. ${sameVersion}`)
  const parsed = parse(guestMessages[type as keyof typeof guestMessages], given, type)
  return parsed.error ? { ...parsed, ...named } : parsed
}

/** Parses the `value` of an `answer`, for the query that this page was asked. Never throws. */
export function parseAnswer<Q extends GuestQuery>(
  query: Q,
  value: JsonValue,
): Parsed<z.output<(typeof guestAnswers)[Q]>> {
  return parse(guestAnswers[query], value, `answer to ${query}`) as Parsed<z.output<(typeof guestAnswers)[Q]>>
}

/** Parses the `value` of a `progress`. Never throws. */
export function parseProgress<Q extends keyof typeof guestProgress>(
  query: Q,
  value: JsonValue,
): Parsed<z.output<(typeof guestProgress)[Q]>> {
  return parse(guestProgress[query], value, `progress of ${query}`) as Parsed<z.output<(typeof guestProgress)[Q]>>
}

/** Parses a conversation that a page imports, or its text. Never throws. */
export function parseImportedFile(given: string | JsonValue): Parsed<ImportedFile> {
  const bounds = { subject: 'A conversation', depth: maxFileDepth, values: maxFileValues }
  if (typeof given === 'string' && hasMoreValues(given, maxFileValues)) return fail(tooManyValues(bounds))
  const value = typeof given === 'string' ? parseJson(given) : given
  if (value === undefined) return fail('A conversation is not JSON. Import what sessions.export() has returned.')
  const problem = shapeProblem(value, bounds)
  return problem ? fail(problem) : parse(importedFile, value, 'sessions.import')
}

/**
 * Whether a JSON text has more values, counted before it is parsed: millions of empty lists take a second, in which
 * nobody else is served. An empty list or object counts twice.
 */
function hasMoreValues(text: string, most: number): boolean {
  let [seen, isInText] = [1, false]
  for (let at = 0; at < text.length && seen <= most; at += 1) {
    const char = text[at]
    if (char === '"') isInText = !isInText
    else if (isInText) at += char === '\\' ? 1 : 0
    else if (char === ',' || char === '[' || char === '{') seen += 1
  }
  return seen > most
}

const sameVersion = 'Use the same version of tool-agent in the page and on the server.'

/** What the author of a server decides. A page that sets one of them gets its name, and where it belongs. */
const serverOptions: ReadonlySet<string> = new Set([
  'activeTools',
  'agent',
  'agentTool',
  'beforeModel',
  'config',
  'credentials',
  'endpoint',
  'headers',
  'hooks',
  'instructions',
  'limits',
  'model',
  'modelAdapter',
  'options',
  'output',
  'provider',
  'providerUrl',
  'retention',
  'scope',
  'textProtocol',
  'textProtocolUrl',
  'toolChoice',
  'toolContext',
  'user',
])

function fail(message: string): { readonly error: Failure } {
  return { error: { code: 'invalid-option', message } }
}

const messageBounds = { subject: 'A message', depth: maxDepth, values: maxValues }
const tooManyValues = ({ subject, values }: typeof messageBounds): string =>
  `${subject} has more than ${values} values. Send less at once.`

/**
 * Why a value may not be looked at closer: too deep, too many values, or a key that changes a prototype when somebody
 * copies it. Walks with a list, because a call per level could end the stack.
 */
function shapeProblem(root: JsonValue, bounds = messageBounds): string | undefined {
  const { subject, depth: most, values } = bounds
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: root, depth: 1 }]
  let seen = 0
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next
    seen += 1
    if (typeof value !== 'object' || value === null) continue
    if (depth > most) return `${subject} has more than ${most} levels. Send a flatter value.`
    if (Object.hasOwn(value, '__proto__')) return `${subject} has the key "__proto__". Send it under another name.`
    const items: unknown[] = Object.values(value)
    if (seen + open.length + items.length > values) return tooManyValues(bounds)
    for (const item of items) open.push({ value: item, depth: depth + 1 })
  }
  return undefined
}

function parse<S extends z.ZodType>(schema: S, given: JsonValue, subject: string): Parsed<z.output<S>> {
  const { success, data, error } = schema.safeParse(given, { reportInput: true })
  return success ? { value: data } : fail(wordsOf(nearest(error.issues), subject))
}

/** Of a union, the issue of the member that fits best: the one whose issue lies deepest. */
function nearest(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue {
  const [issue] = issues
  if (issue === undefined) throw new TypeError('A failed parse has an issue')
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return issue
  const inner = issue.errors.map((one) => nearest(one))
  const best = inner.reduce((one, other) => (other.path.length > one.path.length ? other : one))
  return { ...best, path: [...issue.path, ...best.path] }
}

function wordsOf(issue: z.core.$ZodIssue, subject: string): string {
  const at = [subject, ...issue.path].join('.')
  if (issue.code === 'unrecognized_keys') {
    const option = issue.keys.find((key) => serverOptions.has(key))
    if (option)
      return `${at}.${option}: this is decided on the server, so nothing was done. Set it there, and not in the page.`
    return `${at}.${shortened(issue.keys[0] ?? '')}: this field does not exist, so nothing was done. ${sameVersion}`
  }
  return `${at}: expected ${expected(issue)}, received ${shown(issue.input)}. ${sameVersion}`
}

function expected(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected
    case 'invalid_value':
      return issue.values.map((value) => JSON.stringify(value)).join(' or ')
    case 'too_big':
      return `at most ${issue.maximum}`
    case 'too_small':
      return `at least ${issue.minimum}`
    case 'invalid_format':
    case 'custom':
      return 'a valid value, such as an id of visible ASCII characters'
    default:
      return 'another value'
  }
}

/** A value in an error: what it is, not what it says, except a short text. */
function shown(value: unknown): string {
  if (typeof value === 'string')
    return value.length > 40 ? `a text of ${value.length} characters` : JSON.stringify(value)
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return value === undefined ? 'nothing' : String(value)
}

const shortened = (name: string): string => (name.length > 40 ? `${name.slice(0, 40)}…` : name)
