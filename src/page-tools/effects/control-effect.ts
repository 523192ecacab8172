// Predicts the effect of a click on a control that neither follows a link nor submits a form, from the structure around
// it. One attribute alone never makes it harmless, because stored HTML of a page can carry attributes.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, byIds, elementsUnder, isTag, parentOf, isTickBox } from '../dom/dom.js'
import { accessibleNameOf, nameOrText, roleOf } from '../dom/accessible-name.js'
import { isDialog } from '../dom/roles.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { hint } from '../read/icons.js'
import type { Visibility } from '../dom/visibility.js'
import type { Effect } from '../../core/data/effect.js'
import { choiceDestroys, effectOfControlWords } from './control-words.js'
import { openedFor } from './page-confirmations.js'
import {
  agrees,
  closesDialog,
  effectOfWords,
  isCross,
  saysFinal,
  saysPage,
  saysPager,
  stepsDown,
  stepsUp,
  turnsBackward,
  turnsForward,
  turnsPage,
} from './match-vocabulary.js'

/** Roles of controls whose click changes a value that they show. */
const valueRoles = /^(checkbox|radio|switch|menuitemcheckbox|menuitemradio|slider|spinbutton)$/
/** Whether the browser or the page says which value it has. A role alone may be from HTML that a user has stored. */
const showsState = (control: Element): boolean =>
  isTag(control, 'input') || control.hasAttribute('aria-checked') || control.hasAttribute('aria-valuenow')
/** Roles of fields that a click only focuses or opens. */
const fieldRoles = /^(textbox|searchbox|combobox)$/

/** The name that decides: the accessible name, without private values. */
export const nameOf = (element: Element, { visibility, redact }: PageSnapshot): string =>
  redact(nameOrText(element, visibility))

const dialogAround = (element: Element): Element | null => ancestor(parentOf(element), isDialog)

/** How many of its attributes say that a control opens and closes something, and whether what it opens is there. */
function opensSomething(control: Element, visibility: Visibility): boolean {
  if (isTag(control, 'summary')) return true
  const {
    popoverTargetElement,
    commandForElement,
    command = '',
  } = control as Partial<HTMLButtonElement & { commandForElement: Element | null; command: string }>
  // The browser itself opens these.
  if (popoverTargetElement) return true
  if (commandForElement && /^(show|toggle|hide|close|request-close)(-|$)/.test(command)) return true
  const popUp = control.getAttribute('aria-haspopup')?.trim().toLowerCase() ?? 'false'
  const named = byIds(control, 'aria-controls')
  const beside = control.nextElementSibling ?? control.parentElement?.nextElementSibling
  const signs = [
    popUp !== '' && popUp !== 'false',
    control.hasAttribute('aria-expanded'),
    named.length > 0 || control.hasAttribute('aria-controls'),
    control.id !== '' && beside?.getAttribute('aria-labelledby') === control.id,
    // The menu or list that it announces is the next element.
    beside != null && roleOf(beside) === (popUp === 'true' ? 'menu' : popUp),
    // An accordion or a menu whose content is the next element, shown exactly if the control says so.
    control.hasAttribute('aria-expanded') &&
      beside != null &&
      !isTag(beside, 'script', 'style', 'template') &&
      visibility.isShown(beside) === (control.getAttribute('aria-expanded') === 'true'),
  ]
  return signs.filter(Boolean).length >= 2
}

/** Whether a control announces that it asks for more: by a dialog, or by the three dots at the end of a command. */
const asksForMore = (control: Element, role: string, name: string): boolean =>
  announcesDialog(control) || (/^(button|menuitem)$/.test(role) && endsInDots(name))
const announcesDialog = (control: Element): boolean =>
  control.getAttribute('aria-haspopup')?.trim().toLowerCase() === 'dialog'
/** Characters of the longest command: a text that is cut ends in dots as well. */
const longestCommand = 40
export const endsInDots = (name: string): boolean =>
  /\p{L}\s*(?:…|\.{3})$/u.test(name.trim()) && name.length <= longestCommand

/** Whether it is a tab of a list of tabs that has a panel. */
function isTabWithPanel(control: Element): boolean {
  if (roleOf(control) !== 'tab') return false
  const list = ancestor(parentOf(control), (above) => roleOf(above) === 'tablist')
  if (list === null) return false
  const panels = byIds(control, 'aria-controls').some((one) => roleOf(one) === 'tabpanel')
  return (
    panels ||
    [...elementsUnder(unclobbered(control.ownerDocument).documentElement)].some((one) => roleOf(one) === 'tabpanel')
  )
}

