// Makes labels unique that several fields of a page share.
import { asLabel, toComparable, toComparableLabel, toReadable } from '../dom/text.js'
import type { Visibility } from '../dom/visibility.js'
import { surroundings } from './field-labels.js'
import type { FieldDraft } from './field.js'

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
    for (const [index, label] of labels.entries()) {
      const key = toComparableLabel(label)
      const same = byLabel.get(key)
      if (same) same.push(index)
      else byLabel.set(key, [index])
    }
    return [...byLabel.values()].filter((indexes) => indexes.length > 1)
  }
  for (const indexes of equalLabels()) {
    const options = indexes.map((index) => {
      const draft = drafts[index]
      return draft
        ? [draft.group, ...surroundings(draft.element, visibility)].filter(
            (text) => text !== '' && text !== draft.ownLabel,
          )
        : []
    })
    // Counted instead of compared in pairs: a page may have thousands of fields without a name.
    const holders = new Map<string, number>()
    for (const texts of options) for (const text of new Set(texts)) holders.set(text, (holders.get(text) ?? 0) + 1)
    indexes.forEach((index, at) => {
      const distinctive =
        options[at]?.find((text) => holders.get(text) === 1) ??
        options[at]?.find((text) => (holders.get(text) ?? 0) < options.length)
      if (distinctive) labels[index] = `${distinctive}: ${drafts[index]?.ownLabel ?? ''}`
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
