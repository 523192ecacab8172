// Forms of Bootstrap, with flatpickr for dates, Tom Select for lists and IMask for masks.
import flatpickr from 'flatpickr'
import monthSelectPlugin from 'flatpickr/dist/plugins/monthSelect/index.js'
import 'bootstrap'
import 'bootstrap/dist/css/bootstrap.css'
import 'flatpickr/dist/flatpickr.css'
import 'flatpickr/dist/plugins/monthSelect/style.css'
import 'tom-select/dist/css/tom-select.bootstrap5.css'
import IMask from 'imask'
import TomSelect from 'tom-select'
import { day, dayTime, drinks, each, keep, month, publish, searchCities, time } from './page.js'

const optionsOf = (names) => names.map((name) => `<option value="${name.toLowerCase()}">${name}</option>`).join('')
const input =
  (attributes = '') =>
  (id, label) =>
    `<label for="${id}" class="form-label">${label}</label><input id="${id}" class="form-control" ${attributes}>`
const select =
  (attributes = '', names = drinks) =>
  (id, label) =>
    `<label for="${id}" class="form-label">${label}</label>
   <select id="${id}" class="form-select" ${attributes}>${optionsOf(names)}</select>`
const buttons = (type, names) => (id, label) =>
  `<span id="${id}-label">${label}</span><div class="btn-group" role="group" aria-labelledby="${id}-label">${names
    .map(
      (name) =>
        `<input type="${type}" class="btn-check" name="${id}" id="${id}-${name}" value="${name}" autocomplete="off">
         <label class="btn btn-outline-primary" for="${id}-${name}">${name}</label>`,
    )
    .join('')}</div>`

/** The application listens to the events of a native control. */
const native =
  (event = 'input', read = ({ value }) => value) =>
  (element, set) =>
    element.addEventListener(event, () => set(read(element)))
const chosen = (element) => [...element.selectedOptions].map(({ value }) => value)
const checkedIn = (id) => [...document.querySelectorAll(`[name="${id}"]:checked`)].map(({ value }) => value)
const calendar =
  (options = {}, read = (dates) => dates[0]) =>
  (element, set) =>
    flatpickr(element, { ...options, onChange: (dates) => set(read(dates)) })
const tom =
  (options = {}) =>
  (element, set) => {
    const control = new TomSelect(element, options)
    control.on('change', () => set(control.getValue()))
  }

