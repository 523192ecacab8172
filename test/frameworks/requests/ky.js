// ky, which tries some requests again by itself.
import ky from 'ky'
import { abortLate, addButton, asText, form, large, outcome, ready } from './page.js'

const client = ky.create({ headers: { 'x-marker': 'ky' } })
const text = (sending) => outcome(sending.text())

async function stream() {
  const reader = (await client.get('/api/stream')).body.pipeThrough(new TextDecoderStream()).getReader()
  const first = (await reader.read()).value
  await asText('/api/more')
  return [first, (await reader.read()).value]
}

const idle = async () => ({
  json: await text(client.post('/api/echo', { json: { name: 'Zoë' } })),
  form: await text(client.post('/api/echo', { body: form() })),
  request: await text(client(new Request('/api/echo', { method: 'PATCH', body: 'request' }))),
  upload: await text(client.post('/api/size', { body: large() })),
  refused: await text(client.post('/api/refused', { json: {} })),
  broken: await text(client.post('/api/broken', { json: {} })),
  abort: await abortLate((path, signal) => client.post(path, { signal })),
  stream: await stream(),
})
addButton('Send', () => client.post('/api/orders', { json: { by: 'ky' } }).then(({ status }) => status))
// Late enough that the action is over by then.
addButton('Replace', () =>
  client.put('/api/orders', { json: { by: 'ky' }, retry: { delay: () => 500 } }).then(({ status }) => status),
)
ready({ idle })
