// Chooses a day in a date picker that follows the ARIA practices: a field that opens a grid of days. It reads the month
// from the heading and changes it by keys, or else by the buttons.
import type { WriteResult } from '../../controls/control-kind.js'
import { accessibleNameOf } from '../../dom/accessible-name.js'
import { byIds, currentPage, elementsUnder } from '../../dom/dom.js'
import { isDisabled } from '../../dom/field-state.js'
import { opensDialog } from '../../dom/pop-ups.js'
import { bringIntoView } from '../../hands/scroll.js'
import { Visibility } from '../../dom/visibility.js'
import { enterField, keepingFocus, leaveField } from '../../hands/focus.js'
import { pressKey } from '../../hands/keys.js'
import { dispatchMouseClick } from '../../hands/mouse.js'
import { asToolInput } from '../../hands/own-input.js'
import { nextTask, patience, until, waitForPageUpdates } from '../../waiting/until.js'
import { holdsDay, isSameDate, parseDay, type Day } from '../dates.js'
import { isoDate } from '../plan.js'
import { writeText } from '../write-text.js'
import { dismiss } from './close-pop-up.js'
import {
  dayNumbers,
  headingOf,
  monthCountIn,
  nextMonth,
  pickPlainDay,
  plainCalendar,
  previousMonth,
  yearNames,
} from './plain-calendar.js'

const popUps = (visibility: Visibility): Element[] =>
  [...elementsUnder(currentPage().documentElement)].filter(
    (element) => element.matches('[role=dialog],dialog,[role=grid]') && visibility.isShown(element),
  )

/** The pop-up that the field has opened, and the grid of days inside. */
function calendarOf(element: Element, before: readonly Element[]): { box: Element; grid: Element } | undefined {
  const visibility = new Visibility()
  const boxes = [
    ...byIds(element, 'aria-controls'),
    ...byIds(element, 'aria-owns'),
    ...popUps(visibility).filter((one) => !before.includes(one)),
  ]
  for (const box of boxes) {
    const grid = [...elementsUnder(box)].find((one) => one.matches('[role=grid],table') && visibility.isShown(one))
    if (grid) return { box, grid }
  }
  return undefined
}

/** The month that the grid shows, as months since year 0; undefined if it cannot be read. */
function shownMonth(box: Element, grid: Element, languages: readonly string[]): number | undefined {
  const visibility = new Visibility()
  const headings = [...elementsUnder(box)].filter((one) =>
    one.matches('[aria-live],caption,h1,h2,h3,h4,h5,h6,[role=heading]'),
  )
  const named = [accessibleNameOf(grid, visibility), ...headings.map((one) => visibility.visibleText(one))]
  for (const text of [...named, headingOf(box, grid, visibility)]) {
    const month = monthCountIn(text, languages)
    if (month !== undefined) return month
  }
  return undefined
}

/** The cell of the day: by the date in its attributes, or else by its number, counted from the first of the month. */
function cellOf(grid: Element, day: Day, month: number | undefined, languages: readonly string[]): Element | undefined {
  const visibility = new Visibility()
  const cells = [...elementsUnder(grid)].filter(
    (one) => one.matches('[role=gridcell],td') && visibility.isShown(one),
  ) as Element[]
  const inner = (cell: Element): Element => {
    let element = cell.querySelector('button,[role=button],a') ?? cell
    // Handlers may be on the number itself. From there a click reaches all around it.
    for (;;) {
      const only: Element | null = element.children.length === 1 ? element.firstElementChild : null
      if (!only || only.textContent?.trim() !== element.textContent?.trim() || only.textContent.trim() === '')
        return element
      element = only
    }
  }
  const dated = cells.find((cell) =>
    [cell, inner(cell)].some((one) =>
      ['data-date', 'data-day', 'data-iso', 'aria-label'].some((name) =>
        isSameDate(parseDay(one.getAttribute(name) ?? '', languages), day),
      ),
    ),
  )
  if (dated) return inner(dated)
  if (month !== day.year * 12 + day.month - 1) return undefined
  const numbers = cells.filter((cell) => /^\d{1,2}$/.test(visibility.visibleText(cell)))
  const first = numbers.findIndex((cell) => Number(visibility.visibleText(cell)) === 1)
  const cell = first < 0 ? undefined : numbers[first + day.day - 1]
  return cell && Number(visibility.visibleText(cell)) === day.day ? inner(cell) : undefined
}

