// Writes one field with the events that a user would cause. Values go through the setter of the prototype, because
// frameworks override the element's own. Yields to the event loop between two actions.
import { unclobbered } from '../../core/data/unclobbered.js'
import type { JsonValue } from '../../core/data/json.js'
import { isTag, viewOf } from '../dom/dom.js'
import type { Field } from '../read/form-fields.js'
import { chosenBeside } from '../dom/pop-ups.js'
import { createVisibility } from '../dom/visibility.js'
import { fieldValueOf } from '../dom/field-state.js'
import { isPickerBox, opensDialog } from './date-picker-field.js'
import {
  asToolInput,
  dispatchBeforeInput,
  dispatchChange,
  dispatchMouseClick,
  enterField,
  dispatchInput,
  leaveField,
  waitForPageUpdates,
  nextTask,
} from './input-events.js'
import { languagesOf, temporalTypes } from './plan-write.js'
import type { WritePlan } from './plan-write.js'

/** Sets a property by the setter of the element's class, ignoring overrides of frameworks on the element. */
export function setNative(element: HTMLElement, property: string, value: unknown): void {
  const view = viewOf(element)
  let prototype = Object.getPrototypeOf(element) as object
  if (isTag(element, 'input')) prototype = view.HTMLInputElement.prototype
  else if (isTag(element, 'textarea')) prototype = view.HTMLTextAreaElement.prototype
  else if (isTag(element, 'select')) prototype = view.HTMLSelectElement.prototype
  else if (isTag(element, 'option')) prototype = view.HTMLOptionElement.prototype
  const setter = Object.getOwnPropertyDescriptor(prototype, property)?.set
  if (setter) setter.call(element, value)
  else Reflect.set(element, property, value)
}

const isTypedInto = (element: HTMLElement, type: string): boolean =>
  isTag(element, 'textarea') ||
  (isTag(element, 'input') && !temporalTypes.has(type) && type !== 'range' && type !== 'color')

/**
 * Enters a field and writes its text. The caller leaves the field later, because pop-ups close then. False if the page
 * rejects it.
 */
export const typeInto = (element: HTMLElement, text: string, typed: boolean): boolean =>
  asToolInput(() => {
    enterField(element)
    if (typed && !dispatchBeforeInput(element, text)) return false
    setNative(element, 'value', text)
    dispatchInput(element, typed ? text : null)
    return true
  })

/** Writes a text and leaves the field. False if the page rejects it. `typed`: with the events of typing. */
export async function writeText(element: HTMLElement, text: string, typed: boolean): Promise<boolean> {
  const accepted = typeInto(element, text, typed)
  if (accepted) await nextTask()
  asToolInput(() => {
    if (accepted) dispatchChange(element)
    leaveField(element)
  })
  return accepted
}

/** Writes into a rich text editor by the browser's editing command, because editors ignore changes of their DOM. */
export function writeEditable(element: HTMLElement, text: string): void {
  asToolInput(() => {
    const page = unclobbered(element.ownerDocument)
    const before = page.activeElement
    const selection = page.getSelection()
    const kept = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null
    element.focus({ preventScroll: true })
    selection?.selectAllChildren(element)
    // The command dispatches no `beforeinput`. An editor that cancels ours has written the text itself.
    if (
      dispatchBeforeInput(element, text) &&
      !(text === '' ? page.execCommand('delete') : page.execCommand('insertText', false, text))
    ) {
      element.textContent = text
      dispatchInput(element, text)
    }
    if (before !== element) {
      element.blur()
      const back = before?.shadowRoot?.activeElement ?? before
      if (back && back !== page.body) (back as HTMLElement).focus({ preventScroll: true })
      if (kept) {
        selection?.removeAllRanges()
        selection?.addRange(kept)
      }
    }
  })
}

/** Chooses the options of a native select that pass the test. */
export function selectOption(element: HTMLSelectElement, chosen: (option: HTMLOptionElement) => boolean): void {
  asToolInput(() => {
    enterField(element)
    if (element.multiple)
      for (const option of element.options) {
        if (option.selected !== chosen(option)) setNative(option, 'selected', chosen(option))
      }
    else setNative(element, 'selectedIndex', [...element.options].findIndex(chosen))
    dispatchInput(element, null)
    dispatchChange(element)
    leaveField(element)
  })
}

