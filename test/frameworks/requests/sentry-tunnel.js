// Sentry through an address of the page's own site, as it is set up where blockers would stop it.
import * as Sentry from '@sentry/browser'
import { build, telemetry } from './measured.js'

Sentry.init({ dsn: `${telemetry.replace('//', '//key@')}/1`, release: 'page@1.0.0', tunnel: '/api/tunnel' })
build((what) => Sentry.captureMessage(what))
