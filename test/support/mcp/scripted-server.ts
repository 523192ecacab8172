// An MCP server over streamable HTTP that does what a test says, also what no server should do: cut streams, change
// its list, forget sessions, refuse a request, stay silent. It speaks revision 2025-11-25, or with `isModern` 2026-07-28.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { JsonObject } from '../../../src/core/data/json.js'

/** A request or notification as it arrived. */
export interface McpMessage {
  readonly method: string
  readonly id?: number | string
  readonly params?: JsonObject
  readonly result?: JsonObject
  readonly error?: JsonObject
}

/** One call of a tool. */
export interface McpCall {
  readonly args: JsonObject
  readonly headers: IncomingMessage['headers']
  readonly id: number | string
  /** Opens the answer as an event stream, if it is not open yet, and sends one message. `id`: the id of the event. */
  send(message: JsonObject, id?: string): void
  /** Sends a progress notification. */
  progress(value: JsonObject): void
  /** Replaces the tools, and reports it on the stream of this call, so that the client knows before the result. */
  change(tools: readonly ScriptedTool[]): void
  /** Asks the client and resolves with its result. */
  ask(method: string, params: JsonObject): Promise<JsonObject>
  /** Withdraws the newest question. */
  withdraw(): void
  /** Breaks the connection. */
  cut(): void
  /** Ends the stream without a result. */
  end(): void
  /** Answers with this text as JSON. */
  json(body: unknown): void
  /** Sends progress at this rate until the client closes the connection. */
  flood(perSecond: number, value?: (count: number) => JsonObject): void
}

/** Returns the result of a call, or undefined for no answer at all. */
export type McpHandler = (call: McpCall) => JsonObject | undefined | Promise<JsonObject | undefined>

/** A tool with what its calls do. */
export interface ScriptedTool {
  readonly definition: JsonObject
  readonly handler?: McpHandler
}

export interface ScriptedMcp {
  readonly url: string
  /** Every message of the client, in order. `GET` opens a stream, `DELETE` ends a session. */
  readonly messages: readonly McpMessage[]
  /** The headers of each request, in order. */
  readonly headers: readonly IncomingMessage['headers'][]
  /** Names of the messages of this method, for counting. */
  count(method: string): number
  /** Resolves when a message of this method has arrived `times` times. */
  arrived(method: string, times?: number): Promise<void>
  /** Replaces the tools, and reports it on the streams that the clients keep open. */
  change(tools: readonly ScriptedTool[]): void
  /** Returns the challenge of a request that must be refused with 401, or with 403 if it says `insufficient_scope`. */
  authorize: (headers: IncomingMessage['headers']) => string | undefined
  /** Answers `tools/list` without a list. */
  breaksList: boolean
  /** Forgets all sessions, as after a restart. Requests with an old one get `refusal`, without it a 404. */
  forget(refusal?: { readonly status: number; readonly code?: number; readonly message: string }): void
  /** Ends all connections; requests are refused until `start`. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** A tool that returns a text. */
export function textTool(name: string, text: string, more: JsonObject = {}): ScriptedTool {
  return {
    definition: {
      name,
      description: `Does the work of ${name}`,
      inputSchema: { type: 'object', properties: {} },
      ...more,
    },
    handler: () => ({ content: [{ type: 'text', text }] }),
  }
}

const listChanged: JsonObject = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }

/**
 * Starts a server. `pageSize`: tools in each page of the list. `rewrite`: changes each message that it sends.
 * `contentType`: of its answers.
 */
