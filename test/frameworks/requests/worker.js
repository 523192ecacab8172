// A page with a service worker that keeps what is read, answers some requests itself, and forwards the others. The page
// has an outbox, as those have that work offline: what is in it is sent again until it is answered.
import { abortLate, addButton, asText, form, outcome, ready } from './page.js'

await navigator.serviceWorker.register('/service-worker.js')
await navigator.serviceWorker.ready
if (!navigator.serviceWorker.controller)
  await new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })
  })

const outbox = []
const queued = new Set()
const note = (state) => state !== outbox.at(-1) && outbox.push(state)
async function flush() {
  for (const body of queued) {
    const answer = await fetch('/api/orders', { method: 'POST', body }).catch(() => undefined)
    note(answer ? 'sent' : 'failed')
    if (answer) queued.delete(body)
  }
}
// Whether the request before was answered or not.
setInterval(flush, 3_000)

const idle = async () => ({
  answered: await asText('/api/by-worker', { method: 'POST', body: 'a' }),
  forwarded: await asText('/api/echo', { method: 'POST', headers: { 'x-marker': 'worker' }, body: 'forwarded' }),
  form: await asText('/api/echo', { method: 'POST', body: form() }),
  request: await asText(new Request('/api/echo', { method: 'PUT', body: 'request' })),
  broken: await outcome(fetch('/api/broken', { method: 'POST' })),
  abort: await abortLate((path, signal) => fetch(path, { method: 'POST', signal }), false),
})
addButton('Send', () => fetch('/api/orders', { method: 'POST', body: 'one' }).then(({ status }) => status))
addButton('To the worker', () => asText('/api/by-worker', { method: 'POST', body: 'one' }))
addButton('Queue', () => {
  note('queued')
  queued.add('queued')
  void asText('/api/cached')
  return flush()
})
addButton('By the worker', () => navigator.serviceWorker.controller.postMessage('by the worker'))
await asText('/api/cached')
ready({ idle, outbox, asked: () => asText('/api/asked-worker') })
