// Matches values to checkboxes and options. An ambiguous value is an error that lists the matches; nothing is guessed.
// Loaded with the first such field.
import type { JsonValue } from '../../core/data/json.js'
import { isTag } from '../dom/dom.js'
import type { Field } from '../read/form-fields.js'
import type { Option } from '../dom/field-state.js'
import { normalizeText, toComparable, truncate } from '../dom/text.js'
import type { FillAttempt, FillEntry } from './form-fill.js'
import { listFields, similarFields } from './match-field.js'
import { digitsOf, parseNumber } from './parse-values.js'

const yes = new Set(
  (
    'yes y true on 1 checked check x ja j oui o si sí sim tak ano da да evet kyllä igen ναι はい 是 예 네 نعم כן ok ' +
    'selected agree'
  ).split(' '),
)
const no = new Set(
  (
    'no n false off 0 unchecked uncheck none nein non nao não nie ne nee нет hayır hayir ei nem όχι いいえ 否 不 아니요 ' +
    '아니오 لا לא nej nei'
  ).split(' '),
)

/** Parses true or false, also from words of many languages. Empty and null are false; undefined if unknown. */
export function parseBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value
  if (value === null) return false
  const word = digitsOf(String(value)).trim().toLowerCase().replace(/[.!]$/, '')
  if (yes.has(word)) return true
  return no.has(word) || word === '' ? false : undefined
}

/** The label of an option's `<optgroup>`; '' if none. */
const groupOf = ({ element }: Option): string =>
  isTag(element.parentElement, 'optgroup') ? normalizeText(element.parentElement.label) : ''
const grouped = (option: Option): string =>
  groupOf(option) === '' ? option.label : `${groupOf(option)}: ${option.label}`

/** Labels with a negation: "no nuts" must not match "nuts". */
const negated = /(^| )(no|non|not|none|without|kein\w*|nicht|ohne|sans|pas|sin|sem|senza|geen|niet)( |$)/

/** Finds the option for a value by label or value, whole before partial. Also compares numbers, and yes and no. */
export function matchOption(
  value: unknown,
  options: readonly Option[],
  languages: readonly string[] = [],
): { readonly option: Option; readonly problem?: never } | { readonly problem: string; readonly option?: never } {
  const text = value === null || value === undefined ? '' : String(value).trim()
  const wanted = toComparable(text)
  const open = options.filter((option) => !option.disabled)
  if (wanted === '') {
    const exact = options.find((option) => option.label === text || option.value === text)
    const empty = exact ?? options.find((option) => option.value === '')
    return empty
      ? { option: empty }
      : {
          problem: `The field cannot be cleared, because it has no empty option. Options: ${listFields(
            open.map(({ label }) => label),
            20,
          )}`,
        }
  }
  const number = parseNumber(value, languages)
  const truth = parseBoolean(value)
  const has = (label: string, part: string): boolean => ` ${label} `.includes(` ${part} `)
  const tests: ((option: Option) => boolean)[] = [
    ({ label }) => label === text,
    ({ label }) => toComparable(label) === wanted,
    (option) => option.value === text,
    (option) => option.value !== '' && toComparable(option.value) === wanted,
    (option) => groupOf(option) !== '' && toComparable(grouped(option)) === wanted,
    ({ label }) => truth !== undefined && typeof value !== 'number' && parseBoolean(label) === truth && label !== '',
    (option) => number !== undefined && /^\D*[\d.,]+\D*$/.test(text) && parseNumber(option.label, languages) === number,
    ({ label }) => toComparable(label).startsWith(`${wanted} `),
    ({ label }) => has(toComparable(label), wanted) && negated.test(toComparable(label)) === negated.test(wanted),
    ({ label }) => wanted.length >= 3 && toComparable(label).startsWith(wanted),
  ]
  for (const test of tests) {
    const found = options.filter(test)
    const allowed = found.filter((option) => !option.disabled)
    if (allowed[0] && allowed.length === 1) return { option: allowed[0] }
    if (allowed.length > 1) {
      const exact = allowed.filter((option) => option.label === allowed[0]?.label && option.value === allowed[0]?.value)
      if (exact.length === allowed.length && allowed[0]) return { option: allowed[0] }
      const twins = new Set(allowed.map(grouped)).size < allowed.length
      const labels = allowed.map((option) => grouped(option) + (twins ? ` (value ${option.value})` : ''))
      return { problem: `Several options match. Pass one of: ${listFields(labels)}` }
    }
    if (found[0])
      return {
        problem: `The option ${JSON.stringify(found[0].label)} is disabled. Enabled options: ${listFields(
          open.map(({ label }) => label),
          20,
        )}`,
      }
  }
  const nearest =
    open.length > 20
      ? ` Closest: ${listFields(
          similarFields(
            text,
            open.map(({ label }) => label),
          ),
        )}.`
      : ''
  return {
    problem: `There is no option ${JSON.stringify(truncate(normalizeText(text), 60))}.${nearest} Options: ${listFields(
      open.map(({ label }) => label),
      20,
    )}`,
  }
}

/** The separate values for a set of options. If several can be chosen, a text may list them. */
export function wantedOptions(
  value: unknown,
  options: readonly Option[],
  several: boolean,
  languages: readonly string[],
): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (several && (value === null || value === '')) return []
  return several && typeof value === 'string' && !matchOption(value, options, languages).option
    ? value.split(/\s*[,;\n]\s*/).filter((part) => part !== '')
    : [value]
}

/**
 * Turns a list for a group of checkboxes into one attempt per checkbox: those on the list are checked, the others
 * unchecked.
 */
export function membersOf(entry: FillEntry, group: readonly Field[]): FillAttempt[] {
  const truth = Array.isArray(entry.value) ? undefined : parseBoolean(entry.value)
  const wanted = (
    Array.isArray(entry.value) ? (entry.value as readonly JsonValue[]) : String(entry.value ?? '').split(/\s*[,;\n]\s*/)
  )
    .map((one) => String(one).toLowerCase().trim())
    .filter((one) => one !== '' && truth === undefined)
  const names = (field: Field): string[] =>
    [field.label, field.ownLabel, (field.element as Partial<HTMLInputElement>).value ?? ''].map((name) =>
      name.toLowerCase(),
    )
  const unknown = wanted.filter((one) => !group.some((field) => names(field).includes(one)))
  const attempts: FillAttempt[] = group.map((field) => ({
    entry: { asked: field.label, value: truth ?? names(field).some((name) => wanted.includes(name)) },
    label: field.label,
    field,
    written: false,
  }))
  if (unknown.length > 0)
    return [
      {
        entry,
        label: entry.asked,
        written: false,
        problem:
          `There is no ${unknown.map((one) => JSON.stringify(one)).join(', ')} in ${entry.asked}. ` +
          `Options: ${group.map(({ ownLabel }) => JSON.stringify(ownLabel)).join(', ')}`,
      },
    ]
  return attempts
}
