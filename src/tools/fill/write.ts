// Writing one field: first what the control would hold (or why it cannot), then the writing with the events a person
// would cause. Values go through the setter of the prototype, because frameworks replace the element's own.
import type { JsonValue } from '../../core/json.js'
import { isTag, viewOf } from '../dom.js'
import type { Field } from '../read/fields.js'
import { createSight } from '../read/sight.js'
import type { Sight } from '../read/sight.js'
import { isDisabled, isReadOnly, optionsOf, valueOf } from '../read/state.js'
import type { Option } from '../read/state.js'
import { beforeInput, change, click, enter, input, leave, press, settle, asOurs } from './events.js'
import { matchOption } from './match.js'
import { parseBoolean, parseNumber, parseTemporal } from './values.js'

/** What is to be written, in the control's own form, or why it cannot be. */
export type Plan =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'check'; readonly checked: boolean }
  | { readonly kind: 'choose'; readonly options: readonly Option[] }
  | { readonly kind: 'number'; readonly number: number }
  | { readonly kind: 'refused'; readonly problem: string; /** A later field may make it possible. */ readonly later?: boolean }

export const temporal = new Set(['date', 'time', 'datetime-local', 'month', 'week'])
const examples = new Map([['date', '2026-11-27'], ['time', '19:30'], ['datetime-local', '2026-11-27T19:30'], ['month', '2026-11'], ['week', '2026-W48']])

const textOf = (value: unknown): string =>
  value === null || value === undefined ? '' : Array.isArray(value) ? value.map(textOf).join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value)

const languagesOf = (element: Element): string[] =>
  [element.closest('[lang]')?.getAttribute('lang') ?? '', ...navigator.languages].filter((language) => language !== '')

/** #rrggbb of any CSS colour, by the canvas's own reading of it. */
function parseColor(text: string): string | undefined {
  if (!CSS.supports('color', text)) return undefined
  const canvas = document.createElement('canvas').getContext('2d')
  if (!canvas) return /^#[\da-f]{6}$/i.test(text) ? text.toLowerCase() : undefined
  canvas.fillStyle = text
  return /^#[\da-f]{6}$/.test(canvas.fillStyle) ? canvas.fillStyle : undefined
}

export function planFor(field: Field, value: JsonValue | undefined, sight: Sight): Plan {
  const { element, type } = field
  const refused = (problem: string, later = false): Plan => ({ kind: 'refused', problem, ...(later ? { later } : {}) })
  if (field.secret) return refused(`sensitive-field: ${JSON.stringify(field.label)} is private (${field.secret}); the user fills it`)
  if (type === 'file') return refused('sensitive-field: files are chosen by the user')
  if (field.members.every(isDisabled)) return refused('The field is disabled', true)
  if (isReadOnly(element)) return refused('The field is read-only', true)
  const text = textOf(value)
  if (type === 'checkbox' || type === 'switch') {
    const named = [field.label, field.ownLabel, isTag(element, 'input') ? element.value : ''].some((name) => name !== '' && name.toLowerCase() === text.toLowerCase())
    const checked = named ? true : parseBoolean(value)
    return checked === undefined ? refused(`${JSON.stringify(text)} is neither yes nor no`) : { kind: 'check', checked }
  }
  if (type === 'radio' || type === 'listbox' || isTag(element, 'select')) {
    const options = optionsOf(field, sight)
    const several = (isTag(element, 'select') && element.multiple) || element.getAttribute('aria-multiselectable') === 'true'
    const whole = several && typeof value === 'string' && matchOption(value, options).option === undefined ? value.split(/\s*[,;\n]\s*/) : [value]
    const asked = Array.isArray(value) ? (value as readonly JsonValue[]) : several && (value === null || value === '') ? [] : whole
    if (!several && asked.length > 1) return refused('Only one option can be chosen')
    const chosen: Option[] = []
    for (const one of asked) {
      const match = matchOption(one, options)
      if (!match.option) return refused(match.problem, true)
      chosen.push(match.option)
    }
    return { kind: 'choose', options: chosen }
  }
  if (type === 'slider' || type === 'spinbutton') {
    const number = parseNumber(value)
    return number === undefined ? refused(`${JSON.stringify(text)} is not a number`) : { kind: 'number', number }
  }
  if (text === '') return { kind: 'text', text }
  if (type === 'number' || type === 'range') {
    const number = parseNumber(value)
    if (number === undefined) return refused(`${JSON.stringify(text)} is not a number`)
    const { min, max } = element as HTMLInputElement
    const range = type === 'range' ? [min === '' ? 0 : Number(min), max === '' ? 100 : Number(max)] : [-Infinity, Infinity]
    if (number < (range[0] ?? number) || number > (range[1] ?? number)) return refused(`${number} is not between ${range[0]} and ${range[1]}`)
    return { kind: 'text', text: String(number) }
  }
  if (temporal.has(type)) {
    const parsed = parseTemporal(type, value, languagesOf(element))
    return parsed === undefined ? refused(`${JSON.stringify(text)} is not understood as a ${type}; write it like ${examples.get(type)}`) : { kind: 'text', text: parsed }
  }
  if (type === 'color') {
    const color = parseColor(text)
    return color === undefined ? refused(`${JSON.stringify(text)} is not a colour; write it like #3366cc`) : { kind: 'text', text: color }
  }
  if (isTag(element, 'input', 'textarea') && element.maxLength >= 0 && text.length > element.maxLength) {
    return refused(`The text has ${text.length} characters, the field takes ${element.maxLength}`)
  }
  return { kind: 'text', text: isTag(element, 'input') ? text.replace(/\s*\n\s*/g, ' ') : text }
}