function monthButton(box: Element, forward: boolean): Element | undefined {
  const visibility = new Visibility()
  return [...elementsUnder(box)].find((one) => {
    if (!one.matches('button,[role=button],a') || !visibility.isShown(one) || isDisabled(one)) return false
    const name = accessibleNameOf(one, visibility)
    return (forward ? nextMonth : previousMonth).test(name) && !yearNames.test(name)
  })
}

/** The button or image beside a field that may open its calendar. Never one that submits. */
function buttonBeside(field: Element): Element | undefined {
  const parent = field.parentElement
  if (opensDialog(field) || !parent || parent.querySelectorAll('input:not([type=hidden])').length > 1) return undefined
  return [...parent.querySelectorAll('button,[role=button],img')].find(
    (one) => (one as Partial<HTMLButtonElement>).type !== 'submit' && new Visibility().isShown(one),
  )
}

/** Leaves the field, and closes a calendar that is still open. Many fade out and would be taken for the next one. */
async function closePlain(field: Element, popUp: () => Element | undefined): Promise<void> {
  const isHidden = (): Promise<boolean> => until({ done: () => popUp() === undefined, ...patience.calendarFading })
  asToolInput(() => leaveField(field))
  if (await isHidden()) return
  const left = popUp()
  if (left) dismiss(field, left)
  await isHidden()
}

/** Closes the pop-up by the key for it, if it stays open after the last of several days. */
async function closeDialog(element: Element, box: Element): Promise<void> {
  const isClosed = (): boolean => !box.isConnected || !new Visibility().isShown(box)
  const { alone, dismissed, again } = patience.calendarClosing
  if (await until({ done: isClosed, ...alone })) return
  dismiss(element, box, box.querySelector('[tabindex="0"]') ?? box)
  if (await until({ done: isClosed, ...dismissed })) return
  dismiss(element, box)
  await until({ done: isClosed, ...again })
}

