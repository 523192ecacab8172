// One order in a dialog: what was ordered, what happened, and what can be done with it. It is not modal: a modal one would
// shut out the assistant beside it, whose questions have to be answered while it is open.
import { byId, h } from '../shared/dom.js'
import { isLate, statuses, totalOf, type Order, type Status } from './data.js'
import { today, type Change } from './orders.js'
import { dayText, euros } from './table.js'

export interface DetailActions {
  change(number: number, change: Change, said: string): void
  close(): void
}

const next: Partial<Record<Status, readonly [Status, string, string]>> = {
  new: ['packed', 'Mark as packed', 'is packed'],
  packed: ['shipped', 'Mark as shipped', 'is on its way'],
  shipped: ['delivered', 'Mark as delivered', 'is delivered'],
}

/** Shows the order; without one the dialog is closed. */
export function showDetail(order: Order | undefined, actions: DetailActions): void {
  const dialog = byId('detail', HTMLDialogElement)
  if (order === undefined) return dialog.close()
  dialog.replaceChildren(...content(order, actions))
  if (dialog.open) return
  dialog.show()
  byId('detail-title', HTMLElement).focus()
}

function content(order: Order, { change, close }: DetailActions): HTMLElement[] {
  const { number, customer, city, ordered, shipBy, status, lines, notes } = order
  const note = h('textarea', { id: 'note', rows: 2, maxlength: 200, required: true })
  const sure = h(
    'div',
    { class: 'note bad sure', role: 'group', 'aria-label': `Cancel order ${number}?`, hidden: true },
    h('p', {}, `Cancel order ${number} for good? ${customer} is told by e-mail.`),
    h(
      'div',
      { class: 'actions' },
      h(
        'button',
        {
          type: 'button',
          class: 'button',
          onclick: () => {
            change(number, { status: 'cancelled' }, `Order ${number} is cancelled.`)
          },
        },
        'Yes, cancel it',
      ),
      h(
        'button',
        {
          type: 'button',
          class: 'button quiet',
          onclick: () => {
            sure.hidden = true
          },
        },
        'Keep it',
      ),
    ),
  )
  const [to, label, said] = next[status] ?? []
  return [
    h(
      'header',
      { class: 'detail-head' },
      h('h2', { id: 'detail-title', tabindex: -1 }, `Order ${number}`),
      h('button', { type: 'button', class: 'button quiet', onclick: close }, 'Close'),
    ),
    h(
      'dl',
      { class: 'facts' },
      ...[
        ['Customer', customer],
        ['City', city],
        ['Ordered', dayText(ordered)],
        ['Ship by', dayText(shipBy)],
        ['Status', `${statuses.get(status) ?? ''}${isLate(order, today) ? ', late' : ''}`],
      ].map(([term, text]) => h('div', {}, h('dt', {}, term ?? ''), h('dd', {}, text ?? ''))),
    ),
    h(
      'table',
      { 'aria-label': 'Plants' },
      h('thead', {}, h('tr', {}, ...['Plant', 'Count', 'Each', 'Sum'].map((text) => h('th', { scope: 'col' }, text)))),
      h(
        'tbody',
        {},
        ...lines.map(({ name, count, price }) =>
          h(
            'tr',
            {},
            h('th', { scope: 'row' }, name),
            h('td', {}, String(count)),
            h('td', {}, euros(price)),
            h('td', { class: 'sum' }, euros(price * count)),
          ),
        ),
      ),
      h(
        'tfoot',
        {},
        h('tr', {}, h('th', { scope: 'row', colspan: 3 }, 'Total'), h('td', { class: 'sum' }, euros(totalOf(order)))),
      ),
    ),
    h(
      'section',
      { 'aria-label': 'Notes' },
      h('h3', {}, 'Notes'),
      notes.length === 0
        ? h('p', { class: 'soft' }, 'None yet.')
        : h('ul', {}, ...notes.map((text) => h('li', {}, text))),
      h(
        'form',
        {
          class: 'form',
          'aria-label': 'New note',
          onsubmit: (event) => {
            event.preventDefault()
            change(number, { notes: [...notes, note.value.trim()] }, `The note is kept with order ${number}.`)
          },
        },
        h('div', { class: 'field' }, h('label', { for: 'note' }, 'New note'), note),
        h('div', { class: 'actions' }, h('button', { class: 'button' }, 'Add note')),
      ),
    ),
    sure,
    h(
      'div',
      { class: 'actions' },
      to !== undefined &&
        h(
          'button',
          {
            type: 'button',
            class: 'button primary',
            onclick: () => {
              change(number, { status: to }, `Order ${number} ${said}.`)
            },
          },
          label ?? '',
        ),
      (status === 'new' || status === 'packed') &&
        h(
          'button',
          {
            type: 'button',
            class: 'button',
            onclick: () => {
              sure.hidden = false
            },
          },
          'Cancel this order',
        ),
    ),
  ]
}
