// A page with a service worker that answers some requests itself and forwards the others.
import { abortLate, addButton, asText, form, outcome, ready } from './page.js'

await navigator.serviceWorker.register('/service-worker.js')
await navigator.serviceWorker.ready
if (!navigator.serviceWorker.controller)
  await new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', resolve, { once: true })
  })

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
ready({ idle, asked: () => asText('/api/asked-worker') })
