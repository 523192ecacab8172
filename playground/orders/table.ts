// The table: drawn anew after every change, as many frameworks do, so that no row lives long; one row at a time can be
// edited in place.
import { h } from '../shared/dom.js'
import { dayAfter, isLate, statuses, totalOf, type Order, type Status } from './data.js'
import { today, type Change, type Shown, type SortKey, type View } from './orders.js'

export interface TableActions {
  sort(key: SortKey): void
  open(number: number): void
  edit(number: number | undefined): void
  save(number: number, change: Change): void
}

const columns: readonly (readonly [SortKey, string])[] = [
  ['number', 'Order'],
  ['customer', 'Customer'],
  ['ordered', 'Ordered'],
  ['shipBy', 'Ship by'],
  ['total', 'Total'],
  ['status', 'Status'],
]
const money = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' })
const date = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', timeZone: 'UTC' })

export const euros = (amount: number): string => money.format(amount)
export const dayText = (day: string): HTMLTimeElement =>
  h('time', { datetime: day }, date.format(new Date(`${day}T00:00:00Z`)))

export function heads({ sort, down }: View, actions: TableActions): HTMLElement[] {
  const arrow = down ? '↓' : '↑'
  const sorted = columns.map(([key, label]) =>
    h(
      'th',
      { scope: 'col', 'aria-sort': sort === key && (down ? 'descending' : 'ascending') },
      h(
        'button',
        {
          type: 'button',
          class: 'sort',
          id: `sort-${key}`,
          onclick: () => {
            actions.sort(key)
          },
        },
        label,
        h('span', { class: 'arrow', 'aria-hidden': 'true' }, sort === key ? arrow : ''),
      ),
    ),
  )
  return [...sorted, h('th', { scope: 'col' }, h('span', { class: 'visually-hidden' }, 'Actions'))]
}

export function rows({ orders }: Shown, editing: number | undefined, actions: TableActions): HTMLElement[] {
  if (orders.length === 0)
    return [h('tr', {}, h('td', { colspan: columns.length + 1, class: 'none' }, 'No order fits these filters.'))]
  return orders.map((order) => (order.number === editing ? editRow(order, actions) : row(order, actions)))
}

const place = (customer: string, city: string): HTMLElement =>
  h('td', {}, customer, ' ', h('small', { class: 'soft' }, city))

function statusText(order: Order): HTMLElement {
  return h(
    'span',
    { class: 'status', 'data-status': order.status },
    statuses.get(order.status) ?? '',
    isLate(order, today) && h('strong', { class: 'late' }, ' · late'),
  )
}

function row(order: Order, { open, edit }: TableActions): HTMLElement {
  const { number, customer, city, ordered, shipBy } = order
  return h(
    'tr',
    {},
    h(
      'th',
      { scope: 'row' },
      h(
        'button',
        {
          type: 'button',
          class: 'link',
          id: `open-${number}`,
          'aria-haspopup': 'dialog',
          'aria-controls': 'detail',
          onclick: () => {
            open(number)
          },
        },
        String(number),
      ),
    ),
    place(customer, city),
    h('td', {}, dayText(ordered)),
    h('td', {}, dayText(shipBy)),
    h('td', { class: 'sum' }, euros(totalOf(order))),
    h('td', {}, statusText(order)),
    h(
      'td',
      {},
      h(
        'button',
        {
          type: 'button',
          class: 'button quiet',
          id: `edit-${number}`,
          'aria-label': `Edit order ${number}`,
          onclick: () => {
            edit(number)
          },
        },
        'Edit',
      ),
    ),
  )
}

function editRow(
  { number, customer, city, ordered, shipBy, status, lines, notes }: Order,
  actions: TableActions,
): HTMLElement {
  const day = h('input', {
    type: 'date',
    value: shipBy,
    min: ordered,
    max: dayAfter(ordered, 60),
    required: true,
    'aria-label': `Ship by, order ${number}`,
    'aria-describedby': 'edit-problem',
  })
  const state = h(
    'select',
    { 'aria-label': `Status, order ${number}` },
    ...[...statuses].map(([value, label]) => h('option', { value, selected: value === status }, label)),
  )
  const problem = h('span', { class: 'error', id: 'edit-problem', role: 'alert' })
  const save = (): void => {
    day.setCustomValidity(
      day.value !== '' && day.value < ordered ? `Order ${number} cannot leave before it was placed.` : '',
    )
    problem.textContent = day.validationMessage
    if (day.validity.valid) actions.save(number, { status: state.value as Status, shipBy: day.value })
    else {
      day.setAttribute('aria-invalid', 'true')
      day.focus()
    }
  }
  day.addEventListener('input', () => {
    day.setCustomValidity('')
    day.removeAttribute('aria-invalid')
  })
  const tr = h(
    'tr',
    { class: 'editing form' },
    h('th', { scope: 'row' }, String(number)),
    place(customer, city),
    h('td', {}, dayText(ordered)),
    h('td', {}, day, problem),
    h('td', { class: 'sum' }, euros(totalOf({ number, customer, city, ordered, shipBy, status, lines, notes }))),
    h('td', {}, state),
    h(
      'td',
      { class: 'row-actions' },
      h(
        'button',
        {
          type: 'button',
          class: 'button primary',
          id: `save-${number}`,
          'aria-label': `Save order ${number}`,
          onclick: save,
        },
        'Save',
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'button quiet',
          'aria-label': `Discard changes to order ${number}`,
          onclick: () => {
            actions.edit(undefined)
          },
        },
        'Discard',
      ),
    ),
  )
  tr.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) save()
    else if (event.key === 'Escape') actions.edit(undefined)
    else return
    event.preventDefault()
  })
  return tr
}
