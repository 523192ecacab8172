// Five pages whose requests no wrapper of the assistant sees: by a `fetch` that was kept before, by that of a frame, by one
// that cannot be replaced, by a WebSocket and by a worker.
import { entry, rpcApi, spa } from './serve.mjs'

const post = `{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(message) }`
const byFetch = (/** @type {string} */ send) =>
  `<script>window.transport = (message) => ${send}('/rpc', ${post}).then((answer) => answer.json()).then(({ result }) => result)</script>`
/** Messages with a number, whose answers come in any order. */
const byMessages = `const waiting = new Map(); let count = 0
const settle = ({ data }) => { const { id, result } = typeof data === 'string' ? JSON.parse(data) : data; waiting.get(id)?.(result); waiting.delete(id) }
const number = (message, send) => new Promise((done) => { waiting.set(++count, done); send({ ...message, id: count }) })`

/** What the document does before the assistant is loaded. @type {Record<string, string>} */
const transports = {
  'kept-fetch': `<script>const kept = window.fetch</script>${byFetch('kept')}`,
  'frozen-fetch': `<script>Object.defineProperty(window, 'fetch', { value: window.fetch, writable: false, configurable: false })</script>${byFetch('fetch')}`,
  'frame-fetch': `<script>const frame = document.createElement('iframe'); frame.style.display = 'none'
document.addEventListener('readystatechange', () => document.body.append(frame), { once: true })</script>${byFetch('frame.contentWindow.fetch')}`,
  socket: `<script>${byMessages}
const socket = new WebSocket('ws://' + location.host + '/socket'); socket.onmessage = settle
const opened = new Promise((done) => { socket.onopen = done })
window.transport = (message) => opened.then(() => number(message, (one) => socket.send(JSON.stringify(one))))</script>`,
  worker: `<script>${byMessages}
const code = \`onmessage = async ({ data: message }) => { const answer = await fetch('\${location.origin}/rpc', ${post}); const { result } = await answer.json(); postMessage({ id: message.id, result }) }\`
const worker = new Worker(URL.createObjectURL(new Blob([code]))); worker.onmessage = settle
window.transport = (message) => number(message, (one) => worker.postMessage(one))</script>`,
}

const parcel = (/** @type {number} */ id, /** @type {string} */ name) => ({ id, name, state: 'here', shelf: `B${id}` })
/** @type {Record<string, (data: any, params: any) => unknown>} */
const procedures = {
  list: ({ parcels }) => parcels,
  handOver: ({ parcels }, { id }) => Object.assign(entry(parcels, id), { state: 'gone' }),
}

export const apps = Object.entries(transports).map(([name, head]) =>
  spa({
    name,
    group: 'leaking',
    title: 'Parcels',
    page: 'desk.js',
    head,
    region: '.list',
    data: () => ({ parcels: [parcel(1, 'Ada Stone'), parcel(2, 'Tom Reed'), parcel(3, 'Kim Lee')] }),
    handle: rpcApi(procedures),
    socket: ({ id, method, params }, data) => ({ id, result: procedures[method]?.(data, params) }),
    jobs: [
      {
        name: 'hand-over',
        task: 'Tom is here for his parcel. Hand it over.',
        effects: [],
        changes: [{ what: 'set parcels "Tom Reed" state = "gone"', effect: 'send', says: ['Hand over', 'Tom Reed'] }],
        async policy({ read, click }) {
          await read()
          await click('Hand over', { inside: 'Tom Reed' })
        },
      },
      {
        name: 'look',
        task: 'On which shelf is the parcel of Kim?',
        effects: [],
        changes: [],
        async policy({ read, click }) {
          await read()
          await click('Kim Lee')
          await read()
          await click('Back')
        },
      },
    ],
  }),
)
