// What a call of form_fill asks for, and the fields that it means.
import { ToolAgentError } from '../../core/data/errors.js'
import { isObject, type JsonValue } from '../../core/data/json.js'
import { isRef } from '../dom/element-refs.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import type { Field } from '../read/field.js'
import { membersOf } from './choices.js'
import { problemOf, type FillAttempt, type FillEntry } from './fill-attempt.js'
import { matchField, type FieldMatch } from './match-field.js'
import { rangeAttempts } from './ranges.js'

/** @throws `invalid-input` if an item names no field */
export function entriesOf(input: Record<string, unknown>): FillEntry[] {
  const given = input['fields']
  // Some models send an object of values by label.
  const byLabel = isObject(given) ? Object.entries(given).map(([field, value]) => ({ field, value })) : []
  const list: unknown[] = Array.isArray(given) ? given : byLabel
  return list.map((item) => {
    const field = isObject(item) ? (item['field'] ?? item['label'] ?? item['ref'] ?? item['name']) : undefined
    if (!isObject(item) || (typeof field !== 'string' && typeof field !== 'number'))
      throw new ToolAgentError('invalid-input', 'Each item of `fields` must be { field, value }')
    return { asked: String(field), value: (item['value'] ?? null) as JsonValue }
  })
}

/** The field with exactly this label or ref. Everything else needs `matchField`. */
function fieldCalled(asked: string, { visibility, refs, fields }: PageSnapshot): Field | undefined {
  const text = asked.trim()
  if (isRef(text)) {
    const element = refs.find(text, visibility)
    return fields().find((field) => field.element === element)
  }
  const found = fields().filter(({ label }) => label === text)
  return found.length === 1 ? found[0] : undefined
}

function matchEntry(entry: FillEntry, snapshot: PageSnapshot): FillAttempt[] {
  const range = rangeAttempts(entry, snapshot.fields())
  if (range) return [...range]
  const field = fieldCalled(entry.asked, snapshot)
  const found: FieldMatch = field ? { field } : matchField(entry.asked, snapshot.fields(), snapshot)
  if (found.problem !== undefined)
    return [
      {
        entry,
        label: entry.asked,
        written: false,
        problem: found.problem,
        later: found.stale !== true,
      },
    ]
  if (found.field) return [{ entry, label: found.field.label, field: found.field, written: false }]
  return membersOf(entry, found.group)
}

/** The attempts for all entries, in their order. */
export function matchAll(entries: readonly FillEntry[], snapshot: PageSnapshot): FillAttempt[] {
  return entries.flatMap((entry) => {
    try {
      return matchEntry(entry, snapshot)
    } catch (thrown) {
      return [{ entry, label: entry.asked, written: false, problem: problemOf(thrown) }]
    }
  })
}
