// Google Analytics 4 by the package that sends its hits as beacons.
import { track } from '@minimal-analytics/ga4'
import { build, telemetry } from '../frameworks/requests/measured.js'

window.minimalAnalytics = { trackingId: 'G-KEY', analyticsEndpoint: `${telemetry}/g/collect` }
track()
build((what) => track({ type: what }))
