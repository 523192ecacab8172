// The site of the bench, on a loopback port: the built package, the bundled peers, pages, and scripted models that speak
// the chat completions protocol. Counts what each page fetched, compressed with gzip.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

/**
 * What a scripted model answers: text in these pieces, or calls. `pieces` are sent `perWrite` at a time, with
 * `pauseMs` between the writes.
 * @typedef {object} Reply
 * @property {readonly string[]} [pieces]
 * @property {readonly { name: string, arguments: object }[]} [calls]
 * @property {number} [perWrite] default: 8
 * @property {number} [pauseMs] default: no pause
 * @property {number} [delayMs] what the model takes before it answers; default: nothing
 */

/** A request that a model received. `at`: milliseconds since 1970. @typedef {{ at: number, body: any, readonly characters: number }} Received */

/**
 * A scripted model.
 * @typedef {object} Model
 * @property {string} path the base URL for clients of chat completions
 * @property {Received[]} requests
 * @property {number} answered characters of all answers
 */

/** A fetched file. `at`: milliseconds since 1970. @typedef {{ path: string, gzip: number, at: number }} Fetched */

const types = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json'],
])

/** Now, in milliseconds since 1970 with fractions, like `performance.timeOrigin + performance.now()` of a page. */
export const now = () => performance.timeOrigin + performance.now()

/** The messages after the newest user message. @param {any} body of a request */
export function sinceUser(body) {
  const messages = /** @type {{ role: string }[]} */ (body.messages ?? [])
  return messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1)
}

/** How many results of tools the model has received in this turn. @param {any} body of a request */
export const resultsIn = (body) => sinceUser(body).filter(({ role }) => role === 'tool').length

/**
 * Starts the site.
 * @param {Record<string, string>} folders path prefix with slashes → folder
 */
export async function startSite(folders) {
  /** @type {Map<string, string>} */
  const pages = new Map()
  /** @type {Map<string, { model: Model, reply: (body: any, index: number) => Reply }>} */
  const models = new Map()
  /** @type {Map<string, { body: Buffer, zipped: Buffer }>} */
  const cache = new Map()
  /** @type {Fetched[]} */
  const fetched = []
  /** When the last request arrived. */
  let lastAt = 0

  /** @param {string} path */
  const fileAt = (path) => {
    const known = cache.get(path)
    if (known) return known
    const text = pages.get(path)
    const prefix = Object.keys(folders).find((one) => path.startsWith(one))
    let body
    try {
      if (text !== undefined) body = Buffer.from(text)
      else if (prefix) body = readFileSync(join(folders[prefix] ?? '', normalize(`/${path.slice(prefix.length)}`)))
    } catch {
      return undefined
    }
    if (!body) return undefined
    const file = { body, zipped: gzipSync(body, { level: 9 }) }
    cache.set(path, file)
    return file
  }

  const server = createServer((request, response) => {
    const at = now()
    lastAt = at
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const [, kind = '', id = ''] = path.split('/')
    const scripted = kind === 'm' ? models.get(id) : undefined
    if (scripted && request.method === 'POST') {
      answerAsModel(scripted, { request, response, at }).catch(() => response.destroy())
      return
    }
    const file = fileAt(path)
    if (!file) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found')
      return
    }
    const isPage = pages.has(path)
    if (!isPage) fetched.push({ path, gzip: file.zipped.length, at })
    response
      .writeHead(200, {
        'content-type': types.get(extname(path)) ?? 'text/html; charset=utf-8',
        'content-encoding': 'gzip',
        'cache-control': 'no-store',
      })
      .end(file.zipped)
  })
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The site has no port')

  let count = 0
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Files except pages, in the order in which they were fetched. Empty it with `splice`. */
    fetched,
    /** Adds a page or a script and returns its path. @param {string} text @param {string} [path] */
    add(text, path = `/page/${++count}.html`) {
      pages.set(path, text)
      cache.delete(path)
      return path
    },
    /**
     * Adds a model whose answers the function decides.
     * @param {(body: any, index: number) => Reply} reply `index` counts the requests from 0
     */
    model(reply) {
      const id = String(++count)
      /** @type {Model} */
      const model = { path: `/m/${id}/v1`, requests: [], answered: 0 }
      models.set(id, { model, reply })
      return model
    },
    /** Waits until no request has arrived for some time. @param {number} [quietMs] */
    async quiet(quietMs = 400) {
      while (now() - lastAt < quietMs) await pause(50)
    },
    /** Ends the site and all its connections. */
    async close() {
      await new Promise((resolve) => {
        server.close(() => resolve(undefined))
        server.closeAllConnections()
      })
    },
  }
}

/** @typedef {Awaited<ReturnType<typeof startSite>>} Site */

/**
 * @param {{ model: Model, reply: (body: any, index: number) => Reply }} scripted
 * @param {{ request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse, at: number }} exchange
 */
async function answerAsModel({ model, reply }, { request, response, at }) {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk
  const body = JSON.parse(text)
  model.requests.push({
    at,
    body,
    // Counted after the measurement, because the product waits for this process.
    get characters() {
      return charactersOf(body)
    },
  })
  const answer = reply(body, model.requests.length - 1)
  if (answer.delayMs) await pause(answer.delayMs)
  const calls = (answer.calls ?? []).map((call, index) => ({
    index,
    id: `call_${model.requests.length}_${index}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }))
  model.answered += (answer.pieces ?? []).join('').length
  for (const call of calls) model.answered += call.function.name.length + call.function.arguments.length
  const head = { id: 'bench', created: 1, model: 'bench' }
  const finish = calls.length > 0 ? 'tool_calls' : 'stop'
  // Plausible counts: one that stays the same while the request grows means that the server cuts requests.
  const tokens = Math.ceil(text.length / 4)
  const usage = { prompt_tokens: tokens, completion_tokens: 1, total_tokens: tokens + 1 }
  // deep-chat sends no field `stream`; its own protocol has one object with a text per event.
  const isDeepChat = request.url?.endsWith('/deep-chat')
  if (!body.stream && !isDeepChat) {
    const message = { role: 'assistant', content: (answer.pieces ?? []).join('') || null, tool_calls: calls }
    const choices = [{ index: 0, message, finish_reason: finish }]
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ ...head, object: 'chat.completion', choices, usage }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  const event = (/** @type {object} */ delta, /** @type {string | null} */ finished = null) =>
    `data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finished }] })}\n\n`
  const textEvent = (/** @type {string} */ content) =>
    isDeepChat ? `data: ${JSON.stringify({ text: content })}\n\n` : event({ content })
  if (!isDeepChat) response.write(event({ role: 'assistant', content: '' }))
  const { pieces = [], perWrite = 8, pauseMs = 0 } = answer
  for (let index = 0; index < pieces.length; index += perWrite) {
    response.write(
      pieces
        .slice(index, index + perWrite)
        .map(textEvent)
        .join(''),
    )
    if (pauseMs > 0) await pause(pauseMs)
  }
  if (isDeepChat) {
    response.end()
    return
  }
  if (calls.length > 0) response.write(event({ tool_calls: calls }))
  response.write(event({}, finish))
  response.write(`data: ${JSON.stringify({ ...head, object: 'chat.completion.chunk', choices: [], usage })}\n\n`)
  response.end('data: [DONE]\n\n')
}

/** What a model would read: the messages and the definitions of the tools. @param {any} body */
function charactersOf(body) {
  return JSON.stringify([body.messages, body.tools ?? []]).length
}
