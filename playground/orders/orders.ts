// The desk's orders as this tab has changed them, and the part of them that a view shows.
import { firstOrders, isLate, statuses, totalOf, type Order, type Status } from './data.js'

export const sortKeys = ['number', 'customer', 'ordered', 'shipBy', 'total', 'status'] as const
export type SortKey = (typeof sortKeys)[number]
/** All that the address holds. */
export interface View {
  readonly text: string
  readonly status: string
  readonly from: string
  readonly to: string
  readonly late: boolean
  readonly sort: SortKey
  readonly down: boolean
  /** From 1. */
  readonly page: number
  readonly size: number
}
export interface Shown {
  readonly orders: readonly Order[]
  readonly found: number
  readonly page: number
  readonly pages: number
}
export type Change = Partial<Pick<Order, 'status' | 'shipBy' | 'notes'>>

const storageKey = 'fernhill-orders'

export function localToday(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}

export const today = localToday()
let orders = firstOrders(today).map((order) => ({ ...order, ...readChanges()[order.number] }))

function readChanges(): Record<string, Change> {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(storageKey) ?? '{}')
    if (typeof stored !== 'object' || stored === null) return {}
    return Object.fromEntries(Object.entries(stored).filter(([, change]) => isChange(change))) as Record<string, Change>
  } catch {
    // Closed storage, or not ours: the desk begins anew.
    return {}
  }
}

function isChange(value: unknown): value is Change {
  if (typeof value !== 'object' || value === null) return false
  const { status = 'new', shipBy = '', notes = [] } = value as { status?: unknown; shipBy?: unknown; notes?: unknown }
  return (
    statuses.has(status as Status) &&
    typeof shipBy === 'string' &&
    Array.isArray(notes) &&
    notes.every((note) => typeof note === 'string')
  )
}

export function orderOf(number: number): Order | undefined {
  return orders.find((order) => order.number === number)
}

export function changeOrder(number: number, change: Change): void {
  orders = orders.map((order) => (order.number === number ? { ...order, ...change } : order))
  try {
    sessionStorage.setItem(
      storageKey,
      JSON.stringify({ ...readChanges(), [number]: { ...readChanges()[number], ...change } }),
    )
  } catch {
    // It lasts until the page is loaded again.
  }
}

export function restoreOrders(): void {
  orders = firstOrders(today)
  sessionStorage.removeItem(storageKey)
}

/** What a view shows; a page behind the last is the last. */
export function select({ text, status, from, to, late, sort, down, page, size }: View): Shown {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const found = orders.filter((order) => {
    const all = `${order.number} ${order.customer} ${order.city}`.toLowerCase()
    return (
      words.every((word) => all.includes(word)) &&
      (status === '' || order.status === status) &&
      (from === '' || order.ordered >= from) &&
      (to === '' || order.ordered <= to) &&
      (!late || isLate(order, today))
    )
  })
  const key = (order: Order): string | number => (sort === 'total' ? totalOf(order) : order[sort])
  const compare = (a: string | number, b: string | number) =>
    typeof a === 'string' ? a.localeCompare(String(b), 'en') : a - Number(b)
  const sorted = found.sort((a, b) => (compare(key(a), key(b)) || a.number - b.number) * (down ? -1 : 1))
  const pages = Math.max(1, Math.ceil(sorted.length / size))
  const current = Math.min(page, pages)
  return { orders: sorted.slice((current - 1) * size, current * size), found: sorted.length, page: current, pages }
}