/** The value setter of the element's class, past whatever a framework put on the element itself. */
export function setNative(element: HTMLElement, property: string, value: unknown): void {
  const view = viewOf(element)
  const prototype: object = isTag(element, 'input') ? view.HTMLInputElement.prototype : isTag(element, 'textarea') ? view.HTMLTextAreaElement.prototype
    : isTag(element, 'select') ? view.HTMLSelectElement.prototype : isTag(element, 'option') ? view.HTMLOptionElement.prototype : Object.getPrototypeOf(element) as object
  const setter = Object.getOwnPropertyDescriptor(prototype, property)?.set
  if (setter) setter.call(element, value)
  else Reflect.set(element, property, value)
}

export function writeText(element: HTMLElement, text: string, typed: boolean): boolean {
  return asOurs(() => {
    enter(element)
    const accepted = !typed || beforeInput(element, text)
    if (accepted) {
      setNative(element, 'value', text)
      input(element, typed ? text : null)
      change(element)
    }
    leave(element)
    return accepted
  })
}

/** An editor keeps a document of its own: the browser's editing command is what it listens to. */
export function writeEditable(element: HTMLElement, text: string): void {
  asOurs(() => {
    const page = element.ownerDocument
    const before = page.activeElement
    const selection = page.getSelection()
    const kept = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null
    element.focus({ preventScroll: true })
    selection?.selectAllChildren(element)
    const done = text === '' ? page.execCommand('delete') : page.execCommand('insertText', false, text)
    if (!done && beforeInput(element, text)) {
      element.textContent = text
      input(element, text)
    }
    if (before !== element) {
      element.blur()
      const back = before?.shadowRoot?.activeElement ?? before
      if (back && back !== page.body) (back as HTMLElement).focus({ preventScroll: true })
      if (kept) { selection?.removeAllRanges(); selection?.addRange(kept) }
    }
  })
}

function choose({ element }: Field, options: readonly Option[]): void {
  asOurs(() => {
    if (isTag(element, 'select')) {
      enter(element)
      const wanted = new Set<Element>(options.map((option) => option.element))
      if (element.multiple) for (const option of element.options) { if (option.selected !== wanted.has(option)) setNative(option, 'selected', wanted.has(option)) }
      else setNative(element, 'selectedIndex', [...element.options].findIndex((option) => wanted.has(option)))
      input(element, null)
      change(element)
      leave(element)
      return
    }
    const [option] = options
    if (element.getAttribute('aria-multiselectable') === 'true') {
      const wanted = new Set<Element>(options.map((one) => one.element))
      for (const one of element.querySelectorAll<HTMLElement>('[role=option]')) if ((one.getAttribute('aria-selected') === 'true') !== wanted.has(one)) click(one)
    } else if (option && !option.chosen) {
      enter(option.element)
      if (isTag(option.element, 'input')) option.element.click()
      else click(option.element)
      leave(option.element)
    }
  })
}

/** A slider moves by keys; as far as it goes towards the number, and no further than it answers. */
export async function slide(element: HTMLElement, number: number, signal: AbortSignal): Promise<void> {
  const now = (): number => Number(element.getAttribute('aria-valuenow'))
  for (let step = 0; step < 400 && now() !== number && !signal.aborted; step++) {
    const before = now()
    asOurs(() => press(element, number > before ? 'ArrowRight' : 'ArrowLeft'))
    if (now() === before) await settle()
    if (now() === before || Math.sign(number - before) !== Math.sign(number - now()) && now() !== number) return
  }
}

