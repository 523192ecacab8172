// No library: `fetch`, `XMLHttpRequest` and `sendBeacon` with everything that a page may give them.
import { abortLate, addButton, asText, form, large, outcome, ready } from './page.js'
import { byXhr } from './by-xhr.js'

const json = { 'content-type': 'application/json', 'x-marker': 'a' }

async function unhandled(path) {
  const reported = new Promise((resolve) => {
    addEventListener(
      'unhandledrejection',
      (event) => {
        event.preventDefault()
        resolve(event.reason.name)
      },
      { once: true },
    )
  })
  void fetch(path)
  return reported
}

async function stream() {
  const reader = (await fetch('/api/stream')).body.pipeThrough(new TextDecoderStream()).getReader()
  const first = (await reader.read()).value
  await asText('/api/more')
  return [first, (await reader.read()).value, (await reader.read()).done]
}

async function xhrAbort() {
  let sent
  const sending = byXhr('/api/slow', 'x', { before: (xhr) => (sent = xhr) })
  await asText('/api/arrived')
  sent.abort()
  await asText('/api/closed')
  return sending
}

const idle = async () => {
  const request = new Request('/api/echo?request', { method: 'PUT', headers: json, body: '{"a":1}' })
  const used = new Request('/api/echo?over', { method: 'POST', headers: { 'x-marker': 'old' }, body: 'old' })
  const again = new XMLHttpRequest()
  const reused = []
  again.open('POST', '/api/echo')
  for (const body of ['first', 'second']) {
    const ended = new Promise((resolve) => {
      again.addEventListener('loadend', resolve, { once: true })
    })
    if (body === 'second') again.open('PUT', '/api/echo')
    again.send(body)
    await ended
    reused.push(again.responseText)
  }
  const sync = new XMLHttpRequest()
  sync.open('POST', '/api/echo', false)
  sync.send('sync')
  const aborted = AbortSignal.abort()
  return {
    json: await asText('/api/echo', { method: 'POST', headers: json, body: '{"a":"Zoë"}' }),
    form: await asText('/api/echo', { method: 'POST', body: form() }),
    blob: await asText('/api/echo', { method: 'POST', body: new Blob(['bytes'], { type: 'text/x' }) }),
    parameters: await asText('/api/echo', { method: 'POST', body: new URLSearchParams('a=1&b=2') }),
    headers: await asText('/api/echo', { method: 'POST', headers: new Headers(json), body: 'b' }),
    // An iterator can be read only once.
    iterator: await asText('/api/echo', {
      method: 'POST',
      headers: new Map(Object.entries(json)).entries(),
      body: 'b',
    }),
    request: await asText(request),
    used: request.bodyUsed,
    over: await asText(used, { headers: { 'x-marker': 'new' }, body: 'new' }),
    url: await asText(new URL('/api/echo?url', location.href), { method: 'PATCH', body: 'u' }),
    status: await fetch('/api/refused', { method: 'POST' }).then(async (answer) => [
      answer.status,
      answer.ok,
      answer.type,
      new URL(answer.url).pathname,
      await answer.text(),
    ]),
    stream: await stream(),
    broken: await outcome(fetch('/api/broken', { method: 'POST' })),
    unhandled: await unhandled('/api/broken'),
    abort: await abortLate((path, signal) => fetch(path, { method: 'POST', signal })),
    aborted: await outcome(fetch('/api/echo', { method: 'POST', signal: aborted })),
    mistakes: [
      await outcome(fetch('http://', { method: 'POST' })),
      await outcome(fetch('/api/echo', { method: 'GET', body: 'x' })),
      await outcome(fetch('/api/echo', { headers: { 'no good': 'x' } })),
      await outcome(fetch('/api/echo', { method: 'no good' })),
      await outcome(fetch()),
    ],
    xhr: await byXhr('/api/echo', 'text'),
    upload: await byXhr('/api/size', large()),
    xhrForm: await byXhr('/api/echo', form()),
    xhrJson: await byXhr('/api/echo', '{}', { before: (xhr) => xhr.overrideMimeType('text/plain') }),
    xhrBroken: await byXhr('/api/broken', 'text'),
    xhrBrokenEmpty: await byXhr('/api/broken', undefined, { method: 'DELETE' }),
    xhrAbort: await xhrAbort(),
    reused,
    sync: sync.responseText,
    beacon: navigator.sendBeacon('/api/beacon', new URLSearchParams('b=1')),
  }
}

addButton('Fetch', () => fetch('/api/orders', { method: 'POST', body: 'one' }))
addButton('Aborted', () => fetch('/api/orders', { method: 'POST', body: 'one', signal: AbortSignal.abort() }))
addButton('Ignored', () => void fetch('/api/orders', { method: 'POST', body: 'one' }))
addButton('XHR', () => byXhr('/api/orders', 'one'))
addButton('XHR without a body', () => byXhr('/api/orders', undefined, { method: 'PUT' }))
addButton('Cancelled', () => byXhr('/api/orders', 'one', { before: (xhr) => queueMicrotask(() => xhr.abort()) }))
addButton('Beacon', () => Promise.resolve(navigator.sendBeacon('/api/orders', 'one')))
ready({ idle })
