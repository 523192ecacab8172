// Text fields, and how a text is written into any field that takes one: typed, and chosen from what the page offers.
import type { JsonValue } from '../../core/data/json.js'
import { byIds, isTag } from '../dom/dom.js'
import { isDisabled } from '../dom/field-state.js'
import { isTagInput, opensDialog } from '../dom/pop-ups.js'
import type { Visibility } from '../dom/visibility.js'
import { formatDate } from '../fill/dates.js'
import { wantedText } from '../fill/holds-text.js'
import { keepNumber, onlyNumber, writtenNumber } from '../fill/numbers.js'
import { isoDate, languagesOf, refused, temporalFormats, valueAsText } from '../fill/plan.js'
import { writeDay } from '../fill/pop-ups/calendar.js'
import { chooseFromList } from '../fill/pop-ups/combobox.js'
import { chooseSuggestion, hasList, textToType } from '../fill/pop-ups/suggestions.js'
import { writeTags } from '../fill/tags.js'
import { mayBeDay } from '../fill/typed-text.js'
import { typeInto, writeText } from '../fill/write-text.js'
import { dispatchChange } from '../hands/edits.js'
import { leaveField } from '../hands/focus.js'
import { pressKey } from '../hands/keys.js'
import { asToolInput } from '../hands/own-input.js'
import type { Field } from '../read/field.js'
import { waitForPageUpdates } from '../waiting/until.js'
import type { ControlKind, Former, Plan, Refusal, TextPlan, Wanted, WriteResult, WriteRun } from './control-kind.js'
import { daysOfReadOnly } from './pop-up.js'
import { proposalsOf, textIn, textState } from './shown.js'

/** Inputs whose value no key of a person writes. */
const notTyped = new Set([...temporalFormats.keys(), 'range', 'color'])
const isTypedInto = ({ element, type }: Field): boolean =>
  isTag(element, 'textarea') || (isTag(element, 'input') && !notTyped.has(type))

/** Writes a text. If the page offers suggestions, chooses the one that equals it. */
async function writeTyped(element: Element, text: string, typed: boolean, run: WriteRun): Promise<WriteResult> {
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
    result = await chooseSuggestion({ ...entered, value: text, former, run })
    return true
  })
  observer.disconnect()
  return accepted ? result : { problem: 'The page refused the input' }
}

/**
 * A text that is wanted of a field, written as its value: typed, or chosen from the list that the field opens. `value`
 * is the requested one, for fields that hold several.
 */
export const writtenText = (plan: TextPlan, value: JsonValue | undefined): Wanted =>
  wantedText(plan, (field, run) => writeAsText(field, plan, { value, run }))

async function writeAsText(
  field: Field,
  plan: TextPlan,
  { value, run }: { readonly value: JsonValue | undefined; readonly run: WriteRun },
): Promise<WriteResult> {
  const { element } = field
  if (element.getAttribute('role') === 'combobox' && !opensDialog(element))
    return chooseFromList(field, plan.text, value, run)
  if (isTag(element, 'input') && isTagInput(element)) return writeTags(element, value, run.signal)
  const typed = isTypedInto(field)
  const written =
    typed && isTag(element, 'input') && mayBeDay(plan.text)
      ? await writeDay(element, plan.text, languagesOf(element), run.signal)
      : undefined
  const former = isTag(element, 'input') ? element.value : ''
  const result = written ?? (await writeTyped(element, plan.text, typed, run))
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
function isOtherTime(current: string, text: string): boolean {
  const [, hour, minute] = clockText.exec(text) ?? []
  const shown = /(\d{1,2}):(\d{2})/.exec(current)
  return current === '' || (shown !== null && (Number(shown[1]) % 12 !== Number(hour) % 12 || shown[2] !== minute))
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

/** Whether a text field takes the words true and false: it holds or proposes one of them. */
const takesBoolean = ({ element }: Field): boolean =>
  isTag(element, 'input', 'textarea') &&
  [element.value, element.placeholder, ...(isTag(element, 'input') ? (element.list?.options ?? []) : [])].some((one) =>
    /^(true|false)$/i.test((typeof one === 'string' ? one : one.value).trim()),
  )

/** Refuses true and false for a field of texts. */
export const refuseBoolean = (field: Field, value: JsonValue | undefined): Refusal | undefined =>
  typeof value !== 'boolean' || takesBoolean(field)
    ? undefined
    : refused(`${JSON.stringify(field.label)} takes a text and is no box to check. Pass the text, or another field`)

function planText(field: Field, value: JsonValue | undefined, visibility: Visibility): Plan {
  const { element } = field
  const asked = typeof value === 'number' ? writtenNumber(element, value) : valueAsText(value)
  const refusal = refuseBoolean(field, value)
  if (refusal) return refusal
  if (asked === '') return writtenText({ text: asked }, value)
  if (isTag(element, 'input', 'textarea') && element.maxLength >= 0 && asked.length > element.maxLength) {
    return refused(`The text has ${asked.length} characters, the maximum is ${element.maxLength}`)
  }
  if (!isTag(element, 'input')) return writtenText({ text: asked }, value)
  // A hint such as mm/dd/yyyy asks for another format of an ISO date.
  let formatted: string | undefined
  if (isoDate.test(asked)) {
    const hint = [
      element.placeholder,
      field.label,
      ...byIds(element, 'aria-describedby').map((node) => visibility.visibleText(node)),
    ].join(' ')
    formatted = formatDate(asked, hint, element.value)
  }
  const plan = {
    text: formatted ?? asked.replace(/\s*\n\s*/g, ' '),
    ...(typeof value === 'number' ? { number: value } : {}),
  }
  return writtenText(plan, value)
}

/** Writes a former text. */
export async function restoreText(field: Field, { state, run }: Former): Promise<string | undefined> {
  const { element } = field
  // A date of a read-only field was chosen in a calendar, so that its script knows it.
  const isChosen = isTag(element, 'input') && element.readOnly && !isDisabled(element)
  const days = isChosen ? daysOfReadOnly(element, state) : undefined
  if (days) {
    await days.write(field, run)
    if (textState(field) === state) return undefined
  }
  const { problem } = await writtenText({ text: state }, state).write(field, run)
  // The former text of a combobox may not be one of its options.
  if (problem !== undefined && isTag(element, 'input') && element.value !== state) await writeText(element, state, true)
  return undefined
}

/** A text field. */
export const text: ControlKind = {
  types: ['text', 'search', 'email', 'tel', 'url', 'password', 'textarea'],
  value: textIn,
  state: (field) => textState(field),
  options: proposalsOf,
  flags: ({ type }) => (type === 'password' ? [type] : []),
  plan: planText,
  restore: restoreText,
}
