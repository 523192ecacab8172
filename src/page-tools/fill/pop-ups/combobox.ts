// Chooses from the pop-up of a combobox or listbox button: opens it or types into it, clicks an option, and closes it,
// because an open list covers the page.
import { unclobbered } from '../../../core/data/dom-clobbering.js'
import type { JsonValue } from '../../../core/data/json.js'
import type { WriteResult, WriteRun } from '../../controls/control-kind.js'
import { optionsIn, proposalsOf, textIn, textState } from '../../controls/shown.js'
import { currentPage, elementsUnder, isTag, rootOf } from '../../dom/dom.js'
import { isDisabled } from '../../dom/field-state.js'
import { chosenBeside, chosenIn, isPickerBox, popUpsOf } from '../../dom/pop-ups.js'
import { bringIntoView } from '../../hands/scroll.js'
import { normalizeText, toComparable, truncate } from '../../dom/text.js'
import { Visibility } from '../../dom/visibility.js'
import { dispatchChange } from '../../hands/edits.js'
import { enterField, keepingFocus, leaveField } from '../../hands/focus.js'
import { pressKey } from '../../hands/keys.js'
import { dispatchMouseClick } from '../../hands/mouse.js'
import { asToolInput } from '../../hands/own-input.js'
import type { Field, Option } from '../../read/field.js'
import { nextTask, patience, until, waitForPageUpdates } from '../../waiting/until.js'
import { findOption, matchOption, wantedOptions } from '../choices.js'
import { languagesOf } from '../plan.js'
import { addTag, clearChosen } from '../tags.js'
import { typeInto, writeText } from '../write-text.js'
import { dismiss, isInBox, pressBeside } from './close-pop-up.js'

interface Choice {
  readonly labels: string[]
  readonly problem?: string | undefined
}

/** What the field shows as chosen. `textOf` reads a text field. */
const shownIn = (field: Field, textOf: (field: Field, visibility: Visibility) => string): string =>
  isTag(field.element, 'input', 'textarea')
    ? textOf(field, new Visibility())
    : chosenIn(field.element, new Visibility())

const isOpen = (element: Element): boolean => element.getAttribute('aria-expanded') === 'true'

const shownLists = (visibility: Visibility): Element[] =>
  [...elementsUnder(currentPage().documentElement)].filter(
    (one): one is Element => one.matches('[role=listbox]') && visibility.isShown(one),
  )
/** The listboxes that were visible before the field was opened. */
const listsBefore = new WeakMap<Element, readonly Element[]>()

/** The pop-ups that the field names, or else the listboxes that have appeared since it was opened. */
function openedBy(element: Element): Element[] {
  const named = popUpsOf(element)
  const before = listsBefore.get(element)
  return named.length > 0 || !before ? named : shownLists(new Visibility()).filter((one) => !before.includes(one))
}

/** The options that the pop-up shows. */
function visibleOptions(field: Field): Option[] {
  const visibility = new Visibility()
  const options =
    isTag(field.element, 'input') && field.element.list
      ? proposalsOf(field, visibility)
      : optionsIn(popUpsOf(field.element), visibility)
  if (options.length > 0) return options
  for (const element of popUpsOf(field.element).length > 0 ? [] : (openedBy(field.element) as Element[])) {
    const opened = optionsIn([element], visibility)
    if (opened.length > 0) return opened
  }
  // Some libraries render the options beside a listbox that only lists a few of them for assistive technology.
  return popUpsOf(field.element)
    .flatMap((box) =>
      box.querySelector('[role=option]') && box.parentElement ? [...box.parentElement.querySelectorAll('[title]')] : [],
    )
    .map((element) => ({ element, title: normalizeText(element.getAttribute('title') ?? '') }))
    .filter(({ element, title }) => visibility.isShown(element) && visibility.visibleText(element) === title)
    .map(({ element, title }) => ({
      label: title,
      value: title,
      chosen: false,
      disabled: isDisabled(element),
      element,
    }))
}

function patienceFor(element: Element): { readonly atMost: number } {
  if (isOpen(element)) return patience.openList
  const isExpected = (isTag(element, 'input', 'textarea') && !element.readOnly) || element.hasAttribute('aria-haspopup')
  return isExpected ? patience.expectedList : patience.unexpectedList
}

async function waitForOptions(field: Field, run: WriteRun): Promise<Option[]> {
  let options: Option[] = []
  await until({
    done() {
      options = visibleOptions(field)
      return options.length > 0 || run.signal.aborted
    },
    // It may open meanwhile.
    atMost: () => patienceFor(field.element).atMost,
  })
  return options
}

