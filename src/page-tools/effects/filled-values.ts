// What the assistant has filled into this page since the visitor decided last. The next question shows it: a press may
// send any of it, from fields without a form, and from the steps of a form that are gone by then. A body has names of
// its own, so what was filled is found there by its value.
import { noteChangedByUser } from './unsaved-input.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { isWithheld, type Field } from '../read/field.js'
import { fieldValueOf } from '../read/field-values.js'
import { headingAround } from '../read/heading-around.js'
import { isObject, parseJson } from '../../core/data/json.js'

/** A value that the assistant has filled in. */
export interface FilledValue {
  readonly members: readonly Element[]
  readonly field: string
  /** The heading around the field. */
  readonly group?: string | undefined
  readonly value: string | boolean
}

let filled: readonly FilledValue[] = []

/** All texts that the assistant wrote into this page, of which a request may carry one. The newest are kept. */
const texts = new Set<string>()
const mostTexts = 300
/** Characters. A shorter text stands in others by chance: it counts as a whole value, if it is no number or letter. */
const shortestText = 4
const shortText = /\p{L}{2}|[^\p{ASCII}]/u

/** A tool is about to write a text, or has written it. */
export function noteText(text: string): void {
  const plain = text.trim()
  if (plain.length < shortestText && !shortText.test(plain)) return
  texts.delete(plain)
  texts.add(plain)
  for (const old of [...texts].slice(0, -mostTexts)) texts.delete(old)
}

/** Whether the assistant has written any text. */
export const hasFilled = (): boolean => texts.size > 0

/** Whether one of the texts of a request holds a text of the assistant, as it is, in JSON, or in an address. */
export function carriesFilled(sent: readonly string[]): boolean {
  if (!hasFilled()) return false
  const decoded = sent.flatMap((text) => [text, fromAddress(text)])
  const leaves = new Set(sent.flatMap((text) => leavesOf(text)))
  const isIn = (text: string): boolean => {
    const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    const whole = new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'u')
    return decoded.some((one) => one.includes(text) && whole.test(one))
  }
  return [...texts].some((text) =>
    text.length < shortestText ? leaves.has(text) : isIn(text) || isIn(JSON.stringify(text).slice(1, -1)),
  )
}

function fromAddress(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text // A percent sign that encodes nothing.
  }
}

/** The value of a field, with the invisible characters that a question shows. */
export function valueIn(field: Field, { visibility }: Pick<PageSnapshot, 'visibility'>): string | boolean {
  const value = fieldValueOf(field, visibility, (text) => text)
  if (typeof value === 'boolean') return value
  return Array.isArray(value) ? value.join(', ') : String(value ?? '')
}

const isSame = (one: FilledValue, { members, label }: Field): boolean =>
  one.members.some((member) => members.includes(member)) ||
  // Drawn anew by the page.
  (one.field === label && one.members.every((member) => !member.isConnected))

/** A tool has written into the fields. */
export function noteFilled(fields: readonly Field[], snapshot: PageSnapshot): void {
  for (const field of fields) {
    if (isWithheld(field)) continue
    const group = headingAround(field.element, snapshot)
    const { members, label } = field
    const value = valueIn(field, snapshot)
    if (typeof value === 'string') noteText(value)
    filled = [...filled.filter((one) => !isSame(one, field)), { members, field: label, group, value }]
  }
}

/** What the visitor has edited since is theirs. */
export function noteEditedByUser(element: Element): void {
  noteChangedByUser(element)
  filled = filled.filter(({ members }) => !members.includes(element))
}

/** What the visitor has not decided about, as it is now. A field that is gone keeps its value. */
export function filledValues(snapshot: PageSnapshot): readonly FilledValue[] {
  if (filled.length === 0) return []
  return filled
    .map((one) => {
      const field = snapshot.fields().find((now) => isSame(one, now))
      return field ? { ...one, members: field.members, value: valueIn(field, snapshot) } : one
    })
    .filter(({ value }) => value !== '')
}

/** The visitor has allowed a press whose question has shown these values. */
export function noteDecided(shown: readonly FilledValue[]): void {
  filled = filled.filter(({ field, value }) => !shown.some((one) => one.field === field && one.value === value))
}

/** Reads the fields, and notes those that are other ones when the returned function is called. */
export function watchFilled(before: PageSnapshot): (after: PageSnapshot) => void {
  const values = new Map(before.fields().map((field) => [field.label, valueIn(field, before)]))
  return (after) =>
    noteFilled(
      after.fields().filter((field) => values.has(field.label) && values.get(field.label) !== valueIn(field, after)),
      after,
    )
}

/** Texts in texts are read to this depth. */
const deepest = 3

/** The values in a body: of JSON, also one a line; of a form or an address; of JSON in one of these. A text is one. */
export function leavesOf(body: string, depth = 0): string[] {
  if (depth >= deepest) return [body]
  const json = parseJson(body)
  if (json !== undefined) return jsonLeaves(json, depth)
  const lines = body.split('\n')
  if (lines.length > 1) return [body, ...lines.flatMap((line) => leavesOf(line, depth + 1))]
  const values = [...new URLSearchParams(body.replace(/^[^=]*\?/, '')).values()].filter((value) => value !== '')
  return [body, ...values.flatMap((value) => leavesOf(value, depth + 1))]
}

function jsonLeaves(value: unknown, depth: number): string[] {
  if (Array.isArray(value) || isObject(value)) return Object.values(value).flatMap((one) => jsonLeaves(one, depth))
  const text = String(value)
  return typeof value === 'string' && /^\s*[[{]/.test(text) ? [text, ...leavesOf(text, depth + 1)] : [text]
}
