// Which field a kind of detail belongs to: an e-mail address, a day, a name. Type and label decide.
import type { JsonValue } from '../../src/core/data/json.js'
import { saysHalf } from './dates.js'
import type { Detail, DetailKind } from './details.js'
import type { Field } from './form.js'
import { wordsOf } from './words.js'

const plain = (text: string): string => wordsOf(text).join(' ')

interface Fit {
  /** Types made for this kind. */
  readonly types: readonly string[]
  readonly label: RegExp
  /** Labels of fields that ask for something else of the same type. */
  readonly not?: RegExp
  /** Types that fit as well where the label does. */
  readonly texts?: readonly string[]
}
export const freeTexts: readonly string[] = ['text', 'search', 'textarea', 'custom', 'editable', 'combobox']
const choices: readonly string[] = ['select', 'radio', 'listbox', 'combobox']
const fits: Record<Exclude<DetailKind, 'name'>, Fit> = {
  email: { types: ['email'], label: /\be ?mail\b/, not: /\b(friend|confirm|repeat|newsletter)\b/ },
  phone: { types: ['tel'], label: /\b(phone|mobile|telephone|tel|cell|number to call)\b/, not: /\bfax\b/ },
  url: { types: ['url'], label: /\b(website|url|link|homepage|web)\b/ },
  date: {
    types: ['date'],
    label: /\b(date|day|when|arrival|check in)\b/,
    not: /\b(birth|born|expir\w*|until|end|return|departure|check out)\b/,
  },
  time: { types: ['time'], label: /\b(time|hour|arrival|when)\b/, not: /\b(end|until|departure|taxi)\b/ },
  count: {
    types: [],
    texts: ['number', 'range', 'spinbutton', 'slider'],
    label: /\b(guests?|people|party|persons?|covers|diners|adults|how many|seats|pax|group|size|tickets?)\b/,
    not: /\b(child|children|kids?|budget|price|age|per|chairs?|phone|address)\b/,
  },
}

/** How well a field fits a kind of detail; 0 for not at all. */
function fitOf(field: Field, fit: Fit): number {
  const said = plain(`${field.label} ${field.name}`)
  if (fit.not?.test(said)) return 0
  const isLabelled = fit.label.test(said)
  if (fit.types.includes(field.type)) return isLabelled ? 12 : 9
  const fitting = [...(fit.texts ?? []), ...freeTexts, ...choices]
  if (!isLabelled || !fitting.includes(field.type)) return 0
  return fit.texts?.includes(field.type) ? 8 : 5
}

/** The field with the highest score above zero; of equals the first. */
export function best(fields: readonly Field[], score: (field: Field) => number): Field | undefined {
  const ranked = fields.map((field) => ({ field, score: score(field) })).filter((one) => one.score > 0)
  return ranked.reduce<(typeof ranked)[number] | undefined>(
    (top, one) => (top === undefined || one.score > top.score ? one : top),
    undefined,
  )?.field
}

/** The fields that a detail goes to, with its value for each; a name may go to two. */
export function placeDetail(detail: Detail, fields: readonly Field[], all: readonly Detail[]): [Field, JsonValue][] {
  if (detail.kind === 'name') return placeName(detail.value, fields)
  const field = best(fields, (one) => fitOf(one, fits[detail.kind as Exclude<DetailKind, 'name'>]))
  const value = field && valueFor(detail, field)
  if (field !== undefined && value !== undefined) return [[field, value]]
  if (detail.kind !== 'date' && detail.kind !== 'time') return []
  // Date and time in one field, or only the month or the week of it.
  const time = all.find(({ kind }) => kind === 'time')?.value
  const day = all.find(({ kind }) => kind === 'date')?.value
  const joint = fields.find(
    ({ type, label }) =>
      type === 'datetime-local' && !fits.date.not?.test(plain(label)) && !fits.time.not?.test(plain(label)),
  )
  if (joint && day && time) return [[joint, `${day}T${time}`]]
  return []
}

function valueFor(detail: Detail, field: Field): JsonValue | undefined {
  if (detail.kind === 'time' && field.type === 'time') return timeFor(detail, field)
  if (field.options.length > 0) {
    const wanted = [detail.value, detail.said].map(plain)
    return (
      field.options.find((option) => wanted.includes(plain(option))) ??
      field.options.find(
        (option) =>
          plain(option).split(' ')[0] === plain(detail.value).split(' ')[0] &&
          (detail.kind === 'count' || plain(option).startsWith(plain(detail.value))),
      )
    )
  }
  return detail.kind === 'count' && field.type !== 'text' ? Number(detail.value) : detail.value
}

/** `at 8` where the form takes no mornings is eight in the evening; the answer says that it was taken so. */
export function timeFor({ value: time, said }: Pick<Detail, 'value' | 'said'>, { min, max }: Field): string {
  if (saysHalf(said)) return time
  const later = `${String(Number(time.slice(0, 2)) + 12).padStart(2, '0')}${time.slice(2)}`
  return min !== '' && time < min && time < '12:00' && later >= min && (max === '' || later <= max) ? later : time
}

/** The last word is the family name, with the particles before it. */
function placeName(name: string, fields: readonly Field[]): [Field, JsonValue][] {
  const boxes = fields.filter(({ type }) => type === 'text' || type === 'custom')
  const labelled = (pattern: RegExp): Field | undefined =>
    boxes.find(({ label, name: code }) => pattern.test(plain(label)) || pattern.test(plain(code)))
  const first = labelled(/\b(first|given|fore) ?name\b|^(firstname|forename|given)$/)
  const last = labelled(/\b(last|family|sur) ?name\b|^(lastname|surname|family)$/)
  const [, given = name, family = ''] =
    /^(.+?)\s+((?:(?:de|da|di|del|della|van|von|der|den|la|le|bin|al|el|zu)\s+)*\S+)$/.exec(name) ?? []
  if (first && last && family !== '')
    return [
      [first, given],
      [last, family],
    ]
  const whole =
    labelled(
      /^(your |full |guest |customer |contact |booking )?name$|\b(full|your) name\b|\bname (?:of|for|on) (?:the )?(?:booking|reservation)\b/,
    ) ??
    boxes.find(
      ({ label }) =>
        /\bname\b/.test(plain(label)) &&
        !/\b(user|nick|company|card|file|business|school|pet|first|last|given|family|sur)\b/.test(plain(label)),
    )
  if (whole) return [[whole, name]]
  const only = first ?? last
  return only ? [[only, name]] : []
}
