// Datadog RUM, which observes requests and sends its own to another origin, when the page is about to end.
import { datadogRum } from '@datadog/browser-rum'
import { abortLate, addButton, asText, form, outcome, ready } from './page.js'
import { byXhr } from './by-xhr.js'

const resources = []
const { telemetry } = document.documentElement.dataset
datadogRum.init({
  applicationId: 'app',
  clientToken: 'token',
  site: 'datadoghq.com',
  proxy: ({ path }) => `${telemetry}/api/datadog?path=${encodeURIComponent(path)}`,
  sessionSampleRate: 100,
  sessionReplaySampleRate: 0,
  telemetrySampleRate: 0,
  allowUntrustedEvents: true,
  trackResources: true,
  trackUserInteractions: true,
  beforeSend: (event) => {
    if (event.type === 'resource' && /api\/(echo|orders|broken)/.test(event.resource.url)) {
      const { type, method, url, status_code: status } = event.resource
      resources.push([type, method, new URL(url).pathname, status])
    }
    return true
  },
})
/** Makes it send what it has. */
const flush = () => dispatchEvent(new Event('freeze'))

const idle = async () => ({
  fetch: await asText('/api/echo', { method: 'POST', headers: { 'x-marker': 'datadog' }, body: 'fetch' }),
  form: await asText('/api/echo', { method: 'POST', body: form() }),
  request: await asText(new Request('/api/echo', { method: 'PUT', body: 'request' })),
  broken: await outcome(fetch('/api/broken', { method: 'POST' })),
  abort: await abortLate((path, signal) => fetch(path, { method: 'POST', signal })),
  xhr: await byXhr('/api/echo', 'xhr'),
  xhrBroken: await byXhr('/api/broken', 'xhr'),
})
addButton('Fetch', () => fetch('/api/orders', { method: 'POST', body: 'one' }))
addButton('XHR', () => byXhr('/api/orders', 'one'))
addButton('Report', () => void flush())
ready({ idle, resources, flush })
