// Choosing from a pop-up, as comboboxes and the buttons of listboxes have it: opened or typed into, an option clicked,
// and closed again, because what stays open lies over the page. Loaded with the first such field.
import { unclobbered } from '../../core/data/unclobbered.js'
import type { JsonValue } from '../../core/data/json.js'
import { isTag, rootOf } from '../dom/dom.js'
import type { Field } from '../read/form-fields.js'
import { chosenBeside, popUpsOf } from '../dom/pop-ups.js'
import { createVisibility } from '../dom/visibility.js'
import { isDisabled, optionsOf, fieldValueOf, type Option } from '../dom/field-state.js'
import { normalizeText, toComparable, truncate } from '../dom/text.js'
import { matchOption, wantedOptions } from './choices.js'
import {
  asToolInput,
  dispatchChange,
  dispatchMouseClick,
  enterField,
  leaveField,
  pressKey,
  waitForPageUpdates,
  nextTask,
} from './input-events.js'
import { isPickerBox } from './date-picker-field.js'
import { languagesOf } from './plan-write.js'
import { keepingFocus, fieldStateOf, typeInto, writeText, type WriteResult } from './write.js'

/** Milliseconds until a list is there: one that is open, one that typing brings, any other. */
const patience = { open: 1500, typed: 1000, other: 150 }
/** Milliseconds for a list to become the one that was typed for. */
const filtering = 800

interface Picked {
  readonly labels: readonly string[]
  readonly problem?: string | undefined
}

const isOpen = (element: Element): boolean => element.getAttribute('aria-expanded') === 'true'
const isFocused = (element: Element): boolean => rootOf(element).activeElement === element

/** What the pop-up shows to choose from. */
function offered(field: Field): Option[] {
  const visibility = createVisibility()
  const options = optionsOf({ ...field, type: 'combobox' }, visibility)
  if (options.length > 0) return options
  // Some draw all options beside a listbox that only names a few, for assistive technology.
  return popUpsOf(field.element)
    .flatMap((box) =>
      box.querySelector('[role=option]') && box.parentElement
        ? [...box.parentElement.querySelectorAll<HTMLElement>('[title]')]
        : [],
    )
    .filter((one) => visibility.isShown(one) && visibility.visibleText(one) === normalizeText(one.title))
    .map((element) => ({
      label: normalizeText(element.title),
      value: normalizeText(element.title),
      chosen: false,
      disabled: isDisabled(element),
      element,
    }))
}

/** Draws go by until it is so, or for so many milliseconds. */
async function until(isSo: () => boolean, most: number): Promise<void> {
  for (const since = performance.now(); !isSo() && performance.now() - since < most;) await waitForPageUpdates()
}

async function shown(field: Field, signal: AbortSignal): Promise<Option[]> {
  const { element } = field
  const since = performance.now()
  for (;;) {
    const options = offered(field)
    const most = isOpen(element)
      ? patience.open
      : isTag(element, 'input') && /^(list|both)$/.test(element.getAttribute('aria-autocomplete') ?? '')
        ? patience.typed
        : patience.other
    if (options.length > 0 || signal.aborted || performance.now() - since > most) return options
    await waitForPageUpdates()
  }
}

/** Milliseconds for a list to go: many fade, and hide the page as long. */
const fading = 1000

async function close(element: HTMLElement, boxes: readonly Element[]): Promise<void> {
  for (const target of [unclobbered(element.ownerDocument).activeElement, element]) {
    if (!isOpen(element)) break
    asToolInput(() => {
      if (target) pressKey(target as HTMLElement, 'Escape')
    })
    await waitForPageUpdates()
  }
  await gone(boxes)
}

async function gone(boxes: readonly Element[]): Promise<void> {
  await until(() => !boxes.some((box) => box.isConnected && createVisibility().isShown(box)), fading)
}

/** Chooses among what the pop-up shows. No labels and no problem: it showed nothing. */
async function pick(field: Field, value: JsonValue | undefined, signal: AbortSignal): Promise<Picked> {
  const { element } = field
  let options = await shown(field, signal)
  const boxes = popUpsOf(element)
  if (options.length === 0) {
    await close(element, boxes)
    return { labels: [] }
  }
  const several = boxes.some((box) => box.getAttribute('aria-multiselectable') === 'true')
  const languages = languagesOf(element)
  const wanted = wantedOptions(value, options, several, languages)
  let found = wanted.map((one) => matchOption(one, options, languages))
  await until(() => {
    if (found.every(({ option }) => option) || signal.aborted) return true
    options = offered(field)
    found = wanted.map((one) => matchOption(one, options, languages))
    return found.every(({ option }) => option)
  }, filtering)
  const problem =
    found.find((one) => one.problem !== undefined)?.problem ??
    (!several && found.length > 1 ? 'Only one option can be chosen' : undefined)
  const labels = problem === undefined ? found.flatMap(({ option }) => option?.label ?? []) : []
  for (let clicks = 0; problem === undefined && clicks < 200; clicks++) {
    const next = several ? options.find(({ label, chosen }) => chosen !== labels.includes(label)) : found[0]?.option
    if (!next) break
    asToolInput(() => dispatchMouseClick(next.element))
    await waitForPageUpdates()
    if (!several) {
      // A list that opened under the pointer takes a click on what lay there for a slip.
      if (isOpen(element)) asToolInput(() => pressKey(next.element, 'Enter'))
      break
    }
    options = offered(field)
  }
  await close(element, boxes)
  return { labels, problem }
}

