// The dialog of `elicitationDialog`. It is modal and in a shadow root, so that styles of the page do not change it,
// and page tools cannot reach it. Texts of the server are set as text. Only a click or key of the visitor sends the
// form.
import type { JsonObject } from '../../core/data/json.js'
import {
  fieldsOf,
  type Elicitation,
  type ElicitationAnswer,
  type ElicitationDialogTexts,
  type QuestionField,
} from '../client/elicitation.js'
import { create, createButton, createDialog, dialogTexts, readingTime } from './dialog-parts.js'

/** The value of an answered field; undefined for an optional field without an answer. */
type FieldValue = string | number | boolean | string[] | undefined

interface Field {
  readonly name: string
  readonly element: HTMLElement
  value(): FieldValue
}

/** Shows the dialog and resolves with the visitor's answer. */
export function askInDialog(
  { server, message, schema, signal, stop }: Elicitation,
  texts: ElicitationDialogTexts,
): Promise<ElicitationAnswer> {
  // The question may have been withdrawn while this file was loading. Then nothing would close the dialog.
  if (signal.aborted) return Promise.resolve({ action: 'cancel' })
  const { title, note, send, decline, stop: stopText } = dialogTexts('question', texts)
  const form = create('form')
  form.method = 'dialog'
  const fields = formFields(schema)
  const buttons = create('p')
  form.append(create('p', message), create('small', note), ...fields.map(({ element }) => element), buttons)
  const { dialog, show, close } = createDialog(title.replace('{server}', server), form)
  const shownAt = performance.now()
  return new Promise((resolve) => {
    const settle = (answer: ElicitationAnswer) => {
      signal.removeEventListener('abort', onAbort)
      close()
      resolve(answer)
    }
    const onAbort = () => settle({ action: 'cancel' })
    signal.addEventListener('abort', onAbort, { once: true })
    dialog.addEventListener('close', onAbort)
    const end = createButton(stopText, () => {
      settle({ action: 'cancel' })
      stop()
    })
    end.className = 'stop'
    buttons.append(
      end,
      createButton(decline, () => settle({ action: 'decline' })),
      create('button', send),
    )
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (!event.isTrusted || performance.now() - shownAt < readingTime) return
      const given = fields.map((field) => [field.name, field.value()] as const)
      const content = Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
      settle({ action: 'accept', content })
    })
    show()
  })
}

/** One field for each property of the schema that has a form. */
function formFields(schema: JsonObject): Field[] {
  const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
  return fieldsOf(schema).map((field, index) => {
    const input = inputFor(field, required.includes(field.name))
    input.control.id = `field-${index}`
    return fieldFor(field, input)
  })
}

/** A control with the function that reads it. */
interface Input {
  readonly control: HTMLInputElement | HTMLSelectElement
  value(): FieldValue
}

// No control has a name: as a property of the form it could replace one that the code needs.
function inputFor({ property, choices }: QuestionField, isRequired: boolean): Input {
  const { type, default: preset } = property
  if (type === 'array' || choices.length > 0) {
    const isMultiple = type === 'array'
    const select = create('select')
    select.multiple = isMultiple
    select.required = isRequired && !isMultiple
    const presets = Array.isArray(preset) ? preset : [preset]
    if (!isMultiple) select.append(new Option('', ''))
    for (const { value, label } of choices) select.append(new Option(label, value, false, presets.includes(value)))
    const chosen = () => [...select.selectedOptions].map(({ value }) => value)
    return { control: select, value: () => (isMultiple ? chosen() : select.value || undefined) }
  }
  const input = create('input')
  input.autocomplete = 'off'
  if (type === 'boolean') {
    input.type = 'checkbox'
    input.checked = preset === true
    return { control: input, value: () => input.checked }
  }
  input.required = isRequired
  if (type === 'number' || type === 'integer') {
    input.type = 'number'
    input.step = type === 'integer' ? '1' : 'any'
    if (typeof property['minimum'] === 'number') input.min = String(property['minimum'])
    if (typeof property['maximum'] === 'number') input.max = String(property['maximum'])
    if (typeof preset === 'number') input.value = String(preset)
    return { control: input, value: () => (input.value === '' ? undefined : input.valueAsNumber) }
  }
  input.type = inputTypes.get(String(property['format'])) ?? 'text'
  if (typeof property['minLength'] === 'number') input.minLength = property['minLength']
  if (typeof property['maxLength'] === 'number') input.maxLength = property['maxLength']
  if (typeof preset === 'string') input.value = preset
  const isTime = input.type === 'datetime-local'
  const read = () => (isTime ? new Date(input.value).toISOString() : input.value)
  return { control: input, value: () => (input.value === '' ? undefined : read()) }
}

const inputTypes: ReadonlyMap<string, string> = new Map([
  ['email', 'email'],
  ['uri', 'url'],
  ['date', 'date'],
  ['date-time', 'datetime-local'],
])

/** A control with its label, its description, and what the browser says is wrong with its value. */
function fieldFor({ name, ...texts }: QuestionField, { control, value }: Input): Field {
  const label = create('label', texts.label)
  label.htmlFor = control.id
  const description = create('small', texts.description)
  description.id = `${control.id}-description`
  const problem = create('small')
  problem.id = `${control.id}-problem`
  problem.className = 'problem'
  // Apart from the label, so that a screen reader says them after the name of the field. Empty ones are not said.
  control.setAttribute('aria-describedby', `${description.id} ${problem.id}`)
  control.addEventListener('invalid', (event) => {
    // Instead of the browser's own message, which disappears. The first field that is wrong gets the focus.
    event.preventDefault()
    problem.textContent = control.validationMessage
    control.setAttribute('aria-invalid', 'true')
    control.form?.querySelector<HTMLElement>(':invalid')?.focus()
  })
  control.addEventListener('input', () => {
    if (!control.validity.valid) return
    problem.textContent = ''
    control.removeAttribute('aria-invalid')
  })
  const element = create('div')
  element.append(label, control, description, problem)
  return { name, element, value }
}
