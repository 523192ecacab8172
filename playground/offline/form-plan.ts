// Filling a form from a sentence, changing what was filled, and saying what came of it. It reports values that were read
// back, never those that it meant to fill.
import type { JsonValue } from '../../src/core/data/json.js'
import { has, failed, said, toolNamed, type Context, type Outcome } from './context.js'
import { matchFields, type Match } from './field-match.js'
import { readFilled, readForms, type Field } from './form.js'
import { parseOutline, submitButton } from './outline.js'
import { call, type Plan } from './replay.js'
import { escape, failureInWords, listed, sentence, shown } from './speak.js'
import type { Call } from './transcript.js'
import { isSame, stemsOf } from './words.js'

/** What the page and its forms look like. */
export interface Seen {
  readonly page: string
  readonly form: Call | undefined
}

/** A label without what is in brackets. */
export const shortLabel = (label: string): string => escape(label.replace(/\s*\([^)]*\)\s*$/, ''))

/** What the sentence gives for the form that it fits best. */
export function formMatch(
  text: string,
  form: Call | undefined,
  today: string | undefined,
): { match: Match; fields: readonly Field[] } {
  const forms = readForms(form?.result?.value).map((fields) => ({ fields, match: matchFields(fields, text, today) }))
  return forms.reduce((top, one) => (one.match.fillings.length > top.match.fillings.length ? one : top), {
    fields: [],
    match: { fillings: [], unplaced: [], days: [], guesses: [] },
  })
}

/** Fills what the sentence gives. Undefined if it gives nothing. */
export function* filling(context: Context, text: string, { page, form }: Seen): Plan<Outcome | undefined> {
  const { match, fields } = formMatch(text, form, context.today)
  const isAllowed = ({ field, value }: Match['fillings'][number]): boolean =>
    typeof value !== 'number' ||
    ((field.min === '' || value >= Number(field.min)) && (field.max === '' || value <= Number(field.max)))
  const allowed = match.fillings.filter(isAllowed)
  const refused = match.fillings
    .filter((one) => !isAllowed(one))
    .map(({ field, value }) => limitInWords(field, Number(value)))
  if (allowed.length === 0) return refused.length === 0 ? undefined : failed(refused.join(' '))
  const made = yield* call('form_fill', {
    fields: allowed.map(({ field, value }): JsonValue => ({ field: field.key, value: fitted(value, context) })),
  })
  if (made.result === undefined || made.result.failed) return failed(failureInWords(made.result))
  const filled = new Set(allowed.map(({ field }) => field))
  const empty = fields.filter(
    (field) => field.required && !field.locked && !filled.has(field) && (field.value === '' || field.value === false),
  )
  const guesses = match.guesses.map(({ said: words, value }) => `I took “${escape(words)}” to be ${value}.`)
  const unplaced =
    match.unplaced.length > 0
      ? [`I found no field for ${listed(match.unplaced.map((one) => `“${escape(one)}”`))}.`]
      : []
  const parts = [filledInWords(made), ...guesses, ...refused, ...unplaced, ...restInWords(page, empty)]
  return { text: parts.join(' '), isDone: refused.length === 0 }
}

function limitInWords({ label, min, max }: Field, value: number): string {
  const limit = max !== '' && value > Number(max) ? `at most ${max}` : `at least ${min}`
  return `${shortLabel(label)} can be ${limit}, not ${value}, so I did not change it.`
}

/** What is still missing, and that the user submits: only if the form has a button for it. */
export function restInWords(page: string, empty: readonly Field[]): string[] {
  const button = submitButton(parseOutline(page))
  if (button === undefined && page !== '') return []
  const missing = empty.length > 0 ? [`Still needed: ${listed(empty.map(({ label }) => shortLabel(label)))}.`] : []
  const press = button === undefined ? 'the button' : `“${escape(button)}”`
  return [...missing, `Nothing was submitted: press ${press} yourself when everything is right.`]
}

/** What a fill changed, by the values that it read back. */
export function filledInWords(made: Call): string {
  const lines = readFilled(made.result?.value)
  const good = lines.filter(({ ok }) => ok)
  const bad = lines.filter(({ ok }) => !ok)
  const value = (text: string): string => (text.trim() === '' ? 'empty' : shown(text))
  const done =
    good.length > 0
      ? [`I filled in ${listed(good.map(({ field, now }) => `${shortLabel(field)} (${value(now)})`))}.`]
      : []
  const wrong = bad.map(({ field, now, problem }) =>
    sentence(
      `${shortLabel(field)} did not accept it and is ${value(now)} now: ${escape(problem || 'no reason is given')}`,
    ),
  )
  return [...done, ...wrong].join(' ')
}