/** Opens the calendar and chooses the days. Returns the problem, or undefined on success. */
export const pickDays = (
  element: Element,
  days: readonly Day[],
  languages: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> =>
  keepingFocus(async () => {
    const problem = (await pickFrom(element, days, languages, signal)) ?? undefined
    // Also a field that got the focus only to open its calendar.
    if (opensDialog(element)) asToolInput(() => leaveField(element, false))
    return problem
  })

/**
 * Writes a date into a text field that may open a calendar, and closes it. An ISO date is chosen in it, because
 * the calendar knows the format of the page. Returns undefined, and changes nothing, if none opens for an ISO date.
 */
export async function writeDay(
  element: HTMLInputElement,
  text: string,
  languages: readonly string[],
  signal: AbortSignal,
): Promise<WriteResult | undefined> {
  const day = parseDay(text, languages)
  if (!day) return undefined
  if (!isoDate.test(text)) {
    const numbers = new Set(dayNumbers(new Visibility()))
    const popUp = (): Element | undefined => plainCalendar(element, numbers, languages)[0]?.box
    if (!(await writeText(element, text, true))) return { problem: 'The page refused the input' }
    await waitForPageUpdates()
    if (popUp()) await closePlain(element, popUp)
    return {}
  }
  const problem = await keepingFocus(() => pickFrom(element, [day], languages, signal, true))
  if (problem === null) return undefined
  await waitForPageUpdates()
  const { value } = element
  if (holdsDay(value, day, languages)) return { plan: { text: value } }
  return {
    problem:
      problem ??
      `The field holds ${JSON.stringify(value)} after a click on ${text} in its calendar; ` +
        'pass the date in the format of the page',
  }
}

/**
 * Returns the problem, undefined on success, or null if `isWritable` and no calendar opened.
 *
 * A page may open its calendar on focus, on a click or by a button beside the field, immediately or some frames later.
 * It may be marked as a dialog or grid (`calendar`), or be plain boxes with numbers (`readPlain`). What was open before
 * is never taken for it. Each round then reads the calendar anew, because a page may replace it with each month, and
 * either clicks the day, or brings the shown month one step closer, or ends. A calendar whose month cannot be read is
 * not turned, so that no round moves away from the day.
 */
async function pickFrom(
  element: Element,
  days: readonly Day[],
  languages: readonly string[],
  signal: AbortSignal,
  isWritable = false,
): Promise<string | undefined | null> {
  bringIntoView(element)
  const before = popUps(new Visibility())
  const numbers = new Set(dayNumbers(new Visibility()))
  const readPlain = (): ReturnType<typeof plainCalendar> => plainCalendar(element, numbers, languages)
  let calendar = calendarOf(element, before)
  const opens = async (): Promise<boolean> => {
    const isThere = (): boolean => {
      calendar = calendarOf(element, before)
      return calendar !== undefined || readPlain().length > 0
    }
    const limit = isWritable ? patience.unexpectedCalendar : patience.calendar
    return (await until({ done: () => signal.aborted || isThere(), ...limit })) && !signal.aborted
  }
  if (element.getAttribute('aria-expanded') !== 'true')
    asToolInput(() => {
      if (!opensDialog(element)) enterField(element)
      dispatchMouseClick(element)
    })
  let isOpen = await opens()
  // Some open on the focus, which a mouse would have given them before the click.
  if (!isOpen && !isWritable && opensDialog(element)) {
    asToolInput(() => enterField(element, true))
    isOpen = await opens()
  }
  const button = isOpen || isWritable ? undefined : buttonBeside(element)
  if (button) {
    asToolInput(() => dispatchMouseClick(button))
    await opens()
  }
  if (isWritable && !calendar && readPlain().length === 0) {
    asToolInput(() => leaveField(element))
    return null
  }
  if (!calendar && (!opensDialog(element) || readPlain().length > 0)) {
    let problem: string | undefined =
      readPlain().length > 0
        ? undefined
        : 'The field is read-only, and no calendar opened on a click. Ask the user to fill it'
    for (const day of days) {
      problem ??= await pickPlainDay(readPlain, day, languages, signal)
      if (days.length > 1) await waitForPageUpdates()
    }
    await closePlain(element, () => readPlain()[0]?.box)
    return problem
  }
  const close = (problem: string): string => {
    const box = calendar?.box ?? element
    dismiss(element, box, calendar?.grid.querySelector('[tabindex="0"]') ?? box)
    return problem
  }
  // Keys move a month or a year at a time. Once they have moved nothing, only the buttons are used.
  let keys = true
  const left = [...days]
  for (let turns = 0; turns < 1300 && !signal.aborted; turns++) {
    // Some calendars are re-rendered for each month.
    calendar = calendarOf(element, before)
    if (!calendar) return close('No readable calendar opened')
    const { box, grid } = calendar
    const [day] = left
    if (!day) return undefined
    const month = shownMonth(box, grid, languages)
    const cell = cellOf(grid, day, month, languages)
    const distance = month === undefined ? 0 : day.year * 12 + day.month - 1 - month
    // A day of the next month may be shown but disabled in this one.
    if (cell && !isDisabled(cell) && !cell.closest('[aria-disabled=true]')) {
      asToolInput(() => dispatchMouseClick(cell))
      left.shift()
      if (left.length === 0) {
        // A calendar that takes several days stays open.
        if (days.length > 1) await closeDialog(element, box)
        return undefined
      }
      await waitForPageUpdates()
      continue
    }
    if (month === undefined && !cell) return close('Cannot read which month the calendar shows')
    if (distance === 0) return close('The calendar does not offer that day')
    const target = grid.querySelector('[tabindex="0"]')
    const moved = async (): Promise<boolean> => {
      await nextTask()
      const isMoved = (): boolean => {
        const now = calendarOf(element, before)
        return now !== undefined && shownMonth(now.box, now.grid, languages) !== month
      }
      return until({ done: isMoved, ...patience.turnedMonth })
    }
    if (keys && target) {
      asToolInput(() => pressKey(target, distance > 0 ? 'PageDown' : 'PageUp', { shiftKey: Math.abs(distance) >= 12 }))
      if (await moved()) continue
    }
    keys = false
    const button = monthButton(box, distance > 0)
    if (!button) return close('The calendar cannot change its month')
    asToolInput(() => dispatchMouseClick(button))
    if (!(await moved())) return close('The calendar does not offer that day')
  }
  return close('The calendar did not reach the month')
}
