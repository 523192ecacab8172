// Which field a text means. One answer or none: where several fit, they are named, and nothing is guessed.
import { isRef } from '../dom/element-refs.js'
import type { Reading } from '../dom/page-snapshot.js'
import type { Field } from '../read/form-fields.js'
import { ToolAgentError } from '../../core/data/errors.js'
import { clean, plain, short } from '../dom/text.js'
import { likeness } from './parse-values.js'

export type Match =
  | { readonly field: Field; readonly problem?: never }
  | { readonly group: readonly Field[]; readonly field?: never; readonly problem?: never }
  | { readonly problem: string; readonly field?: never }

export const list = (labels: readonly string[], most = 8): string =>
  labels
    .slice(0, most)
    .map((label) => JSON.stringify(short(label, 60)))
    .join(', ') + (labels.length > most ? ` and ${labels.length - most} more` : '')

/** The labels nearest to what was asked. */
export function near(asked: string, labels: readonly string[]): string[] {
  const wanted = plain(asked)
  return labels
    .map((label) => ({ label, score: likeness(wanted, plain(label)) }))
    .sort((a, b) => b.score - a.score)
    .filter(({ score }, index) => index < 5 && (score > 0.2 || index < 3))
    .map(({ label }) => label)
}

/** The field that a label, name or ref means; a group of checkboxes by its legend. */
export function matchField(asked: string, fields: readonly Field[], reading: Reading): Match {
  const text = asked.trim().replace(/^\[?ref=(e\d+)\]?$/, '$1')
  if (isRef(text)) {
    try {
      const element = reading.element(text)
      const field = fields.find(
        (one) => one.element === element || (one.members as readonly Element[]).includes(element),
      )
      return field
        ? { field }
        : { problem: `${text} is no form field. Fields: ${list(fields.map(({ label }) => label))}` }
    } catch (error) {
      if (error instanceof ToolAgentError && error.code === 'stale-ref') {
        if (fields.some(({ name, label }) => name === text || label === text)) return matchByText(text, fields, reading)
        return { problem: `stale-ref: ${error.message}` }
      }
      throw error
    }
  }
  return matchByText(text, fields, reading)
}

function matchByText(text: string, fields: readonly Field[], { refs, sight }: Reading): Match {
  const wanted = plain(text)
  if (wanted === '') return { problem: `No field was named. Fields: ${list(fields.map(({ label }) => label))}` }
  const tests: ((field: Field) => boolean)[] = [
    (field) => field.label === text,
    (field) => plain(field.label) === wanted,
    (field) => field.name !== '' && field.name === text,
    (field) => plain(field.ownLabel) === wanted || plain(`${field.group} ${field.ownLabel}`) === wanted,
    (field) => field.element.id !== '' && field.element.id === text,
    (field) => field.name !== '' && plain(field.name) === wanted,
  ]
  for (const test of tests) {
    const found = fields.filter(test)
    if (found[0] && found.length === 1) return { field: found[0] }
    if (found.length > 1) {
      // Rows that are called alike are no group: what holds one together is a legend or a name.
      if (
        found.every(
          ({ type, group, name }) =>
            type === 'checkbox' &&
            group === found[0]?.group &&
            (group !== '' || (name !== '' && name === found[0]?.name)),
        )
      )
        return { group: found }
      return ambiguous(found)
    }
  }
  const group = fields.filter((field) => field.type === 'checkbox' && plain(field.group) === wanted)
  if (group.length > 0) return { group }
  const words = wanted.split(' ')
  const holds = fields.filter((field) => {
    const own = plain(field.label).split(' ')
    return words.every((word) => own.includes(word))
  })
  if (holds[0] && holds.length === 1) return { field: holds[0] }
  if (holds.length > 1) return ambiguous(holds)
  return {
    problem: `There is no field ${JSON.stringify(short(clean(text), 60))}. Near: ${
      list(
        near(
          text,
          fields.map(({ label }) => label),
        ),
      ) || 'none, the page shows no fields'
    }`,
  }

  function ambiguous(found: readonly Field[]): Match {
    return {
      problem: `Several fields fit: ${found
        .slice(0, 8)
        .map((field) => `${JSON.stringify(field.label)} (${refs.of(field.element, sight)})`)
        .join(', ')}. Name one of these.`,
    }
  }
}
