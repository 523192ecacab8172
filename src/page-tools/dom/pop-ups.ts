// Controls that choose from a pop-up: ARIA comboboxes, buttons that open a listbox, and text fields with the signs of a
// list. Libraries render the chosen value as text, some of them beside an empty text field.
import { byIds, isTag, propertyOf } from './dom.js'
import { toComparable } from './text.js'
import type { Visibility } from './visibility.js'

/** Whether it is a button that shows a value and opens a listbox. Excludes the arrow beside a combobox: tabindex -1. */
export const opensList = (element: Element): boolean =>
  element.matches('button[aria-haspopup=listbox],[role=button][aria-haspopup=listbox]') &&
  element.getAttribute('tabindex') !== '-1'

/** Whether the field opens a dialog or grid, which may be a calendar. */
export const opensDialog = (element: Element): boolean =>
  /^(dialog|grid)$/.test(element.getAttribute('aria-haspopup') ?? '')

/** Whether it is a text field that cannot be typed into and takes its value only from a pop-up. */
export const isPickerBox = (element: Element): boolean =>
  isTag(element, 'input') &&
  (element.readOnly || (element.inputMode === 'none' && !opensDialog(element))) &&
  element.getAttribute('aria-readonly') !== 'true' &&
  (opensDialog(element) ||
    element.getAttribute('role') === 'combobox' ||
    element.getAttribute('aria-haspopup') === 'listbox')

/** Whether it is a button with a label of its own that opens a dialog and shows what was chosen there, as a date. */
export const opensCalendar = (element: Element): boolean =>
  isTag(element, 'button') && opensDialog(element) && (propertyOf(element, 'labels')?.length ?? 0) > 0

/** Whether the accessible name of the control contains its value, so that it cannot be the label. */
export const namedByValue = (element: Element): boolean =>
  opensList(element) ||
  opensCalendar(element) ||
  (element.matches('[role=combobox],[role=spinbutton]') &&
    byIds(element, 'aria-labelledby').some((label) => element.contains(label) || label.matches('[role=option]')))

const popUps =
  'dialog,[popover],table,:is([role=dialog],[role=alertdialog],[role=listbox],[role=grid],[role=tree],[role=menu])'
/** Whether an element is a list or calendar that the control has opened, whose text is not its value. */
export function isPartOfPopUp(control: Element): (element: Element) => boolean {
  const named = new Set([...byIds(control, 'aria-controls'), ...byIds(control, 'aria-owns')])
  return (element) => named.has(element) || element.matches(popUps)
}

/** The elements that a control opens, by `aria-controls` and `aria-owns`, while they exist. */
export const popUpsOf = (element: Element): Element[] => [
  ...new Set([...byIds(element, 'aria-controls'), ...byIds(element, 'aria-owns')]),
]

/** Whether a control with options shows a text that is none of them. A list may have only some of its options. */
function isNoOption(text: string, control: Element): boolean {
  const shown = toComparable(text)
  const options = popUpsOf(control).flatMap((box) => [...box.querySelectorAll('[role=option]')])
  return (
    options.length > 0 &&
    options.every((option) => {
      const label = toComparable(option.textContent ?? '')
      return option.getAttribute('aria-selected') !== 'true' && !label.includes(shown) && !shown.includes(label)
    })
  )
}

/**
 * Whether an element shows what a control shows while nothing is chosen, such as "Choose one". Its colour is another
 * one than that of a value, and it is named so or is no option. The value may have that name, too.
 */
function isPlaceholder(element: Element, control: Element, visibility: Visibility): boolean {
  if (visibility.style(element).color === visibility.style(control).color) return false
  if (element.hasAttribute('data-placeholder') || /placeholder/i.test(element.getAttribute('class') ?? '')) return true
  const text = element.childElementCount === 0 ? visibility.visibleText(element) : ''
  return text !== '' && isNoOption(text, control)
}

/** What a control that opens a list shows as chosen: its text without its pop-up and without its placeholder. */
export function chosenIn(control: Element, visibility: Visibility): string {
  if (control.hasAttribute('data-placeholder')) return ''
  const isPopUp = isPartOfPopUp(control)
  return visibility.visibleText(control, (node) => isPopUp(node) || isPlaceholder(node, control, visibility))
}

