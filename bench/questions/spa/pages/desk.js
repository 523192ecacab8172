// A desk for parcels. `window.transport` brings each message to the server; the document says how.
import { ran } from './talk.js'

const view = document.querySelector('#app')
const make = (name, className, text, onclick) =>
  Object.assign(document.createElement(name), { className, textContent: text, onclick })
let parcels = []
let opened

function draw() {
  const list = make('div', 'list', '')
  list.append(
    ...parcels.map((one) => {
      const row = make('div', 'row', '')
      const over = () => {
        ran(`hand over ${one.name}`)
        one.state = 'gone'
        draw()
        void window.transport({ method: 'handOver', params: { id: one.id } })
      }
      const open = () => {
        opened = one
        draw()
      }
      row.append(
        make('span', 'item', one.name, open),
        make('span', 'muted', one.state),
        make('div', 'btn', 'Hand over', over),
      )
      return row
    }),
  )
  const details = make('div', opened ? 'sheet' : '', '')
  const close = () => {
    opened = undefined
    draw()
  }
  if (opened) details.append(make('div', 'btn', 'Back', close), make('p', '', `Shelf ${opened.shelf}`))
  view.replaceChildren(make('h1', '', 'Parcels'), list, details)
}

parcels = await window.transport({ method: 'list' })
draw()
