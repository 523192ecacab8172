// Which field or option a text means. One answer or none: where several fit, they are named, and nothing is guessed.
import { isRef } from '../read/refs.js'
import type { Reading } from '../read/reading.js'
import type { Field } from '../read/fields.js'
import type { Option } from '../read/state.js'
import { ToolAgentError } from '../../core/errors.js'
import { isTag } from '../dom.js'
import { clean, plain, short } from '../text.js'
import { parseBoolean, parseNumber, likeness } from './values.js'

export type Match = { readonly field: Field; readonly problem?: never } | { readonly group: readonly Field[]; readonly field?: never; readonly problem?: never } | { readonly problem: string; readonly field?: never }

const list = (labels: readonly string[], most = 8): string => labels.slice(0, most).map((label) => JSON.stringify(short(label, 60))).join(', ') + (labels.length > most ? ` and ${labels.length - most} more` : '')

/** The labels nearest to what was asked. */
function near(asked: string, labels: readonly string[]): string[] {
  const wanted = plain(asked)
  return labels.map((label) => ({ label, score: likeness(wanted, plain(label)) })).sort((a, b) => b.score - a.score).filter(({ score }, index) => index < 5 && (score > 0.2 || index < 3)).map(({ label }) => label)
}

/** The field that a label, name or ref means; a group of checkboxes by its legend. */
export function matchField(asked: string, fields: readonly Field[], reading: Reading): Match {
  const text = asked.trim().replace(/^\[?ref=(e\d+)\]?$/, '$1')
  if (isRef(text)) {
    try {
      const element = reading.element(text)
      const field = fields.find((one) => one.element === element || (one.members as readonly Element[]).includes(element))
      return field ? { field } : { problem: `${text} is no form field. Fields: ${list(fields.map(({ label }) => label))}` }
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
      if (found.every(({ type, group, name }) => type === 'checkbox' && group === found[0]?.group && (group !== '' || (name !== '' && name === found[0]?.name)))) return { group: found }
      return ambiguous(found)
    }
  }
  const group = fields.filter((field) => field.type === 'checkbox' && plain(field.group) === wanted)
  if (group.length > 0) return { group }
  const words = wanted.split(' ')
  const holds = fields.filter((field) => { const own = plain(field.label).split(' '); return words.every((word) => own.includes(word)) })
  if (holds[0] && holds.length === 1) return { field: holds[0] }
  if (holds.length > 1) return ambiguous(holds)
  return { problem: `There is no field ${JSON.stringify(short(clean(text), 60))}. Near: ${list(near(text, fields.map(({ label }) => label))) || 'none, the page shows no fields'}` }

  function ambiguous(found: readonly Field[]): Match {
    return { problem: `Several fields fit: ${found.slice(0, 8).map((field) => `${JSON.stringify(field.label)} (${refs.of(field.element, sight)})`).join(', ')}. Name one of these.` }
  }
}

/** The group that an option stands in, as a person reads it. */
const groupOf = ({ element }: Option): string => (isTag(element.parentElement, 'optgroup') ? clean(element.parentElement.label) : '')
const grouped = (option: Option): string => (groupOf(option) === '' ? option.label : `${groupOf(option)}: ${option.label}`)

const negated = /(^| )(no|non|not|none|without|kein\w*|nicht|ohne|sans|pas|sin|sem|senza|geen|niet)( |$)/

/** The option a value means: by label or value, whole before part; numbers and yes or no as people say them. */
export function matchOption(value: unknown, options: readonly Option[], languages: readonly string[] = []): { readonly option: Option; readonly problem?: never } | { readonly problem: string; readonly option?: never } {
  const text = value === null || value === undefined ? '' : String(value).trim()
  const wanted = plain(text)
  const open = options.filter((option) => !option.disabled)
  if (wanted === '' ) {
    const exact = options.find((option) => option.label === text || option.value === text)
    const empty = exact ?? options.find((option) => option.value === '')
    return empty ? { option: empty } : { problem: `There is no empty choice. Options: ${list(open.map(({ label }) => label), 20)}` }
  }
  const number = parseNumber(value, languages)
  const truth = parseBoolean(value)
  const has = (label: string, part: string): boolean => ` ${label} `.includes(` ${part} `)
  const tests: ((option: Option) => boolean)[] = [
    ({ label }) => label === text,
    ({ label }) => plain(label) === wanted,
    (option) => option.value === text,
    (option) => option.value !== '' && plain(option.value) === wanted,
    (option) => groupOf(option) !== '' && plain(grouped(option)) === wanted,
    ({ label }) => truth !== undefined && typeof value !== 'number' && parseBoolean(label) === truth && label !== '',
    (option) => number !== undefined && /^\D*[\d.,]+\D*$/.test(text) && parseNumber(option.label, languages) === number,
    ({ label }) => plain(label).startsWith(`${wanted} `),
    ({ label }) => has(plain(label), wanted) && negated.test(plain(label)) === negated.test(wanted),
    ({ label }) => wanted.length >= 3 && plain(label).startsWith(wanted),
  ]
  for (const test of tests) {
    const found = options.filter(test)
    const allowed = found.filter((option) => !option.disabled)
    if (allowed[0] && allowed.length === 1) return { option: allowed[0] }
    if (allowed.length > 1) {
      const exact = allowed.filter((option) => option.label === allowed[0]?.label && option.value === allowed[0]?.value)
      if (exact.length === allowed.length && allowed[0]) return { option: allowed[0] }
      const twins = new Set(allowed.map(grouped)).size < allowed.length
      return { problem: `Several options fit: ${list(allowed.map((option) => grouped(option) + (twins ? ` (value ${option.value})` : '')))}` }
    }
    if (found[0]) return { problem: `The option ${JSON.stringify(found[0].label)} is disabled. Options: ${list(open.map(({ label }) => label), 20)}` }
  }
  const nearest = open.length > 20 ? ` Near: ${list(near(text, open.map(({ label }) => label)))}.` : ''
  return { problem: `There is no option ${JSON.stringify(short(clean(text), 60))}.${nearest} Options: ${list(open.map(({ label }) => label), 20)}` }
}

/** What is asked of a set of options, one by one; where several can be chosen a text may name them all. */
export function wantedOptions(value: unknown, options: readonly Option[], several: boolean, languages: readonly string[]): readonly unknown[] {
  if (Array.isArray(value)) return value
  if (several && (value === null || value === '')) return []
  return several && typeof value === 'string' && !matchOption(value, options, languages).option ? value.split(/\s*[,;\n]\s*/).filter((part) => part !== '') : [value]
}