/** The boxes inside of the labels of a control that show what other controls have chosen. */
export function choicesInLabels(control: Element, visibility: Visibility): readonly Element[] {
  const labels = [...(propertyOf(control, 'labels') ?? [])]
  return labels
    .flatMap((label) => [...label.querySelectorAll('input[role=combobox]')])
    .filter((one) => one !== control)
    .flatMap((one) => {
      let box = one.parentElement
      for (let level = 0; box && level < 4 && visibility.visibleText(box) === ''; level++) box = box.parentElement
      return box && !labels.includes(box as HTMLLabelElement) ? [box] : []
    })
}

/** Around a text field, to hold what was typed before as tags. */
const tagBoxes = '[class*=chip i],[class*=token i],[class*="tags" i]'
/** Whether it is a text field that makes each typed word a tag beside it. */
export function isTagInput(element: Element): boolean {
  if (!isTag(element, 'input') || !/^(text|search)$/.test(element.type)) return false
  let around = element.parentElement
  // Not the form: its fields may hide its properties.
  for (let level = 0; around && level < 3 && !isTag(around, 'form', 'body'); level++, around = around.parentElement)
    if (around.matches(tagBoxes))
      return around.querySelectorAll('input:not([type=hidden]),select,textarea').length === 1
  return false
}

// A chip that can be removed is a button for some libraries, but no tab stop.
const others = 'label,legend,button,[role=button]:not([tabindex="-1"]),[role=log],[aria-live],[aria-hidden=true]'

/** The chosen value that a combobox renders around its empty text field. `tall` also reads several lines. */
export function chosenBeside(element: Element, visibility: Visibility, label = '', tall = false): string {
  if (!isTag(element, 'input') || element.value !== '') return ''
  const isTags = element.getAttribute('role') !== 'combobox' && !isPickerBox(element)
  if (isTags && !isTagInput(element)) return ''
  const descriptions = new Set([...byIds(element, 'aria-describedby'), ...byIds(element, 'aria-labelledby')])
  // The tags themselves may be a list of options.
  const isPopUp = isTags ? () => false : isPartOfPopUp(element)
  let around = element.parentElement
  for (let level = 0; around && level < 4; level++, around = around.parentElement) {
    const isBox =
      (!isTag(around, 'form', 'fieldset', 'td', 'li', 'label', 'body') || (isTags && isTag(around, 'li'))) &&
      [...around.querySelectorAll('input:not([type=hidden]),select,textarea,button[aria-haspopup]')].every(
        (control) => control === element || control.closest('[aria-hidden=true],select[tabindex="-1"]') !== null,
      )
    if (!isBox || (!tall && around.getBoundingClientRect().height > 60)) return ''
    let isEmpty = false
    const text = visibility.visibleText(around, (node) => {
      if (descriptions.has(node) || isPopUp(node) || node.matches(others)) return true
      const isUnset = !isTags && isPlaceholder(node, element, visibility)
      isEmpty ||= isUnset
      return isUnset
    })
    // What is further away is no value either.
    if (text === '' && isEmpty) return ''
    if (text !== '') return toComparable(text) === toComparable(label) ? '' : text
  }
  return ''
}

// --- Text fields that may open a list while they are filled: they have the real focus until they are left, and the
// page gets time to show its list.

/** Fields that announce a list. */
export const announcesList =
  ':is([role=combobox],[aria-autocomplete=list],[aria-autocomplete=both],[class*=autocomplete i],[class*=typeahead i])'
const mayAnnounceList =
  `:is(${announcesList},[aria-autocomplete]:not([aria-autocomplete=none]),[aria-haspopup=listbox],[list],` +
  '[type=search],' +
  '[role=searchbox],[class*=suggest i],[autocomplete=off i]:is([type=text],:not([type])))'
const emptyLists = ':is(ul,ol,[role=listbox],[role=menu])'

/** Whether an empty or hidden list waits beside the field, or beside the label or box that holds nothing else. */
function hasListBeside(field: Element): boolean {
  for (let own: Element | null = field; own && !isTag(own, 'form', 'body'); own = own.parentElement) {
    if (own !== field && own.querySelectorAll('input:not([type=hidden]),select,textarea').length > 1) return false
    const next = own.nextElementSibling
    if (next?.matches(emptyLists)) return next.childElementCount === 0 || !next.checkVisibility()
  }
  return false
}

/** Whether a list under the field holds results and no values: it searches, and is no combobox. */
export const isSearchField = (field: Element): boolean =>
  field.matches('[type=search],[role=searchbox]') && !field.matches(announcesList)

/** Whether a text field may open a list: by its markup, or by a list beside it that is not shown yet. */
export const mayOpenList = (field: Element): boolean =>
  isTag(field, 'input', 'textarea') && (field.matches(mayAnnounceList) || hasListBeside(field))
