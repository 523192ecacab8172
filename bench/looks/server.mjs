// The loopback server of the blind choice: a shop page with one of the products, the bundles, and a scripted model that
// every product asks in a protocol of its own: chat completions, AG-UI, deep-chat's, and a plain one for assistant-ui.
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * What the model answers to a message. With `call` it calls the tool of the shop first, which returns `result`.
 * `stays: 'open'`: the answer, or the call, does not end. `status`: the server fails with it.
 * @typedef {{ text?: string, call?: Record<string, unknown>, result?: unknown, stays?: 'open', status?: number }} Answer
 */
/** @typedef {{ say: string, answer: Answer }} Turn */
/** One thing that the model sends. @typedef {{ text: string } | { call: Record<string, unknown> }} Sent */
/**
 * How a protocol names the newest message and the result of the tool, and how it sends.
 * @typedef {object} Protocol
 * @property {(body: any) => { say: string, hasResult: boolean }} read
 * @property {(write: (event: object) => void, body: any) => { send: (sent: Sent) => void, end: () => void, fail?: () => void }} open
 */

const types = new Map([
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json'],
])

/** The texts of a message, whatever its parts are. @param {any} content @returns {string} */
const wordsOf = (content) =>
  Array.isArray(content) ? content.map((part) => part.text ?? '').join(' ') : String(content ?? '')

/** @param {any[]} messages */
function newest(messages) {
  const at = messages.findLastIndex(({ role }) => role === 'user')
  return {
    say: wordsOf(messages[at]?.content),
    hasResult: messages.slice(at + 1).some(({ role }) => role === 'tool'),
  }
}

/** @type {Record<string, Protocol>} */
const protocols = {
  '/v1/chat/completions': {
    read: (body) => newest(body.messages),
    open(write) {
      const chunk = (/** @type {object} */ delta, /** @type {string | null} */ finish = null) =>
        write({
          id: 'looks',
          object: 'chat.completion.chunk',
          created: 1,
          model: 'looks',
          choices: [{ index: 0, delta, finish_reason: finish }],
        })
      let finish = 'stop'
      return {
        send(sent) {
          if ('text' in sent) return chunk({ content: sent.text })
          finish = 'tool_calls'
          const call = { name: 'find_orders', arguments: JSON.stringify(sent.call) }
          chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: call }] })
        },
        end: () => chunk({}, finish),
      }
    },
  },
  '/ag-ui': {
    read: (body) => newest(body.messages),
    open(write, { threadId, runId }) {
      write({ type: 'RUN_STARTED', threadId, runId })
      const messageId = `message-${runId}`
      let isOpen = false
      return {
        send(sent) {
          if ('text' in sent) {
            if (!isOpen) write({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
            isOpen = true
            write({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta: sent.text })
            return
          }
          const toolCallId = `call-${runId}`
          write({ type: 'TOOL_CALL_START', toolCallId, toolCallName: 'find_orders', parentMessageId: messageId })
          write({ type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(sent.call) })
          write({ type: 'TOOL_CALL_END', toolCallId })
        },
        end() {
          if (isOpen) write({ type: 'TEXT_MESSAGE_END', messageId })
          write({ type: 'RUN_FINISHED', threadId, runId })
        },
        // The runtime of CopilotKit reports a fault of the model in the stream.
        fail: () => write({ type: 'RUN_ERROR', message: 'The model returned status 500.' }),
      }
    },
  },
  '/deep-chat': {
    read: (body) => ({ say: body.messages.at(-1).text, hasResult: false }),
    open: (write) => ({ send: write, end: () => undefined }),
  },
  '/plain': { read: (body) => body, open: (write) => ({ send: write, end: () => undefined }) },
}

/**
 * Starts the server.
 * @param {Record<string, string>} folders path prefix with slashes → folder
 */
export async function startServer(folders) {
  /** @type {Map<string, { html: string, turns: readonly Turn[] }>} */
  const pages = new Map()

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      process.stderr.write(`${error}\n`)
      response.destroy()
    })
  })

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async function answer(request, response) {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname
    const [, id = ''] = path.split('/')
    const page = pages.get(id)
    const protocol = page && protocols[path.slice(id.length + 1)]
    if (page && protocol && request.method === 'POST') return converse(page.turns, protocol, { request, response })
    if (page && path === `/${id}/`) {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page.html)
      return
    }
    const [prefix, folder] = Object.entries(folders).find(([one]) => path.startsWith(one)) ?? []
    try {
      if (prefix === undefined || folder === undefined) throw new Error('nothing is at this path')
      const file = readFileSync(join(folder, normalize(`/${path.slice(prefix.length)}`)))
      response.writeHead(200, { 'content-type': types.get(extname(path)) ?? 'application/octet-stream' }).end(file)
    } catch {
      response.writeHead(404).end()
    }
  }

  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('The server has no port')
  let count = 0
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** Adds a page with a conversation of its own and returns its path, which is the base of its protocols too. */
    add(/** @type {(base: string) => string} */ html, /** @type {readonly Turn[]} */ turns) {
      const id = String(++count)
      pages.set(id, { html: html(`/${id}`), turns })
      return `/${id}/`
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(() => resolve(undefined)))
    },
  }
}

/**
 * @param {readonly Turn[]} turns
 * @param {Protocol} protocol
 * @param {{ request: import('node:http').IncomingMessage, response: import('node:http').ServerResponse }} exchange
 */
async function converse(turns, protocol, { request, response }) {
  let raw = ''
  for await (const piece of request.setEncoding('utf8')) raw += piece
  const body = JSON.parse(raw)
  const { say, hasResult } = protocol.read(body)
  const turn = turns.find((one) => say.includes(one.say))
  if (!turn) throw new Error(`No turn says ${JSON.stringify(say)}`)
  const { text = '', call, stays, status } = turn.answer
  const fails = status !== undefined
  if (fails && protocol !== protocols['/ag-ui']) {
    const error = { message: 'The server had an error while processing your request.', type: 'server_error' }
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  const stream = protocol.open((event) => response.write(`data: ${JSON.stringify(event)}\n\n`), body)
  if (fails) {
    stream.fail?.()
    response.end()
    return
  }
  if (call && !hasResult) stream.send({ call })
  else {
    for (const piece of text.match(/\s*\S+/g) ?? []) {
      stream.send({ text: piece })
      await pause(5)
    }
    if (stays === 'open') return
  }
  stream.end()
  response.end(protocol === protocols['/v1/chat/completions'] ? 'data: [DONE]\n\n' : undefined)
}
