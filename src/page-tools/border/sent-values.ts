// Which fields of the page a request sends. A body has names of its own, so its values are compared with those that
// were filled. The body itself is neither shown nor stored.
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import { leavesOf } from '../effects/filled-values.js'
import { wasChangedByAction } from '../effects/unsaved-input.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { Visibility } from '../dom/visibility.js'
import { isWithheld, type Field } from '../read/field.js'
import { fieldValueOf } from '../read/field-values.js'
import { truncate } from '../dom/text.js'

type Values = NonNullable<StoppedEffect['values']>

/** A field that was filled, as it was before the action. */
export interface FilledField {
  readonly label: string
  /** What a body may contain for it. */
  readonly sent: readonly string[]
  readonly isPrivate: boolean
}

/** Characters of all values of a request. */
const mostCharacters = 2_000

/** The fields that tools have filled and that were not sent yet. */
export function filledFields({ fields, visibility }: PageSnapshot): readonly FilledField[] {
  return fields()
    .filter(({ members }) => members.some(wasChangedByAction))
    .map((field) => ({ ...nowFilled(field), sent: textsIn(field, visibility) }))
}

/** A field with what it holds whenever that is read. */
export const nowFilled = (field: Field): FilledField => ({
  label: field.label,
  isPrivate: isWithheld(field),
  get sent() {
    return textsIn(field, new Visibility())
  },
})

function textsIn(field: Field, visibility: Visibility): readonly string[] {
  const value = fieldValueOf(field, visibility, (text) => text)
  const own = field.members.flatMap((one) => ('value' in one && typeof one.value === 'string' ? [one.value] : []))
  return [...own, ...(Array.isArray(value) ? value : [String(value)])].filter((text) => text !== '')
}

/** Characters. A shorter text stands in others by chance. */
const shortestPart = 4

/** What a body sends of them. */
export function sentValues(body: string, filled: readonly FilledField[]): Values {
  const leaves = new Set(leavesOf(body))
  // A value may hold more, such as another JSON text.
  const all = [...leaves].join('\n')
  const isSent = (text: string): boolean =>
    leaves.has(text) ||
    (text.length >= shortestPart && [text, JSON.stringify(text).slice(1, -1)].some((one) => all.includes(one)))
  let left = mostCharacters
  return filled.flatMap(({ label, sent, isPrivate }): Values => {
    const value = sent.find(isSent)
    if (value === undefined || left <= 0) return []
    if (isPrivate) return [{ field: truncate(label, 80), value: true, private: true }]
    const shown = truncate(value, Math.min(300, left))
    left -= shown.length + label.length
    return [{ field: truncate(label, 80), value: shown }]
  })
}
