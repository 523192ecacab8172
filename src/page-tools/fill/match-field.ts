// Finds the field that a text means. An ambiguous text is an error that lists the matches; nothing is guessed.
import { isOneOfSeveral } from '../controls/kinds.js'
import { finish } from '../dom/steps.js'
import { unreadParts } from '../read/unread-parts.js'
import { isRef } from '../dom/element-refs.js'
import { elementOf, refNamed } from '../read/named-parts.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import type { Field } from '../read/field.js'
import { ToolAgentError } from '../../core/data/errors.js'
import { normalizeText, toComparable, truncate } from '../dom/text.js'
import { meansAnother } from './other-fields.js'
import { similarFields } from './parse-values.js'
import { listFields } from './plan.js'

/** One field, the checkboxes of a group, or why there is none. */
export type FieldMatch =
  | {
      /** The only field that matches. */
      readonly field: Field
      readonly problem?: never
    }
  | {
      /** All checkboxes of the group, in document order. */
      readonly group: readonly Field[]
      readonly field?: never
      readonly problem?: never
    }
  | {
      /** Why no single field matches, as the model reads it. Lists the fields that are meant or are similar. */
      readonly problem: string
      /** The ref is stale, so a second attempt cannot succeed. */
      readonly stale?: true
      readonly field?: never
    }

/** Finds a field by label, name or ref, or a group of checkboxes by its legend. */
export function matchField(asked: string, fields: readonly Field[], snapshot: PageSnapshot): FieldMatch {
  const text = refNamed(asked) ?? asked.trim()
  if (isRef(text)) {
    try {
      const element = elementOf(text, snapshot)
      const field = fields.find(
        (one) => one.element === element || (one.members as readonly Element[]).includes(element),
      )
      return field
        ? { field }
        : { problem: `${text} is not a form field. Fields: ${listFields(fields.map(({ label }) => label))}` }
    } catch (error) {
      if (error instanceof ToolAgentError && error.code === 'stale-ref') {
        if (fields.some(({ name, label }) => name === text || label === text))
          return matchByText(text, fields, snapshot)
        return { problem: `stale-ref: ${error.message}`, stale: true }
      }
      throw error
    }
  }
  return matchByText(text, fields, snapshot)
}

function matchByText(text: string, fields: readonly Field[], { refs, visibility }: PageSnapshot): FieldMatch {
  const wanted = toComparable(text)
  if (wanted === '') return { problem: `Pass a field. Fields: ${listFields(fields.map(({ label }) => label))}` }
  const tests: ((field: Field) => boolean)[] = [
    (field) => field.label === text,
    (field) => toComparable(field.label) === wanted,
    (field) => field.name !== '' && field.name === text,
    (field) => toComparable(field.ownLabel) === wanted || toComparable(`${field.group} ${field.ownLabel}`) === wanted,
    (field) => field.element.id !== '' && field.element.id === text,
    (field) => field.name !== '' && toComparable(field.name) === wanted,
  ]
  for (const test of tests) {
    const found = fields.filter(test)
    if (found[0] && found.length === 1) return { field: found[0] }
    if (found.length > 1) {
      // Equal checkboxes are a group only if they share a legend or a name.
      if (
        found.every(
          (field) =>
            isOneOfSeveral(field) &&
            field.group === found[0]?.group &&
            (field.group !== '' || (field.name !== '' && field.name === found[0]?.name)),
        )
      )
        return { group: found }
      return ambiguous(found)
    }
  }
  const group = fields.filter((field) => isOneOfSeveral(field) && toComparable(field.group) === wanted)
  if (group.length > 0) return { group }
  const words = wanted.split(' ')
  const holds = fields.filter((field) => {
    const own = toComparable(field.label).split(' ')
    return words.every((word) => own.includes(word)) && !meansAnother(own, words)
  })
  if (holds[0] && holds.length === 1) return { field: holds[0] }
  if (holds.length > 1) return ambiguous(holds)
  const unread = finish(unreadParts(visibility))
  return {
    problem: `There is no field ${JSON.stringify(truncate(normalizeText(text), 60))}. Closest: ${
      listFields(
        similarFields(
          text,
          fields.map(({ label }) => label),
        ),
      ) || 'none, the page has no fields'
    }${unread && `. ${unread}: the user fills fields there`}`,
  }

  function ambiguous(found: readonly Field[]): FieldMatch {
    return {
      problem: `Several fields match: ${found
        .slice(0, 8)
        .map((field) => `${JSON.stringify(field.label)} (${refs.refFor(field.element, visibility)})`)
        .join(', ')}. Pass one of these refs.`,
    }
  }
}
