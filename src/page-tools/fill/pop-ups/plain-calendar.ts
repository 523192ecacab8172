// Chooses a day in a calendar without ARIA roles, as jQuery UI and many scripts draw it: numbers 1 to 28 or more, a
// text or selects with the month, and something to click for the next one.
import { selectOption } from '../../controls/choice.js'
import { accessibleNameOf } from '../../dom/accessible-name.js'
import { currentPage, elementsUnder, isTag, parentOf } from '../../dom/dom.js'
import { isDisabled } from '../../dom/field-state.js'
import { Visibility } from '../../dom/visibility.js'
import { dispatchMouseClick } from '../../hands/mouse.js'
import { asToolInput } from '../../hands/own-input.js'
import { deadline, nextTask, patience, until } from '../../waiting/until.js'
import { parseDay, parseTemporal, type Day } from '../dates.js'

/** Clicks on buttons for another month. Years beyond that need a select for the year. */
const mostMonths = 240

/** One month that a calendar shows. */
interface Month {
  /** Months since year 0; undefined if no text says it. */
  readonly month: number | undefined
  /** The cells of the days, the first one is day 1. */
  readonly days: readonly Element[]
  /** The element around the days. */
  readonly grid: Element
  /** The calendar: the largest element around the grid without the field, or the floating one. */
  readonly box: Element
}

/** Months since year 0. */
const countOf = ({ year, month }: Pick<Day, 'year' | 'month'>): number => year * 12 + month - 1
/** The month that a text names with its year, as months since year 0. */
export function monthCountIn(text: string, languages: readonly string[]): number | undefined {
  const [year, month] = parseTemporal('month', text, languages)?.split('-').map(Number) ?? []
  return year === undefined || month === undefined ? undefined : countOf({ year, month })
}
/** `November 2026`. */
const nameOf = (month: number, languages: readonly string[]): string =>
  new Date(Date.UTC(Math.floor(month / 12), month % 12, 15)).toLocaleString(
    languages.filter((language) => Intl.DateTimeFormat.supportedLocalesOf(language.replace(/_/g, '-')).length > 0),
    { month: 'long', year: 'numeric', timeZone: 'UTC' },
  )

/** All visible elements whose whole text is a number of one or two digits, the innermost ones. */
export function dayNumbers(visibility: Visibility): Element[] {
  return [...elementsUnder(currentPage().documentElement)].filter(
    (element) =>
      /^\s*\d{1,2}\s*$/.test(element.textContent ?? '') &&
      !isTag(element, 'option', 'script', 'style') &&
      element.firstElementChild === null &&
      visibility.isShown(element),
  ) as Element[]
}

function around(elements: readonly Element[]): Element | undefined {
  let common: Element | null | undefined = elements[0]
  while (common && !elements.every((one) => common?.contains(one))) common = parentOf(common)
  return common ?? undefined
}

/** The months of a calendar that has appeared. `before`: the numbers that the page showed before. */
export function plainCalendar(field: Element, before: ReadonlySet<Element>, languages: readonly string[]): Month[] {
  const visibility = new Visibility()
  const runs: Element[][] = []
  for (const cell of dayNumbers(visibility)) {
    if (before.has(cell)) continue
    const number = Number(cell.textContent)
    const run = runs.at(-1)
    if (run && run.length + 1 === number) run.push(cell)
    else if (number === 1) runs.push([cell])
  }
  return runs.flatMap((days) => {
    const grid = days.length >= 28 ? around(days) : undefined
    if (!grid || grid.contains(field)) return []
    let box = grid
    let month = monthOfCells(days)
    for (let up: Element | null = grid; up && !isTag(up, 'body') && !up.contains(field); up = parentOf(up)) {
      box = up
      month ??= monthCountIn(headingOf(up, grid, visibility), languages)
      if (/absolute|fixed/.test(visibility.style(up).position)) break
    }
    return [{ month, days, grid, box }]
  })
}

