// Forty-eight orders, the same on every visit but for today: dates count back from it, so that some are always late.

export type Status = 'new' | 'packed' | 'shipped' | 'delivered' | 'cancelled'
export interface Line {
  readonly name: string
  readonly price: number
  readonly count: number
}
export interface Order {
  readonly number: number
  readonly customer: string
  readonly city: string
  /** Days as `YYYY-MM-DD`. */
  readonly ordered: string
  readonly shipBy: string
  readonly status: Status
  readonly lines: readonly Line[]
  readonly notes: readonly string[]
}

export const statuses: ReadonlyMap<Status, string> = new Map([
  ['new', 'New'],
  ['packed', 'Packed'],
  ['shipped', 'Shipped'],
  ['delivered', 'Delivered'],
  ['cancelled', 'Cancelled'],
])

const customers: readonly (readonly [string, string])[] = [
  ['Hanse Gardens', 'Hamburg'],
  ['Villa Rosa', 'Florence'],
  ['Studio Brandt', 'Berlin'],
  ['The Green Room', 'Leeds'],
  ['Jardins du Lac', 'Annecy'],
  ['Nordlys Hotel', 'Bergen'],
  ['Hanse Hotel', 'Lübeck'],
  ['Parkside School', 'Bristol'],
  ['Atelier Moreau', 'Lyon'],
  ['Casa Verde', 'Porto'],
  ['Kew Terrace Café', 'London'],
]
const plants: readonly (readonly [string, number])[] = [
  ['Tree fern', 145],
  ['Maidenhair fern', 12.5],
  ['Japanese maple', 89],
  ['Lady’s mantle', 6.9],
  ['Hosta', 14],
  ['Boxwood ball', 39.5],
  ['Foxglove', 7.5],
  ['Olive tree', 210],
  ['Lavender', 4.9],
]

/** The day `days` after another. */
export function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10)
}

/** The status of the order at this index; the newest order is 0. */
function statusOf(index: number): Status {
  if (index < 6) return 'new'
  if (index % 11 === 0) return 'cancelled'
  if (index < 20) return index % 3 === 0 ? 'packed' : 'shipped'
  return index % 9 === 0 ? 'packed' : 'delivered'
}

export function firstOrders(today: string): Order[] {
  return Array.from({ length: 48 }, (_, index): Order => {
    const [customer = '', city = ''] = customers[(index * 7) % customers.length] ?? []
    const ordered = dayAfter(today, -Math.floor(index * 0.8))
    const lines = Array.from({ length: 1 + (index % 3) }, (__, place): Line => {
      const [name = '', price = 0] = plants[(index * 5 + place * 2) % plants.length] ?? []
      return { name, price, count: 1 + ((index * 3 + place * 5) % 12) }
    })
    return {
      number: 4_148 - index,
      customer,
      city,
      ordered,
      shipBy: dayAfter(ordered, 3 + (index % 4)),
      status: statusOf(index),
      lines,
      notes: [],
    }
  })
}

export function totalOf({ lines }: Order): number {
  return lines.reduce((sum, { price, count }) => sum + price * count, 0)
}

/** Should have left, and has not. */
export function isLate({ status, shipBy }: Order, today: string): boolean {
  return (status === 'new' || status === 'packed') && shipBy < today
}
