// Writes one field as a user would. Yields to the event loop between two actions.
import type { JsonValue } from '../../core/data/json.js'
import { isTag } from '../dom/dom.js'
import { isPartsType } from '../read/date-parts.js'
import type { Field } from '../read/field.js'
import { writeEditor } from './editors.js'
import { keepNumber } from './keep-number.js'
import { onlyNumber } from './number-notation.js'
import { languagesOf, temporalTypes, type WritePlan } from './plan.js'
import { pickDays, writeDay } from './pop-ups/calendar.js'
import { chooseFromList } from './pop-ups/combobox.js'
import { isPickerBox, isTagInput, opensDialog } from '../dom/pop-ups.js'
import { writeTags } from './tags.js'
import { chooseSuggestion, hasList, textToType } from './pop-ups/suggestions.js'
import { dispatchChange, leaveField, pressKey, waitForPageUpdates } from './input-events.js'
import { asToolInput } from './watch-user.js'
import { typeInto, writeText, type WriteResult } from './set-value.js'
import { fillDate, setSlider } from './sliders.js'
import { mayBeDay } from './typed-text.js'
import { operateWidget } from './widgets.js'

const isTypedInto = (element: Element, type: string): boolean =>
  isTag(element, 'textarea') ||
  (isTag(element, 'input') && !temporalTypes.has(type) && type !== 'range' && type !== 'color')

/** Writes a text. If the page offers suggestions, chooses the one that equals it. */
async function writeTyped(element: Element, text: string, typed: boolean, signal: AbortSignal): Promise<WriteResult> {
  const changes: MutationRecord[] = []
  const observer = new MutationObserver((records) => void changes.push(...records))
  for (const root of [element.ownerDocument, element.getRootNode()])
    observer.observe(root, { subtree: true, childList: true, attributeFilter: ['class', 'hidden', 'style'] })
  let result: WriteResult = { plain: true }
  const first = typed ? textToType(element, text) : text
  const former = isTag(element, 'input') ? element.value : ''
  const accepted = await writeText(element, first, typed, async () => {
    if (!typed || text === '' || !isTag(element, 'input')) return false
    const entered = { field: element, text: first, changes }
    if (!hasList(entered)) return false
    result = await chooseSuggestion({ ...entered, value: text, former, signal })
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
  (!isPartsType(type) || isTag(element, 'input')) &&
  !isPickerBox(element) &&
  !opensPopUp(element)

/** Writes a planned value. `value` is the requested one, for fields that hold several. */
export async function writeField(
  field: Field,
  plan: WritePlan,
  value: JsonValue | undefined,
  signal: AbortSignal,
): Promise<WriteResult> {
  const { element, type: kind } = field
  if (plan.kind === 'refused') return { problem: plan.problem }
  if (plan.kind !== 'text' || !takesText(field)) return writeSpecial(field, plan, value, signal)
  if (isTag(element, 'input') && isTagInput(element)) return writeTags(element, value, signal)
  const typed = isTypedInto(element, kind)
  const written =
    typed && isTag(element, 'input') && mayBeDay(plan.text)
      ? await writeDay(element, plan.text, languagesOf(element), signal)
      : undefined
  const former = isTag(element, 'input') ? element.value : ''
  const result = written ?? (await writeTyped(element, plan.text, typed, signal))
  const number = plan.number ?? onlyNumber(plan.text)
  if (typed && isTag(element, 'input') && number !== undefined && !result.plan && !result.offer && !result.problem) {
    const problem = await keepNumber(element, number, { text: plan.text, former })
    return problem === undefined ? { ...result, plan: { ...plan, number } } : { problem }
  }
  return typed && isTag(element, 'input') && clockText.test(plan.text)
    ? keepTime(element, { text: plan.text, former }, result)
    : result
}

/** A time, perhaps after a day. */
const clockText = /^(?:\d{4}-\d{2}-\d{2}[ T])?(\d{1,2}):(\d{2})(:\d{2})?$/

/** Whether a field shows no time, or another one than the text. A clock of twelve hours shows 13:30 as 1:30. */
function isOtherTime(held: string, text: string): boolean {
  const [, hour, minute] = clockText.exec(text) ?? []
  const shown = /(\d{1,2}):(\d{2})/.exec(held)
  return held === '' || (shown !== null && (Number(shown[1]) % 12 !== Number(hour) % 12 || shown[2] !== minute))
}

/**
 * Types a time again that the page has dropped, or replaced by the present one: pickers may ask for seconds, and for
 * the Enter key. If that does not help, the former text comes back.
 */
async function keepTime(
  element: HTMLInputElement,
  { text, former }: { readonly text: string; readonly former: string },
  result: WriteResult,
): Promise<WriteResult> {
  await waitForPageUpdates()
  if (!isOtherTime(element.value, text)) return result
  for (const typed of [text.replace(/^((?:.*[ T])?\d+:\d+)$/, '$1:00'), text]) {
    if (!(await enterTime(element, typed))) return result
    if (!isOtherTime(element.value, text)) return {}
  }
  if (element.value !== former) await enterTime(element, former)
  return result
}

/** Types a time and confirms it. False if the page refuses the input. */
async function enterTime(element: HTMLInputElement, text: string): Promise<boolean> {
  if (!typeInto(element, text, true)) return false
  await waitForPageUpdates()
  asToolInput(() => pressKey(element, 'Enter'))
  await waitForPageUpdates()
  asToolInput(() => {
    dispatchChange(element)
    leaveField(element)
  })
  await waitForPageUpdates()
  return true
}

/** `writeField` for a field whose value is not set as a text. */
async function writeSpecial(
  field: Field,
  plan: Exclude<WritePlan, { kind: 'refused' }>,
  value: JsonValue | undefined,
  signal: AbortSignal,
): Promise<WriteResult> {
  const { element, type } = field
  switch (plan.kind) {
    case 'number':
    case 'shown':
      return setSlider(element, plan, signal)
    case 'check':
    case 'choose':
      return operateWidget(field, plan, signal)
    case 'day':
      return {
        problem: await pickDays(element, plan.days, languagesOf(element), signal),
      }
    case 'text':
      break
    default:
      return plan satisfies never
  }
  if (type === 'editable') return writeEditor(field, plan.text)
  if (isPartsType(type) && !isTag(element, 'input')) {
    await fillDate(field, plan.text, signal)
    return {}
  }
  return chooseFromList(field, plan.text, value, signal)
}
