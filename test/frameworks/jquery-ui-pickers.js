// Widgets of jQuery UI that are chosen from: autocompletes, and date pickers, most of them on fields that
// cannot be typed into.
import $ from 'jquery'
import { isoOf, publish } from './model.js'

// Its files look for jQuery on the window.
window.jQuery = $
await import('jquery-ui/dist/jquery-ui.js')

const cities = [
  { label: 'Bergen', code: 'BGO' },
  { label: 'Berlin', code: 'BER' },
  { label: 'Bern', code: 'BRN' },
]
const chosen = { city: '', airport: '' }
$('#app').html(`<form aria-label="Trip">
  <p><label>City <input id="city"></label></p>
  <p><label>Airport <input id="airport"></label></p>
  <p><label>Arrival <input id="arrival" readonly></label></p>
  <p><label>Departure <input id="departure" readonly></label></p>
  <p><label>Birthday <input id="birthday" readonly></label></p>
  <p><label>Check-up <input id="checkup" readonly></label></p>
  <p><label>Two months <input id="two" readonly></label></p>
  <p><label>Renewal <input id="renewal"></label></p>
  <p><label>Customer number <input id="number" readonly value="4711"></label></p>
</form>`)
for (const [key, valueOf] of [
  ['city', ({ label }) => label],
  ['airport', ({ code }) => code],
])
  $(`#${key}`).autocomplete({
    // As a server would answer: later.
    source: ({ term }, answer) =>
      setTimeout(
        () =>
          answer(
            cities
              .filter(({ label }) => label.toLowerCase().startsWith(term.toLowerCase()))
              .map((city) => ({ ...city, value: valueOf(city) })),
          ),
        200,
      ),
    search: () => {
      chosen[key] = ''
    },
    select: (_, { item }) => {
      chosen[key] = item.code
    },
  })
$('#arrival').datepicker({ defaultDate: new Date(2026, 10, 22) })
$('#departure').datepicker({
  defaultDate: new Date(2026, 10, 22),
  minDate: new Date(2026, 10, 10),
  maxDate: new Date(2027, 0, 20),
  // Closed on Sundays.
  beforeShowDay: (date) => [date.getDay() !== 0],
  dateFormat: 'D, d M y',
})
$('#birthday').datepicker({ changeMonth: true, changeYear: true, defaultDate: new Date(2026, 10, 22) })
$('#checkup').datepicker({ showOn: 'button', buttonText: 'Calendar', defaultDate: new Date(2026, 10, 22) })
$('#renewal').datepicker({
  defaultDate: new Date(2026, 10, 22),
  dateFormat: 'dd.mm.yy',
  maxDate: new Date(2027, 0, 20),
})
$('#two').datepicker({
  numberOfMonths: 2,
  defaultDate: new Date(2026, 10, 22),
  maxDate: new Date(2026, 11, 31),
})

const day = (key) => {
  const date = $(`#${key}`).datepicker('getDate')
  return date === null ? '' : isoOf(new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())))
}
publish(document, {
  state: () => ({
    ...chosen,
    ...Object.fromEntries(
      ['arrival', 'departure', 'birthday', 'checkup', 'two', 'renewal'].map((key) => [key, day(key)]),
    ),
  }),
  redraw() {},
  rename() {},
})
