// Writes one field as a user would. Yields to the event loop between two actions.
import type { JsonValue } from '../../core/data/json.js'
import { isTag } from '../dom/dom.js'
import type { Field } from '../read/field.js'
import { writeEditor } from './editors.js'
import { languagesOf, temporalTypes, type WritePlan } from './plan.js'
import { pickDay, writeDay } from './pop-ups/calendar.js'
import { chooseFromList } from './pop-ups/combobox.js'
import { isPickerBox, opensDialog } from './pop-ups/date-picker-field.js'
import { chooseSuggestion } from './pop-ups/suggestions.js'
import { listSigns, writeText, type WriteResult } from './set-value.js'
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
  const isList = ({ target }: MutationRecord): boolean =>
    (target as Element).querySelector('li,[role=option],[class*=autocomplete i]') !== null
  const accepted = await writeText(element, text, typed, async () => {
    if (!typed || text === '' || !isTag(element, 'input') || !(element.matches(listSigns) || changes.some(isList)))
      return false
    result = await chooseSuggestion(element, text, changes, signal)
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
  const typed = isTypedInto(element, kind)
  const written =
    typed && isTag(element, 'input') && mayBeDay(plan.text)
      ? await writeDay(element, plan.text, languagesOf(element), signal)
      : undefined
  return written ?? writeTyped(element, plan.text, typed, signal)
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
        problem: await pickDay(element, plan.day, languagesOf(element), signal),
      }
    case 'text':
      break
    default:
      return plan satisfies never
  }
  if (type === 'editable') return writeEditor(field, plan.text)
  if (type === 'date' && !isTag(element, 'input')) {
    await fillDate(field, plan.text, signal)
    return {}
  }
  return chooseFromList(field, plan.text, value, signal)
}
