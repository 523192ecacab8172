// The observers of Datadog alone, which can be taken away again.
import { initFetchObservable, initXhrObservable } from '@datadog/browser-core'
import { addButton, asText, ready } from './page.js'
import { byXhr } from './by-xhr.js'

const observed = []
let subscriptions = []
const watch = () => {
  subscriptions = [
    initFetchObservable().subscribe(({ state, method, status }) => observed.push(['fetch', state, method, status])),
    initXhrObservable().subscribe(({ state, method, status }) => observed.push(['xhr', state, method, status])),
  ]
}
watch()
addButton('Fetch', () => fetch('/api/orders', { method: 'POST', body: 'one' }))
addButton('XHR', () => byXhr('/api/orders', 'one'))
ready({
  idle: async () => ({
    fetch: await asText('/api/echo', { method: 'POST', body: 'a' }),
    xhr: await byXhr('/api/echo', 'b'),
  }),
  observed,
  watch,
  unwatch: () => subscriptions.forEach((one) => one.unsubscribe()),
})
