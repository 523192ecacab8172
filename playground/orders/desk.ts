// The order desk: one document that changes itself and its address. The assistant beside it has no function of the page:
// it reads, fills and clicks what the people at the desk see.
import '../../src/index.js'
import '../../src/inspector.js'
import { byId, h } from '../shared/dom.js'
import { createDock } from '../shared/dock.js'
import { addressOf, firstView, readAddress } from './address.js'
import { statuses } from './data.js'
import { showDetail } from './detail.js'
import { changeOrder, orderOf, restoreOrders, select, type Change, type View } from './orders.js'
import { heads, rows, type TableActions } from './table.js'

const filters = byId('filters', HTMLFormElement)
const text = byId('text', HTMLInputElement)
const status = byId('status', HTMLSelectElement)
const from = byId('from', HTMLInputElement)
const to = byId('to', HTMLInputElement)
const late = byId('late', HTMLInputElement)
const size = byId('size', HTMLSelectElement)
const done = byId('done', HTMLElement)
const dialog = byId('detail', HTMLDialogElement)

status.append(...[...statuses].map(([value, label]) => h('option', { value }, label)))

let { view, open } = readAddress(location)
let editing: number | undefined

/** Draws all that depends on the view; what lost the focus with its row has it again in the row that took its place. */
function draw(): void {
  const focused = document.activeElement?.id ?? ''
  const shown = select(view)
  view = { ...view, page: shown.page }
  byId('heads', HTMLElement).replaceChildren(...heads(view, actions))
  byId('rows', HTMLElement).replaceChildren(...rows(shown, editing, actions))
  byId('found', HTMLElement).textContent = shown.found === 1 ? 'One order' : `${shown.found} orders`
  byId('page', HTMLElement).textContent = `Page ${shown.page} of ${shown.pages}`
  byId('previous', HTMLButtonElement).disabled = shown.page === 1
  byId('next', HTMLButtonElement).disabled = shown.page === shown.pages
  document.title = `${open === null ? 'Orders' : `Order ${open}`} · Fernhill Nursery`
  showDetail(open === null ? undefined : orderOf(open), { change, close })
  if (document.activeElement === document.body) document.getElementById(focused)?.focus()
}

/** Goes to a view. What a person would go back to is a step of the history, typing is not. */
function show(next: Partial<View>, opened = open, step = true): void {
  const isSame = addressOf({ ...view, ...next }, opened) === addressOf(view, open)
  view = { ...view, ...next }
  open = opened
  if (!isSame) history[step ? 'pushState' : 'replaceState'](null, '', addressOf(view, open))
  draw()
}

function close(): void {
  const number = open
  show(view, null)
  document.getElementById(`open-${number}`)?.focus()
}

function say(said: string): void {
  done.textContent = said
  done.hidden = false
}

function change(number: number, what: Change, said: string): void {
  changeOrder(number, what)
  editing = undefined
  say(said)
  draw()
}

const actions: TableActions = {
  sort: (key) => {
    show({ sort: key, down: view.sort === key ? !view.down : false, page: 1 })
  },
  open: (number) => {
    show(view, number)
  },
  edit(number) {
    const before = editing
    editing = number
    draw()
    const place = number === undefined ? `edit-${before}` : `save-${number}`
    document
      .getElementById(place)
      ?.closest('tr')
      ?.querySelector<HTMLElement>(number === undefined ? `#${place}` : 'input')
      ?.focus()
  },
  save: (number, what) => {
    change(number, what, `Order ${number} is saved.`)
  },
}

function showFilters(): void {
  text.value = view.text
  status.value = view.status
  from.value = view.from
  to.value = view.to
  late.checked = view.late
  size.value = String(view.size)
}

filters.addEventListener('input', () => {
  show(
    { text: text.value.trim(), status: status.value, from: from.value, to: to.value, late: late.checked, page: 1 },
    open,
    false,
  )
})
filters.addEventListener('submit', (event) => {
  event.preventDefault()
})
filters.addEventListener('reset', (event) => {
  event.preventDefault()
  const { sort, down, size: rowCount } = view
  show({ ...firstView, sort, down, size: rowCount })
  showFilters()
})
size.addEventListener('change', () => {
  show({ size: Number(size.value), page: 1 })
})
byId('previous', HTMLButtonElement).addEventListener('click', () => {
  show({ page: view.page - 1 })
})
byId('next', HTMLButtonElement).addEventListener('click', () => {
  show({ page: view.page + 1 })
})
byId('restore', HTMLButtonElement).addEventListener('click', () => {
  restoreOrders()
  editing = undefined
  say('All orders are as they were.')
  draw()
})
dialog.addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') close()
})
addEventListener('popstate', () => {
  ;({ view, open } = readAddress(location))
  editing = undefined
  showFilters()
  draw()
})

showFilters()
draw()
createDock()