export async function startScriptedMcp(
  first: readonly ScriptedTool[],
  {
    pageSize = Infinity,
    capabilities = { tools: { listChanged: true } },
    isModern = false,
    rewrite = (message) => message,
    contentType = 'application/json',
  }: {
    pageSize?: number
    capabilities?: JsonObject
    isModern?: boolean
    rewrite?: (message: JsonObject) => JsonObject
    contentType?: string
  } = {},
): Promise<ScriptedMcp> {
  let tools = first
  let sessions = new Set<string>()
  let refusal: Parameters<ScriptedMcp['forget']>[0]
  let count = 0
  const messages: McpMessage[] = []
  const headers: IncomingMessage['headers'][] = []
  const streams = new Set<ServerResponse>()
  const answers = new Map<string, (result: JsonObject) => void>()
  const waiting = new Set<() => void>()
  let port = 0
  let server: Server

  const counted = (method: string) => messages.filter((message) => message.method === method).length

  function json(response: ServerResponse, message: JsonObject, more: Record<string, string> = {}): void {
    response.writeHead(200, { 'content-type': contentType, ...more }).end(JSON.stringify(rewrite(message)))
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('access-control-allow-origin', '*')
    response.setHeader('access-control-allow-headers', '*, authorization')
    response.setHeader('access-control-allow-methods', 'GET, POST, DELETE')
    response.setHeader('access-control-expose-headers', 'mcp-session-id, www-authenticate')
    if (request.method === 'OPTIONS') return void response.writeHead(204).end()
    headers.push(request.headers)
    const challenge = api.authorize(request.headers)
    const status = challenge?.includes('insufficient_scope') ? 403 : 401
    if (challenge !== undefined) return void response.writeHead(status, { 'www-authenticate': challenge }).end()
    const session = String(request.headers['mcp-session-id'] ?? '')
    const isLost = session !== '' && !sessions.has(session)
    if (isLost && (request.method !== 'POST' || refusal === undefined)) return void response.writeHead(404).end()
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
      streams.add(response)
      response.on('close', () => streams.delete(response))
      record({ method: 'GET' })
      return
    }
    if (request.method === 'DELETE') {
      sessions.delete(session)
      record({ method: 'DELETE' })
      return void response.writeHead(200).end()
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const message = JSON.parse(Buffer.concat(chunks).toString('utf8')) as McpMessage
    if (message.method === undefined) {
      answers.get(String(message.id))?.(message.result ?? message.error ?? {})
      return void response.writeHead(202).end()
    }
    if (message.id === undefined) {
      record(message)
      return void response.writeHead(202).end()
    }
    const { id, params = {} } = message
    if (isLost && refusal !== undefined) {
      const { status, code = -32000, message: text } = refusal
      response.writeHead(status, { 'content-type': 'application/json' })
      return void response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message: text } }))
    }
    const complete = isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {}
    const reply = (result: JsonObject) => json(response, { jsonrpc: '2.0', id, result: { ...complete, ...result } })
    if (isModern && message.method === 'server/discover') {
      record(message)
      const serverInfo = { name: 'scripted', version: '1' }
      return reply({ supportedVersions: ['2026-07-28'], capabilities, serverInfo })
    }
    switch (message.method) {
      case 'initialize': {
        const created = `session-${++count}`
        sessions.add(created)
        record(message)
        return json(
          response,
          {
            jsonrpc: '2.0',
            id,
            result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'scripted', version: '1' } },
          },
          { 'mcp-session-id': created },
        )
      }
      case 'tools/list': {
        record(message)
        if (api.breaksList) return reply({ tools: 'none' })
        const from = Number(params['cursor'] ?? 0)
        const to = from + pageSize
        const page = tools.slice(from, to).map(({ definition }) => definition)
        return reply({ tools: page, ...(to < tools.length ? { nextCursor: String(to) } : {}) })
      }
      case 'tools/call': {
        const tool = tools.find(({ definition }) => definition['name'] === params['name'])
        const call = callOf(message, request.headers, response)
        const running = Promise.resolve(tool?.handler?.(call))
        record(message)
        const result = await running
        if (result === undefined) return
        if (response.headersSent) {
          call.send({ jsonrpc: '2.0', id, result: { ...complete, ...result } })
          response.end()
        } else reply(result)
        return
      }
      default:
        record(message)
        return json(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } })
    }
  }

  function callOf(
    { id = 0, params = {} }: McpMessage,
    headers: IncomingMessage['headers'],
    response: ServerResponse,
  ): McpCall {
    const call: McpCall = {
      id,
      headers,
      args: (params['arguments'] ?? {}) as JsonObject,
      send(message, eventId) {
        if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(
          `${eventId === undefined ? '' : `id: ${eventId}\n`}data: ${JSON.stringify(rewrite(message))}\n\n`,
        )
      },
      progress(value) {
        const progressToken = ((params['_meta'] ?? {}) as JsonObject)['progressToken'] ?? ''
        call.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, ...value } })
      },
      change(next) {
        tools = next
        call.send(listChanged)
      },
      ask(method, asked) {
        const question = `question-${++count}`
        call.send({ jsonrpc: '2.0', id: question, method, params: asked })
        return new Promise((resolve) => answers.set(question, resolve))
      },
      withdraw: () =>
        call.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: `question-${count}` } }),
      cut: () => void response.destroy(),
      end: () => void response.end(),
      json: (body) => void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      flood(perSecond, value = (progress) => ({ progress, message: `Row ${progress}` })) {
        const startedAt = Date.now()
        let sent = 0
        const timer = setInterval(() => {
          const due = ((Date.now() - startedAt) * perSecond) / 1_000
          while (sent < due) call.progress(value(++sent))
        }, 10)
        response.on('close', () => clearInterval(timer))
      },
    }
    return call
  }

  function record(message: McpMessage): void {
    messages.push(message)
    for (const check of waiting) check()
  }

  const api: ScriptedMcp = {
    get url() {
      return `http://127.0.0.1:${port}/mcp`
    },
    messages,
    headers,
    count: counted,
    arrived: (method, times = 1) =>
      new Promise((resolve) => {
        const check = () => {
          if (counted(method) < times) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    change(next) {
      tools = next
      for (const stream of streams) stream.write(`data: ${JSON.stringify(listChanged)}\n\n`)
    },
    authorize: () => undefined,
    breaksList: false,
    forget(answer) {
      sessions = new Set()
      refusal = answer
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
    start: () =>
      new Promise((resolve) => {
        server = createServer((request, response) => {
          answer(request, response).catch(() => response.destroy())
        })
        server.listen(port, '127.0.0.1', () => {
          const address = server.address()
          if (typeof address === 'object' && address !== null) port = address.port
          resolve()
        })
      }),
  }
  await api.start()
  return api
}
