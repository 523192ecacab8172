// jQuery, by `$.ajax`.
import $ from 'jquery'
import { addButton, form, large, outcome, ready } from './page.js'

/** Its promises fail with three arguments. */
const ajax = (url, more = {}) =>
  new Promise((resolve, reject) => {
    $.ajax({ method: 'POST', url, headers: { 'x-marker': 'jquery' }, ...more }).then(
      (data, text, { status }) => resolve([status, text, data]),
      ({ status }, text) => reject(new Error(`${status} ${text}`)),
    )
  })
const raw = { processData: false, contentType: false }
const idle = async () => ({
  fields: await outcome(ajax('/api/echo', { data: { name: 'Zoë' } })),
  form: await outcome(ajax('/api/echo', { data: form(), ...raw })),
  upload: await outcome(ajax('/api/size', { data: large(), ...raw })),
  refused: await outcome(ajax('/api/refused')),
  broken: await outcome(ajax('/api/broken')),
})
addButton('Send', () => ajax('/api/orders', { data: { by: 'jquery' } }).then(([status]) => status))
ready({ idle })
