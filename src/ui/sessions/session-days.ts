// Groups conversations by the day of their last change, and writes days and times in the language of the panel.
import type { SessionSummary } from '../../core/data/session.js'
import type { MenuWords } from '../i18n/en.js'

/** How long ago a conversation changed, in days of the calendar. */
export type Day = 'today' | 'yesterday' | 'week' | 'older'

/** Conversations of one group, in the order of the list. */
export interface DayGroup {
  /** When they changed. */
  readonly day: Day
  /** Not empty. */
  readonly sessions: readonly SessionSummary[]
}

const order = ['today', 'yesterday', 'week', 'older'] as const

/** Groups a list by the calendar of the browser. Empty groups are left out. `now`: milliseconds since the epoch. */
export function groupByDay(sessions: readonly SessionSummary[], now: number): DayGroup[] {
  return order.flatMap((day) => {
    const ofDay = sessions.filter(({ updatedAt }) => groupOf(updatedAt, now) === day)
    return ofDay.length === 0 ? [] : [{ day, sessions: ofDay }]
  })
}

/** The heading of a group. The language has words for today and yesterday. */
export function dayOf(day: Day, { language, week, older }: MenuWords & { readonly language: string }): string {
  if (day === 'week') return week
  if (day === 'older') return older
  const text = new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(day === 'today' ? 0 : -1, 'day')
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
}

/** When a conversation changed, as short as its group allows. */
export function timeOf(at: number, now: number, language: string): string {
  const day = groupOf(at, now)
  const isThisYear = new Date(at).getFullYear() === new Date(now).getFullYear()
  const parts: Readonly<Record<Day, Intl.DateTimeFormatOptions>> = {
    today: { hour: 'numeric', minute: '2-digit' },
    yesterday: { hour: 'numeric', minute: '2-digit' },
    week: { weekday: 'long' },
    older: { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) },
  }
  return new Intl.DateTimeFormat(language, parts[day]).format(at)
}

function groupOf(at: number, now: number): Day {
  const days = Math.round((midnight(now) - midnight(at)) / 86_400_000)
  if (days <= 0) return 'today'
  if (days === 1) return 'yesterday'
  return days <= 7 ? 'week' : 'older'
}

/** The begin of the day. A day with a change of the clock has 23 or 25 hours, so differences must be rounded. */
function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0)
}
