// Serves this folder, the SDK and the relay on your own machine: `node assistant/server.mjs`. The key stays in this process.
// For visitors, mount the relay in the server of your site, with its users: node_modules/tool-agent/docs/relay.md.
import { createReadStream, realpathSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRelay, toNodeHandler } from 'tool-agent/relay'

const { PORT = '3000', MODEL_ENDPOINT, MODEL_API_KEY } = process.env
const site = realpathSync(fileURLToPath(new URL('..', import.meta.url)))
const sdk = realpathSync(fileURLToPath(new URL('.', import.meta.resolve('tool-agent'))))
const types = {
  '.css': 'text/css; charset=utf-8',
  '.gif': 'image/gif',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
}

const relay = toNodeHandler(
  createRelay({
    upstreams: {
      openai: {
        protocol: 'openai',
        endpoint: MODEL_ENDPOINT || 'https://api.openai.com/v1',
        key: MODEL_API_KEY,
        models: ['gpt-5-mini'], // the model that the page names
      },
    },
    user: () => 'developer',
  }),
)

const server = createServer((request, response) => {
  const path = pathOf(request)
  if (path === undefined) response.writeHead(403).end()
  else if (path.startsWith('/models/')) relay(request, response)
  else send(path, response)
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/`))

/** Undefined for another host, whose name may lead to this address, and for names such as `.env`. */
function pathOf({ headers, url }) {
  if (!/^(?:localhost|127\.0\.0\.1)(?::\d+)?$/.test(headers.host ?? '')) return undefined
  try {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname)
    return /\/\.|\/node_modules(?:\/|$)|[\\\0]/.test(path) ? undefined : path
  } catch {
    return undefined
  }
}

function send(path, response) {
  const [folder, rest] = path.startsWith('/tool-agent/') ? [sdk, path.slice('/tool-agent'.length)] : [site, path]
  try {
    const file = realpathSync(join(folder, rest.endsWith('/') ? `${rest}index.html` : rest))
    const type = types[extname(file)]
    // A link must not lead out of the folder.
    const isServed = file.startsWith(folder.endsWith(sep) ? folder : folder + sep) && statSync(file).isFile()
    if (!isServed || type === undefined) throw new Error('not served')
    response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache', 'x-content-type-options': 'nosniff' })
    createReadStream(file)
      .on('error', () => response.destroy())
      .pipe(response)
  } catch {
    response.writeHead(path === '/favicon.ico' ? 204 : 404).end()
  }
}
