// Angular's HttpClient, by XMLHttpRequest and by `fetch`, with zone.js.
import 'zone.js'
import '@angular/compiler'
import { HttpClient, provideHttpClient, withFetch } from '@angular/common/http'
import { createApplication } from '@angular/platform-browser'
import { firstValueFrom } from 'rxjs'
import { addButton, form, outcome, ready } from './page.js'

const client = async (...features) =>
  (await createApplication({ providers: [provideHttpClient(...features)] })).injector.get(HttpClient)
const clients = { xhr: await client(), fetch: await client(withFetch()) }
const post = (by, url, body) =>
  firstValueFrom(clients[by].post(url, body, { headers: { 'x-marker': by }, observe: 'response' })).then(
    ({ status, body: answer }) => [status, answer],
  )
const idle = async () => {
  const results = {}
  for (const by of ['xhr', 'fetch'])
    results[by] = {
      json: await outcome(post(by, '/api/echo', { name: 'Zoë' })),
      form: await outcome(post(by, '/api/echo', form())),
      refused: await outcome(post(by, '/api/refused', {})),
      broken: await outcome(post(by, '/api/broken', {})),
    }
  return results
}
for (const by of ['xhr', 'fetch'])
  addButton(`By ${by}`, () => post(by, '/api/orders', { by }).then(([status]) => status))
ready({ idle })