const rows = [
  {
    widget: 'text',
    label: 'Full name',
    value: 'Ada Lovelace',
    state: 'Ada Lovelace',
    markup: input(),
    start: native(),
  },
  {
    widget: 'text with a floating label',
    label: 'Nickname',
    value: 'Ada',
    state: 'Ada',
    markup: (id, label) =>
      `<div class="form-floating"><input id="${id}" class="form-control" placeholder="x"><label for="${id}">${label}</label></div>`,
    start: native(),
  },
  {
    widget: 'text area',
    label: 'Remarks',
    value: 'No nuts',
    state: 'No nuts',
    markup: (id, label) => `<label for="${id}">${label}</label><textarea id="${id}" class="form-control"></textarea>`,
    start: native(),
  },
  {
    widget: 'text with mask',
    label: 'Member code',
    value: '12-345',
    state: '12-345',
    markup: input(),
    start: (element, set) => {
      const mask = IMask(element, { mask: '00-000', lazy: false })
      mask.on('accept', () => set(mask.value))
    },
  },
  {
    widget: 'phone with country',
    label: 'Phone',
    value: '612 345 678',
    state: '612 345 678',
    markup: (id, label) =>
      `<label for="${id}">${label}</label><div class="input-group"><select class="form-select" aria-label="Country code">
       <option>+34</option><option>+49</option></select><input type="tel" id="${id}" class="form-control"></div>`,
    start: native(),
  },
  { widget: 'number', label: 'Guests', value: 4, state: '4', markup: input('type="number"'), start: native() },
  { widget: 'select', label: 'Drink', value: 'Coffee', state: 'coffee', markup: select(), start: native('change') },
  {
    widget: 'multi-select',
    label: 'Drinks',
    value: ['Tea', 'Coffee'],
    state: ['tea', 'coffee'],
    markup: select('multiple'),
    start: native('change', chosen),
  },
  {
    widget: 'date, native',
    label: 'Delivery',
    value: '2026-11-27',
    state: '2026-11-27',
    markup: input('type="date"'),
    start: native(),
  },
  {
    widget: 'colour',
    label: 'Colour',
    value: '#3366cc',
    state: '#3366cc',
    markup: input('type="color"'),
    start: native(),
  },
  {
    widget: 'slider',
    label: 'Volume',
    value: 40,
    state: '40',
    markup: (id, label) => `<label for="${id}">${label}</label><input type="range" class="form-range" id="${id}">`,
    start: native(),
  },
  {
    widget: 'switch',
    label: 'Newsletter',
    value: true,
    state: true,
    first: false,
    markup: (id, label) =>
      `<div class="form-check form-switch"><input class="form-check-input" type="checkbox" role="switch" id="${id}">
       <label class="form-check-label" for="${id}">${label}</label></div>`,
    start: native('change', ({ checked }) => checked),
  },
  {
    widget: 'toggle group',
    label: 'Styles',
    value: ['Left', 'Right'],
    state: ['Left', 'Right'],
    first: [],
    markup: buttons('checkbox', ['Left', 'Centre', 'Right']),
    start: (element, set) => element.addEventListener('change', () => set(checkedIn('styles'))),
  },
  {
    widget: 'segmented control',
    label: 'Alignment',
    value: 'Centre',
    state: 'Centre',
    markup: buttons('radio', ['Left', 'Centre', 'Right']),
    start: (element, set) => element.addEventListener('change', () => set(checkedIn('alignment')[0])),
  },
  {
    widget: 'date, flatpickr',
    label: 'Arrival',
    value: '2026-11-27',
    state: '2026-11-27',
    as: day,
    markup: input(),
    start: calendar(),
  },
  {
    widget: 'date with another format, flatpickr',
    label: 'Departure',
    value: '2026-12-03',
    state: '2026-12-03',
    as: day,
    markup: input(),
    start: calendar({ altInput: true, altFormat: 'F j, Y' }),
  },
  {
    widget: 'date and time, flatpickr',
    label: 'Starts',
    fails: 'The time stands in the pop-up',
    value: '2026-11-27 14:30',
    state: '2026-11-27 14:30',
    as: dayTime,
    markup: input(),
    start: calendar({ enableTime: true, time_24hr: true }),
  },
  {
    widget: 'date range, flatpickr',
    label: 'Stay',
    value: ['2026-11-27', '2026-12-03'],
    state: ['2026-11-27', '2026-12-03'],
    as: each(day),
    markup: input(),
    start: calendar({ mode: 'range' }, (dates) => dates),
  },
  {
    widget: 'several dates, flatpickr',
    label: 'Visits',
    value: ['2026-11-24', '2026-11-27'],
    state: ['2026-11-24', '2026-11-27'],
    as: each(day),
    markup: input(),
    start: calendar({ mode: 'multiple' }, (dates) => dates),
  },
  {
    widget: 'time, flatpickr',
    label: 'Breakfast',
    fails: 'The time stands in the pop-up',
    value: '14:30',
    state: '14:30',
    as: time,
    markup: input(),
    start: calendar({ enableTime: true, noCalendar: true, dateFormat: 'H:i', time_24hr: true }),
  },
  {
    widget: 'month, flatpickr',
    label: 'Card expires',
    fails: 'The pop-up has no days',
    value: '2027-05',
    state: '2027-05',
    as: month,
    markup: input(),
    start: calendar({ plugins: [new monthSelectPlugin({ dateFormat: 'Y-m' })] }),
  },
  {
    widget: 'calendar on the page, flatpickr',
    label: 'Birthday',
    fails: 'A calendar on the page is no field',
    value: '2026-11-27',
    state: '2026-11-27',
    as: day,
    markup: input(),
    start: calendar({ inline: true }),
  },
  {
    widget: 'select, Tom Select',
    label: 'Favourite',
    value: 'Cocoa',
    state: 'cocoa',
    markup: (id, label) =>
      `<label for="${id}">${label}</label><select id="${id}"><option value="">Choose</option>${optionsOf(drinks)}</select>`,
    start: tom({ create: false }),
  },
  {
    widget: 'multi-select, Tom Select',
    label: 'Also served',
    value: ['Tea', 'Coffee'],
    state: ['tea', 'coffee'],
    markup: (id, label) =>
      `<label for="${id}">${label}</label><select id="${id}" multiple>${optionsOf(drinks)}</select>`,
    start: tom({ plugins: ['remove_button'] }),
  },
  {
    widget: 'tags, Tom Select',
    label: 'Tags',
    value: ['quiet', 'window'],
    state: 'quiet,window',
    markup: (id, label) => `<label for="${id}">${label}</label><input id="${id}" autocomplete="off">`,
    start: tom({ create: true, persist: false }),
  },
  {
    widget: 'autocomplete with a server, Tom Select',
    label: 'City',
    value: 'Madrid',
    state: 'Madrid',
    markup: (id, label) => `<label for="${id}">${label}</label><select id="${id}"></select>`,
    start: tom({
      valueField: 'name',
      labelField: 'name',
      searchField: 'name',
      load: async (query, done) => done((await searchCities(query)).map((name) => ({ name }))),
    }),
  },
]

const idOf = ({ label }) => label.toLowerCase().replaceAll(' ', '-')
const app = document.getElementById('app')
app.className = 'container'
for (const row of rows) {
  const around = Object.assign(document.createElement('div'), { className: 'mb-3' })
  around.innerHTML = row.markup(idOf(row), row.label)
  app.append(around)
  row.start(document.getElementById(idOf(row)) ?? around, (value) => keep(row, value))
}
publish(rows)
