// Controls that offer options: selects, radio groups, listboxes and groups of toggle buttons.
import type { JsonValue } from '../../core/data/json.js'
import { withIndex } from '../../core/data/lists.js'
import { accessibleNameOf } from '../dom/accessible-name.js'
import { isElement, isOffLimits, isTag, isText, rootOf } from '../dom/dom.js'
import { isAriaTrue, isDisabled, isPressed, toggleButtonsOf } from '../dom/field-state.js'
import { normalizeText } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import { findOption, wantedOptions } from '../fill/choices.js'
import { languagesOf, refused } from '../fill/plan.js'
import { dispatchChange, dispatchInput, setNative } from '../hands/edits.js'
import { enterField, leaveField } from '../hands/focus.js'
import { dispatchMouseClick } from '../hands/mouse.js'
import { asToolInput } from '../hands/own-input.js'
import { radioLabels } from '../read/field-labels.js'
import type { Field, Option } from '../read/field.js'
import { looselyLabelled } from '../read/own-labels.js'
import { nextTask, waitForPageUpdates } from '../waiting/until.js'
import type { ControlKind, WriteRun } from './control-kind.js'
import { isDrawnAround, optionsIn } from './shown.js'
import { toggleCheckbox } from './toggle.js'

/** What an option shows. Parts of their own are words of their own: a flag, a name and a currency. */
function labelOfOption(option: HTMLOptionElement): string {
  if (option.childElementCount === 0 || option.getAttribute('label')) return normalizeText(option.label || option.text)
  const textIn = (node: Node): string =>
    [...node.childNodes]
      .map((child, at, all) => {
        if (!isElement(child)) return isText(child) ? child.data : ''
        const isLeftOut = child.getAttribute('aria-hidden') === 'true' || isTag(child, 'script')
        const text = isLeftOut ? '' : textIn(child)
        return isElement(all[at - 1]) ? ` ${text}` : text
      })
      .join('')
  return normalizeText(textIn(option)) || normalizeText(option.text)
}

/** The options of a native select. */
const optionsOfSelect = ({ element }: Field, visibility: Visibility): Option[] =>
  !isTag(element, 'select')
    ? []
    : [...element.options]
        .filter(
          (option) => !option.hidden && !visibility.isOffLimits(option) && visibility.style(option).display !== 'none',
        )
        .map((option) => ({
          label: labelOfOption(option),
          value: option.value,
          chosen: option.selected,
          disabled: option.disabled || (isTag(option.parentElement, 'optgroup') && option.parentElement.disabled),
          element: option,
        }))

/** The radio buttons of a group. */
function optionsOfRadios({ members }: Field, visibility: Visibility): Option[] {
  const labels = radioLabels(members, visibility)
  return members.map((member, at) => {
    const input = isTag(member, 'input') ? member : undefined
    const label = labels[at] ?? ''
    return {
      label,
      value: input?.value ?? member.getAttribute('data-value') ?? label,
      element: member,
      chosen: input ? input.checked : member.getAttribute('aria-checked') === 'true',
      disabled: isDisabled(member),
    }
  })
}

/** The options of a listbox, or the buttons of a group of toggle buttons. */
function optionsOfList({ element }: Field, visibility: Visibility): Option[] {
  const toggles = toggleButtonsOf(element)
  if (toggles.length === 0) return optionsIn([element], visibility)
  return toggles.map((button) => {
    const label = accessibleNameOf(button, visibility)
    const value = button.getAttribute('value') ?? label
    return { label, value, chosen: isPressed(button), disabled: isDisabled(button), element: button }
  })
}

/** Whether several options can be chosen. */
export const isMultiple = (element: Element): boolean =>
  (isTag(element, 'select') && element.multiple) || isAriaTrue(element, 'aria-multiselectable')

const chosenOf = (options: readonly Option[]): string[] => options.filter((one) => one.chosen).map(({ label }) => label)

