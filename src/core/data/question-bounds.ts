// Which forms may be questions of a running tool. Apart from the type, because only what asks, and a server, checks it.
import type { FormQuestion } from './form-question.js'
import { isObject } from './json.js'

/** What a question has at most: more is no question for a person. */
export const mostInQuestion = { message: 2_000, fields: 20, choices: 200, chars: 65_536 } as const
const isText = (value: unknown): value is string => typeof value === 'string'
const flatTypes: ReadonlySet<unknown> = new Set(['string', 'number', 'integer', 'boolean'])

/** Why a question cannot be asked, as the end of a sentence; undefined if it can. */
export function questionProblem({ message, schema }: { readonly message: unknown; readonly schema: unknown }) {
  if (!isText(message) || message.trim() === '') return 'message: expected a text'
  if (message.length > mostInQuestion.message)
    return `message: expected at most ${mostInQuestion.message} characters, received ${message.length}`
  if (!isObject(schema) || schema['type'] !== 'object') return 'schema: expected an object schema'
  const { properties = {} } = schema
  if (!isObject(properties)) return 'schema.properties: expected an object'
  const fields = Object.entries(properties)
  if (fields.length > mostInQuestion.fields)
    return `schema: expected at most ${mostInQuestion.fields} fields, received ${fields.length}`
  const [name] = fields.find(([, field]) => !isFlat(field)) ?? []
  if (name !== undefined)
    return `schema.properties.${name}: expected a text, a number, a boolean, a choice of texts or a list of choices`
  const choices = fields.reduce((sum, [, field]) => sum + choicesIn(field).length, 0)
  if (choices > mostInQuestion.choices)
    return `schema: expected at most ${mostInQuestion.choices} choices, received ${choices}`
  if (JSON.stringify(schema).length > mostInQuestion.chars)
    return `schema: expected at most ${mostInQuestion.chars} characters of JSON`
  return undefined
}

/** The choices of a field, of one or of several. */
function choicesIn(field: unknown): readonly unknown[] {
  if (!isObject(field)) return []
  const { enum: values, oneOf, anyOf, items } = field
  const own = [values, oneOf, anyOf].find(Array.isArray) as readonly unknown[] | undefined
  return own ?? (items === undefined ? [] : choicesIn(items))
}

/** Whether a field has a control: no object, no list of anything but choices. */
function isFlat(field: unknown): boolean {
  if (!isObject(field)) return false
  const choices = choicesIn(field).map((one) => (isObject(one) ? one['const'] : one))
  if (!choices.every(isText)) return false
  return field['type'] === 'array' ? choices.length > 0 : flatTypes.has(field['type']) || choices.length > 0
}

/** Whether a value is a question that can be asked. For a server, which does not trust pages. */
export function isFormQuestion(value: unknown): value is FormQuestion {
  if (!isObject(value)) return false
  const { hash, message, schema, from } = value
  const isNamed = isText(hash) && hash.length <= 256 && (from === undefined || isText(from))
  return isNamed && questionProblem({ message, schema }) === undefined
}
