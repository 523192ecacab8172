// The form in which the user changes the arguments of a call. Draws one control per field; the card keeps what they
// show. Native constraints check the values while the user types, the schema of the tool checks them with the decision.
import { html, nothing, type TemplateResult } from 'lit'
import { live } from 'lit/directives/live.js'
import { toVisibleText } from '../message/values/shown-text.js'
import type { ApprovalWords } from '../i18n/en.js'
import { fieldKey, shownValue, type Edits, type Entry, type Field } from './argument-fields.js'

/** What the form shows, and whom it tells. */
export interface FormView {
  /** The fields, and groups of fields. */
  readonly entries: readonly Entry[]
  /** What the user typed so far. */
  readonly edits: Edits
  /** What is wrong, by `fieldKey`. */
  readonly problems: ReadonlyMap<string, string>
  /** The texts. */
  readonly words: ApprovalWords
  /** Draws a control in place of the usual one, and what follows it. Absent: the usual one. */
  readonly draw?: (field: Field, id: string, describedBy: string) => { input?: TemplateResult; hint?: TemplateResult }
  /** The user has changed a control. `problem`: what the browser says is wrong with it. */
  onEdit(field: Field, shown: string | boolean, problem: string): void
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Draws the form. */
export function argumentsForm(view: FormView): TemplateResult {
  let count = 0
  const row = (field: Field): TemplateResult => fieldRow(view, field, `approval-field-${count++}`)
  return html`<div class="form">
    ${view.entries.map((entry) =>
      'fields' in entry
        ? html`<fieldset><legend>${toVisibleText(entry.label)}</legend>${entry.fields.map(row)}</fieldset>`
        : row(entry),
    )}
  </div>`
}

function fieldRow(view: FormView, field: Field, id: string): TemplateResult {
  const problem = view.problems.get(fieldKey(field))
  const label = html`<label for=${id}>${toVisibleText(field.label)}${
    field.kind === 'lines' ? html` <span class="muted">(${view.words.lines})</span>` : nothing
  }</label>`
  const { input = control(view, field, id), hint = nothing } =
    view.draw?.(field, id, problem === undefined ? '' : `${id}-problem`) ?? {}
  return html`<div class="form-row" data-kind=${field.kind}>
    ${field.kind === 'boolean' ? html`${input}${label}` : html`${label}${input}`}
    ${hint}
    ${problem === undefined ? nothing : html`<p class="problem" id="${id}-problem" role="alert">${problem}</p>`}
  </div>`
}

function control(view: FormView, field: Field, id: string): TemplateResult {
  const { kind, schema, required, choices } = field
  const key = fieldKey(field)
  const shown = view.edits.get(key) ?? shownValue(field)
  const isInvalid = view.problems.has(key)
  const describedBy = isInvalid ? `${id}-problem` : nothing
  const invalid = isInvalid ? 'true' : nothing
  const onInput = (event: Event): void => {
    const changed = event.currentTarget as Control
    const now = changed instanceof HTMLInputElement && kind === 'boolean' ? changed.checked : changed.value
    view.onEdit(field, now, changed.validity.valid ? '' : changed.validationMessage)
  }
  const limit = (name: string): number | typeof nothing => {
    const value = schema[name]
    return typeof value === 'number' ? value : nothing
  }
  switch (kind) {
    case 'boolean':
      return html`<input type="checkbox" id=${id} .checked=${live(shown === true)} aria-invalid=${invalid}
        aria-describedby=${describedBy} @change=${onInput}>`
    case 'choice':
      return html`<select id=${id} ?required=${required} aria-invalid=${invalid} aria-describedby=${describedBy}
        @change=${onInput}>
        ${required && shown !== '' ? nothing : html`<option value="" ?selected=${shown === ''}>–</option>`}
        ${choices.map(
          ({ label }, index) =>
            html`<option value=${index} ?selected=${shown === String(index)}>${toVisibleText(label)}</option>`,
        )}
      </select>`
    case 'long':
    case 'lines':
    case 'json':
      return html`<textarea id=${id} class=${kind === 'json' ? 'edit' : ''} dir=${kind === 'json' ? 'ltr' : 'auto'}
        rows=${Math.min(8, Math.max(2, String(shown).split('\n').length))} spellcheck=${kind === 'long'}
        maxlength=${kind === 'long' ? limit('maxLength') : nothing} ?required=${required && kind === 'json'}
        aria-invalid=${invalid} aria-describedby=${describedBy} @input=${onInput}
        .value=${live(String(shown))}></textarea>`
    case 'number':
      return html`<input type="number" id=${id} dir="ltr" ?required=${required} min=${limit('minimum')}
        max=${limit('maximum')} step=${schema['type'] === 'integer' ? 1 : 'any'} aria-invalid=${invalid}
        aria-describedby=${describedBy} @input=${onInput} .value=${String(shown)}>`
    default:
      return html`<input type=${kind} id=${id} dir=${kind === 'date' ? 'ltr' : 'auto'} autocomplete="off"
        ?required=${required && (kind === 'date' || Number(schema['minLength'] ?? 0) > 0)}
        minlength=${limit('minLength')} maxlength=${limit('maxLength')} aria-invalid=${invalid}
        aria-describedby=${describedBy} @input=${onInput} .value=${live(String(shown))}>`
  }
}
