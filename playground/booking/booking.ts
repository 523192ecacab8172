// The booking page: a form that checks itself and really submits, and the assistant docked beside it.
import { z } from 'zod'
import '../../src/index.js'
import '../../src/inspector.js'
import { byId, h } from '../shared/dom.js'
import { createDock } from '../shared/dock.js'
import { availabilityOn, isClosed, wines } from './house.js'

// Under a policy without `unsafe-eval` zod must not try to compile its schemas.
z.config({ jitless: true })

const form = byId('booking', HTMLFormElement)
const summary = byId('summary', HTMLElement)
const confirmation = byId('confirmation', HTMLElement)
const date = byId('date', HTMLInputElement)
const time = byId('time', HTMLInputElement)
const guests = byId('guests', HTMLInputElement)
const phone = byId('phone', HTMLInputElement)
const availability = byId('availability', HTMLOutputElement)
const budget = byId('budget', HTMLInputElement)
const budgetNow = byId('budget-now', HTMLOutputElement)
const wine = byId('wine', HTMLInputElement)
const wineList = byId('wines', HTMLElement)

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
const controls = [...form.elements].filter(
  (element): element is Control =>
    element instanceof HTMLInputElement ||
    element instanceof HTMLSelectElement ||
    element instanceof HTMLTextAreaElement,
)

function localToday(): string {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}
date.min = localToday()

// What no attribute can say.
function checkRules(): void {
  date.setCustomValidity(date.value !== '' && isClosed(date.value) ? 'We are closed on Mondays.' : '')
  phone.setCustomValidity(
    guests.valueAsNumber > 8 && phone.value.trim() === ''
      ? 'From nine guests on we call you back: please leave a number.'
      : '',
  )
}

function showProblem(control: Control): void {
  const place = document.getElementById(`${control.id}-error`)
  if (!place) return
  place.textContent = control.validationMessage
  if (control.validity.valid) control.removeAttribute('aria-invalid')
  else control.setAttribute('aria-invalid', 'true')
}

form.addEventListener('input', ({ target }) => {
  checkRules()
  const control = controls.find((one) => one === target)
  // A problem goes as soon as it is mended, and comes only when the field is left or sent.
  if (control?.getAttribute('aria-invalid') === 'true') showProblem(control)
  if (target === date || target === time || target === guests) clearAvailability()
  if (target === budget) showBudget()
  if (target === wine) showWines()
})
form.addEventListener('change', ({ target }) => {
  const control = controls.find((one) => one === target)
  if (control && control.value !== '') showProblem(control)
})

form.addEventListener('submit', (event) => {
  event.preventDefault()
  checkRules()
  for (const control of controls) showProblem(control)
  const wrong = controls.filter((control) => !control.validity.valid)
  summary.hidden = wrong.length === 0
  if (wrong.length > 0) {
    summary.textContent =
      wrong.length === 1 ? 'One field needs another look.' : `${wrong.length} fields need another look.`
    wrong[0]?.focus()
    return
  }
  confirm(new FormData(form))
})

form.addEventListener('reset', () => {
  // The fields get their first values only after this event.
  queueMicrotask(() => {
    summary.hidden = true
    checkRules()
    for (const control of controls) {
      control.removeAttribute('aria-invalid')
      const place = document.getElementById(`${control.id}-error`)
      if (place) place.textContent = ''
    }
    clearAvailability()
    showBudget()
    showWines()
  })
})

function confirm(data: FormData): void {
  const text = (name: string): string => String(data.get(name) ?? '')
  byId('confirmed-name', HTMLElement).textContent = `${text('firstName')} ${text('lastName')}`
  byId('confirmed-reference', HTMLElement).textContent =
    `H-${text('date').replaceAll('-', '').slice(2)}-${text('time').replace(':', '')}`
  const seating = form.querySelector<HTMLInputElement>('[name=seating]:checked')?.labels?.[0]?.textContent?.trim() ?? ''
  const details: [string, string][] = [
    [
      'When',
      `${new Intl.DateTimeFormat('en', { dateStyle: 'full' }).format(new Date(`${text('date')}T12:00:00`))}, ${text('time')}`,
    ],
    ['Guests', text('guests')],
    ['Seating', seating],
    ['Confirmation to', text('email')],
    ['Diet', data.getAll('diet').map(String).join(', ')],
    ['Wishes', text('notes')],
  ]
  byId('confirmed-details', HTMLElement).replaceChildren(
    ...details.filter(([, value]) => value !== '').flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
  )
  form.hidden = true
  confirmation.hidden = false
  confirmation.focus()
  confirmation.scrollIntoView({ block: 'center' })
}

byId('another', HTMLButtonElement).addEventListener('click', () => {
  form.reset()
  confirmation.hidden = true
  form.hidden = false
  date.focus()
})

function clearAvailability(): void {
  availability.value = ''
  delete availability.dataset['free']
}
byId('check', HTMLButtonElement).addEventListener('click', () => {
  if (date.value === '') {
    availability.value = 'Choose a date first.'
    delete availability.dataset['free']
    return
  }
  const { free, message } = availabilityOn(date.value, guests.valueAsNumber || 2, time.value)
  availability.value = message
  availability.dataset['free'] = String(free)
})

function showBudget(): void {
  budgetNow.value = `€ ${budget.value}`
}
function showWines(): void {
  const wanted = wine.value.trim().toLowerCase()
  const found = wanted === '' ? [] : wines.filter(({ name, kind }) => `${name} ${kind}`.toLowerCase().includes(wanted))
  wineList.replaceChildren(
    ...found.map(({ name, price }) => h('li', {}, h('span', {}, name), h('span', {}, `€ ${price}`))),
    ...(wanted !== '' && found.length === 0 ? [h('li', { class: 'soft' }, 'Nothing of that name in our cellar.')] : []),
  )
}
showBudget()

const agent = createDock()
agent.registerTool({
  name: 'check_tables',
  title: 'Look for a free table',
  description:
    'Check which arrival times are still free on a day for a party. Says so where the house is closed or full.',
  inputSchema: z.object({
    date: z.iso.date().describe('The day, as an ISO date'),
    guests: z.int().min(1).max(12).default(2).describe('How many people'),
  }),
  annotations: { readOnlyHint: true },
  execute: ({ date: day, guests: count }: { date: string; guests: number }) => availabilityOn(day, count),
})
