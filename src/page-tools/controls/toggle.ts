// Checkboxes and switches. One that is mixed stands for others, as "Select all" does, and a press may change all
// of them: it is pressed until it has the wanted state, or else everything that the presses changed is put back.
import type { JsonValue } from '../../core/data/json.js'
import { nameOrText } from '../dom/accessible-name.js'
import { currentPage, elementsUnder, isTag } from '../dom/dom.js'
import { checkedStateOf, isAriaTrue } from '../dom/field-state.js'
import { truncate } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import { parseBoolean } from '../fill/choices.js'
import { listFields, refused, valueAsText } from '../fill/plan.js'
import { clickElement } from '../hands/events.js'
import { enterField, leaveField } from '../hands/focus.js'
import { dispatchMouseClick } from '../hands/mouse.js'
import { asToolInput } from '../hands/own-input.js'
import type { Field } from '../read/field.js'
import { nextTask, patience, until, waitForPageUpdates } from '../waiting/until.js'
import type { BoxState, ControlKind, Plan, WriteResult } from './control-kind.js'
import { isDrawnAround } from './shown.js'

const pressable =
  'input[type=checkbox],:is([role=checkbox],[role=switch],[role=menuitemcheckbox]):not([aria-disabled=true])'
/** Also rows and items that a "Select all" may select. They are only named: a click on one may do something else. */
const boxes = `${pressable},:is(tr,[role=row])[aria-selected],:is([role=treeitem],[role=option])[aria-checked]`

/** Presses at most: two reach each of three states, one more is for a page that only takes notice of the first. */
const mostPresses = 3

const stateOf = (element: Element): boolean | 'mixed' =>
  element.matches('input,[aria-checked]') ? checkedStateOf(element) : isAriaTrue(element, 'aria-selected')

/** All boxes of the page with their states, in document order. */
function boxesNow(): BoxState[] {
  const visibility = new Visibility()
  return [...elementsUnder(currentPage().documentElement)]
    .filter((element) => element.matches(boxes))
    .map((element) => ({
      element,
      name: truncate(nameOrText(element, visibility), 60),
      state: stateOf(element),
      checked: isTag(element, 'input') && element.checked,
    }))
}

/** The boxes as they are now: the page may have rendered them anew. Undefined where one is gone. */
function foundAgain(before: readonly BoxState[]): (Element | undefined)[] {
  if (before.every(({ element }) => element.isConnected)) return before.map(({ element }) => element)
  const now = boxesNow()
  return before.map(({ element, name }, at) => {
    if (element.isConnected) return element
    if (now.length === before.length && now[at]?.name === name) return now[at].element
    const named = now.filter((one) => one.name === name)
    return named.length === 1 ? named[0]?.element : undefined
  })
}

/** The button inside the label of an invisible input, which takes the click of a person in its place. */
const buttonFor = (input: HTMLInputElement): Element | undefined =>
  new Visibility().isShown(input)
    ? undefined
    : ([...(input.labels ?? [])].flatMap((label) => label.querySelector('button[type=button]') ?? [])[0] ?? undefined)

/** Clicks a checkbox, radio button or switch. */
export const toggleCheckbox = (element: Element): void =>
  asToolInput(() => {
    enterField(element)
    const button = isTag(element, 'input') ? buttonFor(element) : element
    if (button) dispatchMouseClick(button)
    else clickElement(element)
    leaveField(element)
  })

const statesOf = (of: readonly BoxState[]): string =>
  JSON.stringify(foundAgain(of).map((element) => (element ? stateOf(element) : null)))

/** Waits until the page no longer changes the boxes. `before`: their states before the press. */
async function settle(of: readonly BoxState[], before: string, signal: AbortSignal): Promise<void> {
  const { nothing, still } = patience.linkedBoxes
  let seen = before
  let changed: number | undefined
  await until({
    done(passed) {
      const now = passed()
      const states = statesOf(of)
      if (states !== seen) [seen, changed] = [states, now]
      return signal.aborted || (changed === undefined ? now > nothing : now - changed > still)
    },
    ...patience.linkedBoxes,
    waitsFirst: true,
  })
}

/** Whether no framework keeps the state of a native box, so that its property is all that must be set. */
const isPlainBox = (element: Element): element is HTMLInputElement =>
  isTag(element, 'input') && Reflect.ownKeys(element).length === 0 && element.getRootNode() === element.ownerDocument

/**
 * Puts boxes back into their states by presses, those that stand for others last. Returns the names of those that could
 * not be put back.
 */
async function putBack(before: readonly BoxState[], signal: AbortSignal): Promise<string[]> {
  const differ = (): { readonly box: BoxState; readonly element: Element | undefined }[] => {
    const elements = foundAgain(before)
    return before
      .map((box, at) => ({ box, element: elements[at] }))
      .filter(({ box, element }) => !element || stateOf(element) !== box.state)
  }
  const wrongOnes = (): readonly { readonly box: BoxState; readonly element: Element | undefined }[] =>
    // From the end: a box that stands for others usually precedes them, and follows when they change.
    differ().reverse()
  for (let round = 0; round < mostPresses && !signal.aborted && differ().length > 0; round++) {
    const start = statesOf(before)
    for (const { box } of wrongOnes().filter(({ box }) => box.state !== 'mixed')) {
      const element = foundAgain([box])[0] ?? foundAgain(before)[before.indexOf(box)]
      if (!element?.matches(pressable) || stateOf(element) === box.state) continue
      toggleCheckbox(element)
      await nextTask()
      if (element.isConnected && stateOf(element) !== box.state) await waitForPageUpdates()
    }
    const isMixedLeft = differ().length > 0 && differ().every(({ box }) => box.state === 'mixed')
    if (isMixedLeft) await settle(before, start, signal)
    for (const { box, element } of isMixedLeft ? wrongOnes() : []) {
      if (!element?.matches(pressable)) continue
      if (!isTag(element, 'input')) toggleCheckbox(element)
      else if (isPlainBox(element)) {
        element.checked = box.checked
        element.indeterminate = true
      }
    }
    await settle(before, start, signal)
    if (statesOf(before) === start) break
  }
  return differ().map(({ box }) => box.name)
}