/** Clicks a checkbox, radio button or switch. */
export const toggleCheckbox = (element: HTMLElement): void =>
  asToolInput(() => {
    enterField(element)
    if (isTag(element, 'input')) element.click()
    else dispatchMouseClick(element)
    leaveField(element)
  })

const opensPopUp = (element: Element): boolean => element.getAttribute('role') === 'combobox' && !opensDialog(element)
/** Loaded on demand, because most forms have none. */
const widgets = (): Promise<typeof import('./widgets.js')> => import('./widgets.js')

/**
 * The result of writing: a new plan if the field should hold another text, such as the label of an option, and the
 * problem.
 */
export interface WriteResult {
  /** Replaces the plan. Absent: the field should hold what was planned. */
  readonly plan?: Extract<WritePlan, { kind: 'text' }>
  /** Why the value could not be written, as the model reads it. Undefined if it was written. */
  readonly problem?: string | undefined
}

/** Runs a step and restores the focus, which a pop-up may take while the user types elsewhere. */
export async function keepingFocus<T>(owner: Document, step: () => Promise<T>): Promise<T> {
  const page = unclobbered(owner)
  const before = page.activeElement as HTMLElement | null
  const done = await step()
  await waitForPageUpdates()
  if (before && before !== page.activeElement && before !== page.body && before.isConnected)
    asToolInput(() => before.focus({ preventScroll: true }))
  return done
}

/** Writes a planned value. `value` is the requested one, for fields that hold several. */
export async function writeField(
  field: Field,
  plan: WritePlan,
  value: JsonValue | undefined,
  signal: AbortSignal,
): Promise<WriteResult> {
  const { element, type: kind } = field
  switch (plan.kind) {
    case 'refused':
      return { problem: plan.problem }
    case 'number':
      await (await widgets()).moveSlider(element, plan.number, signal)
      return {}
    case 'check':
      if (fieldValueOf(field, createVisibility()) !== plan.checked) toggleCheckbox(element)
      return {}
    case 'day':
      return {
        problem: await keepingFocus(element.ownerDocument, async () =>
          (await import('./calendar.js')).pickDay(element, plan.day, languagesOf(element), signal),
        ),
      }
    case 'choose': {
      const wanted = plan.options.map((option) => option.element)
      if (isTag(element, 'select')) selectOption(element, (option) => wanted.includes(option))
      else if (isTag(element, 'input')) {
        for (const option of plan.options) if (!option.chosen) toggleCheckbox(option.element)
      } else await (await widgets()).chooseOptions(field, plan.options)
      return {}
    }
    case 'text':
      break
    default:
      return plan satisfies never
  }
  if (kind === 'editable') {
    writeEditable(element, plan.text)
    return {}
  }
  if (kind === 'combobox' || isPickerBox(element) || opensPopUp(element))
    return (await import('./combobox.js')).chooseFromList(field, plan.text, value, signal)
  if (kind === 'date' && !isTag(element, 'input'))
    return keepingFocus(element.ownerDocument, async () => {
      await (await widgets()).fillDate(field, plan.text, signal)
      return {}
    })
  return {
    problem: (await writeText(element, plan.text, isTypedInto(element, kind)))
      ? undefined
      : 'The page refused the input',
  }
}

/** The raw state of a field, to compare and restore. Must not be called for private fields. */
export function fieldStateOf(field: Field): string {
  const { element, members, type } = field
  if (isTag(element, 'select')) return JSON.stringify([...element.options].map((option) => option.selected))
  if (isTag(element, 'input') && (type === 'checkbox' || type === 'radio'))
    return JSON.stringify(members.map((member) => (member as HTMLInputElement).checked))
  if (isTag(element, 'input', 'textarea')) return element.value || chosenBeside(element, createVisibility(), '', true)
  if (type === 'editable') return element.innerText
  if (type === 'slider' || type === 'spinbutton') return element.getAttribute('aria-valuenow') ?? ''
  const value = fieldValueOf(field, createVisibility())
  return type === 'custom' ? String(value) : JSON.stringify(value)
}
