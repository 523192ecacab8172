// Checks of values that a page's author gives: options, the objects among them, and messages. Each check throws
// `invalid-option` with what was expected and what was received.
import { ToolAgentError } from '../core/data/errors.js'
import { isObject } from '../core/data/json.js'
import type { OtherNames } from './hints/other-libraries.js'
import { isFreeName, meantName, othersOf } from './hints/unknown-names.js'
import type { UserPart } from '../core/data/message.js'

/** Throws `invalid-option` if the value of the option `name` is wrong. */
export type Check = (value: unknown, name: string) => void

/** One option: what the code must know about it. Its type and its docstring, which the reference shows, are apart. */
export interface Option<Value = unknown> {
  /** Throws unless the value can be used. */
  readonly check: Check
  /** Names of other libraries for it, in small letters without `_` and `-`. Authors write them from memory. */
  readonly others?: string
  /** `<tool-agent>` has an attribute for it. Functions, objects and secrets do not belong in markup. */
  readonly attribute?: true
  /** `<tool-agent>` does not have it. */
  readonly isOfAgentOnly?: true
  /** What its attribute, or its prop in a template of a framework, may be besides a text. */
  readonly markup?: 'boolean' | 'boolean or object' | 'list'
  /** With `host`, the server decides it. */
  readonly isOfServer?: true
  /** Another value means another user or worker, so that an agent of an element must not continue. */
  readonly needsNewAgent?: true
  /** A component sets it again with each new identity. The functions of others only call the newest ones. */
  readonly isByIdentity?: true
  /** Of an option that protects the visitor: the value that an element uses in place of a wrong one. */
  readonly strictest?: () => Value
}

/** Describes a value for an error message: `"a text"`, `an array`, `null`, `5`, `an object`. */
export function received(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.slice(0, 80))
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'object' && value) return 'an object'
  return typeof value === 'function' ? 'a function' : String(value)
}

/** The error for a value that cannot be used. */
export const invalid = (message: string): ToolAgentError => new ToolAgentError('invalid-option', message)

/** Throws the error for a value that is not what was expected. @throws `invalid-option` */
export const fail = (name: string, expected: string, value: unknown): never => {
  throw invalid(`${name}: expected ${expected}, received ${received(value)}`)
}
/** A check by a condition. */
export const is =
  (isValid: (value: unknown) => boolean, expected: string): Check =>
  (value, name) => {
    if (!isValid(value)) fail(name, expected, value)
  }
/** Whether the value is a string. */
export const isText = (value: unknown): boolean => typeof value === 'string'
/** Whether the value is a string that is not empty. */
export const isName = (value: unknown): boolean => isText(value) && String(value).trim() !== ''
/** Whether the value is a function. */
export const isFunction = (value: unknown): boolean => typeof value === 'function'
/** Checks that the value is a string. */
export const text = is(isText, 'a string')
/** Checks that the value is a boolean. */
export const flag = is((value) => typeof value === 'boolean', 'true or false')
/** Checks that the value is an object. */
export const object = is(isObject, 'an object')
/** Checks that the value is an array of tools. */
export const toolList = is(Array.isArray, 'an array of tools')
/** A check by a list of values. */
export const oneOf = (...values: readonly unknown[]): Check =>
  is((value) => values.includes(value), values.map((one) => `'${one}'`).join(' or '))
/** A check for numbers. */
export const atLeast = (minimum: number): Check =>
  is((value) => typeof value === 'number' && value >= minimum, `a number of at least ${minimum}`)
/** @throws `invalid-option` unless the value is a function. */
export const checkFunction = is(isFunction, 'a function')
/** @throws `invalid-option` unless the value is a non-empty string, such as a session's id. */
export const checkName = is(isName, 'a non-empty string')

/**
 * Checks an object whose fields are `known`. `what` is what a field is called in messages, `others` the names that
 * other libraries have for them. Undefined fields are valid.
 */
export const fields =
  (
    known: Readonly<Record<string, Check>>,
    { what = 'option', prefix, others }: { what?: string; prefix?: string; others?: OtherNames } = {},
  ): Check =>
  (value, name) => {
    if (!isObject(value)) return fail(name, 'an object', value)
    for (const [key, one] of Object.entries(value)) {
      const path = (prefix ?? `${name}.`) + key
      const check = Object.hasOwn(known, key) ? known[key] : undefined
      if (one === undefined || isFreeName(key)) continue
      if (check === undefined) throw unknownOption(path, what, meantName(key, Object.keys(known), others), known)
      check(one, path)
    }
  }

/** The error for an option that does not exist, with the one that was meant or with all. */
function unknownOption(path: string, what: string, meant: string | undefined, known: object): ToolAgentError {
  const help = meant === undefined ? `There are: ${Object.keys(known).join(', ')}` : `Did you mean "${meant}"?`
  return invalid(`${path}: there is no such ${what}. ${help}`)
}

/** Checks an object whose fields are the options of a table. `prefix`: what is put before their names in messages. */
export const optionsOf = (table: Readonly<Record<string, Option>>, prefix: string): Check =>
  fields(Object.fromEntries(Object.entries(table).map(([name, { check }]) => [name, check])), {
    prefix,
    others: othersOf(table),
  })

/** The fields of each part of a message that must be strings, by the part's type. */
const partFields = new Map<unknown, readonly string[]>([
  ['text', ['text']],
  ['file', ['mediaType', 'data']],
])

/** A message as parts, and its text with the names of its files. */
export interface ParsedInput {
  readonly parts: readonly UserPart[]
  readonly text: string
}

/** Checks a message. @throws `invalid-option` if it is neither a text nor an array of parts, or empty. */
export function parseInput(input: unknown): ParsedInput {
  const parts = parseParts(input)
  const text = parts.map((part) => (part.type === 'text' && !part.name ? part.text : ` ${part.name ?? ''}`)).join('')
  if (text.trim() === '' && !parts.some((part) => part.type === 'file'))
    throw new ToolAgentError('invalid-option', 'send: the message is empty. Add text or a file')
  return { parts, text }
}

function parseParts(input: unknown): readonly UserPart[] {
  if (typeof input === 'string') return [{ type: 'text', text: input }]
  const isPart = (part: unknown) =>
    isObject(part) && partFields.get(part['type'])?.every((field) => isText(part[field]))
  if (!Array.isArray(input) || !input.every(isPart))
    fail(
      'send',
      "a text, or an array of { type: 'text', text } and { type: 'file', mediaType, data }",
      Array.isArray(input) ? input.find((part) => !isPart(part)) : input,
    )
  return input as UserPart[]
}
