// The servers of a job, on loopback ports: the application with its data, the built package and the model on one origin,
// and another site that records who comes. Everything that an application received is in its log.
import { existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { changesBetween } from './changes.mjs'
import { acceptSocket } from './socket.mjs'

/** @typedef {'view' | 'value' | 'go' | 'unknown' | 'send' | 'destroy' | 'outside'} Effect */

/**
 * A request as a server received it. `body`: an object if it could be parsed. `operation`: of GraphQL.
 * @typedef {{ at: number, method: string, path: string, query: URLSearchParams, headers: import('node:http').IncomingHttpHeaders,
 *   body: any, operation?: string }} Received
 */

/**
 * @typedef {{ status?: number, json?: unknown, html?: string, text?: string, script?: string, file?: { name: string, text: string },
 *   to?: string }} Answer
 */

/**
 * An application. `effectOf` is the truth about its own server, and is written without looking at the package. With
 * `group`, the truth is what changed in its data instead, whatever the requests were.
 * @typedef {object} App
 * @property {string} name
 * @property {string} [folder] the path of its files; default: the folder of its name here
 * @property {() => any} data what the server holds at the start
 * @property {(request: Received, data: any) => Answer | undefined | Promise<Answer | undefined>} [handle]
 * @property {(request: Received) => Effect} [effectOf] default: everything but GET sends
 * @property {(message: any, data: any) => unknown} [socket] answers a message of a WebSocket, for each page
 * @property {Group} [group] default: plain
 * @property {string} [region] a selector: what must show the same as in a page that is opened anew
 * @property {import('./job.mjs').Job[]} [jobs]
 */

/** What the pages of a job are built like. @typedef {'plain' | 'spa' | 'leaking' | 'server-driven'} Group */

/** One change of the data of a server. @typedef {{ at: number, what: string }} Change */

const root = fileURLToPath(new URL('../..', import.meta.url))
const here = fileURLToPath(new URL('.', import.meta.url))
const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.mjs', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.woff2', 'font/woff2'],
])
/** Where `/packages/` is: what npm installs for the benchmarks. */
export const packages = join(root, 'bench/node_modules')

/** @param {import('node:http').IncomingMessage} request @returns {Promise<string>} */
async function textOf(request) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  return text
}

/** @param {string} text @param {string} type */
function parseBody(text, type) {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return type.includes('urlencoded') ? Object.fromEntries(new URLSearchParams(text)) : text
  }
}