/** By value and label, because a page may render the options anew. */
function holdsSelected(select: HTMLSelectElement, wanted: readonly Option[]): boolean {
  const chosen = [...select.selectedOptions].map((option) => option.value + option.label)
  return (
    chosen.length === wanted.length &&
    wanted.every(({ element }) => isTag(element, 'option') && chosen.includes(element.value + element.label))
  )
}

function holdsLabels(current: JsonValue, options: readonly Option[]): boolean {
  const labels = Array.isArray(current) ? (current as readonly JsonValue[]) : [current].filter((one) => one !== '')
  const wanted = options.map(({ label }) => label).filter((label) => label !== '')
  return labels.length === wanted.length && wanted.every((label) => labels.includes(label))
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
    dispatchInput(element)
    dispatchChange(element)
    leaveField(element)
  })
}

/** Chooses these options of a listbox or radio group, and no others. */
async function clickOptions(
  field: Field,
  wanted: readonly Option[],
  { optionsOf, run }: { readonly optionsOf: OptionsOf; readonly run: WriteRun },
): Promise<void> {
  const isToggles = toggleButtonsOf(field.element).length > 0
  const several = isToggles || field.element.getAttribute('aria-multiselectable') === 'true'
  const optionsNow = (): Option[] => optionsOf(field, new Visibility())
  // By label, because a page may re-render the options after each click.
  const labels = wanted.map(({ label }) => label)
  for (let clicks = 0; clicks < 200; clicks++) {
    const options = optionsNow()
    // Chosen before others are given up: a group that holds one at a time needs no further click then.
    const isNext = (option: Option, on: boolean): boolean =>
      !option.disabled &&
      option.chosen !== on &&
      (several ? labels.includes(option.label) === on : on && option.label === labels[0])
    const next = options.find((option) => isNext(option, true)) ?? options.find((option) => isNext(option, false))
    if (!next || (!several && clicks > 0)) return
    run.checkOption(next.element, field.element)
    asToolInput(() => {
      enterField(next.element)
      dispatchMouseClick(next.element)
      leaveField(next.element)
    })
    await (isToggles ? waitForPageUpdates() : nextTask())
    if (optionsNow().find(({ label }) => label === next.label)?.chosen === next.chosen) await waitForPageUpdates()
    if (optionsNow().find(({ label }) => label === next.label)?.chosen === next.chosen) return
  }
}

type OptionsOf = typeof optionsOfList
/** Chooses these options, and no others. */
type Choose = (field: Field, options: readonly Option[], run: WriteRun) => void | Promise<void>

/** What all controls with options have in common. */
const choosing = (
  optionsOf: OptionsOf,
  choose: Choose = (field, options, run) => clickOptions(field, options, { optionsOf, run }),
): Required<Pick<ControlKind, 'takes' | 'options' | 'plan'>> => ({
  takes: 'choice',
  options: optionsOf,
  plan(field, value, visibility) {
    const { element } = field
    const options = optionsOf(field, visibility)
    const several = isMultiple(element) || toggleButtonsOf(element).length > 0
    const asked = wantedOptions(value, options, several, languagesOf(element))
    if (!several && asked.length > 1) return refused('Only one option can be chosen')
    const chosen: Option[] = []
    for (const one of asked) {
      const match = findOption(one, options, languagesOf(element))
      if (!match.option) return refused(match.problem, true)
      chosen.push(match.option)
    }
    return {
      holds: ({ element: now }, current) =>
        isTag(now, 'select') ? holdsSelected(now, chosen) : holdsLabels(current.value, chosen),
      async write(one, run) {
        for (const option of chosen) if (!option.chosen) run.checkChoice(option.element)
        await choose(one, chosen, run)
        return {}
      },
    }
  },
})

/** A native select. */
export const select: ControlKind = {
  ...choosing(optionsOfSelect, ({ element }, options) => {
    const wanted = options.map((option) => option.element)
    if (isTag(element, 'select')) selectOption(element, (option) => wanted.includes(option))
  }),
  types: ['select'],
  isDrawn: isDrawnAround,
  value(field, visibility) {
    const chosen = chosenOf(optionsOfSelect(field, visibility))
    return isTag(field.element, 'select') && field.element.multiple ? chosen : (chosen[0] ?? '')
  },
  state: ({ element }) =>
    JSON.stringify(isTag(element, 'select') ? [...element.options].map((option) => option.selected) : []),
  async restore({ element }, { state }) {
    const wanted = JSON.parse(state) as boolean[]
    if (isTag(element, 'select')) selectOption(element, (option) => wanted[option.index] === true)
    return undefined
  },
}