async function closeList(element: Element, boxes: readonly Element[]): Promise<void> {
  // Twice, because a list that is still opening ignores the first key.
  for (const isOwner of isInBox(element) ? [] : [false, true, false, true]) {
    if (!isOpen(element)) break
    const target = isOwner ? element : unclobbered(element.ownerDocument).activeElement
    dismiss(element, boxes[0] ?? element, target ?? element)
    await until({ done: () => !isOpen(element), ...patience.closing })
  }
  // Some pop-ups ignore keys. A click where the field is hits the field, or the backdrop over it.
  if (isOpen(element)) {
    const { left, top, width, height } = element.getBoundingClientRect()
    const hit = rootOf(element).elementFromPoint(left + width / 2, top + height / 2)
    const isBackdrop = hit !== null && hit.childNodes.length === 0 && !element.contains(hit)
    asToolInput(() => dispatchMouseClick(isBackdrop ? hit : element))
    await until({ done: () => !isOpen(element), ...patience.closing })
  }
  if (isOpen(element)) pressBeside(element, boxes[0] ?? element)
  await waitUntilHidden(boxes)
}

async function waitUntilHidden(boxes: readonly Element[]): Promise<void> {
  const isHidden = (): boolean => !boxes.some((box) => box.isConnected && new Visibility().isShown(box))
  await until({ done: isHidden, ...patience.fading })
}

/** Chooses among the options that the pop-up shows. Without labels and problem, it showed none. */
async function chooseOption(field: Field, value: JsonValue | undefined, run: WriteRun): Promise<Choice> {
  const { element } = field
  let options = await waitForOptions(field, run)
  const boxes = openedBy(element)
  if (options.length === 0) {
    await closeList(element, boxes)
    return { labels: [] }
  }
  const several = boxes.some((box) => box.getAttribute('aria-multiselectable') === 'true')
  const languages = languagesOf(element)
  const wanted = wantedOptions(value, options, several, languages)
  let found = wanted.map((one) => matchOption(one, options, languages))
  await until({
    done() {
      if (found.every(({ option }) => option) || run.signal.aborted) return true
      options = visibleOptions(field)
      found = wanted.map((one) => matchOption(one, options, languages))
      return found.every(({ option }) => option)
    },
    ...patience.filter,
  })
  found = wanted.map((one) => findOption(one, options, languages))
  let problem = found.find((one) => one.problem !== undefined)?.problem
  const labels = problem === undefined ? found.flatMap(({ option }) => option?.label ?? []) : []
  if (problem === undefined && !several && found.length > 1) {
    problem = await chooseEach(field, labels, run)
    await closeList(element, boxes)
    return { labels: problem === undefined ? labels : [], problem }
  }
  for (let clicks = 0; problem === undefined && clicks < 200; clicks++) {
    const next = several ? options.find(({ label, chosen }) => chosen !== labels.includes(label)) : found[0]?.option
    if (!next) break
    run.checkOption(next.element, element)
    asToolInput(() => dispatchMouseClick(next.element))
    await waitForPageUpdates()
    if (!several) {
      // A list that opened under the pointer may ignore the first click as accidental.
      if (isOpen(element)) asToolInput(() => pressKey(next.element, 'Enter'))
      break
    }
    options = visibleOptions(field)
  }
  await closeList(element, boxes)
  return { labels, problem }
}

/**
 * Chooses several options of a list that does not say whether it takes several: it does if it stays open after the
 * first one. Former values beside the field are removed before, as the list may not show which ones it holds.
 */
async function chooseEach(field: Field, labels: readonly string[], run: WriteRun): Promise<string | undefined> {
  const { element } = field
  if (isTag(element, 'input')) await clearChosen(element)
  for (const label of labels) {
    const option = visibleOptions(field).find((one) => one.label === label)
    if (!option || run.signal.aborted) return 'Only one option can be chosen'
    if (option.chosen) continue
    run.checkOption(option.element, element)
    asToolInput(() => dispatchMouseClick(option.element))
    await waitForPageUpdates()
  }
  return undefined
}