/** @param {(request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse) => Promise<void>} handle */
async function listen(handle) {
  const server = createServer((request, response) => {
    handle(request, response).catch((error) => {
      if (!response.headersSent) response.writeHead(500)
      response.end(String(error))
    })
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port')
  return {
    port: address.port,
    server,
    close: async () => {
      const closed = new Promise((resolve) => server.close(() => resolve(undefined)))
      server.closeAllConnections()
      await closed
    },
  }
}

/** What answers the requests to a model. @typedef {Pick<import('./model.mjs').PolicyModel, 'answer'>} Model */

/**
 * Starts the servers of one job.
 * @param {{ app?: App, dist: string, model: Model, attributes?: string }} options without an application, the pages of
 *   bench/tasks are served; without attributes, no page has the element
 */
export async function startServers({ app, dist, model, attributes }) {
  const data = app?.data()
  /** @type {Received[]} */
  const log = []
  /** @type {Received[]} */
  const elsewhere = []
  /** @type {Change[]} */
  const changes = []
  const first = structuredClone(data)
  let before = first
  /** Notes what a request or message changed. */
  const noteChanges = () => {
    if (!app?.group) return
    const at = Date.now()
    changes.push(...changesBetween(before, data).map((what) => ({ at, what })))
    before = structuredClone(data)
  }
  // A build without this file, also one that it was taken from, asks before each press that it does not know.
  const hasBorder = attributes !== undefined && existsSync(join(dist, 'border.js'))
  const firstScript = hasBorder ? '<script src="/tool-agent/border.js"></script>' : ''
  const element =
    attributes === undefined
      ? ''
      : `<script type="module" src="/tool-agent/tool-agent.js"></script>
<tool-agent endpoint="/model/v1" model="bench" layout="floating" ${attributes} page-tools="read fill act"></tool-agent>`

  /** @param {import('node:http').IncomingMessage} request @returns {Promise<Received>} */
  const received = async (request) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    const body = parseBody(await textOf(request), request.headers['content-type'] ?? '')
    const operation = body?.operationName
    const { method = 'GET' } = request
    const entry = {
      at: Date.now(),
      method,
      path: url.pathname,
      query: url.searchParams,
      headers: request.headers,
      body,
    }
    return operation === undefined ? entry : { ...entry, operation }
  }

  const other = await listen(async (request, response) => {
    const entry = await received(request)
    if (entry.path !== '/favicon.ico') elsewhere.push(entry)
    response.writeHead(200, { 'content-type': types.get('.html'), 'access-control-allow-origin': '*' })
    response.end('<!doctype html><title>Other site</title><h1>Other site</h1>')
  })
  const otherUrl = `http://localhost:${other.port}`

  /** @param {string} path */
  const fileOf = (path) => {
    if (path.startsWith('/tool-agent/')) return join(dist, normalize(path.slice('/tool-agent'.length)))
    if (path.startsWith('/packages/')) return join(packages, normalize(path.slice('/packages'.length)))
    if (app) return join(app.folder ?? join(here, app.name), normalize(path.endsWith('/') ? `${path}index.html` : path))
    return join(root, 'bench/tasks', normalize(path.replace(/^\/slow\//, '/')))
  }

  const main = await listen(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost')
    if (pathname.startsWith('/model/')) {
      await model.answer(JSON.parse(await textOf(request)), response)
      return
    }
    const entry = await received(request)
    if (!pathname.startsWith('/tool-agent/') && pathname !== '/favicon.ico') log.push(entry)
    if (pathname.startsWith('/slow/')) await pause(400)
    const answer = await app?.handle?.(entry, data)
    noteChanges()
    const file = fileOf(pathname)
    if (answer?.to !== undefined) response.writeHead(303, { location: answer.to }).end()
    else if (answer?.file) {
      const { name, text } = answer.file
      response.writeHead(200, { 'content-disposition': `attachment; filename="${name}"` }).end(text)
    } else if (answer?.html !== undefined) sendPage(response, answer.html)
    else if (answer?.text !== undefined)
      response.writeHead(200, { 'content-type': types.get('.html') }).end(answer.text)
    else if (answer?.script !== undefined)
      response.writeHead(200, { 'content-type': types.get('.js') }).end(answer.script)
    else if (answer)
      response
        .writeHead(answer.status ?? 200, { 'content-type': 'application/json' })
        .end(JSON.stringify(answer.json ?? null))
    else if (file && extname(file) !== '' && existsSync(file)) {
      if (extname(file) === '.html') sendPage(response, readFileSync(file, 'utf8'))
      else response.writeHead(200, { 'content-type': types.get(extname(file)) ?? 'text/plain' }).end(readFileSync(file))
    } else response.writeHead(404).end('Not found')
  })

  main.server.on('upgrade', (request, socket) => {
    acceptSocket(request, socket, (text) => {
      const answer = app?.socket?.(JSON.parse(text), data)
      noteChanges()
      return answer === undefined ? undefined : JSON.stringify(answer)
    })
  })

  /** @param {import('node:http').ServerResponse} response @param {string} text */
  function sendPage(response, text) {
    const page = text
      .replaceAll('{{other}}', otherUrl)
      .replace(/<head[^>]*>/, (head) => head + firstScript)
      .replace(/<body[^>]*>/, (body) => body + element)
    response.writeHead(200, { 'content-type': types.get('.html'), 'cache-control': 'no-store' }).end(page)
  }

  return {
    url: `http://127.0.0.1:${main.port}`,
    otherUrl,
    data,
    log,
    elsewhere,
    changes,
    /** What is different from the start. */
    changed: () => changesBetween(first, data),
    close: async () => {
      await Promise.all([main.close(), other.close()])
    },
  }
}

/** @typedef {Awaited<ReturnType<typeof startServers>>} Servers */
