// Google Analytics 4 as gtag.js sends its hits, which is no package: by `fetch` that outlives the page, or by a beacon
// where there is none, and several events as lines of one body.
import { build, telemetry } from '../frameworks/requests/measured.js'

const session = `v=2&tid=G-KEY&gtm=45je&_p=${Date.now()}&cid=1.2&ul=en-us&sr=1280x720&sid=${Date.now()}&sct=1&seg=0`
let hits = 0
function send(events) {
  const address = `${telemetry}/g/collect?${session}&_s=${++hits}&dl=${encodeURIComponent(location.href)}`
  const [only, ...others] = events.map((name) => `en=${name}&_et=12`)
  const url = others.length === 0 ? `${address}&${only}` : address
  const body = others.length === 0 ? undefined : [only, ...others].join('\r\n')
  fetch(url, { method: 'POST', body, keepalive: true, mode: 'no-cors', credentials: 'include' }).catch(() => {
    navigator.sendBeacon(url, body)
  })
}
let waiting = []
const later = (name) => {
  if (waiting.push(name) === 1)
    setTimeout(() => {
      send(waiting)
      waiting = []
    }, 1_000)
}
addEventListener('pagehide', () => navigator.sendBeacon(`${telemetry}/g/collect?${session}&en=user_engagement`))
send(['page_view'])
build(later)
