// What the restaurant knows: its hours and which evenings are full. The form and the assistant's tool ask the same.

export interface Availability {
  readonly free: boolean
  /** A sentence for the visitor. */
  readonly message: string
  /** Arrival times that are free, `HH:MM`. */
  readonly times: readonly string[]
}

const seats = 40
const quarters = Array.from({ length: 41 }, (_, index) => 12 * 60 + index * 15)

export function isClosed(date: string): boolean {
  return new Date(`${date}T12:00:00Z`).getUTCDay() === 1
}

/** Free arrival times on a day (ISO date) for a party. Made up, but the same on every call. */
export function availabilityOn(date: string, guests: number, time = ''): Availability {
  if (isClosed(date)) return { free: false, message: 'We are closed on Mondays.', times: [] }
  const weekend = [0, 5, 6].includes(new Date(`${date}T12:00:00Z`).getUTCDay())
  const day = Number(date.slice(-2))
  const times = quarters
    .filter((minutes) => {
      const evening = minutes >= 18 * 60 && minutes <= 21 * 60
      const taken = (weekend ? 26 : 14) * (evening ? 1 : 0.4) + ((day * 7 + minutes / 15) % 5) * 2
      return taken + guests <= seats
    })
    .map((minutes) => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`)
  if (times.length === 0) return { free: false, message: `We are full for ${guests} that day.`, times }
  if (time === '') return { free: true, message: `Yes, for ${guests}: ${times.length} arrival times are free.`, times }
  return times.includes(time)
    ? { free: true, message: `Yes, a table for ${guests} is free at ${time}.`, times }
    : { free: false, message: `Not at ${time}. Free are ${nearest(times, time).join(', ')}.`, times }
}

function nearest(times: readonly string[], time: string): string[] {
  const minutes = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))
  return [...times]
    .sort((a, b) => Math.abs(minutes(a) - minutes(time)) - Math.abs(minutes(b) - minutes(time)))
    .slice(0, 3)
    .sort()
}

export const wines: readonly { readonly name: string; readonly kind: string; readonly price: number }[] = [
  { name: 'Riesling, Mosel', kind: 'white', price: 38 },
  { name: 'Muscadet, Loire', kind: 'white', price: 34 },
  { name: 'Grüner Veltliner, Kamptal', kind: 'white', price: 41 },
  { name: 'Pinot Noir, Baden', kind: 'red', price: 46 },
  { name: 'Chinon, Loire', kind: 'red', price: 43 },
  { name: 'Crémant, Alsace', kind: 'sparkling', price: 49 },
  { name: 'Quince cider, dry', kind: 'without grapes', price: 28 },
]
