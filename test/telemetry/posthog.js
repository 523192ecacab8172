// PostHog as its documentation starts it: it captures the view, presses and changes by itself.
import posthog from 'posthog-js'
import { build, telemetry } from '../frameworks/requests/measured.js'

// It would take the browser of a test for a robot.
posthog.init('phc_key', { api_host: telemetry, defaults: '2025-11-30', opt_out_useragent_filter: true })
build((what) => posthog.capture(what))
