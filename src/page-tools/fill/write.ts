// Writing one field with the events a person would cause. Values go through the setter of the prototype, because
// frameworks replace the element's own; a page gets its turn between two deeds.
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
import { languagesOf, isTemporal } from './plan-write.js'
import type { WritePlan } from './plan-write.js'

/** The value setter of the element's class, past whatever a framework put on the element itself. */
export function setNative(element: HTMLElement, property: string, value: unknown): void {
  const view = viewOf(element)
  const prototype: object = isTag(element, 'input')
    ? view.HTMLInputElement.prototype
    : isTag(element, 'textarea')
      ? view.HTMLTextAreaElement.prototype
      : isTag(element, 'select')
        ? view.HTMLSelectElement.prototype
        : isTag(element, 'option')
          ? view.HTMLOptionElement.prototype
          : (Object.getPrototypeOf(element) as object)
  const setter = Object.getOwnPropertyDescriptor(prototype, property)?.set
  if (setter) setter.call(element, value)
  else Reflect.set(element, property, value)
}

const typedInto = (element: HTMLElement, type: string): boolean =>
  isTag(element, 'textarea') ||
  (isTag(element, 'input') && !isTemporal.has(type) && type !== 'range' && type !== 'color')

/**
 * The text goes in; leaving the box comes later, because what it opens closes then. False where the page refuses it.
 */
export const typeInto = (element: HTMLElement, text: string, typed: boolean): boolean =>
  asToolInput(() => {
    enterField(element)
    if (typed && !dispatchBeforeInput(element, text)) return false
    setNative(element, 'value', text)
    dispatchInput(element, typed ? text : null)
    return true
  })

export async function writeText(element: HTMLElement, text: string, typed: boolean): Promise<boolean> {
  const accepted = typeInto(element, text, typed)
  if (accepted) await nextTask()
  asToolInput(() => {
    if (accepted) dispatchChange(element)
    leaveField(element)
  })
  return accepted
}

/** An editor keeps a document of its own: the browser's editing command is what it listens to. */
export function writeEditable(element: HTMLElement, text: string): void {
  asToolInput(() => {
    const page = unclobbered(element.ownerDocument)
    const before = page.activeElement
    const selection = page.getSelection()
    const kept = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null
    element.focus({ preventScroll: true })
    selection?.selectAllChildren(element)
    // The command itself does not ask; an editor that answers has written the text by itself.
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

export const toggleCheckbox = (element: HTMLElement): void =>
  asToolInput(() => {
    enterField(element)
    if (isTag(element, 'input')) element.click()
    else dispatchMouseClick(element)
    leaveField(element)
  })

const pops = (element: Element): boolean => element.getAttribute('role') === 'combobox' && !opensDialog(element)
/** Most forms have none. */
const widgets = (): Promise<typeof import('./widgets.js')> => import('./widgets.js')

/** What the field should hold now, where the writing told more of it, and what went wrong on the way. */
export interface WriteResult {
  readonly plan?: Extract<WritePlan, { kind: 'text' }>
  readonly problem?: string | undefined
}

/** What a pop-up takes the focus for, it gives back: the user may be typing elsewhere. */
export async function keepingFocus<T>(owner: Document, step: () => Promise<T>): Promise<T> {
  const page = unclobbered(owner)
  const before = page.activeElement as HTMLElement | null
  const done = await step()
  await waitForPageUpdates()
  if (before && before !== page.activeElement && before !== page.body && before.isConnected)
    asToolInput(() => before.focus({ preventScroll: true }))
  return done
}

/** Writes what was planned. */
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
  if (kind === 'combobox' || isPickerBox(element) || pops(element))
    return (await import('./combobox.js')).chooseFromList(field, plan.text, value, signal)
  if (kind === 'date' && !isTag(element, 'input'))
    return keepingFocus(element.ownerDocument, async () => {
      await (await widgets()).fillDate(field, plan.text, signal)
      return {}
    })
  return {
    problem: (await writeText(element, plan.text, typedInto(element, kind))) ? undefined : 'The page refused the input',
  }
}

/** The raw state of a field, to put back and to compare with; never of a private one. */
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