/** Whether it is a button of a pager: its name is a page, and what is around it says that it is a pager. */
function isInPager(control: Element, name: string, snapshot: PageSnapshot): boolean {
  if (!turnsPage(name)) return false
  const isNamed = ancestor(parentOf(control), (above) =>
    saysPager(`${above.getAttribute('aria-label') ?? ''} ${above.getAttribute('class') ?? ''}`),
  )
  return isNamed !== null || isBesidePageNumber(control, snapshot)
}

/** Whether it stands with a button of the other direction and the number of a page, and with no field. */
function isBesidePageNumber(control: Element, snapshot: PageSnapshot): boolean {
  const around = parentOf(control)
  if (!around || around.querySelector('input,select,textarea') || around.closest('form')) return false
  const names = [...around.querySelectorAll('button,a,[role=button]')].map((one) => nameOf(one, snapshot))
  const isBoth = names.some(turnsForward) && names.some(turnsBackward)
  return isBoth && saysPage(snapshot.visibility.visibleText(around, undefined, 200))
}

/** Whether it is one of the two buttons that step the number between them. */
function isStepper(control: Element, name: string, snapshot: PageSnapshot): boolean {
  const around = parentOf(control)
  if (!around || !(stepsUp(name) || stepsDown(name))) return false
  const names = [...around.querySelectorAll('button,[role=button]')].map((one) => nameOf(one, snapshot))
  const isPair = names.length === 2 && names.some(stepsUp) && names.some(stepsDown)
  const number = around.querySelector('input,[role=spinbutton]') !== null
  return isPair && (number || /\d/.test(snapshot.visibility.visibleText(around, undefined, 200)))
}

const isDayGrid = (element: Element): boolean => {
  if (!isTag(element, 'table') && roleOf(element) !== 'grid') return false
  const days = [...element.querySelectorAll('td,[role=gridcell]')].filter((cell) =>
    /^\d{1,2}$/.test(cell.textContent?.trim() ?? ''),
  )
  return days.length >= 20
}
/** Whether it is in the head of a calendar: beside a grid of days and not in it. */
function isInCalendarHead(control: Element): boolean {
  let around = parentOf(control)
  for (let level = 0; around && level < 4 && !isTag(around, 'body', 'main', 'form'); level++) {
    const grid = [...around.querySelectorAll('table,[role=grid]')].find(isDayGrid)
    if (grid) return !grid.contains(control) || roleOf(control) === 'columnheader'
    around = parentOf(around)
  }
  return false
}
const isDay = (control: Element): boolean => {
  const cell = ancestor(control, (above) => isTag(above, 'td') || roleOf(above) === 'gridcell')
  const grid = cell && ancestor(parentOf(cell), (above) => isTag(above, 'table') || roleOf(above) === 'grid')
  return grid !== null && isDayGrid(grid) && /^\D{0,40}\d/.test(control.textContent?.trim() ?? '')
}

/** Whether the list of an option holds a value, as far as the page names a field that owns it. */
function holdsChoice(option: Element, { fields }: PageSnapshot): boolean {
  const list = ancestor(parentOf(option), (above) => /^(listbox|tree|grid)$/.test(roleOf(above) ?? ''))
  if (list === null) return false
  const owner = fields().find(
    ({ element }) =>
      element === list ||
      [...byIds(element, 'aria-controls'), ...byIds(element, 'aria-owns')].some(
        (one) => one === list || one.contains(list),
      ),
  )
  return owner !== undefined && listHoldsValue(owner.element, list)
}

/**
 * Whether a list of options holds a value: its owner belongs to a form, has a label, or shows what was chosen.
 * Otherwise it may be a palette, whose options are commands.
 */
export function listHoldsValue(element: Element, list: Element | null): boolean {
  const isInForm = 'form' in element ? element.form !== null : element.closest('form') !== null
  const labels = 'labels' in element ? ((element.labels as NodeList | null)?.length ?? 0) : 0
  const showsChoice = list?.querySelector('[role=option][aria-selected=true]') != null && !isTag(element, 'input')
  return isInForm || labels > 0 || byIds(element, 'aria-labelledby').length > 0 || showsChoice
}

/** The effect of a click on one of several options, with or without words that say that it acts. */
export function optionEffect(option: Element, name: string, snapshot: PageSnapshot): Effect {
  return effectOfWords(name) ?? (holdsChoice(option, snapshot) ? 'value' : 'unknown')
}

