// The form in a question: of the arguments of a call that the user changes, or of what a running tool asks. An answer
// begins empty, so what is required must be filled in. Loaded with the first form; without it a question can be decided
// as it is.
import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import type { FormQuestion } from '../../core/data/form-question.js'
import { isObject, type JsonObject, type JsonValue } from '../../core/data/json.js'
import { editedInput, fieldKey, fieldsOf, type Edits, type Entry, type Field } from './argument-fields.js'
import { argumentsForm, type FormView } from './arguments-form.js'
import { choicesOf, itemSchema, propertySchema, type Choice } from '../message/values/schema-labels.js'
import { toVisibleText } from '../message/values/shown-text.js'

/** What the card knows about its form. */
export type CardView = Omit<FormView, 'entries' | 'draw'>

/** The form in a card. */
export class CardForm {
  /** The fields of all groups. */
  readonly fields: readonly Field[]
  protected readonly entries: readonly Entry[]
  /** What it shows first. */
  protected readonly input: JsonValue

  constructor(entries: readonly Entry[], input: JsonValue) {
    this.entries = entries
    this.input = input
    this.fields = entries.flatMap((entry) => ('fields' in entry ? entry.fields : [entry]))
  }

  /** Draws it; nothing without a field. */
  view(view: CardView): TemplateResult | typeof nothing {
    return argumentsForm({ ...view, entries: this.entries })
  }

  /** The input with the edits. */
  value(edits: Edits): JsonValue {
    return editedInput(this.entries, this.input, edits).input
  }

  /** Whether a field that is edited as JSON has JSON. */
  isJson(field: Field, shown: string | boolean): boolean {
    const key = fieldKey(field)
    return !editedInput(this.entries, this.input, new Map([[key, shown]])).invalid.has(key)
  }

  /** What the browser says is wrong with the controls below an element, by `fieldKey`. */
  problemsIn(card: Element): ReadonlyMap<string, string> {
    const problems = this.fields.map(
      (field, at) =>
        [fieldKey(field), card.querySelector<Control>(`#approval-field-${at}`)?.validationMessage ?? ''] as const,
    )
    return new Map(problems.filter(([, problem]) => problem !== ''))
  }
}

/** The form of changed arguments. */
export const changedForm = (schema: JsonObject, input: JsonValue): CardForm =>
  new CardForm(fieldsOf(schema, input), input)

/** The form of what a tool asks. */
export function askedForm({ schema }: FormQuestion): CardForm {
  const properties = isObject(schema['properties']) ? Object.keys(schema['properties']) : []
  const fields = properties.map((name) => [name, propertySchema(schema, schema, name)] as const)
  // What is not checked is false.
  const all = fields.map(([name, { type, default: preset }]) => [name, preset ?? (type === 'boolean' ? false : null)])
  const presets = Object.fromEntries(all.filter(([, preset]) => preset !== null)) as JsonObject
  const entries = fieldsOf(schema, presets).flatMap((entry) => {
    const found = fields.find(([name]) => !('fields' in entry) && name === entry.path[0])
    return 'fields' in entry || !found ? [] : [asked(entry, found[1])]
  })
  return new AskedForm(entries, presets)
}

type Control = HTMLInputElement | HTMLSelectElement

/** A field, and the control that it has in place of the usual one. */
interface AskedField extends Field {
  readonly own?: 'several' | 'email' | 'url' | 'datetime-local' | 'text' | undefined
}

class AskedForm extends CardForm {
  override view(view: CardView): TemplateResult | typeof nothing {
    if (this.entries.length === 0) return nothing
    return argumentsForm({
      ...view,
      entries: this.entries,
      draw: (field: AskedField, id, problem) => ({
        ...(field.own ? { input: control(field, id, [describing(field, id), problem].join(' ').trim(), view) } : {}),
        ...(describing(field, id) ? { hint: hint(field, id) } : {}),
      }),
    })
  }

