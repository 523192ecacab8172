// What the desk shows stands in the address, so that it can be sent to a colleague and survives a reload.
import { statuses, type Status } from './data.js'
import { sortKeys, type SortKey, type View } from './orders.js'

const sizes = [8, 16, 48]
const isDay = (text: string) => /^\d{4}-\d\d-\d\d$/.test(text)

export const firstView: View = {
  text: '',
  status: '',
  from: '',
  to: '',
  late: false,
  sort: 'number',
  down: true,
  page: 1,
  size: 8,
}

/** The view and the order that is open, or null. What does not fit is left at its default. */
export function readAddress({ search, hash }: Pick<Location, 'search' | 'hash'>): { view: View; open: number | null } {
  const given = new URLSearchParams(search)
  const word = (name: string, fits: (text: string) => boolean) => [given.get(name) ?? ''].find(fits) ?? ''
  const sort = (given.get('sort') ?? '').replace(/^-/, '') as SortKey
  const isSorted = sortKeys.includes(sort)
  const view: View = {
    text: given.get('text') ?? '',
    status: word('status', (text) => statuses.has(text as Status)),
    from: word('from', isDay),
    to: word('to', isDay),
    late: given.has('late'),
    sort: isSorted ? sort : firstView.sort,
    down: isSorted ? given.get('sort')?.startsWith('-') === true : firstView.down,
    page: Math.max(1, Math.floor(Number(given.get('page')) || 1)),
    size: sizes.find((size) => String(size) === given.get('size')) ?? firstView.size,
  }
  const number = /^#order-(\d+)$/.exec(hash)?.[1]
  return { view, open: number === undefined ? null : Number(number) }
}

export function addressOf(view: View, open: number | null): string {
  const { text, status, from, to, late, sort, down, page, size } = view
  const parts = new URLSearchParams({
    ...(text ? { text } : {}),
    ...(status ? { status } : {}),
    ...(from ? { from } : {}),
    ...(to ? { to } : {}),
    ...(late ? { late: '1' } : {}),
    ...(sort !== firstView.sort || down !== firstView.down ? { sort: `${down ? '-' : ''}${sort}` } : {}),
    ...(page > 1 ? { page: String(page) } : {}),
    ...(size !== firstView.size ? { size: String(size) } : {}),
  })
  const search = parts.toString()
  return `${location.pathname}${search ? `?${search}` : ''}${open === null ? '' : `#order-${open}`}`
}
