// A site whose pages use real libraries that send requests, with the page tools beside them. It answers as a test needs
// it and keeps what it received. A second origin stands for the telemetry of another company.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { bundledPages } from './page-bundle.js'
import { requestPage, telemetryPage } from './frameworks.js'
import { serveStatic } from './static-server.js'

/** A request that reached a server. */
export interface Received {
  readonly method: string
  readonly path: string
  /** What follows the path in the address. */
  readonly query: string
  readonly type: string
  /** The header `x-marker`. */
  readonly marker: string
  /** Unpacked. */
  readonly body: string
}

export interface LibrarySite {
  readonly url: string
  readonly telemetryUrl: string
  /** What reached the site below `/api/`, except `/api/broken`, which a browser may try twice. */
  readonly received: Received[]
  /** What reached the other origin. */
  readonly telemetry: Received[]
  close(): Promise<void>
}

/** When the wrappers of the page tools are installed: `none` is a page without the SDK. */
export type Order = 'none' | 'before' | 'after'

/** The page tools alone. */
const tools = `<script type="module">
  import { actTools, fillTools, readTools } from '/src/tools.ts'
  window.pageTools = new Map([...readTools(), ...fillTools(), ...actTools()].map((tool) => [tool.name, tool]))
</script>`

/** The whole element, with this model. */
const element = (endpoint: string): string => `
  <tool-agent page-tools="read fill act"></tool-agent>
  <script type="module">
    import '/src/index.ts'
    const element = document.querySelector('tool-agent')
    Object.assign(element, ${JSON.stringify({ endpoint, model: 'm', pageTools: 'read fill act', resume: 'auto' })})
    window.agent = element.agent
  </script>`

interface Shown {
  readonly library: string
  readonly order: Order
  /** That of a model. Without it the page has the tools alone. */
  readonly endpoint: string | null
}

const page = ({ library, order, endpoint }: Shown, telemetry: string): string => {
  const ours = endpoint === null ? tools : element(endpoint)
  const script = `<script type="module" src="/library/${library}"></script>`
  const scripts = { none: script, before: ours + script, after: script + ours }
  return `<!doctype html><html lang="en" data-telemetry="${telemetry}"><meta charset="utf-8"><title>${library}</title>
    <link rel="icon" href="data:,"><body><main id="app"></main>${scripts[order]}</body></html>`
}

const serviceWorker = `
  let asked = 0
  addEventListener('install', () => skipWaiting())
  // What the page cannot see, and nobody holds.
  addEventListener('message', ({ data }) => fetch('/api/orders', { method: 'POST', body: data }))
  const keep = async (request) => {
    const answer = await fetch(request)
    await (await caches.open('kept')).put(request, answer.clone())
    return answer
  }
  addEventListener('activate', (event) => event.waitUntil(clients.claim()))
  addEventListener('fetch', (event) => {
    const { pathname } = new URL(event.request.url)
    if (pathname === '/api/asked-worker') return event.respondWith(new Response(String(asked)))
    if (pathname === '/api/cached')
      return event.respondWith(caches.match(event.request).then((kept) => kept ?? keep(event.request)))
    if (event.request.method !== 'GET') asked++
    if (pathname === '/api/by-worker')
      event.respondWith(event.request.text().then((body) => new Response('by the worker: ' + body)))
    else if (pathname.startsWith('/api/')) event.respondWith(fetch(event.request))
  })`

/** What the server of PostHog says about itself, so that the library packs what it sends. */
const posthogConfig = {
  token: 'phc_key',
  supportedCompression: ['gzip', 'gzip-js'],
  autocapture_opt_out: false,
  hasFeatureFlags: false,
}

async function receive(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const plain = (text: string): string =>
    text.replaceAll(/----(?:WebKitFormBoundary|geckoformboundary)\w+/g, 'boundary')
  const { pathname, search } = new URL(request.url ?? '/', 'http://localhost')
  const bytes = Buffer.concat(chunks)
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  return {
    method: request.method ?? '',
    path: pathname,
    query: search,
    type: plain(request.headers['content-type'] ?? ''),
    marker: String(request.headers['x-marker'] ?? ''),
    body: plain((isPacked ? gunzipSync(bytes) : bytes).toString()),
  }
}

/** Resolves the waiting answers of one kind, or the next one that comes. */
class Signal {
  #isGiven = false
  #waiting: (() => void) | undefined