/**
 * Sets a checkbox or switch. If the wanted state cannot be reached, nothing is changed, and the problem says so. The
 * boxes of the result are those that a press on a mixed one has changed, as they were before.
 */
async function setCheckbox(element: Element, wanted: boolean | 'mixed', signal: AbortSignal): Promise<WriteResult> {
  const first = stateOf(element)
  if (first === wanted) return {}
  const self: BoxState = { element, name: '', state: first, checked: isTag(element, 'input') && element.checked }
  // Only a box that stands for others needs all of them, for which the whole page is read.
  const others = first === 'mixed' ? boxesNow() : []
  const before = others.some((box) => box.element === element) ? others : [self, ...others]
  const at = before.findIndex((box) => box.element === element)
  const seen: (boolean | 'mixed' | undefined)[] = [first]
  for (let presses = 0; presses < mostPresses && !signal.aborted; presses++) {
    const current = foundAgain(before)[at]
    if (!current) break
    const states = statesOf(before)
    toggleCheckbox(current)
    await waitForPageUpdates()
    const isReached = (): boolean => {
      const now = foundAgain(before)[at]
      return now !== undefined && stateOf(now) === wanted
    }
    // A page may answer a press on a box that stands for others only after a request.
    if (first === 'mixed' || !isReached()) await settle(before, states, signal)
    const now = foundAgain(before)[at]
    if (isReached()) return first === 'mixed' ? { boxes: changedSince(before) } : {}
    const state = now && stateOf(now)
    if (seen.includes(state)) break
    seen.push(state)
  }
  const lost = await putBack(before, signal)
  if (first !== 'mixed') return {}
  return {
    problem:
      'The box is mixed: it stands for others, of which some are checked. ' +
      `Presses did not make it ${wanted === true ? 'checked' : 'unchecked'}, so ` +
      (lost.length === 0
        ? 'it was put back with all others. Fill the boxes that it stands for, one by one'
        : `it was put back. These boxes are different now: ${listFields(lost)}. Check them with form_read`),
    boxes: changedSince(before),
  }
}

/** The boxes that have another state now, with this state. */
function changedSince(before: readonly BoxState[]): BoxState[] {
  const elements = foundAgain(before)
  return before.flatMap((box, at) => {
    const element = elements[at]
    return element && stateOf(element) !== box.state ? [{ ...box, element, after: stateOf(element) }] : []
  })
}

/** Puts back what a fill of a mixed box has changed, except what was changed since. Returns the problem, if any. */
async function restoreMixed(changed: readonly BoxState[], signal: AbortSignal): Promise<string | undefined> {
  const elements = foundAgain(changed)
  const own = changed.filter((box, at) => elements[at] && stateOf(elements[at]) === box.after)
  const lost = await putBack(own, signal)
  return lost.length === 0 ? undefined : `These boxes are not as they were: ${listFields(lost)}`
}

/** The name of a box checks it, too. */
function planCheck({ element, label, ownLabel }: Field, value: JsonValue | undefined): Plan {
  const text = valueAsText(value)
  const named = [label, ownLabel, isTag(element, 'input') ? element.value : ''].some(
    (name) => name !== '' && name.toLowerCase() === text.toLowerCase(),
  )
  // No press can be meant to make a box mixed, but it may be so already.
  const isMixed = text.toLowerCase() === 'mixed' && checkedStateOf(element) === 'mixed'
  const checked = isMixed ? 'mixed' : named || parseBoolean(value)
  if (checked === undefined) return refused(`${JSON.stringify(text)} is not true or false`)
  return {
    holds: (_field, current) => current.value === checked,
    async write({ element: box }, run) {
      if (checked) run.checkChoice(box)
      return setCheckbox(box, checked, run.signal)
    },
  }
}

/** A checkbox or switch. */
export const toggle: ControlKind = {
  types: ['checkbox', 'switch'],
  claims: ({ role }) => (role === 'checkbox' || role === 'switch' ? role : undefined),
  isDrawn: (element, visibility, type) => type === 'checkbox' && isDrawnAround(element, visibility),
  together: 'checkbox',
  value: ({ element }) => checkedStateOf(element),
  state: ({ element }) => JSON.stringify(checkedStateOf(element)),
  flags: (_field, value) => [...(value === true ? ['checked'] : []), ...(value === 'mixed' ? ['mixed'] : [])],
  isState: true,
  takes: 'boolean',
  plan: planCheck,
  async restore({ element }, { state, boxes, run }) {
    const wanted = JSON.parse(state) as boolean | 'mixed'
    return wanted === 'mixed'
      ? restoreMixed(boxes, run.signal)
      : (await setCheckbox(element, wanted, run.signal)).problem
  },
}
