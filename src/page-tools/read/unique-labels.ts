// Makes labels unique that several fields of a page share.
import { withIndex } from '../../core/data/lists.js'
import { asLabel, toComparable, toComparableLabel, toReadable } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import type { FieldDraft } from './field.js'
import { distinctive, placesAmong } from './places.js'

/**
 * What distinguishes fields that share a label, such as the parts of a date: placeholder or identifiers. The
 * placeholder of a private field is private.
 */
const ownHints: readonly ((draft: FieldDraft | undefined) => string)[] = [
  (draft) => (draft?.secret ? '' : asLabel(draft?.element.getAttribute('placeholder') ?? '')),
  (draft) => toReadable(draft?.element.getAttribute('name') ?? ''),
  (draft) => toReadable(draft?.element.id ?? ''),
]

/**
 * The labels of all fields, unique among them: extends equal labels by the group, row, section or form, then by hints,
 * and at last by a number.
 */
export function uniqueLabels(drafts: readonly FieldDraft[], visibility: Visibility): string[] {
  const labels = drafts.map((draft) => draft.ownLabel)
  if (new Set(labels.map(toComparableLabel)).size === labels.length) return labels
  const equalLabels = (): number[][] => {
    const byLabel = new Map<string, number[]>()
    for (const [index, label] of withIndex(labels)) {
      const key = toComparableLabel(label)
      const same = byLabel.get(key)
      if (same) same.push(index)
      else byLabel.set(key, [index])
    }
    return [...byLabel.values()].filter((indexes) => indexes.length > 1)
  }
  for (const indexes of equalLabels()) {
    const equal = indexes.flatMap((index) => drafts[index] ?? [])
    const around = placesAmong(
      equal.map(({ element }) => element),
      visibility,
    )
    const options = equal.map(({ group, ownLabel }, at) =>
      [group, ...(around[at] ?? [])].filter((text) => text !== '' && text !== ownLabel),
    )
    const apart = distinctive(options)
    indexes.forEach((index, at) => {
      const text = apart[at]
      if (text) labels[index] = `${text}: ${drafts[index]?.ownLabel ?? ''}`
    })
  }
  for (const indexes of equalLabels()) {
    for (const hintOf of ownHints) {
      const hints = indexes.map((index) => hintOf(drafts[index]))
      if (
        new Set(hints).size < hints.length ||
        !hints.every(
          (text, at) =>
            /\p{L}{2}/u.test(text) && toComparable(text) !== toComparable(drafts[indexes[at] ?? 0]?.ownLabel ?? ''),
        )
      )
        continue
      indexes.forEach((index, at) => {
        labels[index] = `${labels[index] ?? ''} (${hints[at] ?? ''})`
      })
      break
    }
  }
  for (const indexes of equalLabels()) {
    indexes.forEach((index, at) => {
      labels[index] = `${labels[index] ?? ''} (${at + 1})`
    })
  }
  // A label with a number may equal another label that already ended in this number.
  for (let round = 0; round < 3; round++)
    for (const indexes of equalLabels())
      indexes.slice(1).forEach((index, at) => {
        labels[index] = `${labels[index] ?? ''} (${at + 2})`
      })
  return labels
}
