// The arguments of a call as form fields: from a JSON Schema and the input to fields, and from what the user typed back
// to JSON. Pure. What has no field of its own is edited as JSON.
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { choicesOf, isDate, itemSchema, labelOf, propertySchema, type Choice } from '../message/values/schema-labels.js'

/** How a value is edited. `lines`: an array of strings, one per line. `json`: anything else, as JSON text. */
export type FieldKind = 'text' | 'long' | 'number' | 'boolean' | 'choice' | 'date' | 'lines' | 'json'

/** One value of the form. */
export interface Field {
  /** The keys that lead to the value; empty for the whole input. */
  readonly path: readonly string[]
  /** What the user reads instead of the key. */
  readonly label: string
  /** How it is edited. */
  readonly kind: FieldKind
  /** The object around it must have it. */
  readonly required: boolean
  /** Its schema, without references; {} if there is none. */
  readonly schema: JsonObject
  /** The values to choose from, for the kind `choice`. */
  readonly choices: readonly Choice[]
  /** The value before the user edits it; undefined if the input does not have it. */
  readonly value: JsonValue | undefined
}

/** A field, or the fields of an object in the input. */
export type Entry = Field | { readonly label: string; readonly fields: readonly Field[] }

/** What the user typed or checked, by `fieldKey`. Fields that are missing keep their value. */
export type Edits = ReadonlyMap<string, string | boolean>

/** Longer texts get a field of several lines. */
const lineLength = 60
/** The key of a field in `Edits`. */
export function fieldKey({ path }: Pick<Field, 'path'>): string {
  return JSON.stringify(path)
}

/** The fields of an input, in the order of the schema. An object in it becomes a group, one level deep. */
export function fieldsOf(root: JsonObject, input: JsonValue): readonly Entry[] {
  if (!isObject(input)) return [jsonField([], '', input)]
  return keysOf(root, input as JsonObject).map((key): Entry => {
    const value = (input as JsonObject)[key]
    const schema = propertySchema(root, root, key)
    const isGroup = value === undefined ? isObject(schema['properties']) : isObject(value)
    if (!isGroup || choicesOf(schema).length > 0) return fieldOf(root, root, [key], value)
    const inner = (value ?? {}) as JsonObject
    const keys = keysOf(schema, inner)
    if (keys.length === 0) return fieldOf(root, root, [key], value)
    return {
      label: labelOf(key, schema),
      fields: keys.map((name) => fieldOf(root, schema, [key, name], inner[name])),
    }
  })
}

function keysOf(schema: JsonObject, value: JsonObject): string[] {
  const declared = isObject(schema['properties']) ? Object.keys(schema['properties']) : []
  const given = Object.keys(value).filter((key) => value[key] !== undefined)
  return [...new Set([...declared, ...given])]
}

/** `parent`: the schema of the object that has the value under the last key of `path`. */
function fieldOf(root: JsonObject, parent: JsonObject, path: readonly string[], value: JsonValue | undefined): Field {
  const key = path.at(-1) ?? ''
  const schema = propertySchema(root, parent, key)
  const choices = choicesOf(schema)
  const { required } = parent
  return {
    path,
    label: labelOf(key, schema),
    kind: kindOf(root, schema, choices, value),
    required: Array.isArray(required) && required.includes(key),
    schema,
    choices,
    value,
  }
}

function jsonField(path: readonly string[], label: string, value: JsonValue): Field {
  return { path, label, kind: 'json', required: true, schema: {}, choices: [], value }
}

