// Forms of any page: reads the fields, fills them by label, and reports what each of them holds afterwards.
import { isObject, type JsonValue } from '../../src/core/data/json.js'
import { escape, Refused, use, type Message } from './grammar.js'
import type { Plan } from './replay.js'

export interface Field {
  readonly label: string
  readonly name: string
  readonly value: JsonValue
  readonly type: string
  readonly required: boolean
  readonly min: string
  readonly max: string
}

export const plainLabel = (label: string): string => label.replace(/\s*\(.*\)$/, '')

/** The fields that the visitor may fill. */
export function* readFields(message: Message): Plan<Field[]> {
  const { fields } = (yield* use(message, 'form_read')).value
  return (Array.isArray(fields) ? fields : []).filter(isObject).map((field) => ({
    label: String(field['label']),
    name: String(field['name'] ?? ''),
    value: (field['value'] ?? '') as JsonValue,
    type: String(field['type'] ?? ''),
    required: field['required'] === true,
    min: String(field['min'] ?? ''),
    max: String(field['max'] ?? ''),
  }))
}

/** Fills fields, and says what each holds now. */
export function* fillFields(message: Message, given: readonly (readonly [string, JsonValue])[]): Plan<string> {
  const fields = given.map(([field, value]) => ({ field, value }))
  const { value, text } = yield* use(message, 'form_fill', { fields })
  const lines = [value['fields'], readArray(text)].find(Array.isArray) ?? []
  const filled: string[] = []
  const problems: string[] = []
  for (const { field, now, ok, problem } of lines.filter(isObject)) {
    const shown = `${escape(plainLabel(String(field)))} (${shownValue(message, now as JsonValue)})`
    if (ok === true) filled.push(shown)
    else problems.push(message.say('refused', shown, escape(String(problem ?? '…')).replace(/\.$/, '')))
  }
  if (filled.length === 0) throw new Refused(problems.join(' ') || message.say('failed', escape(text.slice(0, 200))))
  return [message.say('filled', message.list(filled)), ...problems].join(' ')
}

function readArray(text: string): unknown {
  return text.startsWith('[') ? JSON.parse(text) : undefined
}

export function shownValue(message: Message, value: JsonValue | undefined): string {
  if (Array.isArray(value)) return message.list(value.map((each) => shownValue(message, each)))
  if (typeof value === 'boolean') return value ? '✔︎' : ''
  return /^\d{4}-\d\d-\d\d$/.test(String(value)) ? message.day(String(value)) : escape(String(value ?? ''))
}
