// Answers the model requests of a page: forwards them to the endpoint with the key, or asks the offline model. Runs in
// Node, so that the page never has the key.
import type { Page, Request, Route } from 'playwright'
import { chunks, completion } from '../playground/server/completion.js'
import { offlineModel } from '../playground/offline/offline-model.js'
import { parseRequest, type ChatRequest, type OfflinePart } from '../playground/server/chat.js'
import type { ToolAgentElement } from '../src/ui/element/tool-agent-element.js'
import type { Settings } from './arguments.js'

/** The addresses of the four protocols. */
const modelPath = /\/(chat\/completions|responses|messages|models\/[^/]+:(?:streamG|g)enerateContent)$/

export interface ModelProxy {
  /** Whether a request may be one of a model. */
  isModelRequest(url: URL): boolean
  /**
   * Answers one to the endpoint of the page's assistant. Every other request goes on: a page may have addresses of its
   * own that end like those of a model. After `maxRequests` every request fails.
   */
  answer(route: Route, page: Page): Promise<void>
}

export function createModelProxy(
  settings: Pick<Settings, 'endpoint' | 'key'>,
  model: string | undefined,
  maxRequests = Infinity,
): ModelProxy {
  let count = 0
  /** The endpoints that the assistant had so far: while the page changes, it cannot be asked. */
  const endpoints = new Set<string>()
  return {
    isModelRequest: (url) => modelPath.test(url.pathname),
    async answer(route, page) {
      const request = route.request()
      const endpoint = await endpointOf(page).catch(() => undefined)
      if (endpoint !== undefined) endpoints.add(endpoint)
      if (
        !endpoints.has(
          request
            .url()
            .replace(/[?#].*/, '')
            .replace(modelPath, ''),
        )
      )
        return route.fallback()
      const cors = corsHeaders(request)
      if (request.method() === 'OPTIONS') return route.fulfill({ status: 204, headers: cors })
      const reply =
        ++count > maxRequests
          ? { status: 400, type: 'application/json', body: errorBody(`More than ${maxRequests} model calls`) }
          : await modelReply(request, settings, model)
      // A server may repeat the key in an error.
      const body = settings.key ? reply.body.replaceAll(settings.key, '…') : reply.body
      await route.fulfill({ status: reply.status, contentType: reply.type, headers: cors, body })
    },
  }
}

/** The endpoint of the assistant as an address; undefined if it has none. */
function endpointOf(page: Page): Promise<string | undefined> {
  return page.evaluate(() => {
    const element = document.querySelector<ToolAgentElement>('tool-agent')
    const endpoint = element?.agent?.options.endpoint
    return endpoint === undefined ? undefined : new URL(endpoint, document.baseURI).href.replace(/\/+$/, '')
  })
}

export interface ModelReply {
  readonly status: number
  readonly type: string
  readonly body: string
}

async function modelReply(
  request: Request,
  { endpoint, key }: Pick<Settings, 'endpoint' | 'key'>,
  model: string | undefined,
): Promise<ModelReply> {
  const url = new URL(request.url())
  const [, path = ''] = modelPath.exec(url.pathname) ?? []
  try {
    const body = JSON.parse(request.postData() ?? '') as Record<string, unknown>
    if (endpoint === undefined) return offlineReply(path, body)
    const isGoogle = path.startsWith('models/')
    const name = isGoogle && model ? path.replace(/^models\/[^/:]+/, `models/${encodeURIComponent(model)}`) : path
    const answer = await fetch(`${endpoint}/${name}${url.search}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...authentication(path, key) },
      body: JSON.stringify(isGoogle || !model ? body : { ...body, model }),
    })
    const type = answer.headers.get('content-type') ?? 'application/json'
    return { status: answer.status, type, body: await answer.text() }
  } catch (error) {
    const reason = error instanceof Error ? `${error.message} ${String(error.cause ?? '')}`.trim() : String(error)
    return { status: 502, type: 'application/json', body: errorBody(`The endpoint cannot be reached: ${reason}`) }
  }
}

function authentication(path: string, key: string | undefined): Record<string, string> {
  if (path === 'messages') return { 'anthropic-version': '2023-06-01', ...(key && { 'x-api-key': key }) }
  if (key === undefined) return {}
  return path.startsWith('models/') ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}

function offlineReply(path: string, body: unknown): ModelReply {
  if (path !== 'chat/completions') {
    const message = 'The offline model speaks chat completions only. Set MODEL_ENDPOINT.'
    return { status: 404, type: 'application/json', body: errorBody(message) }
  }
  const chat = parseRequest(body)
  return chatReply(chat, offlineModel(chat))
}

/** An answer in the protocol of chat completions, streamed if the request says so. */
export function chatReply(chat: ChatRequest, parts: readonly OfflinePart[]): ModelReply {
  if (!chat.stream)
    return { status: 200, type: 'application/json', body: JSON.stringify(completion(chat, parts, Date.now())) }
  const events = [...chunks(chat, parts, Date.now())].map((event) => `data: ${JSON.stringify(event)}\n\n`)
  return { status: 200, type: 'text/event-stream; charset=utf-8', body: `${events.join('')}data: [DONE]\n\n` }
}

function errorBody(message: string): string {
  return JSON.stringify({ error: { message, type: 'tool_agent_eval' } })
}

/** The page may use an endpoint of another origin. */
function corsHeaders(request: Request): Record<string, string> {
  const { origin, 'access-control-request-headers': asked } = request.headers()
  return {
    'access-control-allow-origin': origin ?? '*',
    'access-control-allow-credentials': 'true',
    ...(asked && { 'access-control-allow-headers': asked }),
  }
}