  give(): void {
    if (this.#waiting) this.#waiting()
    else this.#isGiven = true
    this.#waiting = undefined
  }

  async wait(): Promise<void> {
    if (!this.#isGiven)
      await new Promise<void>((resolve) => {
        this.#waiting = resolve
      })
    this.#isGiven = false
  }
}

export async function serveLibraries(): Promise<LibrarySite> {
  const received: Received[] = []
  const telemetry: Received[] = []
  const orders: string[] = []
  const [arrived, closed, more] = [new Signal(), new Signal(), new Signal()]

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname === '/api/broken') {
      request.socket.destroy()
      return
    }
    const send = (status: number, type: string, body: string): void =>
      void response.writeHead(status, { 'content-type': type }).end(body)
    if (pathname === '/api/slow') {
      response.on('close', () => closed.give())
      arrived.give()
      return
    }
    const one = await receive(request)
    if (one.method !== 'GET') received.push(one)
    switch (pathname) {
      case '/api/arrived':
        await arrived.wait()
        return send(200, 'text/plain', 'arrived')
      case '/api/closed':
        await closed.wait()
        return send(200, 'text/plain', 'closed')
      case '/api/more':
        more.give()
        return send(200, 'text/plain', 'more')
      case '/api/stream':
        // Chromium keeps the start of a plain text back until it knows what it is.
        response.writeHead(200, { 'content-type': 'text/plain', 'x-content-type-options': 'nosniff' }).write('one')
        await more.wait()
        return void response.end('two')
      case '/api/size':
        return send(200, 'text/plain', String(one.body.length))
      case '/api/refused':
        return send(422, 'application/json', '{"problem":"no"}')
      case '/api/orders':
        return send(201, 'application/json', '{"saved":true}')
      case '/api/html':
        return send(200, 'text/html', `<b>saved ${one.body}</b>`)
      case '/api/turbo':
        return send(
          200,
          'text/vnd.turbo-stream.html',
          '<turbo-stream action="append" target="answer"><template>saved</template></turbo-stream>',
        )
      case '/api/list':
        if (one.method === 'POST') orders.push((JSON.parse(one.body) as { name: string }).name)
        return send(200, 'application/json', JSON.stringify(orders))
      case '/api/graphql': {
        const isMutation = one.method === 'POST'
        if (isMutation) orders.push((JSON.parse(one.body) as { variables: { name: string } }).variables.name)
        const listed = orders.map((name, at) => ({ __typename: 'Order', id: String(at), name }))
        const data = isMutation ? { addOrder: listed.at(-1) } : { orders: listed }
        return send(200, 'application/json', JSON.stringify({ data }))
      }
      case '/api/cached':
        return send(200, 'text/plain', 'kept')
      case '/api/beacon':
        return void response.writeHead(204).end()
      default:
        return send(200, 'application/json', JSON.stringify(one))
    }
  }

  const other = await serveStatic({
    middleware(request, response) {
      response.setHeader('access-control-allow-origin', request.headers.origin ?? '*')
      response.setHeader('access-control-allow-credentials', 'true')
      response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '*')
      void receive(request).then((one) => {
        if (one.method !== 'OPTIONS') telemetry.push(one)
        const body = one.path.endsWith('/config') ? posthogConfig : {}
        response.writeHead(one.path.endsWith('.js') ? 404 : 200, { 'content-type': 'application/json' })
        response.end(JSON.stringify(body))
      })
    },
  })
  const site = await serveStatic({
    folders: { '/': await bundledPages() },
    middleware(request, response, next) {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      const library = /^\/library\/(.+)$/.exec(pathname)?.[1]
      const script = (code: string): void =>
        void response.writeHead(200, { 'content-type': 'text/javascript; charset=utf-8' }).end(code)
      if (pathname.startsWith('/api/')) void answer(request, response)
      else if (library?.startsWith('telemetry/')) void telemetryPage(library.slice('telemetry/'.length)).then(script)
      else if (library) void requestPage(library).then(script)
      else if (pathname === '/service-worker.js') script(serviceWorker)
      else if (pathname === '/page') {
        orders.length = 0
        const shown: Shown = {
          library: searchParams.get('library') ?? '',
          order: searchParams.get('order') as Order,
          endpoint: searchParams.get('endpoint'),
        }
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page(shown, other.url))
      } else next()
    },
  })
  return {
    url: site.url,
    telemetryUrl: other.url,
    received,
    telemetry,
    async close() {
      await site.close()
      await other.close()
    },
  }
}
