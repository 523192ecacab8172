// Fields that hold several words of the user's own: each is typed, and the Enter key makes it a tag beside the text.
import type { JsonValue } from '../../core/data/json.js'
import type { WriteResult } from '../controls/control-kind.js'
import { chosenBeside } from '../dom/pop-ups.js'
import { toComparable, truncate } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import { dispatchChange } from '../hands/edits.js'
import { enterField, leaveField } from '../hands/focus.js'
import { pressKey } from '../hands/keys.js'
import { asToolInput } from '../hands/own-input.js'
import { nextTask, patience, until, waitForPageUpdates } from '../waiting/until.js'
import { valueAsText } from './plan.js'
import { typeInto } from './write-text.js'

const tagsBeside = (element: Element): string => chosenBeside(element, new Visibility(), '', true)

/** Removes chosen values that are rendered beside an empty text field, by Backspace as a user would. */
export async function clearChosen(element: Element): Promise<void> {
  let before = tagsBeside(element)
  for (let presses = 0; before !== '' && presses < 100; presses++) {
    asToolInput(() => {
      enterField(element)
      pressKey(element, 'Backspace')
    })
    await waitForPageUpdates()
    const now = tagsBeside(element)
    if (now === before) return
    before = now
  }
}

/** Types a word and presses Enter. False if the page makes no tag of it. */
export async function addTag(element: Element, text: string, signal: AbortSignal): Promise<boolean> {
  if (!typeInto(element, text, true)) return false
  await nextTask()
  asToolInput(() => pressKey(element, 'Enter'))
  const isMade = (): boolean => toComparable(tagsBeside(element)).includes(toComparable(text))
  await until({ done: () => isMade() || signal.aborted, ...patience.tag })
  return isMade()
}

/** Makes these words the tags of a field, and no others. */
export async function writeTags(
  element: HTMLInputElement,
  value: JsonValue | undefined,
  signal: AbortSignal,
): Promise<WriteResult> {
  const words = (Array.isArray(value) ? value.map(valueAsText) : valueAsText(value).split(/\s*[,;\n]\s*/)).filter(
    Boolean,
  )
  await clearChosen(element)
  let problem: string | undefined
  for (const word of words) {
    if (await addTag(element, word, signal)) continue
    problem = `The page made no tag of ${JSON.stringify(truncate(word, 60))}`
    break
  }
  asToolInput(() => {
    if (problem !== undefined) typeInto(element, '', true)
    dispatchChange(element)
    leaveField(element)
  })
  await waitForPageUpdates()
  return problem === undefined ? { plan: { text: words.join(', '), labels: words } } : { problem }
}
