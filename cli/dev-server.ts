// `tool-agent dev`: a server for development on the loopback address. It serves the files of one folder, the SDK at
// /tool-agent/ and a model at /v1: the endpoint of the environment with its key, or the offline model. /models/openai, which
// pages of `tool-agent init` name, is the same model. Pages of other hosts may use none of this.
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join, resolve } from 'node:path'
import { HttpError, pathOf, sendError } from '../playground/server/http.js'
import { offlineHandler } from '../playground/server/offline-handler.js'
import { relayFrom, relayHandler, type RelaySettings } from '../playground/server/relay.js'
import { UsageError, type DevSettings } from './arguments.js'
import { servedFile } from './served-file.js'

const host = '127.0.0.1'
/** The addresses of the model: the one of the documentation, and the relay of `tool-agent init`. */
const modelPath = /^\/(?:v1|models\/openai)(?:\/|$)/
/** Where a page without a bundler finds the SDK. A folder of the project with this name comes first. */
const sdkPath = '/tool-agent/'
const loopbackNames = new Set(['localhost', '127.0.0.1', '[::1]'])

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
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

interface DevServer {
  readonly url: string
  /** What to tell the user. */
  readonly message: string
  close(): void
}

/**
 * Resolves when the server listens. `sdk` is the folder of the built package.
 * @throws UsageError if the folder does not exist, the port is in use or `MODEL_ENDPOINT` is not valid
 */
export async function startDevServer(settings: DevSettings, env: NodeJS.ProcessEnv, sdk: string): Promise<DevServer> {
  const folder = resolve(settings.folder)
  if (!existsSync(folder) || !statSync(folder).isDirectory()) throw new UsageError(`dev: there is no folder ${folder}`)
  const relay = relaySettings(env)
  const server = createServer((request, response) => {
    void respond(request, response, { folder, sdk, relay }).catch((error: unknown) => {
      if (error instanceof HttpError) sendError(response, error.status, error.message)
      else sendError(response, 500, `The server failed: ${(error as Error).message}`)
    })
  })
  const url = `http://${host}:${await listen(server, settings.port)}`
  const model = relay
    ? `${relay.endpoint.host}${relay.model === undefined ? '' : `, model ${relay.model}`}`
    : 'the offline model: fixed rules, no language model. Set MODEL_ENDPOINT, MODEL_NAME and MODEL_API_KEY for a real one'
  return {
    url,
    message: `${isOwnPage(folder) ? `Page   ${url}/\n` : ''}Model  ${url}/v1  (${model})\n`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Whether the folder has a page that this server can show: not one that Vite serves, and none of a framework. */
function isOwnPage(folder: string): boolean {
  const file = join(folder, 'package.json')
  return existsSync(join(folder, 'index.html')) && !(existsSync(file) && /"vite"\s*:/.test(readFileSync(file, 'utf8')))
}

function relaySettings(env: NodeJS.ProcessEnv): RelaySettings | undefined {
  try {
    const relay = relayFrom(env)
    return relay && { ...relay, allows: isLocal }
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const reason = error.code === 'EADDRINUSE' ? 'is in use. Choose another with --port' : `failed: ${error.message}`
      fail(new UsageError(`dev: port ${port} ${reason}`))
    })
    server.listen(port, host, () => {
      done((server.address() as AddressInfo).port)
    })
  })
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, sdk, relay }: { folder: string; sdk: string; relay: RelaySettings | undefined },
): Promise<void> {
  // A foreign name may lead to this address (DNS rebinding), and a foreign page may send requests to it.
  if (!isLocal(request)) throw new HttpError(403, 'Only pages of this computer may use this server')
  if (isEmbeddedElsewhere(request)) throw new HttpError(403, 'Pages of other sites may not use this server')
  const path = pathOf(request)
  if (!modelPath.test(path)) {
    const isSdk = path.startsWith(sdkPath) && !existsSync(join(folder, sdkPath))
    sendFile(request, response, isSdk ? { folder: sdk, below: sdkPath } : { folder, below: '/' })
    return
  }
  allowOrigin(request, response)
  if (request.method === 'OPTIONS') response.writeHead(204).end()
  else if (relay) await relayHandler(request, response, relay)
  else await offlineHandler(request, response)
}

/** Whether the address and the page of a request are of this computer. Programs send no `Origin`. */
function isLocal({ headers }: IncomingMessage): boolean {
  return isLoopback(`http://${headers.host ?? ''}`) && (headers.origin === undefined || isLoopback(headers.origin))
}

/** Images, scripts, styles and frames of a page of another site have no `Origin`. A link to a page may be followed. */
function isEmbeddedElsewhere({ headers }: IncomingMessage): boolean {
  const { origin, 'sec-fetch-site': from, 'sec-fetch-dest': kind } = headers
  return origin === undefined && from === 'cross-site' && kind !== 'document'
}

function isLoopback(url: string): boolean {
  return URL.canParse(url) && loopbackNames.has(new URL(url).hostname)
}

/** Development servers of frameworks have ports of their own, and so other origins. */
function allowOrigin({ headers }: IncomingMessage, response: ServerResponse): void {
  response.setHeader('vary', 'origin')
  if (headers.origin === undefined) return
  response.setHeader('access-control-allow-origin', headers.origin)
  response.setHeader('access-control-allow-headers', headers['access-control-request-headers'] ?? '*')
}

/** Sends a file of the folder, which is served at the address `below`. */
function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, below }: { folder: string; below: string },
): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') throw new HttpError(405, 'Files are read with GET')
  const path = decodedPath(request).slice(below.length - 1)
  const asked = servedFile(folder, path)
  if (asked === 'forbidden') throw new HttpError(403, `${path} is not served`)
  if (asked?.isFolder && !path.endsWith('/')) {
    response
      .writeHead(302, { location: `${pathOf(request)}/${new URL(request.url ?? '/', 'http://localhost').search}` })
      .end()
    return
  }
  const file = asked?.isFolder ? servedFile(folder, `${path}index.html`) : asked
  if (path === '/favicon.ico' && file === undefined) {
    // Browsers request it for every page, and report a missing one in the console.
    response.writeHead(204).end()
    return
  }
  if (file === 'forbidden') throw new HttpError(403, `${path} is not served`)
  if (file === undefined || file.isFolder) throw new HttpError(404, `There is no file ${join(folder, path)}`)
  response.writeHead(200, {
    'content-type': types[extname(file.path).toLowerCase()] ?? 'application/octet-stream',
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    // A page of another site may not include files as images, scripts or styles either.
    'cross-origin-resource-policy': 'same-origin',
  })
  if (request.method === 'HEAD') response.end()
  else
    createReadStream(file.path)
      .on('error', () => response.destroy())
      .pipe(response)
}

function decodedPath(request: IncomingMessage): string {
  try {
    return decodeURIComponent(pathOf(request))
  } catch {
    throw new HttpError(400, `The address ${request.url ?? ''} is not valid`)
  }
}
