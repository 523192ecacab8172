// Segment's Analytics.js, which sends each event at once.
import { AnalyticsBrowser } from '@segment/analytics-next'
import { build, telemetry } from '../frameworks/requests/measured.js'

const analytics = AnalyticsBrowser.load(
  { writeKey: 'key', cdnSettings: { integrations: { 'Segment.io': { apiKey: 'key' } } } },
  { integrations: { 'Segment.io': { apiHost: `${telemetry.replace(/^https?:\/\//, '')}/v1`, protocol: 'http' } } },
)
void analytics.page()
build((what) => void analytics.track(what))