/** A fill tool that takes texts alone is given texts. */
function fitted(value: JsonValue, context: Context): JsonValue {
  const schema = JSON.stringify(toolNamed(context, 'form_fill')?.schema ?? {})
  const takesOnlyText = /"value":\{[^{}]*"type":"string"/.test(schema)
  if (!takesOnlyText || typeof value === 'string') return value
  return Array.isArray(value) ? value.join(', ') : String(value)
}

const removing =
  /\b(?:forget|remove|delete|drop|clear|scrap|undo|take out|leave out|take (?:\w+ ){0,2}off|no longer|not need)\b/i

/** "Forget the shellfish": takes it out of the text that has it, or empties the field or sets its number to 0. */
export function* removal(context: Context, text: string, { form }: Seen): Plan<Outcome | undefined> {
  if (!removing.test(text) || !has(context, 'form_fill')) return undefined
  const words = stemsOf(text).filter(
    (word) => word.length > 3 && !removing.test(word) && !/^(?:wrong|cart|basket)$/.test(word),
  )
  const fields = readForms(form?.result?.value)
    .flat()
    .filter(({ locked }) => !locked)
  const names = (label: string): boolean =>
    words.some((word) => stemsOf(label).some((one) => isSame(one, word) || (word.length > 4 && one.endsWith(word))))
  const counted = fields.filter(
    ({ type, min, label }) =>
      /^(?:number|spinbutton)$/.test(type) &&
      min === '0' &&
      /quantity|count|number|pieces/i.test(label) &&
      names(label),
  )
  if (counted.length > 1)
    return failed(
      `Several fit: ${listed(counted.map(({ label }) => shortLabel(label.replace(/^quantity of /i, ''))))}. Which one do you mean?`,
    )
  const [count] = counted
  const holding = fields.find(
    ({ value }) => typeof value === 'string' && words.some((word) => stemsOf(value).includes(word)),
  )
  const ticked = fields.find(({ value, label }) => value === true && names(label))
  const labelled = fields.find(({ value, label }) => typeof value === 'string' && value !== '' && names(label))
  const target = count ?? holding ?? ticked ?? labelled
  if (target === undefined) return undefined
  const kept = String(target.value)
    .split(/[;,\n]/)
    .filter((part) => !words.some((word) => stemsOf(part).includes(word)))
    .join(';')
    .trim()
  const rest = holding === target ? kept : ''
  const emptied: JsonValue = ticked === target ? false : rest
  const value: JsonValue = count === target ? '0' : emptied
  const made = yield* call('form_fill', { fields: [{ field: target.key, value }] })
  if (made.result === undefined || made.result.failed) return failed(failureInWords(made.result))
  const [line] = readFilled(made.result.value)
  const label = shortLabel(target.label)
  if (count === target) {
    const isGone = line === undefined || line.now === '' || line.now === '0' || !line.ok
    const seen = isGone ? yield* stillThere(context, target) : true
    return seen
      ? failed(`${label} is ${line?.now ?? 'unknown'} now.`)
      : said(`${label.replace(/^quantity of /i, '')} is taken out.`)
  }
  if (line?.ok === false) return failed(filledInWords(made))
  return said(line?.now ? `${label} is “${escape(line.now)}” now.` : `${label} is empty now.`)
}

/** Whether the page still has a field with a number above 0. */
function* stillThere(context: Context, field: Field): Plan<boolean> {
  if (!has(context, 'form_read')) return false
  const again = yield* call('form_read')
  const now = readForms(again.result?.value)
    .flat()
    .find(({ label }) => label === field.label)
  return now !== undefined && Number(now.value) > 0
}

/** A private field that the sentence is about. */
export function privateField(text: string, form: Call | undefined): Field | undefined {
  const said = stemsOf(text)
  return readForms(form?.result?.value)
    .flat()
    .find(
      ({ isPrivate, label }) =>
        isPrivate &&
        stemsOf(label)
          .slice(0, 1)
          .some((word) => said.includes(word)),
    )
}

/** The values that the assistant filled in this conversation, as they are now. */
export function* recalled(context: Context): Plan<Outcome> {
  const labels = new Set(
    [...context.earlier, ...context.log]
      .filter(({ name }) => name === 'form_fill')
      .flatMap(({ result }) => readFilled(result?.value).map(({ field }) => field)),
  )
  if (labels.size === 0) return said('I have not filled in anything yet.')
  const read = yield* call('form_read')
  const lines = readForms(read.result?.value)
    .flat()
    .filter(({ label }) => labels.has(label))
    .map(({ label, value }) => `${shortLabel(label)}: ${shown(value) || 'empty'}`)
  return said(lines.length > 0 ? sentence(lines.join('; ')) : 'The fields that I filled are not on this page any more.')
}

/** "Send it": submits with the tool for that, or says which button to press. */
export function* submission(context: Context, { page, form }: Seen): Plan<Outcome> {
  const outline = parseOutline(page)
  const button = submitButton(outline)
  if (button === undefined) return failed('I cannot send anything here: this page has no form with a button for it.')
  if (has(context, 'form_submit')) {
    const made = yield* call('form_submit', {})
    return made.result?.failed === false ? said('The form is submitted.') : failed(failureInWords(made.result))
  }
  const empty = readForms(form?.result?.value)
    .flat()
    .filter(({ required, locked, value }) => required && !locked && (value === '' || value === false))
  const missing =
    empty.length > 0 ? ` Before that, fill in ${listed(empty.map(({ label }) => shortLabel(label)))}.` : ''
  return failed(`I cannot submit the form, so you have to press “${escape(button)}” yourself.${missing}`)
}
