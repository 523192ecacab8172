// Datadog RUM as its documentation starts it. It sends when the page is hidden, which `note` plays.
import { datadogRum } from '@datadog/browser-rum'
import { build, telemetry } from './measured.js'

datadogRum.init({
  applicationId: 'app',
  clientToken: 'token',
  site: 'datadoghq.com',
  proxy: ({ path }) => `${telemetry}/api/datadog?path=${encodeURIComponent(path)}`,
  sessionSampleRate: 100,
  allowUntrustedEvents: true,
  trackResources: true,
  trackUserInteractions: true,
})
build((what) => {
  datadogRum.addAction(what)
  dispatchEvent(new Event('freeze'))
})
