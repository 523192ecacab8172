// The code of pages that a server draws: each press goes there, and the answer is the new view.
import { ran } from './talk.js'

const view = () => document.querySelector('#view')
const show = (html) => {
  view().innerHTML = html
}
const tell = (name, id) => (name === 'resolve' ? ran(`resolve ${id}`) : undefined)

/** As Livewire does: a snapshot and the calls, for reading and changing alike. */
function livewire() {
  document.addEventListener('click', async (event) => {
    const call = event.target.closest('[wire\\:click]')?.getAttribute('wire:click')
    const [, method, id] = /^(\w+)\((\d*)\)$/.exec(call ?? '') ?? []
    if (!method) return
    tell(method, id)
    const snapshot = JSON.stringify({ data: {}, memo: { id: 'x7', name: 'tickets' }, checksum: 'c0ffee' })
    const body = JSON.stringify({
      _token: 'x',
      components: [{ snapshot, updates: {}, calls: [{ path: '', method, params: id ? [Number(id)] : [] }] }],
    })
    const answer = await fetch('/livewire/update', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-livewire': '' },
      body,
    })
    show((await answer.json()).components[0].effects.html)
  })
}

/** As LiveView does: an open socket, events out and views in. */
function liveView() {
  const socket = new WebSocket(`ws://${location.host}/live/websocket`)
  socket.onmessage = ({ data }) => show(JSON.parse(data)[4].response.html)
  document.addEventListener('click', (event) => {
    const found = event.target.closest('[phx-click]')
    if (!found) return
    const [name, id] = [found.getAttribute('phx-click'), found.getAttribute('phx-value-id')]
    tell(name, id)
    socket.send(JSON.stringify(['4', '7', 'lv:phx-F1', 'event', { type: 'click', event: name, value: { id } }]))
  })
}

/** As JSF does: the form with its state to the same address, and the source of the event. */
function faces() {
  document.addEventListener('click', (event) => {
    const found = event.target.closest('a[id^="f:"]')
    if (!found) return
    event.preventDefault()
    const [, name, id] = found.id.split(':')
    tell(name, id)
    const request = new XMLHttpRequest()
    request.open('POST', '/tickets.xhtml')
    request.setRequestHeader('Faces-Request', 'partial/ajax')
    request.setRequestHeader('Content-Type', 'application/x-www-form-urlencoded;charset=UTF-8')
    request.onload = () => show(/<!\[CDATA\[([\s\S]*)\]\]>/.exec(request.responseText)[1])
    const fields = {
      f: 'f',
      'jakarta.faces.ViewState': '-81273:9912',
      'jakarta.faces.source': found.id,
      'jakarta.faces.partial.ajax': 'true',
      'jakarta.faces.partial.execute': '@this',
      'jakarta.faces.partial.render': 'view',
    }
    request.send(new URLSearchParams(fields))
  })
}

/** As server actions do: the address of the page, the action in a header, the arguments in the body. */
function actions() {
  document.addEventListener('click', async (event) => {
    const found = event.target.closest('[data-key]')
    if (!found) return
    const [name, id] = found.dataset.key.split(' ')
    tell(name, id)
    // What a bundler makes of the name of an action.
    const action = { filter: '40a1f3', open: '40b7c9', close: '40d2e8', resolve: '40e6aa' }[name]
    const answer = await fetch('/', {
      method: 'POST',
      headers: { accept: 'text/x-component', 'next-action': action },
      body: JSON.stringify([id ? Number(id) : null]),
    })
    show(JSON.parse((await answer.text()).replace(/^1:/, '')))
  })
}

const kinds = { livewire, 'live-view': liveView, faces, actions }
kinds[view().className]()
