// The dialog of `elicitationDialog`. It is modal and in a shadow root, so that styles of the page do not change it,
// and page tools cannot reach it. Texts of the server are set as text. Only a click or key of the visitor sends the
// form.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import type { JsonObject } from '../../core/data/json.js'
import {
  fieldsOf,
  type Elicitation,
  type ElicitationAnswer,
  type ElicitationDialogTexts,
  type QuestionField,
} from '../client/elicitation.js'

/** The value of an answered field; undefined for an optional field without an answer. */
type FieldValue = string | number | boolean | string[] | undefined

interface Field {
  readonly name: string
  readonly element: HTMLElement
  value(): FieldValue
}

/** Milliseconds in which nothing is sent, so that a key meant for the page does not answer. */
const readingTime = 500

/** Shows the dialog and resolves with the visitor's answer. */
export function askInDialog(
  { server, message, schema, signal, stop }: Elicitation,
  texts: ElicitationDialogTexts,
): Promise<ElicitationAnswer> {
  // The question may have been withdrawn while this file was loading. Then nothing would close the dialog.
  if (signal.aborted) return Promise.resolve({ action: 'cancel' })
  const { title = '{server} asks you', note = 'Your answer is sent to this server.' } = texts
  const { send = 'Send', decline = 'Decline', stop: stopText = 'Stop' } = texts
  const host = create('div')
  // Page tools leave this part of the page out, so that the model cannot answer.
  host.setAttribute('data-tool-agent-ignore', '')
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [styleSheet()]
  const heading = create('h2', title.replace('{server}', server))
  heading.tabIndex = -1
  heading.autofocus = true
  const form = create('form')
  form.method = 'dialog'
  const fields = formFields(schema)
  const submit = create('button', send)
  const refuse = create('button', decline)
  const end = create('button', stopText)
  refuse.type = end.type = 'button'
  end.className = 'stop'
  const buttons = create('p')
  buttons.append(end, refuse, submit)
  form.append(heading, create('p', message), create('small', note), ...fields.map(({ element }) => element), buttons)
  const dialog = create('dialog')
  heading.id = 'title'
  dialog.setAttribute('aria-labelledby', heading.id)
  dialog.append(form)
  root.append(dialog)
  unclobbered(document).body.append(host)
  const shownAt = performance.now()
  return new Promise((resolve) => {
    const settle = (answer: ElicitationAnswer) => {
      signal.removeEventListener('abort', onAbort)
      host.parentNode?.removeChild(host)
      resolve(answer)
    }
    const onAbort = () => settle({ action: 'cancel' })
    signal.addEventListener('abort', onAbort, { once: true })
    dialog.addEventListener('close', onAbort)
    refuse.addEventListener('click', () => settle({ action: 'decline' }))
    end.addEventListener('click', () => {
      settle({ action: 'cancel' })
      stop()
    })
    form.addEventListener('submit', (event) => {
      event.preventDefault()
      if (!event.isTrusted || performance.now() - shownAt < readingTime) return
      const given = fields.map((field) => [field.name, field.value()] as const)
      const content = Object.fromEntries(given.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
      settle({ action: 'accept', content })
    })
    dialog.showModal()
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

function create<K extends keyof HTMLElementTagNameMap>(tag: K, text = ''): HTMLElementTagNameMap[K] {
  const element = unclobbered(document).createElement(tag)
  if (text) element.textContent = text
  return element
}

/** A constructed sheet, because a policy may forbid `<style>`. `medium` is the text size of the browser. */
function styleSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(`
    dialog { box-sizing: border-box; width: 28em; max-width: calc(100vw - 2em); padding: 1.25em;
      border: 1px solid #8886; border-radius: 12px; font: medium/1.45 system-ui, sans-serif;
      color: CanvasText; background: Canvas; color-scheme: light dark; }
    dialog::backdrop { background: #0006; }
    h2 { margin: 0; font-size: 1.05em; overflow-wrap: anywhere; outline: none; }
    p { margin: .6em 0; overflow-wrap: anywhere; white-space: pre-line; }
    form > div { margin: .7em 0; }
    small { display: block; opacity: .75; }
    small:empty { display: none; }
    .problem { color: light-dark(#b3261e, #ff9a90); opacity: 1; }
    input:not([type=checkbox]), select { display: block; box-sizing: border-box; width: 100%; }
    input:not([type=checkbox]), select { margin-top: .2em; padding: .4em; font: inherit; }
    input[type=checkbox] { margin-inline-start: .5em; }
    p:last-child { display: flex; justify-content: flex-end; gap: .5em; margin: .6em 0 0;
      position: sticky; bottom: -1.25em; padding-block: .5em; background: Canvas; }
    .stop { margin-inline-end: auto; }
    button { font: inherit; padding: .4em 1em; }
  `)
  return sheet
}