/** The kind that can hold both what the schema allows and the present value. */
function kindOf(
  root: JsonObject,
  schema: JsonObject,
  choices: readonly Choice[],
  value: JsonValue | undefined,
): FieldKind {
  if (choices.length > 0) return value === undefined || indexOf(choices, value) >= 0 ? 'choice' : 'json'
  const { type, format } = schema
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string' && one !== 'null')
  if (types.length > 1) return 'json'
  const given = value === undefined || value === null ? undefined : jsonType(value)
  const wanted = types[0] === 'integer' ? 'number' : types[0]
  if (wanted !== undefined && given !== undefined && wanted !== given) return 'json'
  switch (wanted ?? given) {
    case 'string': {
      const text = typeof value === 'string' ? value : ''
      if (format === 'date' && (text === '' || isDate(text))) return 'date'
      return text.length > lineLength || text.includes('\n') ? 'long' : 'text'
    }
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array': {
      const items = Array.isArray(value) ? (value as readonly JsonValue[]) : []
      const declared = itemSchema(root, schema)
      const areTexts = items.every((item) => typeof item === 'string' && !/\n|^\s|\s$|^$/.test(item))
      const isDeclared = declared['type'] === 'string' && choicesOf(declared).length === 0
      return areTexts && (isDeclared || (items.length > 0 && declared['type'] === undefined)) ? 'lines' : 'json'
    }
    default:
      return 'json'
  }
}

function jsonType(value: JsonValue): string {
  return Array.isArray(value) ? 'array' : typeof value
}

function indexOf(choices: readonly Choice[], value: JsonValue): number {
  const text = JSON.stringify(value)
  return choices.findIndex((choice) => JSON.stringify(choice.value) === text)
}

/** What the control of a field shows: checked or not, the index of a choice, or a text. */
export function shownValue({ kind, value, choices }: Field): string | boolean {
  if (kind === 'boolean') return value === true
  if (value === undefined || (value === null && kind !== 'json')) return ''
  if (kind === 'choice') return String(indexOf(choices, value))
  if (kind === 'lines') return (value as readonly string[]).join('\n')
  return kind === 'json' ? JSON.stringify(value, null, 2) : String(value)
}

/**
 * The value for what the control of a field shows; undefined leaves it out. An unchanged control gives the value that
 * was there.
 * @throws SyntaxError if a JSON field has no JSON
 */
export function valueFrom(field: Field, shown: string | boolean): JsonValue | undefined {
  const { kind, required, choices, value } = field
  if (shown === shownValue(field)) return value
  if (typeof shown === 'boolean') return shown
  const text = shown.trim()
  switch (kind) {
    case 'number':
      return text === '' ? undefined : Number(text)
    case 'choice':
      return choices[text === '' ? -1 : Number(text)]?.value
    case 'lines': {
      const lines = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
      return lines.length === 0 && !required ? undefined : lines
    }
    case 'json':
      return text === '' ? undefined : (JSON.parse(text) as JsonValue)
    default:
      return shown === '' && !required ? undefined : shown
  }
}

/** The input with the edits. `invalid`: the keys of the fields whose text is not JSON; these keep their value. */
export function editedInput(
  entries: readonly Entry[],
  input: JsonValue,
  edits: Edits,
): { readonly input: JsonValue; readonly invalid: ReadonlySet<string> } {
  const invalid = new Set<string>()
  let result = input
  for (const field of entries.flatMap((entry) => ('fields' in entry ? entry.fields : [entry]))) {
    const key = fieldKey(field)
    const shown = edits.get(key)
    if (shown === undefined) continue
    try {
      result = withValue(result, field.path, valueFrom(field, shown)) ?? {}
    } catch {
      // The user is still typing; the form shows that this is not JSON yet.
      invalid.add(key)
    }
  }
  return { input: result, invalid }
}

/** A copy with another value at a path; undefined removes the key. Keys keep their order. */
function withValue(
  target: JsonValue | undefined,
  [key, ...rest]: readonly string[],
  value: JsonValue | undefined,
): JsonValue | undefined {
  if (key === undefined) return value
  const object = isObject(target) ? (target as JsonObject) : {}
  const inner = Object.hasOwn(object, key) ? object[key] : undefined
  const next = withValue(inner, rest, value)
  // Removing a key of an object that does not exist must not create the object.
  if (next === undefined && inner === undefined) return target
  const entries = Object.entries(object).filter(([name]) => name !== key || next !== undefined)
  const isNew = !Object.hasOwn(object, key)
  // fromEntries defines its keys, so a key called __proto__ stays an ordinary one.
  return Object.fromEntries([
    ...entries.map(([name, old]) => [name, name === key ? next : old] as const),
    ...(isNew && next !== undefined ? [[key, next] as const] : []),
  ]) as JsonObject
}
