// Sentry with breadcrumbs and spans of requests, sending to another origin.
import * as Sentry from '@sentry/browser'
import { abortLate, addButton, asText, form, outcome, ready } from './page.js'
import { byXhr } from './by-xhr.js'

const crumbs = []
const spans = []
const { telemetry } = document.documentElement.dataset
Sentry.init({
  dsn: `${telemetry.replace('//', '//key@')}/1`,
  tracesSampleRate: 1,
  integrations: [Sentry.browserTracingIntegration({ instrumentPageLoad: false, instrumentNavigation: false })],
  beforeBreadcrumb: (crumb) => {
    const { url, method, status_code: status } = crumb.data ?? {}
    if (/^(fetch|xhr)$/.test(crumb.category) && /api\/(echo|orders|broken)/.test(url))
      crumbs.push([crumb.category, method, new URL(url, location.href).pathname, status ?? 0])
    return crumb
  },
  beforeSendTransaction: (event) => {
    for (const { op, description, status } of event.spans ?? [])
      spans.push([op, description.replace(/http:\/\/[^/]+/, ''), status])
    return event
  },
})
Sentry.captureMessage('started')
const flushed = await Sentry.flush()

/** Runs it in a span of its own, so that its requests are child spans. */
const traced = (name, run) => Sentry.startSpan({ name, forceTransaction: true }, run)
const idle = async () => {
  const result = await traced('idle', async () => ({
    fetch: await asText('/api/echo', { method: 'POST', headers: { 'x-marker': 'sentry' }, body: 'fetch' }),
    form: await asText('/api/echo', { method: 'POST', body: form() }),
    request: await asText(new Request('/api/echo', { method: 'PUT', body: 'request' })),
    broken: await outcome(fetch('/api/broken', { method: 'POST' })),
    abort: await abortLate((path, signal) => fetch(path, { method: 'POST', signal })),
    xhr: await byXhr('/api/echo', 'xhr'),
    xhrBroken: await byXhr('/api/broken', 'xhr'),
  }))
  await Sentry.flush()
  return { ...result, crumbs: [...crumbs], spans: [...spans] }
}
addButton('Fetch', () => traced('pressed', () => fetch('/api/orders', { method: 'POST', body: 'one' })))
addButton('XHR', () => traced('pressed', () => byXhr('/api/orders', 'one')))
addButton('Report', () => {
  Sentry.captureMessage('reported')
  return Sentry.flush()
})
ready({ idle, crumbs, spans, flushed, flush: () => Sentry.flush() })