/** Native radio buttons, or an ARIA group of them. */
export const radioGroup: ControlKind = {
  ...choosing(optionsOfRadios, (one, options, run) => {
    if (!isTag(one.element, 'input')) return clickOptions(one, options, { optionsOf: optionsOfRadios, run })
    for (const option of options) if (!option.chosen) toggleCheckbox(option.element)
    return undefined
  }),
  types: ['radio'],
  isDrawn: isDrawnAround,
  claims: ({ element, role }) => (role === 'radiogroup' && element.querySelector('[role=radio]') ? 'radio' : undefined),
  // By name within the form. Some frameworks set no name: then by the group element around the buttons.
  joins: (element, visibility) =>
    isTag(element, 'input')
      ? element.name ||
        element.getAttribute('formcontrolname') ||
        element.closest('fieldset,[role=radiogroup],[role=group]') ||
        looselyLabelled(element, visibility) ||
        null
      : undefined,
  parts: (element) =>
    isTag(element, 'input')
      ? undefined
      : [...element.querySelectorAll('[role=radio]')].filter((radio) => !isOffLimits(radio)),
  role: 'radiogroup',
  value: (field, visibility) => chosenOf(optionsOfRadios(field, visibility))[0] ?? '',
  state: (field) =>
    JSON.stringify(
      isTag(field.element, 'input')
        ? field.members.map((member) => isTag(member, 'input') && member.checked)
        : radioGroup.value(field, new Visibility()),
    ),
  async restore({ element, members }, { state, refill }) {
    if (!isTag(element, 'input')) return refill()
    const wanted = JSON.parse(state) as boolean[]
    const inputs = members.filter((member) => isTag(member, 'input'))
    if (!wanted.includes(true)) return uncheckAll(inputs)
    for (const [index, member] of withIndex(inputs))
      if (!member.checked && wanted[index] === true) toggleCheckbox(member)
    return undefined
  },
}

/**
 * Unchecks all radio buttons, which no click can do. Impossible if a framework keeps the state: only the page would
 * look empty.
 */
function uncheckAll(inputs: readonly HTMLInputElement[]): string | undefined {
  if (inputs.some((one) => Reflect.ownKeys(one).length > 0 || one.getRootNode() !== one.ownerDocument))
    return 'Nothing was chosen before, and radio buttons cannot be cleared'
  for (const one of inputs)
    if (one.checked)
      asToolInput(() => {
        enterField(one)
        setNative(one, 'checked', false)
        dispatchInput(one)
        dispatchChange(one)
        leaveField(one)
      })
  return undefined
}

/** Whether a listbox belongs to another control. Then it is not a field of its own. */
const isPopUp = (listbox: Element): boolean =>
  listbox.id !== '' &&
  ['controls', 'owns'].some(
    (name) =>
      rootOf(listbox).querySelector(
        `:is([role=combobox],[aria-haspopup=listbox])[aria-${name}~="${CSS.escape(listbox.id)}"]`,
      ) !== null,
  )

/** A list of options, or a group of toggle buttons. */
export const listbox: ControlKind = {
  ...choosing(optionsOfList),
  types: ['listbox'],
  inside: ':is([role=option]) :is(a,button,[role=button],[role=link],[role=checkbox],[role=switch])',
  claims: ({ element, role }) =>
    toggleButtonsOf(element).length > 0 || (role === 'listbox' && !isPopUp(element)) ? 'listbox' : undefined,
  value(field, visibility) {
    const chosen = chosenOf(optionsOfList(field, visibility))
    return isAriaTrue(field.element, 'aria-multiselectable') || chosen.length > 1 ? chosen : (chosen[0] ?? '')
  },
}