/** The pop-up of a combobox, once it shows its options. */
async function pick(field: Field, value: JsonValue | undefined, signal: AbortSignal): Promise<string | undefined> {
  const { element } = field
  let options: Option[] = []
  for (let turn = 0; turn < 12 && !signal.aborted; turn++) {
    await settle()
    options = optionsOf({ ...field, type: 'combobox' }, createSight())
    if (options.length > 0) break
    if (element.getAttribute('aria-expanded') !== 'true' && turn > 3) return undefined
  }
  if (options.length === 0) return undefined
  const match = matchOption(value, options)
  if (!match.option) {
    asOurs(() => press(element, 'Escape'))
    return match.problem
  }
  const { element: option } = match.option
  asOurs(() => click(option))
  return undefined
}

const pops = (element: Element): boolean =>
  element.getAttribute('role') === 'combobox' && (element.hasAttribute('aria-controls') || element.hasAttribute('aria-owns') || element.getAttribute('aria-haspopup') === 'listbox')

/** Writes what was planned. The answer is what went wrong on the way, if anything did. */
export async function write(field: Field, plan: Plan, value: JsonValue | undefined, signal: AbortSignal): Promise<string | undefined> {
  const { element, type } = field
  if (plan.kind === 'refused') return plan.problem
  if (plan.kind === 'choose') { choose(field, plan.options); return undefined }
  if (plan.kind === 'number') { await slide(element, plan.number, signal); return undefined }
  if (plan.kind === 'check') {
    if (valueOf(field, createSight()) === plan.checked) return undefined
    asOurs(() => {
      enter(element)
      if (isTag(element, 'input')) element.click()
      else click(element)
      leave(element)
    })
    return undefined
  }
  if (type === 'editable') { writeEditable(element, plan.text); return undefined }
  if (type === 'combobox') {
    if (element.getAttribute('aria-expanded') !== 'true') asOurs(() => click(element))
    return pick(field, value, signal)
  }
  const typed = isTag(element, 'textarea') || (isTag(element, 'input') && !temporal.has(type) && type !== 'range' && type !== 'color')
  if (!writeText(element, plan.text, typed)) return 'The page refused the input'
  if (pops(element) && plan.text !== '') return pick(field, value, signal)
  return undefined
}

const bare = (text: string): string => text.normalize('NFKC').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')

/** Whether the field now holds what was planned, perhaps written another way. */
export function holds(field: Field, plan: Plan, sight: Sight): boolean {
  const now = valueOf(field, sight)
  if (plan.kind === 'check') return now === plan.checked
  if (plan.kind === 'choose') {
    if (isTag(field.element, 'select')) {
      const chosen = [...field.element.selectedOptions].map((option) => option.value + option.label)
      return chosen.length === plan.options.length && plan.options.every(({ element }) => isTag(element, 'option') && chosen.includes(element.value + element.label))
    }
    const labels = Array.isArray(now) ? (now as readonly JsonValue[]) : [now]
    return plan.options.every((option) => labels.includes(option.label))
  }
  if (plan.kind === 'number') return parseNumber(now) === plan.number
  if (plan.kind !== 'text') return false
  const { element } = field
  const held = isTag(element, 'input', 'textarea') ? element.value : textOf(now)
  if (held === plan.text || (plan.text !== '' && bare(held) === bare(plan.text) && bare(held) !== '')) return true
  return (field.type === 'number' || field.type === 'range') && Number(held) === Number(plan.text) && held !== ''
}

/** The raw state of a field, to put back and to compare with; never of a private one. */
export function stateOf({ element, members }: Field): string {
  if (isTag(element, 'select')) return JSON.stringify([...element.options].map((option) => option.selected))
  if (isTag(element, 'input') && (element.type === 'checkbox' || element.type === 'radio')) return JSON.stringify(members.map((member) => (member as HTMLInputElement).checked))
  if (isTag(element, 'input', 'textarea')) return element.value
  if ('value' in element) return String((element as { value: unknown }).value)
  return JSON.stringify(members.map((member) => [member.getAttribute('aria-checked'), member.getAttribute('aria-valuenow'), member.getAttribute('contenteditable') === null ? '' : member.innerText,
    ...[...member.querySelectorAll('[role=option]')].map((option) => option.getAttribute('aria-selected'))]))
}
