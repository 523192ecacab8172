// What the pages of libraries that measure share: a button and a box that only show something, a field, and a button that
// saves.
import { addButton, ready } from './page.js'

/** Where the library sends: the address of another site. */
export const { telemetry } = document.documentElement.dataset

/**
 * Builds the page.
 * @param note Tells the library of something, as an application does in its handlers.
 */
export function build(note) {
  document.querySelector('#app').innerHTML = `
    <button id="details" aria-controls="more" aria-expanded="false">Details</button>
    <p id="more" hidden>Delivered on Friday.</p>
    <div id="card" style="cursor: pointer">Opening hours</div>
    <p id="hours" hidden>From nine to five.</p>
    <label>Name <input name="name"></label>`
  const at = (id) => document.getElementById(id)
  at('details').addEventListener('click', ({ currentTarget }) => {
    at('more').hidden = !at('more').hidden
    currentTarget.setAttribute('aria-expanded', String(!at('more').hidden))
    note('details')
  })
  at('card').addEventListener('click', () => {
    at('hours').hidden = !at('hours').hidden
    note('hours')
  })
  document.querySelector('input').addEventListener('change', () => note('filled'))
  addButton('Save', () => {
    note('saved')
    return fetch('/api/orders', { method: 'POST', body: 'one' })
  })
  ready({ note: () => note('while-held') })
}
