// Writes one field with the events that a user would cause. Values go through the setter of the prototype, because
// frameworks override the element's own. Yields to the event loop between two actions.
import type { JsonValue } from '../../core/data/json.js'
import { isTag, viewOf } from '../dom/dom.js'
import type { Field } from '../read/form-fields.js'
import { chosenBeside } from '../dom/pop-ups.js'
import { createVisibility } from '../dom/visibility.js'
import { uncommonFields } from '../read/on-demand.js'
import { isPickerBox, opensDialog } from './pop-ups/date-picker-field.js'
import { dispatchBeforeInput, dispatchChange, enterField, dispatchInput, leaveField, nextTask } from './input-events.js'
import { asToolInput } from './watch-user.js'
import { languagesOf, temporalTypes } from './plan-write.js'
import type { Box } from './checkboxes.js'
import type { WritePlan } from './plan-write.js'
import { mayBeDay } from './typed-text.js'

/** Sets a property by the setter of the element's class, ignoring overrides of frameworks on the element. */
export function setNative(element: Element, property: string, value: unknown): void {
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

const isTypedInto = (element: Element, type: string): boolean =>
  isTag(element, 'textarea') ||
  (isTag(element, 'input') && !temporalTypes.has(type) && type !== 'range' && type !== 'color')

/**
 * Enters a field and writes its text. The caller leaves the field later, because pop-ups close then. False if the page
 * rejects it.
 */
export const typeInto = (element: Element, text: string, typed: boolean): boolean =>
  asToolInput(() => {
    enterField(element)
    if (typed && !dispatchBeforeInput(element, text)) return false
    setNative(element, 'value', text)
    dispatchInput(element, typed ? text : null)
    return true
  })

/**
 * Writes a text and leaves the field. False if the page rejects it. `typed`: with the events of typing. `chosen` runs
 * before leaving; if it returns true, it has left the field.
 */
export async function writeText(
  element: Element,
  text: string,
  typed: boolean,
  chosen?: () => Promise<boolean>,
): Promise<boolean> {
  const accepted = typeInto(element, text, typed)
  if (accepted) await nextTask()
  if (accepted && (await chosen?.())) return true
  asToolInput(() => {
    if (accepted) dispatchChange(element)
    leaveField(element)
  })
  return accepted
}

/** Fields that announce suggestions, or may offer some. */
export const listSigns =
  ':is([aria-autocomplete]:not([aria-autocomplete=none]),[list],[class*=autocomplete i],' +
  '[autocomplete=off i]:is([type=text],[type=search],:not([type])))'

/** Writes a text. If the page offers suggestions, chooses the one that equals it. */
async function writeTyped(element: Element, text: string, typed: boolean, signal: AbortSignal): Promise<WriteResult> {
  const changes: MutationRecord[] = []
  const observer = new MutationObserver((records) => void changes.push(...records))
  for (const root of [element.ownerDocument, element.getRootNode()])
    observer.observe(root, { subtree: true, childList: true, attributeFilter: ['class', 'hidden', 'style'] })
  let result: WriteResult = { plain: true }
  const isList = ({ target }: MutationRecord): boolean =>
    (target as Element).querySelector('li,[role=option],[class*=autocomplete i]') !== null
  const accepted = await writeText(element, text, typed, async () => {
    if (!typed || text === '' || !isTag(element, 'input') || !(element.matches(listSigns) || changes.some(isList)))
      return false
    result = await (await import('./pop-ups/suggestions.js')).chooseSuggestion(element, text, changes, signal)
    return true
  })
  observer.disconnect()
  return accepted ? result : { problem: 'The page refused the input' }
}

const opensPopUp = (element: Element): boolean => element.getAttribute('role') === 'combobox' && !opensDialog(element)
/** Whether a text is written as the value: the field is no rich text and opens no list or calendar to choose from. */
const takesText = ({ element, type }: Field): boolean =>
  type !== 'combobox' &&
  type !== 'editable' &&
  (type !== 'date' || isTag(element, 'input')) &&
  !isPickerBox(element) &&
  !opensPopUp(element)

/**
 * The result of writing: a new plan if the field should hold another text, such as the label of an option, and the
 * problem.
 */
export interface WriteResult {
  /** Replaces the plan. Absent: the field should hold what was planned. */
  readonly plan?: Extract<WritePlan, { kind: 'text' }>
  /** Why the value could not be written, as the model reads it. Undefined if it was written. */
  readonly problem?: string | undefined
  /** What the page offered for the text, of which nothing was chosen. */
  readonly offer?: { readonly suggestions: readonly string[]; readonly note: string }
  /** The boxes that changed with a mixed checkbox, as they were before. */
  readonly boxes?: readonly Box[]
  /** The page showed no list: further fields can be written before it has rendered. */
  readonly plain?: true
}

/** Writes a planned value. `value` is the requested one, for fields that hold several. */
export async function writeField(
  field: Field,
  plan: WritePlan,
  value: JsonValue | undefined,
  signal: AbortSignal,
): Promise<WriteResult> {
  const { element, type: kind } = field
  if (plan.kind === 'refused') return { problem: plan.problem }
  if (plan.kind !== 'text' || !takesText(field))
    return (await import('./plan-special.js')).writeSpecial(field, plan, value, signal)
  const typed = isTypedInto(element, kind)
  const written =
    typed && isTag(element, 'input') && mayBeDay(plan.text)
      ? await (await import('./pop-ups/calendar.js')).writeDay(element, plan.text, languagesOf(element), signal)
      : undefined
  return written ?? writeTyped(element, plan.text, typed, signal)
}

/** The raw state of a field, to compare and restore. Must not be called for private fields. */
export function fieldStateOf(field: Field): string {
  const { element, type } = field
  return isTag(element, 'input', 'textarea') && type !== 'checkbox' && type !== 'radio'
    ? element.value || chosenBeside(element, createVisibility(), '', true)
    : uncommonFields().stateOf(field)
}
