// What the order form of every framework page has in common: the first state, the choices, and the arithmetic behind
// the widgets. What is drawn, and what keeps the state, is each framework's own.

export const initial = () => ({
  name: '',
  email: '',
  phone: '',
  website: '',
  search: '',
  notes: '',
  code: '',
  guests: 2,
  spice: 4,
  date: '',
  time: '',
  month: '',
  week: '',
  starts: '',
  colour: '#000000',
  news: false,
  seat: 'in',
  diet: [],
  occasion: '',
  wines: [],
  city: '',
  password: '',
  memo: 'old',
  country: '',
  size: 'Small',
  crust: 'Thin',
  toppings: ['Olives'],
  alerts: false,
  volume: 3,
  nights: 1,
  room: 'Quiet',
  arrival: '',
  departure: '2026-11-20',
  rating: '2',
  account: '',
  lower: '',
})

export const seats = [
  ['in', 'Inside'],
  ['out', 'Terrace'],
]
export const diets = [
  ['vegan', 'Vegan'],
  ['nuts', 'No nuts'],
]
export const occasions = [
  ['', 'Choose…'],
  ['b', 'Birthday'],
  ['a', 'Anniversary'],
]
export const wines = ['Red', 'White', 'Rosé']
export const cities = ['Berlin', 'Bern', 'Bergen']
export const countries = ['France', 'Germany', 'Ghana', 'Greece']
export const sizes = ['Small', 'Medium', 'Large']
export const crusts = ['Thin', 'Thick', 'Filled']
export const toppings = ['Olives', 'Onions', 'Peppers']
export const rooms = ['Quiet', 'Lively']

/** The options an editable combobox shows for what was typed. */
export const matching = (text) => countries.filter((name) => name.toLowerCase().startsWith(text.toLowerCase()))

/** What a key makes of a slider or a spin button; the same number where it means nothing. */
export function stepped(key, now, min, max) {
  const next =
    {
      ArrowUp: now + 1,
      ArrowRight: now + 1,
      ArrowDown: now - 1,
      ArrowLeft: now - 1,
      PageUp: now + 5,
      PageDown: now - 5,
      Home: min,
      End: max,
    }[key] ?? now
  return Math.min(max, Math.max(min, next))
}

export const without = (list, item) => list.filter((one) => one !== item)
export const flipped = (list, item) => (list.includes(item) ? without(list, item) : [...list, item])

// Inputs with a mind of their own: one writes what was typed another way, one takes only what it likes.
export const grouped = (text) =>
  text
    .replace(/\D/g, '')
    .slice(0, 10)
    .replace(/(\d{3})(?=\d)/g, '$1 ')
    .trim()
export const isLower = (text) => /^[a-z]*$/.test(text)

const pad = (number) => String(number).padStart(2, '0')
export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

export const fromAmerican = (text) => {
  const found = /^(\d{2})\/(\d{2})\/(\d{4})$/.exec(text.trim())
  return found ? `${found[3]}-${found[1]}-${found[2]}` : ''
}
export const toAmerican = (iso) => (iso === '' ? '' : `${iso.slice(5, 7)}/${iso.slice(8, 10)}/${iso.slice(0, 4)}`)
export const headingOf = (iso) => `${monthNames[Number(iso.slice(5, 7)) - 1]} ${iso.slice(0, 4)}`
export const spoken = (iso) =>
  `${weekdays[(new Date(`${iso}T00:00Z`).getUTCDay() + 6) % 7]}, ${Number(iso.slice(8))} ${headingOf(iso)}`
export const isoOf = (date) => `${date.getUTCFullYear()}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`

/** The day that lies so many days or months from another. */
export function shifted(iso, { days = 0, months = 0 }) {
  const date = new Date(`${iso}T00:00Z`)
  const day = date.getUTCDate()
  if (months !== 0) date.setUTCMonth(date.getUTCMonth() + months, 1)
  if (months !== 0)
    date.setUTCDate(Math.min(day, new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate()))
  date.setUTCDate(date.getUTCDate() + days)
  return isoOf(date)
}

/** The keys of a calendar grid, as the ARIA practices have them. */
export function calendarKey({ key, shiftKey }, iso) {
  const moves = {
    ArrowLeft: { days: -1 },
    ArrowRight: { days: 1 },
    ArrowUp: { days: -7 },
    ArrowDown: { days: 7 },
    PageUp: { months: shiftKey ? -12 : -1 },
    PageDown: { months: shiftKey ? 12 : 1 },
  }
  return moves[key] ? shifted(iso, moves[key]) : iso
}

/** Six weeks around a day; the days of other months are among them, as calendars show them. */
export function weeksOf(iso) {
  const first = new Date(`${iso.slice(0, 7)}-01T00:00Z`)
  const start = shifted(isoOf(first), { days: -((first.getUTCDay() + 6) % 7) })
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_, day) => {
      const date = shifted(start, { days: week * 7 + day })
      return { iso: date, text: String(Number(date.slice(8))), isOther: date.slice(0, 7) !== iso.slice(0, 7) }
    }),
  )
}

/** Every event that a person's hand causes, with the control it happened at, seen before the page sees it. */
export function record(root) {
  window.log = []
  for (const type of ['focus', 'beforeinput', 'input', 'change', 'blur', 'click', 'keydown']) {
    root.addEventListener(
      type,
      (event) => {
        const control = event.composedPath()[0].closest?.('[data-c]')
        if (control) window.log.push(`${control.dataset.c}:${type}`)
      },
      true,
    )
  }
}

/**
 * What the specs use: the state, which is as the framework has drawn it unless it says otherwise, and two ways to draw
 * the form anew.
 */
export function publish(root, { state = () => JSON.parse(root.querySelector('#state').textContent), redraw, rename }) {
  record(root)
  window.fixture = { state, redraw, rename }
  document.documentElement.dataset.ready = ''
}

/** A form-associated element: a value of its own, and a click on a star sets it. */
customElements.define(
  'star-rating',
  class extends HTMLElement {
    static formAssociated = true
    #internals = this.attachInternals()
    #value = ''

    connectedCallback() {
      this.tabIndex = 0
      this.style.cssText = 'display: inline-block; inline-size: 6em'
      this.addEventListener('click', (event) => {
        this.value = String(1 + Math.floor((event.offsetX / this.offsetWidth) * 5))
        this.dispatchEvent(new Event('input', { bubbles: true }))
        this.dispatchEvent(new Event('change', { bubbles: true }))
      })
      this.#draw()
    }

    get form() {
      return this.#internals.form
    }
    get value() {
      return this.#value
    }
    set value(value) {
      this.#value = String(value ?? '')
      this.#internals.setFormValue(this.#value)
      this.#draw()
    }

    #draw() {
      if (this.isConnected) this.textContent = '★'.repeat(Number(this.#value)) + '☆'.repeat(5 - Number(this.#value))
    }
  },
)
