// htmx: a form and a button that it sends.
import htmx from 'htmx.org'
import { addButton, asText, ready } from './page.js'

const app = document.querySelector('#app')
app.innerHTML = `
  <form hx-post="/api/html" hx-headers='{"x-marker": "htmx"}' hx-target="#answer" id="order">
    <input name="name" value="Zoë"><button aria-haspopup="menu" aria-expanded="false">Next</button>
  </form>
  <form hx-post="/api/broken" hx-target="#answer" id="broken"><button>Break</button></form>
  <form hx-post="/api/refused" hx-target="#answer" id="refused"><button>Refuse</button></form>
  <div id="answer"></div>`
const events = []
for (const type of ['beforeRequest', 'afterRequest', 'sendError', 'responseError', 'afterSwap', 'sendAbort'])
  document.body.addEventListener(`htmx:${type}`, (event) => events.push(`${type} ${event.detail.xhr.status}`))
for (const type of ['loadstart', 'loadend']) document.body.addEventListener(`htmx:xhr:${type}`, () => events.push(type))
htmx.process(app)

/** Submits a form, and tells what happened until htmx has ended. */
const sent = async (id, last) => {
  events.length = 0
  const ended = new Promise((resolve) => {
    document.body.addEventListener(last, resolve, { once: true })
  })
  document.querySelector(`#${id}`).requestSubmit()
  await ended
  // How far the upload came before the connection broke is chance.
  return events.filter((one) => !one.startsWith('load'))
}
const idle = async () => ({
  order: await sent('order', 'htmx:afterSwap'),
  answer: document.querySelector('#answer').textContent,
  broken: await sent('broken', 'htmx:sendError'),
  refused: await sent('refused', 'htmx:responseError'),
  plain: await asText('/api/echo'),
})
addButton('Ask', () => htmx.ajax('POST', '/api/html', { target: '#answer', values: { by: 'ask' } }))
ready({ idle, events })
