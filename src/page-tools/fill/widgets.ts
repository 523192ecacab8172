// Operates controls that take no text: checkboxes and selects, options by click, sliders and spin buttons by keys; and
// rich text editors. Yields to the event loop between two actions. Loaded with the first of them.
import { unclobbered } from '../../core/data/unclobbered.js'
import type { Field } from '../read/form-fields.js'
import { blurElement, currentPage, focusElement, isTag } from '../dom/dom.js'
import { createVisibility } from '../dom/visibility.js'
import { optionsOf } from '../dom/field-state.js'
import type { Option } from '../dom/field-state.js'
import { setCheckbox, toggleCheckbox } from './checkboxes.js'
import {
  dispatchBeforeInput,
  dispatchInput,
  dispatchChange,
  dispatchMouseClick,
  enterField,
  leaveField,
  pressKey,
  waitForPageUpdates,
  nextTask,
} from './input-events.js'
import { asToolInput } from './watch-user.js'
import type { WritePlan } from './plan-write.js'
import { setNative, type WriteResult } from './write.js'

/** Writes the plan for a control that takes no text. */
export async function operateWidget(
  field: Field,
  plan: Extract<WritePlan, { kind: 'number' | 'check' | 'choose' }>,
  signal: AbortSignal,
): Promise<WriteResult> {
  const { element } = field
  if (plan.kind === 'check') return setCheckbox(element, plan.checked, signal)
  if (plan.kind === 'number') {
    await moveSlider(element, plan.number, signal)
    return {}
  }
  const wanted = plan.options.map((option) => option.element)
  if (isTag(element, 'select')) selectOption(element, (option) => wanted.includes(option))
  else if (isTag(element, 'input')) {
    for (const option of plan.options) if (!option.chosen) toggleCheckbox(option.element)
  } else await chooseOptions(field, plan.options)
  return {}
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

/** Chooses these options of a listbox or radio group, and no others. */
export async function chooseOptions(field: Field, wanted: readonly Option[]): Promise<void> {
  const several = field.element.getAttribute('aria-multiselectable') === 'true'
  // By label, because a page may re-render the options after each click.
  const labels = wanted.map(({ label }) => label)
  for (let clicks = 0; clicks < 200; clicks++) {
    const options = optionsOf(field, createVisibility())
    const next = options.find(
      (option) =>
        !option.disabled &&
        (several ? option.chosen !== labels.includes(option.label) : !option.chosen && option.label === labels[0]),
    )
    if (!next || (!several && clicks > 0)) return
    asToolInput(() => {
      enterField(next.element)
      dispatchMouseClick(next.element)
      leaveField(next.element)
    })
    await nextTask()
    if (optionsOf(field, createVisibility()).find(({ label }) => label === next.label)?.chosen === next.chosen)
      await waitForPageUpdates()
    if (optionsOf(field, createVisibility()).find(({ label }) => label === next.label)?.chosen === next.chosen) return
  }
}

/**
 * Moves a slider or spin button towards the number by keys, and by PageUp and PageDown while it is far. Stops if it no
 * longer gets closer.
 */
export async function moveSlider(element: Element, number: number, signal: AbortSignal): Promise<void> {
  const now = (): number => Number(element.getAttribute('aria-valuenow'))
  const ways =
    element.getAttribute('role') === 'spinbutton'
      ? [['ArrowUp', 'ArrowDown']]
      : [
          ['ArrowRight', 'ArrowLeft'],
          ['ArrowUp', 'ArrowDown'],
        ]
  let step = 0
  asToolInput(() => enterField(element))
  for (let presses = 0; presses < 1000 && now() !== number && !signal.aborted; presses++) {
    const before = now()
    const distance = Math.abs(number - before)
    const isFar = step > 0 && distance > 12 * step
    const [up = '', down = ''] = isFar ? ['PageUp', 'PageDown'] : (ways[0] ?? [])
    asToolInput(() => pressKey(element, number > before ? up : down))
    await nextTask()
    if (now() === before) await waitForPageUpdates()
    const moved = Math.abs(now() - before)
    if (moved > 0 && !isFar) step = moved
    if (Math.abs(number - now()) < distance) continue
    if (isFar) step = 0
    else if (ways.length > 1 && Math.sign(now() - before) !== Math.sign(number - before)) ways.shift()
    else break
  }
  asToolInput(() => leaveField(element))
}

/** Fills the three spin buttons of a date; an empty date clears them. */
export function fillDate(field: Field, date: string, signal: AbortSignal): Promise<void> {
  return keepingFocus(field.element.ownerDocument, () => fillParts(field, date, signal))
}

async function fillParts({ members }: Field, date: string, signal: AbortSignal): Promise<void> {
  const numbers = date.split('-').map(Number)
  for (const [index, part] of members.entries()) {
    focusElement(part)
    await waitForPageUpdates()
    if (date !== '') await moveSlider(part, numbers[index] ?? 0, signal)
    // A key may clear the whole part, one digit, or nothing.
    for (let presses = 0; date === '' && part.hasAttribute('aria-valuenow') && presses < 10; presses++) {
      asToolInput(() => pressKey(part, presses % 2 === 0 ? 'Delete' : 'Backspace'))
      await waitForPageUpdates()
    }
    await waitForPageUpdates()
  }
  asToolInput(() => blurElement(unclobbered(members[0]?.ownerDocument ?? document).activeElement))
}

/** Writes into a rich text editor by the browser's editing command, because editors ignore changes of their DOM. */
export function writeEditable(element: Element, text: string): void {
  asToolInput(() => {
    const page = unclobbered(element.ownerDocument)
    const before = page.activeElement
    const selection = page.getSelection()
    const kept = selection && selection.rangeCount > 0 ? selection.getRangeAt(0) : null
    focusElement(element)
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
      blurElement(element)
      const back = before?.shadowRoot?.activeElement ?? before
      if (back && back !== page.body) focusElement(back)
      if (kept) {
        selection?.removeAllRanges()
        selection?.addRange(kept)
      }
    }
  })
}

/** Runs a step and restores the focus, which a pop-up may take while the user types elsewhere. */
export async function keepingFocus<T>(owner: Document, step: () => Promise<T>): Promise<T> {
  const page = unclobbered(owner)
  const before = page.activeElement
  const done = await step()
  await waitForPageUpdates()
  if (before && before !== page.activeElement && before !== page.body && before.isConnected)
    asToolInput(() => focusElement(before))
  return done
}

/** Converts any CSS color to #rrggbb by the canvas; undefined if it is not a color. */
export function parseColor(text: string): string | undefined {
  if (!CSS.supports('color', text)) return undefined
  const canvas = currentPage().createElement('canvas').getContext('2d')
  if (!canvas) return /^#[\da-f]{6}$/i.test(text) ? text.toLowerCase() : undefined
  canvas.fillStyle = text
  return /^#[\da-f]{6}$/.test(canvas.fillStyle) ? canvas.fillStyle : undefined
}
