// A small order form with widgets of jQuery UI; the state is what each widget says by itself.
import $ from 'jquery'
import * as m from './model.js'

// Its files look for jQuery on the window.
window.jQuery = $
await import('jquery-ui/dist/jquery-ui.js')
const options = (pairs) => pairs.map(([value, label]) => `<option value="${value}">${label}</option>`).join('')
const first = m.initial()
let name = 'Name'
let kept

function draw() {
  $('#app').html(`<main><h1>Order</h1><form aria-label="Order">
    <p data-c="name"><label>${name} <input name="${name.toLowerCase()}"></label></p>
    <p data-c="phone"><label>Phone <input type="tel"></label></p>
    <p data-c="notes"><label>Notes <textarea name="notes"></textarea></label></p>
    <p data-c="password"><label>Password <input type="password"></label></p>
    <p data-c="guests"><label>Guests <input id="guests" value="2"></label></p>
    <p data-c="news"><label><input type="checkbox" id="news"> Send me news</label></p>
    <fieldset data-c="seat"><legend>Seating</legend>${m.seats.map(([value, label]) => `<label><input type="radio" name="seat" value="${value}"> ${label}</label>`).join('')}</fieldset>
    <p data-c="occasion"><label>Occasion <select>${options(m.occasions)}</select></label></p>
    <p data-c="size"><label for="size">Size</label> <select id="size">${options(m.sizes.map((one) => [one, one]))}</select></p>
    <p data-c="arrival"><label>Arrival <input id="arrival" placeholder="mm/dd/yyyy"></label></p>
    <p data-c="account"><label>Account <input></label></p>
    <p data-c="lower"><label>Lower case <input></label></p>
  </form></main>`)
  $('#guests').spinner({ min: 1, max: 12 })
  $('[name=seat], #news').checkboxradio()
  $('#size').selectmenu()
  $('#arrival').datepicker()
  const $of = (key) => $(`[data-c=${key}] :is(input, textarea, select)`)
  for (const [key, value] of Object.entries(kept ?? {}))
    if (/^(name|phone|notes|occasion)$/.test(key)) $of(key).val(value)
  $('[name=seat]')
    .filter(`[value=${kept?.seat ?? first.seat}]`)
    .prop('checked', true)
  $('[name=seat]').checkboxradio('refresh')
  $of('account').on('input', function () {
    $(this).val(m.grouped($(this).val()))
  })
  $of('lower').on('input', function () {
    if (!m.isLower($(this).val())) $(this).val('')
  })
}

function state() {
  const $of = (key) => $(`[data-c=${key}] :is(input, textarea, select)`)
  const date = $('#arrival').datepicker('getDate')
  return {
    ...Object.fromEntries(
      ['name', 'phone', 'notes', 'password', 'occasion', 'account', 'lower'].map((key) => [key, $of(key).val()]),
    ),
    guests: $('#guests').spinner('value'),
    news: $('#news').is(':checked'),
    seat: $('[name=seat]:checked').val() ?? '',
    size: $('#size-button .ui-selectmenu-text').text(),
    arrival: date === null ? '' : m.isoOf(new Date(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()))),
  }
}

const redraw = () => {
  kept = state()
  draw()
}
draw()
m.publish(document, {
  state,
  redraw,
  rename: () => {
    name = 'Pet'
    redraw()
  },
})