/** The month in the attributes that jQuery UI writes, or of a whole date in the attributes of the first day. */
function monthOfCells([first]: readonly Element[]): number | undefined {
  const cell = first?.closest('[data-year][data-month]')
  if (cell) return Number(cell.getAttribute('data-year')) * 12 + Number(cell.getAttribute('data-month'))
  const dated = first?.closest('[data-date*="-"],[aria-label]')
  const day = parseDay(dated?.getAttribute('data-date') ?? dated?.getAttribute('aria-label') ?? '')
  return day && countOf(day)
}

/** The text of a calendar outside its days, with the choices of its selects first. */
export function headingOf(box: Element, grid: Element, visibility: Visibility): string {
  const chosen = [...box.querySelectorAll('select,input')].map((one) => {
    if (isTag(one, 'select')) return one.selectedOptions[0]?.text ?? ''
    return isTag(one, 'input') && /^\d{4}$/.test(one.value) ? one.value : ''
  })
  const rest = visibility.visibleText(box, (node) => node === grid || isTag(node, 'select'))
  return [...chosen, rest].join(' ')
}

/** The classes as text. `className` of an SVG element is an object. */
const classOf = (element: Element): string => element.getAttribute('class') ?? ''

/** Libraries mark days and buttons that cannot be chosen by the names of classes. */
const isClosed = (element: Element, box: Element): boolean => {
  for (let up: Element | null = element; up && up !== box; up = parentOf(up))
    if (isDisabled(up) || /(^|[-_\s])(disabled|unselectable|unavailable)([-_\s]|$)/i.test(classOf(up))) return true
  return false
}

/** Names of the buttons for another year, in common languages. They are not used. */
export const yearNames = /year|jahr|ann|año|ano|jaar|年/i
/** Names of the buttons for the next and the previous month, in common languages. */
export const nextMonth =
  /next|forward|n[äa]chst|suivant|siguiente|successiv|pr[óo]xim|volgend|nast[ęe]pn|след|下|次|다음|[›»>→]/i
export const previousMonth =
  /prev|back|vorig|vorher|zur[üu]ck|pr[ée]c[ée]dent|anterior|poprzedn|пред|上|前|이전|[‹«<←]/i

/** What may change the month, the likely ones first: by name, title or class, and then by its place above the days. */
function monthButtons({ box, grid }: Month, forward: boolean): Element[] {
  const visibility = new Visibility()
  const top = grid.getBoundingClientRect().top + 4
  const wanted = forward ? nextMonth : previousMonth
  const clickable = [...elementsUnder(box)].filter(
    (one): one is Element =>
      !grid.contains(one) &&
      !one.contains(grid) &&
      !isTag(one, 'select', 'option', 'input') &&
      visibility.isShown(one) &&
      (one.matches('button:not([type=submit]),[role=button],a,[onclick]') ||
        wanted.test(classOf(one)) ||
        visibility.style(one).cursor === 'pointer'),
  )
  const places = new Map(clickable.map((one) => [one, one.getBoundingClientRect()]))
  const named = clickable.filter((one) => {
    const name = `${accessibleNameOf(one, visibility)} ${one.getAttribute('title') ?? ''} ${classOf(one)}`
    return wanted.test(name) && !yearNames.test(name)
  })
  const toTheRight = forward === (visibility.style(box).direction !== 'rtl')
  const middle = box.getBoundingClientRect().left + box.getBoundingClientRect().width / 2
  const placed = clickable
    .filter((one) => {
      const { bottom, left, right } = places.get(one) ?? new DOMRect()
      return bottom <= top && (toTheRight ? left > middle : right < middle)
    })
    .sort((a, b) => ((places.get(a)?.left ?? 0) - (places.get(b)?.left ?? 0)) * (toTheRight ? -1 : 1))
  return [...new Set([...named, ...placed])]
}

