// Dates and times that a page renders as spin buttons for day, month, year, hours and minutes. Tools treat them as one
// field with the value of a native date or time control.
import { isTag } from '../dom/dom.js'

type Unit = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'half'
/** The type of a native control that has the same value. */
export type PartsType = 'date' | 'time' | 'datetime-local' | 'month'

/** The spin buttons of one date or time. */
export interface DateParts {
  readonly type: PartsType
  /** In the order of their value: year first. `half`: before or after noon. */
  readonly units: ReadonlyMap<Unit, Element>
}

const limitsOf = (element: Element): readonly [number, number] => {
  const [min = 0, max = 0] = ['min', 'max'].map((name) => Number(element.getAttribute(`aria-value${name}`)))
  return [min, max]
}

/** The part of a date that a spin button holds, by its limits. */
function dateUnitOf(element: Element): Unit | undefined {
  const [min, max] = limitsOf(element)
  if (max >= 1000) return 'year'
  if (max === 12 && min === 1) return 'month'
  return max >= 28 && max <= 31 ? 'day' : undefined
}

/** The types by the units that a date has, and whether it has a time. */
const types: Readonly<Record<string, readonly [PartsType | undefined, PartsType | undefined]>> = {
  '': [undefined, 'time'],
  'month year': ['month', undefined],
  'day month year': ['date', 'datetime-local'],
}

/** The parts of a date or time; undefined if the group has other spin buttons, or one part twice. */
export function datePartsOf(group: Element): DateParts | undefined {
  const boxes = [...group.querySelectorAll('[role=spinbutton]:is([contenteditable=true],input)')]
  if (boxes.length < 2 || boxes.length > 7) return undefined
  // The hours have different limits in the clocks of 12 and 24 hours, so they are known by the minutes after them.
  const minute = boxes.findIndex((box) => limitsOf(box)[1] === 59)
  const hour = minute < 0 ? boxes.length : minute - 1
  const rest = minute < 0 ? [] : boxes.slice(minute + 1)
  const second = rest[0] && limitsOf(rest[0])[1] === 59 ? rest.shift() : undefined
  const half = rest.shift()
  if (hour < 0 || rest.length > 0 || (half && limitsOf(half)[1] > 12)) return undefined
  const found: [Unit | undefined, Element | undefined][] = boxes.slice(0, hour).map((box) => [dateUnitOf(box), box])
  const clock: [Unit, Element | undefined][] = [
    ['hour', boxes[hour]],
    ['minute', boxes[minute]],
    ['second', second],
    ['half', half],
  ]
  const names = found.map(([unit]) => unit ?? '?').sort()
  const type = types[names.join(' ')]?.[minute < 0 ? 0 : 1]
  const ordered = ['year', 'month', 'day'].flatMap((unit) => found.filter(([name]) => name === unit))
  return type && { type, units: new Map([...ordered, ...clock].filter((one): one is [Unit, Element] => !!one[1])) }
}

/** The number that a part holds; undefined if it is empty. */
export function partNumber(part: Element): number | undefined {
  const text = isTag(part, 'input') && part.value === '' ? '' : (part.getAttribute('aria-valuenow') ?? '')
  return /^\d+$/.test(text) ? Number(text) : undefined
}

const pad = (number: number, length = 2): string => String(number).padStart(length, '0')

/** The hour from 0 to 23. Some libraries count to 12 in each half of the day. */
function hourIn(hour: number, part: Element, half: Element | undefined): number {
  if (!half || limitsOf(part)[1] > 12 || hour > 12) return hour
  return (hour % 12) + ((partNumber(half) ?? 0) > 0 ? 12 : 0)
}

/** The date or time as a native control has it: `2026-11-27T14:30`; '' if a part is empty. */
export function dateIn(group: Element): string {
  const { units } = datePartsOf(group) ?? { units: new Map<Unit, Element>() }
  const numbers = new Map<Unit, number>()
  for (const [unit, part] of units) {
    const number = partNumber(part)
    if (number === undefined) return ''
    numbers.set(unit, number)
  }
  const of = (unit: Unit): number => numbers.get(unit) ?? 0
  const date = (['year', 'month', 'day'] as const)
    .filter((unit) => numbers.has(unit))
    .map((unit) => pad(of(unit), unit === 'year' ? 4 : 2))
    .join('-')
  const part = units.get('hour')
  const seconds = of('second') > 0 ? `:${pad(of('second'))}` : ''
  const time = part ? `${pad(hourIn(of('hour'), part, units.get('half')))}:${pad(of('minute'))}${seconds}` : ''
  return [date, time].filter((text) => text !== '').join('T')
}

/** The number that each part must have for a date or time, the half of the day first: the hours depend on it. */
export function partNumbers(group: Element, value: string): readonly (readonly [Element, number])[] {
  const { units } = datePartsOf(group) ?? { units: new Map<Unit, Element>() }
  const [date = '', time = ''] = value.includes(':') && !value.includes('T') ? ['', value] : value.split('T')
  const [year, month, day] = date.split('-').map(Number)
  const [hours = 0, minute = 0, second = 0] = time.split(':').map(Number)
  const part = units.get('hour')
  const isTwelve = part !== undefined && limitsOf(part).join() === '1,12'
  const numbers: Readonly<Record<Unit, number | undefined>> = {
    year,
    month,
    day,
    half: hours >= 12 ? 1 : 0,
    hour: isTwelve ? hours % 12 || 12 : hours,
    minute,
    second,
  }
  const order: readonly Unit[] = ['year', 'month', 'day', 'half', 'hour', 'minute', 'second']
  return order.flatMap((unit) => {
    const box = units.get(unit)
    return box ? [[box, numbers[unit] ?? 0] as const] : []
  })
}