/** Types one value and takes the option that it brings. */
async function typed(field: Field, text: string, signal: AbortSignal): Promise<Picked> {
  const { element } = field
  if (!typeInto(element, text, true)) return { labels: [], problem: 'The page refused the input' }
  const picked = await pick(field, text, signal)
  if (picked.labels.length > 0 || picked.problem !== undefined || isFocused(element)) return picked
  // Some open only where the focus really is.
  element.focus({ preventScroll: true })
  typeInto(element, '', true)
  await nextTask()
  typeInto(element, text, true)
  const again = await pick(field, text, signal)
  element.blur()
  return again
}

/** What is drawn as chosen beside an empty box goes as it goes for a person: by Backspace. */
async function clearChosen(element: HTMLElement): Promise<void> {
  let before = chosenBeside(element, createVisibility(), '', true)
  for (let presses = 0; before !== '' && presses < 100; presses++) {
    asToolInput(() => {
      enterField(element)
      pressKey(element, 'Backspace')
    })
    await waitForPageUpdates()
    const now = chosenBeside(element, createVisibility(), '', true)
    if (now === before) return
    before = now
  }
}

async function write(field: Field, text: string, value: JsonValue | undefined, signal: AbortSignal): Promise<Picked> {
  const { element } = field
  if (!isTag(element, 'input') || isPickerBox(element)) {
    if (text !== '' && fieldValueOf(field, createVisibility()) === text) return { labels: [text] }
    if (!isOpen(element))
      asToolInput(() => {
        enterField(element)
        dispatchMouseClick(element)
      })
    const picked = await pick(field, value, signal)
    asToolInput(() => leaveField(element))
    return picked
  }
  // What is chosen is often no option any more.
  if (text !== '' && toComparable(chosenBeside(element, createVisibility(), '', true)) === toComparable(text))
    return { labels: [text] }
  const list = Array.isArray(value) ? value.map((one) => String(one ?? '')) : undefined
  if (list || text === '') await clearChosen(element)
  if (text === '')
    return { labels: [], ...((await writeText(element, '', true)) ? {} : { problem: 'The page refused the input' }) }
  const labels: string[] = []
  for (const one of list ?? [text]) {
    const {
      labels: chosen,
      problem = chosen.length === 0 && list
        ? `There is no option ${JSON.stringify(truncate(normalizeText(one), 60))}`
        : undefined,
    } = await typed(field, one, signal)
    await nextTask()
    if (problem !== undefined) {
      asToolInput(() => leaveField(element))
      return { labels: [], problem }
    }
    labels.push(...chosen)
  }
  // One value for what holds several is all that it holds then.
  const beside = chosenBeside(element, createVisibility(), '', true)
  if (!list && beside !== '' && toComparable(beside) !== toComparable(labels[0] ?? '')) {
    await clearChosen(element)
    await typed(field, text, signal)
  }
  asToolInput(() => {
    dispatchChange(element)
    leaveField(element)
  })
  if (labels.length > 0) return { labels }
  await waitForPageUpdates()
  if (element.value !== '') return { labels }
  // Thrown away by the page: there is a choice, and what there is to choose may be called otherwise.
  asToolInput(() => {
    enterField(element)
    dispatchMouseClick(element)
    pressKey(element, 'ArrowDown')
  })
  const picked = await pick(field, text, signal)
  asToolInput(() => leaveField(element))
  return picked
}

/** What was chosen may be called otherwise than what was asked. */
export async function chooseFromList(
  field: Field,
  text: string,
  value: JsonValue | undefined,
  signal: AbortSignal,
): Promise<WriteResult> {
  const { labels, problem } = await keepingFocus(field.element.ownerDocument, () => write(field, text, value, signal))
  // The choice may be drawn only when the list has gone.
  await until(
    () => signal.aborted || labels.every((label) => toComparable(fieldStateOf(field)).includes(toComparable(label))),
    fading,
  )
  return { problem, ...(labels.length > 0 ? { plan: { kind: 'text', text: labels.join(', '), labels } } : {}) }
}
