// Matches values to checkboxes and options. An ambiguous value is an error that lists the matches; nothing is guessed.
// In lists that clearly are months or US states, a name, a short name, a number and a code mean the same.
import type { JsonValue } from '../../core/data/json.js'
import { isTag } from '../dom/dom.js'
import type { Field, Option } from '../read/field.js'
import { normalizeText, toComparable, truncate } from '../dom/text.js'
import type { FillAttempt, FillEntry } from './fill-attempt.js'
import { parseNumber, similarFields } from './parse-values.js'
import { listFields } from './plan.js'
import { digitsOf } from './typed-text.js'
import { namedMonth } from './dates.js'

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

/** The name of an option in errors. `twin`: its value distinguishes it from options with the same label. */
const printed = (option: Option, twin: boolean): string =>
  truncate(twin ? `${truncate(grouped(option), 40)} (value ${option.value})` : grouped(option), 60)

/** Labels with a negation: "no nuts" must not match "nuts". */
const negated = /(^| )(no|non|not|none|without|kein\w*|nicht|ohne|sans|pas|sin|sem|senza|geen|niet)( |$)/

/** The option for a value, or why there is none. */
export type OptionMatch =
  | { readonly option: Option; readonly problem?: never }
  | { readonly problem: string; readonly option?: never }

/** The error for several options, with names that work. Equal names, and all names if `twins`, have their values. */
function severalMatch(options: readonly Option[], twins = false): OptionMatch {
  const names = options.map((option) => printed(option, false))
  const labels = options.map((option, at) =>
    printed(option, twins || names.filter((name) => name === names[at]).length > 1),
  )
  return { problem: `Several options match: ${listFields(labels, 20)}. Pass exactly one of these` }
}

/**
 * `matchOption`, and by meaning: months as name, short name and number, US states as name and code. A number that is
 * the value of one month and the number of another is ambiguous.
 */
export function findOption(value: unknown, options: readonly Option[], languages: readonly string[]): OptionMatch {
  const match = matchOption(value, options, languages)
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  const { option } = match
  if (text === '' || (option && (!/^\d{1,2}$/.test(text) || /\d/.test(option.label)))) return match
  const meant = optionsMeaning(text, options, languages)
  const [first] = meant
  if (!first || (option && meant.includes(option))) return match
  if (option) return severalMatch([option, ...meant], true)
  return meant.length > 1 ? severalMatch(meant) : matchOption(printed(first, true), options, languages)
}

/** Finds the option for a value by label or value, whole before partial. Also compares numbers, and yes and no. */
export function matchOption(
  value: unknown,
  options: readonly Option[],
  languages: readonly string[] = [],
): OptionMatch {
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
    // What an error has printed must work.
    (option) => [false, true].some((twin) => printed(option, twin) === text),
    ({ label }) => truncate(label, 60) === text,
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
      return severalMatch(allowed)
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
  const own = group.map(({ ownLabel }) => ownLabel.toLowerCase())
  const isTwin = (field: Field): boolean => own.filter((label) => label === field.ownLabel.toLowerCase()).length > 1
  const names = (field: Field): string[] =>
    [
      field.label,
      ...(isTwin(field) ? [] : [field.ownLabel]),
      (field.element as Partial<HTMLInputElement>).value ?? '',
    ].map((name) => name.toLowerCase())
  const unknown = wanted.filter((one) => !group.some((field) => names(field).includes(one)))
  if (unknown.length > 0) {
    const several = unknown.find((one) => own.includes(one))
    const options = group.filter(({ ownLabel }) => several === undefined || ownLabel.toLowerCase() === several)
    return [
      {
        entry,
        label: entry.asked,
        written: false,
        problem:
          (several === undefined
            ? `There is no ${unknown.map((one) => JSON.stringify(one)).join(', ')} in ${entry.asked}. Options: `
            : `Several options match ${JSON.stringify(several)}. Pass exactly one of these: `) +
          options.map((field) => JSON.stringify(isTwin(field) ? field.label : field.ownLabel)).join(', '),
      },
    ]
  }
  return group.map((field) => ({
    entry: { asked: field.label, value: truth ?? names(field).some((name) => wanted.includes(name)) },
    label: field.label,
    field,
    written: false,
  }))
}

/** The month of a text that has nothing else, 1 to 12: `12`, `Dec`, `12 - December`. */
export function monthIn(text: string, languages: readonly string[]): number | undefined {
  const number = /^(?:0?[1-9]|1[0-2])(?=[月월]?$)/.exec(digitsOf(text).trim())?.[0]
  if (number) return Number(number)
  const named = namedMonth(digitsOf(text), languages)
  const rest = named?.rest.replace(/[\s().,:/–-]+/g, '') ?? ''
  return named && (rest === '' || Number(rest) === named.month) ? named.month : undefined
}

const states = new Map(
  (
    'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,' +
    'DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,' +
    'KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,' +
    'MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,' +
    'NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,PR Puerto Rico,' +
    'RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,' +
    'WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming'
  )
    .split(',')
    .flatMap((state) => {
      const code = state.slice(0, 2)
      return [code, state.slice(3)].map((name) => [toComparable(name), code] as const)
    }),
)
const stateIn = (text: string): string | undefined => states.get(toComparable(text))

/**
 * The options with the same meaning as the text, also disabled ones. A list counts as months or states if all options
 * but a placeholder are. Long lists of states may have territories, too. Numbers are months only if they are 1 to 12.
 */
function optionsMeaning(text: string, options: readonly Option[], languages: readonly string[]): Option[] {
  const found: Option[] = []
  const compare = (meaningOf: (text: string) => number | string | undefined, least: number): void => {
    const meant = meaningOf(text)
    const meanings = options.map(({ label }) => meaningOf(label))
    const known = meanings.filter((meaning) => meaning !== undefined)
    if (meant !== undefined && known.length >= Math.max(least, options.length - (options.length > 40 ? 12 : 1)))
      found.push(...options.filter((_, at) => meanings[at] === meant))
  }
  const isNumbers = !options.some(({ label }) => /\p{L}{3}/u.test(label) && monthIn(label, languages) !== undefined)
  compare((one) => monthIn(one, languages), isNumbers ? 12 : 2)
  compare(stateIn, 3)
  return found
}
