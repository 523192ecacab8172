// Serves this folder, the SDK under /tool-agent/, and the model of MODEL_ENDPOINT under /v1. For development only: see
// docs/relay.md for a server that checks users and limits them.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'

const { PORT = '3000', MODEL_ENDPOINT = 'http://127.0.0.1:8790/v1', MODEL_API_KEY } = process.env
const folder = fileURLToPath(new URL('.', import.meta.url))
const sdk = join(folder, 'node_modules/tool-agent/dist')
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' }

const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    response.writeHead(error.code === 'ENOENT' ? 404 : 502).end(String(error.message))
  })
})

async function answer(request, response) {
  const path = normalize(new URL(request.url, 'http://localhost').pathname)
  if (path.startsWith('/v1/')) return relay(request, response, path.slice('/v1'.length))
  if (path === '/favicon.ico') return response.writeHead(204).end()
  const isSdk = path.startsWith('/tool-agent/')
  if (!isSdk && path !== '/') return response.writeHead(404).end()
  const file = isSdk ? join(sdk, path.slice('/tool-agent/'.length)) : join(folder, 'index.html')
  const body = await readFile(file)
  response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' }).end(body)
}

async function relay(request, response, path) {
  const left = new AbortController()
  response.on('close', () => left.abort())
  const reply = await fetch(MODEL_ENDPOINT + path, {
    method: request.method,
    headers: {
      'content-type': 'application/json',
      ...(MODEL_API_KEY ? { authorization: `Bearer ${MODEL_API_KEY}` } : {}),
    },
    body: Readable.toWeb(request),
    duplex: 'half',
    signal: left.signal,
  }).catch((error) => {
    throw new Error(`${MODEL_ENDPOINT} does not answer (${error.cause?.message || error.message}): set MODEL_ENDPOINT`)
  })
  response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? 'application/json' })
  Readable.fromWeb(reply.body)
    .on('error', () => response.destroy())
    .pipe(response)
}

server.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}/`))
