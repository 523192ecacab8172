// Sentry as its documentation starts it, with traces of loads and presses.
import * as Sentry from '@sentry/browser'
import { build, telemetry } from './measured.js'

Sentry.init({
  dsn: `${telemetry.replace('//', '//key@')}/1`,
  release: 'page@1.0.0',
  integrations: [Sentry.browserTracingIntegration()],
  tracesSampleRate: 1,
})
build((what) => Sentry.captureMessage(what))