  override value(edits: Edits): JsonValue {
    const own = this.fields.filter((field: AskedField) => field.own)
    const keys = new Set(own.map(fieldKey))
    const usual = new Map([...edits].filter(([key]) => !keys.has(key)))
    const content = new Map(Object.entries(super.value(usual) as JsonObject))
    for (const field of own) {
      const shown = edits.get(fieldKey(field))
      if (typeof shown === 'string') content.set(field.path[0] ?? '', valueOf(field, shown))
    }
    // In the order of the form.
    const names = this.fields.map(({ path: [name = ''] }) => name)
    return Object.fromEntries(
      names.filter((name) => content.get(name) !== undefined).map((name) => [name, content.get(name)]),
    )
  }
}

/** A field of an answer, with the labels of its choices. */
function asked(field: Field, schema: JsonObject): AskedField {
  const { type, format } = schema
  const choices = labelled(type === 'array' ? itemSchema({}, schema) : schema)
  if (type === 'array' && choices.length > 0) return { ...field, choices, own: 'several', kind: 'long' }
  if (choices.length > 0) return { ...field, choices }
  if (field.kind !== 'text') return field
  if (format === 'email') return { ...field, own: format }
  if (format === 'uri') return { ...field, own: 'url' }
  if (format === 'date-time' && field.value === undefined) return { ...field, own: 'datetime-local', kind: 'date' }
  return { ...field, own: 'text' }
}

/** The choices of a schema. Older ones name them beside it. */
function labelled(schema: JsonObject): readonly Choice[] {
  const names = schema['enumNames']
  return choicesOf(schema).map(({ value, label }, at) => {
    const name: unknown = Array.isArray(names) ? names[at] : undefined
    return { value, label: typeof name === 'string' ? name : label }
  })
}

function valueOf({ own, choices }: AskedField, shown: string): JsonValue | undefined {
  if (own === 'several') return shown === '' ? [] : shown.split(',').map((at) => choices[Number(at)]?.value ?? null)
  if (shown === '') return undefined
  return own === 'datetime-local' ? new Date(shown).toISOString() : shown
}

const describing = ({ schema }: AskedField, id: string): string =>
  typeof schema['description'] === 'string' ? `${id}-description` : ''

const hint = ({ schema }: AskedField, id: string): TemplateResult =>
  html`<p class="muted" id="${id}-description">${toVisibleText(String(schema['description']))}</p>`

function control(field: AskedField, id: string, describedBy: string, { edits, problems, onEdit }: CardView) {
  const { own, schema, required, choices, value } = field
  const key = fieldKey(field)
  const edited = edits.get(key)
  const invalid = problems.has(key) ? 'true' : nothing
  const limit = (name: string) => (typeof schema[name] === 'number' ? schema[name] : nothing)
  const onInput = ({ currentTarget }: Event): void => {
    const drawn = currentTarget as Control
    const now =
      drawn instanceof HTMLSelectElement ? [...drawn.selectedOptions].map((one) => one.value).join() : drawn.value
    onEdit(field, now, drawn.validationMessage)
  }
  if (own !== 'several')
    return html`<input type=${own} id=${id} dir=${own === 'text' ? 'auto' : 'ltr'} autocomplete="off"
      ?required=${required} minlength=${limit('minLength')} maxlength=${limit('maxLength')} aria-invalid=${invalid}
      aria-describedby=${describedBy || nothing} @input=${onInput} .value=${live(String(edited ?? value ?? ''))}>`
  const presets = Array.isArray(value) ? (value as readonly JsonValue[]) : []
  const chosen = edited === undefined ? undefined : String(edited).split(',')
  const isChosen = (choice: Choice, at: number) => chosen?.includes(String(at)) ?? presets.includes(choice.value)
  const options = choices.map(
    (choice, at) => html`<option value=${at} ?selected=${isChosen(choice, at)}>${toVisibleText(choice.label)}</option>`,
  )
  return html`<select id=${id} multiple ?required=${required && Number(schema['minItems'] ?? 0) > 0}
    aria-invalid=${invalid} aria-describedby=${describedBy || nothing} @change=${onInput}>${options}</select>`
}