/** Whether a control is that of one row or chip of several: it belongs to that, not to the box around all of them. */
function isInItem(control: Element, box: Element): boolean {
  const isRow = (one: Element): boolean => one.matches('li,tr,[role=listitem],[role=row],[role=option]')
  const holdsAlike = (one: Element): boolean => one.querySelector(control.localName) !== null
  for (let up = control; up !== box && up.parentElement; up = up.parentElement)
    if (
      isRow(up) ||
      [...up.parentElement.children].some(
        (one) => one !== up && one.localName === up.localName && up !== control && holdsAlike(one),
      )
    )
      return true
  return false
}

/** Whether a cross closes the dialog or the notice that it stands in, and takes nothing out of it. */
function crossCloses(control: Element, name: string, { visibility }: PageSnapshot): boolean {
  const box = ancestor(parentOf(control), (above) => isDialog(above) || /^(alert|status)$/.test(roleOf(above) ?? ''))
  const said = /[\p{L}\p{N}]/u.test(name) || isCross(name) ? name : hint(control, visibility)
  return box !== null && isCross(said) && !isInItem(control, box)
}

/** Characters of a question of the page. */
const longestQuestion = 400
/** In a dialog: a button that closes it, or that does what the dialog is about. */
function effectInDialog(dialog: Element, name: string, snapshot: PageSnapshot): Effect | undefined {
  if (closesDialog(name)) return 'view'
  const { visibility } = snapshot
  const text = visibility.visibleText(dialog).slice(0, longestQuestion)
  // "This cannot be undone" is about the button that does not close, whatever it is called.
  if (saysFinal(text)) return 'destroy'
  if (!agrees(name)) return undefined
  const headings = [...dialog.querySelectorAll('h1,h2,h3,h4,[role=heading]')].map((one) => visibility.visibleText(one))
  const said = [accessibleNameOf(dialog, visibility), ...headings, ...text.split(/[.!?。！？]\s*/)]
  const effects = said.map((one) => effectOfWords(snapshot.redact(one)))
  if (effects.includes('destroy')) return 'destroy'
  return effects.includes('send') ? 'send' : (openedFor(dialog) ?? 'unknown')
}

/** Whether it is the header of a column. A header cell of a row stands beside data. */
function isColumnHeader(element: Element): boolean {
  if (roleOf(element) !== 'columnheader') return false
  if (!isTag(element, 'th') || element.getAttribute('role') === 'columnheader' || element.scope === 'col') return true
  return element.scope !== 'row' && element.parentElement?.querySelector(':scope > td') === null
}

/** The effect of a click on a control. `control`: the button, tab, option or box around the point. */
export function controlEffect(control: Element, snapshot: PageSnapshot): Effect {
  const { visibility } = snapshot
  const role = roleOf(control) ?? ''
  const name = nameOf(control, snapshot)
  if ((isTickBox(control) || valueRoles.test(role)) && choiceDestroys(control, snapshot)) return 'destroy'
  if (valueRoles.test(role) && showsState(control)) return 'value'
  if (fieldRoles.test(role) || isTag(control, 'select', 'textarea') || (control as HTMLElement).isContentEditable)
    return 'view'
  if (isTag(control, 'input') && !/^(button|reset|image|submit)$/.test(control.type)) return 'value'
  if (role === 'option') return optionEffect(control, name, snapshot)
  if (crossCloses(control, name, snapshot) && !effectOfControlWords(control, snapshot)) return 'view'
  const dialog = dialogAround(control)
  const inDialog = dialog && effectInDialog(dialog, name, snapshot)
  if (inDialog) return inDialog
  const opens = opensSomething(control, visibility)
  const words = effectOfControlWords(control, snapshot)
  // "Delete…" that says so in each way opens a question of the page, whose button is the effect.
  if (words && opens && announcesDialog(control) && endsInDots(name)) return 'view'
  if (words) return words
  if (opens || asksForMore(control, role, name)) return 'view'
  if (isTabWithPanel(control) || isInPager(control, name, snapshot) || isInCalendarHead(control)) return 'view'
  const header = ancestor(control, isColumnHeader)
  if (header && (isTag(control, 'button', 'th') || role === 'columnheader' || role === 'button')) return 'view'
  if (role === 'treeitem' && control.hasAttribute('aria-expanded')) return 'view'
  if (isDay(control) || isStepper(control, name, snapshot)) return 'value'
  const isTool = ancestor(parentOf(control), (above) => /^(toolbar|group|radiogroup)$/.test(roleOf(above) ?? ''))
  return control.hasAttribute('aria-pressed') && isTool ? 'value' : 'unknown'
}
