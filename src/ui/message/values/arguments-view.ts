// The arguments of a call for people: labels instead of keys, yes and no, lists. Every argument is shown, invisible
// characters as escapes, and repeated line breaks as their number. The raw JSON is under "Details" of a question, and
// under "Technical details" of a card. `fieldText` does the same for the value of one field of the page.
import { html, nothing, type TemplateResult } from 'lit'
import { isObject, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import { foldedText, toVisibleText } from './shown-text.js'
import type { Words, ApprovalWords } from '../../i18n/en.js'
import { choicesOf, isDate, itemSchema, labelOf, propertySchema } from './schema-labels.js'
import { valueText } from './value-text.js'

/** Longer lists of simple values have one line per value. */
const lineLength = 60
/** Deeper values are shown as JSON. */
const maxShownDepth = 5

interface View {
  readonly words: Words & ApprovalWords
  readonly root: JsonObject
}

/** Draws every argument. `root`: the JSON Schema of the arguments; {} if it is not known. */
export function argumentsList(root: JsonObject, input: JsonValue, words: Words & ApprovalWords): TemplateResult {
  const view: View = { words, root }
  if (!isObject(input)) return html`<p>${valueView(view, root, input, 0)}</p>`
  const names = Object.keys(input).filter((name) => input[name] !== undefined)
  return names.length === 0
    ? html`<p class="muted">${words.noArguments}</p>`
    : objectView(view, root, input as JsonObject, 0)
}

function objectView(view: View, schema: JsonObject, value: JsonObject, depth: number): TemplateResult {
  return html`<dl>${Object.entries(value).map(([name, item]) => {
    if (item === undefined) return undefined
    const inner = propertySchema(view.root, schema, name)
    const label = toVisibleText(labelOf(name, inner))
    return row(label, item, valueView(view, inner, item, depth + 1))
  })}</dl>`
}

/** A name and its value. A long text is below its name, so that it has the whole width. */
function row(label: string, value: JsonValue, drawn: unknown): TemplateResult {
  const place = typeof value === 'string' && value.length > lineLength ? 'whole-line' : nothing
  return html`<dt class=${place}>${label}</dt><dd class=${place}>${drawn}</dd>`
}

function valueView(view: View, schema: JsonObject, value: JsonValue, depth: number): unknown {
  const { words, root } = view
  if (value === '' || value === null || (Array.isArray(value) && value.length === 0))
    return html`<em>${words.empty}</em>`
  if (typeof value !== 'object') return valueText(scalarText(schema, value, words), words)
  if (depth > maxShownDepth) return html`<pre dir="ltr">${toVisibleText(JSON.stringify(value, null, 2))}</pre>`
  if (!Array.isArray(value)) {
    return Object.keys(value).length === 0
      ? html`<em>${words.empty}</em>`
      : objectView(view, schema, value as JsonObject, depth)
  }
  const items = value as readonly JsonValue[]
  const inner = itemSchema(root, schema)
  if (items.every((item) => typeof item !== 'object')) {
    const texts = items.map((item) => (item === '' ? words.empty : scalarText(inner, item as string, words)))
    const line = texts.join(', ')
    // With a comma inside, a value could look like two.
    return line.length > lineLength || texts.some((text) => /[,\n]/.test(text))
      ? html`<ul>${texts.map((text) => html`<li>${valueText(text, words)}</li>`)}</ul>`
      : foldedText(line)
  }
  const pairs = items.map(pairOf)
  if (pairs.every((pair) => pair !== undefined)) {
    return html`<dl>${pairs.map(([name, item]) =>
      row(toVisibleText(name), item, valueView(view, propertySchema(root, inner, 'value'), item, depth + 1)),
    )}</dl>`
  }
  return html`<ol>${items.map((item) => html`<li>${valueView(view, inner, item, depth + 1)}</li>`)}</ol>`
}

/** An entry of `form_fill`: the name of a field and the value for it. */
function pairOf(item: JsonValue): readonly [string, JsonValue] | undefined {
  if (!isObject(item) || Object.keys(item).length !== 2) return undefined
  const { field, value } = item as JsonObject
  return typeof field === 'string' && value !== undefined ? [field, value] : undefined
}

/** A simple value as text, with everything that is invisible in it. `schema`: of the value; {} if it is not known. */
export function scalarText(schema: JsonObject, value: string | number | boolean, words: Words): string {
  const chosen = choicesOf(schema).find((choice) => choice.value === value)
  if (chosen !== undefined && typeof value !== 'boolean') return chosen.label
  if (typeof value === 'boolean') return value ? words.approval.acts.yes : words.approval.acts.no
  if (typeof value === 'string' && schema['format'] === 'date' && isDate(value)) {
    return new Intl.DateTimeFormat(words.language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(value))
  }
  return String(value)
}

/** As fields write dates and times, which nobody reads in that form. */
const machineDate = /^(\d{4})-(\d\d)(?:-(\d\d)(?:T(\d\d):(\d\d)(?::\d\d)?)?)?$/

/** The value of a field in words; an empty string if it is empty. */
export function fieldText(value: JsonValue | undefined, words: Words): string {
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'string') return dateText(value, words) ?? scalarText({}, value, words)
  if (typeof value !== 'object') return scalarText({}, value, words)
  return Array.isArray(value) ? value.map((one) => fieldText(one, words)).join(', ') : JSON.stringify(value)
}

/** A day, a month, or a day with a time; undefined for other texts, and for a day that no calendar has. */
function dateText(value: string, { language }: Words): string | undefined {
  const [, year, month, day, hour, minute] = machineDate.exec(value) ?? []
  if (year === undefined || month === undefined) return undefined
  const [time, numbers] = [hour !== undefined, [year, month, day ?? 1, hour ?? 0, minute ?? 0].map(Number)]
  const [y = 0, m = 1, d = 1, h = 0, min = 0] = numbers
  const date = new Date(Date.UTC(y, m - 1, d, h, min))
  if (date.getUTCMonth() !== m - 1 || date.getUTCDate() !== d) return undefined
  const style: Intl.DateTimeFormatOptions =
    day === undefined
      ? { year: 'numeric', month: 'long' }
      : { dateStyle: 'long', ...(time ? { timeStyle: 'short' } : {}) }
  return new Intl.DateTimeFormat(language, { ...style, timeZone: 'UTC' }).format(date)
}
