// A form as `form_read` tells it. Whatever the shape around them, fields are the objects with a label and a type.
import { isObject, type JsonObject, type JsonValue } from '../../src/core/data/json.js'

export interface Field {
  /** What `form_fill` is given: the label, or the ref where another field has the same label. */
  readonly key: string
  readonly label: string
  readonly name: string
  readonly type: string
  /** Choices, or suggestions where the type takes free text. */
  readonly options: readonly string[]
  readonly multiple: boolean
  readonly value: JsonValue | undefined
  readonly required: boolean
  /** Disabled, read-only or private: not to be filled. */
  readonly locked: boolean
  readonly isPrivate: boolean
  readonly hint: string
  readonly ref: string
  /** Name of the form; empty outside of one. */
  readonly form: string
  readonly min: string
  readonly max: string
}

/** The forms of a result, each with its fields in order. */
export function readForms(value: JsonValue | undefined): Field[][] {
  const groups = groupsIn(value)
  const labels = groups.flat().map((field) => field['label'])
  return groups.map((group) =>
    group.map((raw): Field => {
      const text = (name: string): string =>
        typeof raw[name] === 'string' || typeof raw[name] === 'number' ? String(raw[name]) : ''
      const label = text('label')
      const isUnique = labels.filter((other) => other === label).length === 1
      return {
        key: isUnique || text('ref') === '' ? label : text('ref'),
        label,
        name: text('name'),
        type: text('type'),
        options: Array.isArray(raw['options']) ? raw['options'].map(optionLabel).filter((option) => option !== '') : [],
        multiple: raw['multiple'] === true,
        value: raw['value'],
        required: raw['required'] === true,
        locked: raw['disabled'] === true || raw['readonly'] === true || raw['private'] !== undefined,
        isPrivate: raw['private'] !== undefined,
        hint: text('hint'),
        ref: text('ref'),
        form: text('form'),
        min: text('min'),
        max: text('max'),
      }
    }),
  )
}

function optionLabel(option: JsonValue): string {
  if (isObject(option)) return String(option['label'] ?? option['value'] ?? '')
  return String(option)
}

function isField(value: unknown): value is JsonObject {
  return isObject(value) && typeof value['label'] === 'string' && typeof value['type'] === 'string'
}

/** Fields that stand in one list, apart where they say that they belong to different forms. */
function groupsIn(value: JsonValue | undefined, depth = 0): JsonObject[][] {
  if (depth > 5) return []
  if (Array.isArray(value)) {
    const groups = new Map<JsonValue | undefined, JsonObject[]>()
    for (const field of value.filter(isField)) groups.set(field['form'], [...(groups.get(field['form']) ?? []), field])
    return groups.size > 0 ? [...groups.values()] : value.flatMap((item: JsonValue) => groupsIn(item, depth + 1))
  }
  return isObject(value) ? Object.values(value as JsonObject).flatMap((item) => groupsIn(item, depth + 1)) : []
}

/** One line of a fill's answer: what was asked for a field, what it holds now. */
export interface FilledLine {
  readonly field: string
  readonly asked: string
  readonly now: string
  readonly ok: boolean
  readonly problem: string
}

export function readFilled(value: JsonValue | undefined): FilledLine[] {
  const inner = isObject(value) ? Object.values(value).find(Array.isArray) : undefined
  const list = Array.isArray(value) ? value : (inner ?? [])
  return (list as JsonValue[]).flatMap((line) =>
    isObject(line) && 'field' in line
      ? [
          {
            field: shown(line['field']),
            asked: shown(line['asked']),
            now: shown(line['now']),
            ok: line['ok'] !== false,
            problem: shown(line['problem']),
          },
        ]
      : [],
  )
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.map(shown).join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