/** Chooses month and year in selects, the nearest offered year. False if there are none or they have the values. */
function chooseInSelects({ box, month }: Month, target: number, languages: readonly string[]): boolean {
  for (const select of box.querySelectorAll('select')) {
    const options = [...select.options].filter((option) => !option.disabled)
    const years = options.filter(({ text }) => /^\D?\d{4}\D?$/.test(text))
    const isYear = years.length === options.length
    const distance = ({ text }: HTMLOptionElement): number =>
      isYear
        ? Math.abs(Number(text.replace(/\D/g, '')) - Math.floor(target / 12))
        : Math.abs((monthCountIn(`${text} 2000`, languages) ?? Infinity) - (24_000 + (target % 12)))
    const [best] = [...options].sort((a, b) => distance(a) - distance(b))
    if (!best || best.selected || (!isYear && distance(best) > 11) || month === undefined) continue
    selectOption(select, (option) => option === best)
    return true
  }
  return false
}

/**
 * Goes to the month of the day and chooses it. Returns why it cannot be chosen, or undefined. `read` reads the calendar
 * again, because many are drawn again for each month.
 */
export async function pickPlainDay(
  read: () => Month[],
  day: Day,
  languages: readonly string[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const target = countOf(day)
  const iso = [String(day.year).padStart(4, '0'), day.month, day.day]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
  const useless = new Set<string>()
  const isLate = deadline(patience.month)
  for (let clicks = 0; !signal.aborted; clicks++) {
    const months = await whenDrawn(read, signal)
    const [first] = months
    if (!first) return 'No readable calendar opened'
    if (first.month === undefined) return 'Cannot read which month the calendar shows'
    const shown = months.find(({ month }) => month === target)
    if (shown) return chooseDay(shown, day, languages)
    const distance = target - first.month
    const farther = nameOf(first.month, languages)
    const moved = async (): Promise<boolean> => {
      await nextTask()
      return until({ done: () => read()[0]?.month !== first.month, ...patience.plainMonth })
    }
    if (clicks <= mostMonths && chooseInSelects(first, target, languages)) {
      await moved()
      continue
    }
    if (Math.abs(distance) > mostMonths || clicks > mostMonths || isLate())
      return (
        `${iso} is ${Math.abs(distance)} months from ${farther}, which the calendar shows; ` +
        'choose a date nearer to that, or ask the user to fill it'
      )
    const buttons = monthButtons(distance > 0 ? (months.at(-1) ?? first) : first, distance > 0)
    const all = months.length > 1 ? [...buttons, ...monthButtons(first, distance > 0)] : buttons
    const key = (one: Element): string => `${one.localName} ${classOf(one)} ${all.indexOf(one)}`
    const open = all.filter((one) => !isClosed(one, first.box) && !useless.has(key(one)))
    const [button] = open
    if (!button)
      return all.length === 0
        ? 'The calendar cannot change its month'
        : `The calendar does not go beyond ${farther}; choose a day that it offers`
    const name = key(button)
    asToolInput(() => dispatchMouseClick(button))
    const now = (await moved()) ? (await whenDrawn(read, signal))[0]?.month : undefined
    if (now === undefined || Math.abs(target - now) >= Math.abs(distance)) useless.add(name)
  }
  return 'Stopped'
}

/** Reads the calendar when all days of its months are visible, because many open or change with an animation. */
async function whenDrawn(read: () => Month[], signal: AbortSignal): Promise<Month[]> {
  let months: Month[] = []
  await until({
    done() {
      months = read()
      const isDrawn = months.length > 0 && months.every(({ month, days }) => days.length >= daysIn(month))
      return isDrawn || signal.aborted
    },
    ...patience.drawnMonth,
  })
  return months
}

/** How many days a month has; 28 if the month is unknown. */
const daysIn = (month: number | undefined): number =>
  month === undefined ? 28 : new Date(Date.UTC(Math.floor(month / 12), (month % 12) + 1, 0)).getUTCDate()

function chooseDay({ days, box }: Month, day: Day, languages: readonly string[]): string | undefined {
  const cell = days[day.day - 1]
  if (cell && !isClosed(cell, box)) {
    asToolInput(() => dispatchMouseClick(cell))
    return undefined
  }
  const open = days.flatMap((one, at) => (isClosed(one, box) ? [] : [at + 1])).join(', ')
  const month = nameOf(countOf(day), languages)
  return `The calendar does not offer that day. Days of ${month} that it offers: ${open || 'none'}`
}