/** Types one value and chooses the option that appears. */
async function typeAndChoose(field: Field, text: string, run: WriteRun): Promise<Choice> {
  const { element } = field
  if (!typeInto(element, text, true)) return { labels: [], problem: 'The page refused the input' }
  const choice = await chooseOption(field, text, run)
  const isEmpty = (): boolean =>
    isTag(element, 'input', 'textarea') &&
    element.value === '' &&
    chosenBeside(element, new Visibility(), '', true) === ''
  // The text alone may have chosen it, so that the click has let go of it.
  if (choice.labels.length > 0 && isEmpty()) {
    await waitForPageUpdates()
    if (isEmpty()) typeInto(element, text, true)
    await waitForPageUpdates()
    await closeList(element, openedBy(element))
  }
  return choice
}

/** Makes a word a tag. If the page makes none of it, takes it out again and closes the list that typing has opened. */
async function addOwn(element: Element, word: string, run: WriteRun): Promise<boolean> {
  if (await addTag(element, word, run.signal)) return true
  typeInto(element, '', true)
  await nextTask()
  await closeList(element, openedBy(element))
  return false
}

/** What a person clicks to open the list: the field, or the visible box around a field that is hidden in it. */
function faceOf(element: Element): Element {
  const visibility = new Visibility()
  let face = element
  for (let level = 0; level < 4 && !visibility.isShown(face) && face.parentElement; level++) face = face.parentElement
  return face
}

async function writeChoice(field: Field, text: string, value: JsonValue | undefined, run: WriteRun): Promise<Choice> {
  const { element } = field
  if (!isTag(element, 'input', 'textarea') || isPickerBox(element)) {
    if (text !== '' && shownIn(field, textIn) === text) return { labels: [text] }
    if (!isOpen(element)) {
      listsBefore.set(element, shownLists(new Visibility()))
      asToolInput(() => {
        enterField(element)
        dispatchMouseClick(faceOf(element))
      })
    }
    const choice = await chooseOption(field, value, run)
    asToolInput(() => leaveField(element))
    return choice
  }
  // A chosen value is often no longer among the options.
  if (text !== '' && toComparable(chosenBeside(element, new Visibility(), '', true)) === toComparable(text))
    return { labels: [text] }
  const list = Array.isArray(value) ? value.map((one) => String(one ?? '')) : undefined
  if (list || text === '') await clearChosen(element)
  if (text === '')
    return { labels: [], ...((await writeText(element, '', true)) ? {} : { problem: 'The page refused the input' }) }
  const labels: string[] = []
  for (const one of list ?? [text]) {
    const { labels: chosen, problem: refusal } = await typeAndChoose(field, one, run)
    await nextTask()
    // Without any options the page may take words of the user's own.
    const isOwn = list && chosen.length === 0 && refusal === undefined && (await addOwn(element, one, run))
    const problem =
      chosen.length === 0 && list && !isOwn
        ? (refusal ?? `There is no option ${JSON.stringify(truncate(normalizeText(one), 60))}`)
        : refusal
    if (isOwn) chosen.push(one)
    if (problem !== undefined) {
      asToolInput(() => leaveField(element))
      return { labels: [], problem }
    }
    labels.push(...chosen)
  }
  // A single value replaces all values of a field that holds several.
  const beside = chosenBeside(element, new Visibility(), '', true)
  if (!list && beside !== '' && toComparable(beside) !== toComparable(labels[0] ?? '')) {
    await clearChosen(element)
    await typeAndChoose(field, text, run)
  }
  asToolInput(() => {
    dispatchChange(element)
    leaveField(element)
  })
  if (labels.length > 0) return { labels }
  await waitForPageUpdates()
  if (element.value !== '') return { labels }
  // The page discarded the text: it only accepts options, which may have other names.
  asToolInput(() => {
    enterField(element)
    dispatchMouseClick(element)
    pressKey(element, 'ArrowDown')
  })
  const choice = await chooseOption(field, text, run)
  asToolInput(() => leaveField(element))
  return choice
}

/**
 * Chooses the options for a value. The plan of the result has their labels, which may differ from the requested text.
 */
export async function chooseFromList(
  field: Field,
  text: string,
  value: JsonValue | undefined,
  run: WriteRun,
): Promise<WriteResult> {
  bringIntoView(field.element)
  const { labels, problem } = await keepingFocus(() => writeChoice(field, text, value, run))
  // Some pages render the choice only after the list has disappeared.
  const isShown = (label: string): boolean => toComparable(shownIn(field, textState)).includes(toComparable(label))
  await until({ done: () => run.signal.aborted || labels.every(isShown), ...patience.fading })
  return { problem, ...(labels.length > 0 ? { plan: { text: labels.join(', '), labels } } : {}) }
}
