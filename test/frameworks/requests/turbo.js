// Turbo: a form whose answer is a stream of changes.
import * as Turbo from '@hotwired/turbo'
import { asText, ready, told } from './page.js'

document.querySelector('#app').innerHTML = `
  <form action="/api/turbo" method="post" id="order">
    <input name="name" value="Zoë"><button aria-haspopup="menu" aria-expanded="false">Next</button>
  </form>
  <form action="/api/broken" method="post" id="broken"><button>Break</button></form>
  <div id="answer"></div>`
const events = []
addEventListener('turbo:before-fetch-request', (event) => {
  event.detail.fetchOptions.headers['x-marker'] = 'turbo'
})
addEventListener('turbo:submit-start', () => events.push('start'))
addEventListener('turbo:fetch-request-error', (event) => events.push(told(event.detail.error)))
addEventListener('turbo:submit-end', (event) => {
  const { success, error, fetchResponse } = event.detail
  events.push({ success, ...(error ? { error: told(error) } : {}), status: fetchResponse?.statusCode })
})

const sent = async (id) => {
  events.length = 0
  const ended = new Promise((resolve) => {
    addEventListener('turbo:submit-end', resolve, { once: true })
  })
  document.querySelector(`#${id}`).requestSubmit()
  await ended
  return [...events]
}
const idle = async () => {
  const broken = await sent('broken')
  const order = await sent('order')
  await new Promise((resolve) => {
    const check = () =>
      document.querySelector('#answer').textContent === '' ? requestAnimationFrame(check) : resolve()
    check()
  })
  return { broken, order, answer: document.querySelector('#answer').textContent, plain: await asText('/api/echo') }
}
ready({ idle, events, drive: Turbo.session.drive })
