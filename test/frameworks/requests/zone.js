// zone.js, which counts the tasks of a page through `fetch` and XMLHttpRequest, as Angular does to know when to draw.
import 'zone.js'
import { addButton, asText, outcome, ready } from './page.js'
import { byXhr } from './by-xhr.js'

const counts = []
const zone = Zone.current.fork({
  name: 'page',
  onHasTask(parent, _current, target, state) {
    parent.hasTask(target, state)
    if (state.change === 'macroTask') counts.push(state.macroTask)
  },
})
/**
 * Runs in the zone, and tells in which zone the answer came and whether all tasks had ended a moment later. Without
 * `await`, which no zone follows.
 */
const inZone = (run) =>
  zone.run(() =>
    outcome(run()).then((result) => {
      const { name } = Zone.current
      return new Promise((resolve) => {
        Zone.root.run(() => setTimeout(resolve, 50))
      }).then(() => ({ ...result, zone: name, isIdle: counts.at(-1) !== true }))
    }),
  )

addButton('Fetch', () =>
  inZone(() => fetch('/api/orders', { method: 'POST', body: 'one' }).then(({ status }) => status)),
)
addButton('XHR', () => inZone(() => byXhr('/api/orders', 'one').then(({ state, status }) => [state, status])))
ready({
  idle: async () => ({
    fetch: await inZone(() => asText('/api/echo', { method: 'POST', body: 'a' })),
    broken: await inZone(() => fetch('/api/broken', { method: 'POST' })),
    xhr: await inZone(() => byXhr('/api/echo', 'b').then(({ text }) => text)),
    xhrBroken: await inZone(() => byXhr('/api/broken', 'b').then(({ state, status }) => [state, status])),
  }),
})
