// Widgets that are no native controls, worked as the ARIA practices say: options and radios by click, sliders and spin
// buttons by key. A page gets its turn between two deeds, as it does with a person. Loaded with the first of them.
import { unclobbered } from '../../core/data/unclobbered.js'
import type { Field } from '../read/form-fields.js'
import { createVisibility } from '../dom/visibility.js'
import { optionsOf } from '../dom/field-state.js'
import type { Option } from '../dom/field-state.js'
import {
  asToolInput,
  dispatchMouseClick,
  enterField,
  leaveField,
  pressKey,
  waitForPageUpdates,
  nextTask,
} from './input-events.js'

/** Chooses these options of a listbox or set of radios, and no others. */
export async function chooseOptions(field: Field, wanted: readonly Option[]): Promise<void> {
  const several = field.element.getAttribute('aria-multiselectable') === 'true'
  // By label: a page may draw the options anew at each click.
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

/** By keys towards the number, as far as it goes; by pages while it is far. */
export async function moveSlider(element: HTMLElement, number: number, signal: AbortSignal): Promise<void> {
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

/** A date in three boxes, each by its keys. */
export async function fillDate({ members }: Field, date: string, signal: AbortSignal): Promise<void> {
  const numbers = date.split('-').map(Number)
  for (const [index, part] of members.entries()) {
    part.focus({ preventScroll: true })
    await waitForPageUpdates()
    if (date !== '') await moveSlider(part, numbers[index] ?? 0, signal)
    // One key takes all of it away, or a digit, or nothing.
    for (let presses = 0; date === '' && part.hasAttribute('aria-valuenow') && presses < 10; presses++) {
      asToolInput(() => pressKey(part, presses % 2 === 0 ? 'Delete' : 'Backspace'))
      await waitForPageUpdates()
    }
    await waitForPageUpdates()
  }
  asToolInput(() => (unclobbered(members[0]?.ownerDocument ?? document).activeElement as HTMLElement | null)?.blur())
}
