// axios, through XMLHttpRequest and through `fetch`.
import axios from 'axios'
import { abortLate, addButton, form, large, outcome, ready } from './page.js'

const answered = (sending) => outcome(sending.then(({ status, data }) => [status, data]))
const by = async (adapter) => {
  const client = axios.create({ adapter, headers: { 'x-marker': adapter } })
  const progress = []
  const onUploadProgress = ({ loaded, total }) => progress.push([loaded, total])
  return {
    json: await answered(client.post('/api/echo', { name: 'Zoë' })),
    form: await answered(client.put('/api/echo', form())),
    refused: await answered(client.post('/api/refused', {})),
    broken: await answered(client.post('/api/broken', {})),
    abort: await abortLate((path, signal) => client.post(path, {}, { signal })),
    upload: await answered(client.post('/api/size', large(), adapter === 'xhr' ? { onUploadProgress } : {})),
    // How often it is told depends on the time.
    progress: progress.at(-1),
    mistake: await answered(client.post('/api/echo', {}, { headers: { 'no good': 'x' } })),
  }
}
for (const adapter of ['xhr', 'fetch'])
  addButton(`By ${adapter}`, () => axios.post('/api/orders', { by: adapter }, { adapter }).then(({ status }) => status))
ready({ idle: async () => ({ xhr: await by('xhr'), fetch: await by('fetch') }) })
