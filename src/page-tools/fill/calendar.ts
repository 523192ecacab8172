// Chooses a day in a date picker that follows the ARIA practices: a field that opens a grid of days. It reads the month
// from the heading and changes it by keys, or else by the buttons. Loaded with the first such field.
import { byIds, elementsUnder, currentPage } from '../dom/dom.js'
import { accessibleNameOf } from '../dom/accessible-name.js'
import { createVisibility } from '../dom/visibility.js'
import type { Visibility } from '../dom/visibility.js'
import { isDisabled } from '../dom/field-state.js'
import { asToolInput, dispatchMouseClick, pressKey, waitForPageUpdates, nextTask } from './input-events.js'
import type { Day } from './dates.js'
import { parseDay, parseTemporal, isSameDate } from './dates.js'
import { keepingFocus } from './widgets.js'

const monthsOf = (text: string, languages: readonly string[]): number | undefined => {
  const found = parseTemporal('month', text, languages)?.split('-').map(Number)
  return found ? (found[0] ?? 0) * 12 + (found[1] ?? 0) - 1 : undefined
}

const popUps = (visibility: Visibility): Element[] =>
  [...elementsUnder(currentPage().documentElement)].filter(
    (element) => element.matches('[role=dialog],dialog,[role=grid]') && visibility.isShown(element),
  )

/** The pop-up that the field has opened, and the grid of days inside. */
function calendarOf(element: Element, before: readonly Element[]): { box: Element; grid: Element } | undefined {
  const visibility = createVisibility()
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
  const visibility = createVisibility()
  const headings = [...elementsUnder(box)].filter((one) =>
    one.matches('[aria-live],caption,h1,h2,h3,h4,h5,h6,[role=heading]'),
  )
  for (const text of [accessibleNameOf(grid, visibility), ...headings.map((one) => visibility.visibleText(one))]) {
    const month = monthsOf(text, languages)
    if (month !== undefined) return month
  }
  return undefined
}

/** The cell of the day: by the date in its attributes, or else by its number, counted from the first of the month. */
function cellOf(
  grid: Element,
  day: Day,
  month: number | undefined,
  languages: readonly string[],
): HTMLElement | undefined {
  const visibility = createVisibility()
  const cells = [...elementsUnder(grid)].filter(
    (one) => one.matches('[role=gridcell],td') && visibility.isShown(one),
  ) as HTMLElement[]
  const inner = (cell: HTMLElement): HTMLElement => cell.querySelector<HTMLElement>('button,[role=button],a') ?? cell
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

/** Buttons for the next or previous year, in common languages. They are not used. */
const years = /year|jahr|ann|año|ano|jaar|年/i
/** Buttons for another month, in common languages. */
const nextMonth =
  /next|forward|n[äa]chst|suivant|siguiente|successiv|pr[óo]xim|volgend|nast[ęe]pn|след|下|次|다음|[›»>→]/i
const previousMonth = /prev|back|vorig|vorher|zur[üu]ck|pr[ée]c[ée]dent|anterior|poprzedn|пред|上|前|이전|[‹«<←]/i

function monthButton(box: Element, forward: boolean): HTMLElement | undefined {
  const visibility = createVisibility()
  return [...elementsUnder(box)].find((one) => {
    if (!one.matches('button,[role=button],a') || !visibility.isShown(one) || isDisabled(one)) return false
    const name = accessibleNameOf(one, visibility)
    return (forward ? nextMonth : previousMonth).test(name) && !years.test(name)
  }) as HTMLElement | undefined
}

/** Opens the calendar and chooses the day. Returns the problem, or undefined on success. */
export const pickDay = (
  element: HTMLElement,
  day: Day,
  languages: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> => keepingFocus(element.ownerDocument, () => pickFrom(element, day, languages, signal))

async function pickFrom(
  element: HTMLElement,
  day: Day,
  languages: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const before = popUps(createVisibility())
  if (element.getAttribute('aria-expanded') !== 'true') asToolInput(() => dispatchMouseClick(element))
  let calendar = calendarOf(element, before)
  for (let frames = 0; !calendar && frames < 12 && !signal.aborted; frames++) {
    await waitForPageUpdates()
    calendar = calendarOf(element, before)
  }
  const close = (problem: string): string => {
    asToolInput(() =>
      pressKey(
        calendar?.grid.querySelector<HTMLElement>('[tabindex="0"]') ??
          (calendar?.box as HTMLElement | undefined) ??
          element,
        'Escape',
      ),
    )
    return problem
  }
  let keys = true
  for (let turns = 0; turns < 1300 && !signal.aborted; turns++) {
    // Some calendars are re-rendered for each month.
    calendar = calendarOf(element, before)
    if (!calendar) return close('No readable calendar opened')
    const { box, grid } = calendar
    const month = shownMonth(box, grid, languages)
    const cell = cellOf(grid, day, month, languages)
    const distance = month === undefined ? 0 : day.year * 12 + day.month - 1 - month
    // A day of the next month may be shown but disabled in this one.
    if (cell && !isDisabled(cell) && !cell.closest('[aria-disabled=true]')) {
      asToolInput(() => dispatchMouseClick(cell))
      return undefined
    }
    if (month === undefined && !cell) return close('Cannot read which month the calendar shows')
    if (distance === 0) return close('The calendar does not offer that day')
    const target = grid.querySelector<HTMLElement>('[tabindex="0"]')
    const moved = async (): Promise<boolean> => {
      for (const wait of [nextTask, waitForPageUpdates, waitForPageUpdates]) {
        await wait()
        const now = calendarOf(element, before)
        if (now && shownMonth(now.box, now.grid, languages) !== month) return true
      }
      return false
    }
    if (keys && target) {
      asToolInput(() => pressKey(target, distance > 0 ? 'PageDown' : 'PageUp', Math.abs(distance) >= 12))
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
