// Operates controls that take no text: checkboxes and selects, and options by click. Yields to the event loop between
// two actions.
import type { Field } from '../read/form-fields.js'
import { currentPage, isTag } from '../dom/dom.js'
import { toggleButtonsOf } from '../dom/toggle-group.js'
import { Visibility } from '../dom/visibility.js'
import { optionsOf } from '../read/field-values.js'
import type { Option } from '../read/field.js'
import { setCheckbox, toggleCheckbox } from './checkboxes.js'
import {
  dispatchInput,
  dispatchChange,
  dispatchMouseClick,
  enterField,
  leaveField,
  waitForPageUpdates,
  nextTask,
} from './input-events.js'
import { checkChoice, checkOption } from '../effects/option-guard.js'
import { asToolInput } from './watch-user.js'
import type { WritePlan } from './plan.js'
import { setNative, type WriteResult } from './set-value.js'

/** Writes the plan for a control that takes no text. */
export async function operateWidget(
  field: Field,
  plan: Extract<WritePlan, { kind: 'check' | 'choose' }>,
  signal: AbortSignal,
): Promise<WriteResult> {
  const { element } = field
  if (plan.kind === 'check') {
    if (plan.checked) checkChoice(element)
    return setCheckbox(element, plan.checked, signal)
  }
  const wanted = plan.options.map((option) => option.element)
  for (const option of plan.options) if (!option.chosen) checkChoice(option.element)
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
  const isToggles = toggleButtonsOf(field.element).length > 0
  const several = isToggles || field.element.getAttribute('aria-multiselectable') === 'true'
  // By label, because a page may re-render the options after each click.
  const labels = wanted.map(({ label }) => label)
  for (let clicks = 0; clicks < 200; clicks++) {
    const options = optionsOf(field, new Visibility())
    // Chosen before others are given up: a group that holds one at a time needs no further click then.
    const isNext = (option: Option, on: boolean): boolean =>
      !option.disabled &&
      option.chosen !== on &&
      (several ? labels.includes(option.label) === on : on && option.label === labels[0])
    const next = options.find((option) => isNext(option, true)) ?? options.find((option) => isNext(option, false))
    if (!next || (!several && clicks > 0)) return
    checkOption(next.element, field.element)
    asToolInput(() => {
      enterField(next.element)
      dispatchMouseClick(next.element)
      leaveField(next.element)
    })
    await (isToggles ? waitForPageUpdates() : nextTask())
    if (optionsOf(field, new Visibility()).find(({ label }) => label === next.label)?.chosen === next.chosen)
      await waitForPageUpdates()
    if (optionsOf(field, new Visibility()).find(({ label }) => label === next.label)?.chosen === next.chosen) return
  }
}

/** Converts any CSS color to #rrggbb by the canvas; undefined if it is not a color. */
export function parseColor(text: string): string | undefined {
  if (!CSS.supports('color', text)) return undefined
  const canvas = currentPage().createElement('canvas').getContext('2d')
  if (!canvas) return /^#[\da-f]{6}$/i.test(text) ? text.toLowerCase() : undefined
  canvas.fillStyle = text
  return /^#[\da-f]{6}$/.test(canvas.fillStyle) ? canvas.fillStyle : undefined
}
