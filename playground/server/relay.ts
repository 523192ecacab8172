// The relay: the page asks its own origin, the server adds the key and asks the model. This is the way for production,
// too: no key in a page, and one place where limits and accounts can be checked.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isObject } from '../../src/core/data/json.js'
import { HttpError, isSameOrigin, pathOf, readJson, sendError } from './http.js'

export interface RelaySettings {
  /** Base URL up to and including the version; a query is kept. */
  readonly endpoint: URL
  /** Wins over the model that the page names. */
  readonly model: string | undefined
  readonly key: string | undefined
  /** Which requests are relayed. @default those of the same origin */
  readonly allows?: (request: IncomingMessage) => boolean
}

/** From `MODEL_ENDPOINT`, `MODEL_NAME` and `MODEL_API_KEY`; undefined where no endpoint is set. */
export function relayFrom(env: Readonly<Record<string, string | undefined>>): RelaySettings | undefined {
  const endpoint = env['MODEL_ENDPOINT']?.trim()
  if (!endpoint) return undefined
  if (!URL.canParse(endpoint) || !/^https?:$/.test(new URL(endpoint).protocol)) {
    throw new Error(
      `MODEL_ENDPOINT is not an http(s) URL: ${endpoint}. Give the base up to and including the version, such as https://api.openai.com/v1`,
    )
  }
  return {
    endpoint: new URL(endpoint),
    model: env['MODEL_NAME']?.trim() || undefined,
    key: env['MODEL_API_KEY']?.trim() || undefined,
  }
}

/** Headers of the model's answer that a client can use; cookies and the like stay here. */
const passedOn = ['content-type', 'retry-after', 'retry-after-ms', 'x-request-id']

/** Relays `POST …/chat/completions`; other paths are a 404, other origins a 403. Never fails, logs nothing. */
export async function relayHandler(
  request: IncomingMessage,
  response: ServerResponse,
  settings: RelaySettings,
): Promise<void> {
  const upstream = new AbortController()
  response.on('close', () => {
    upstream.abort()
  })
  try {
    if (!(settings.allows ?? isSameOrigin)(request))
      throw new HttpError(403, 'Only pages of this origin may use the relay')
    if (!pathOf(request).endsWith('/chat/completions'))
      throw new HttpError(404, `The relay has nothing at ${pathOf(request)}; it relays POST /chat/completions`)
    if (request.method !== 'POST') throw new HttpError(405, 'Chat completions want POST')
    const body = await readJson(request)
    if (!isObject(body)) throw new HttpError(400, 'The body must be a JSON object')
    const { model } = settings
    const answer = await ask(settings, { ...body, ...(model === undefined ? {} : { model }) }, request, upstream.signal)
    await passOn(answer, response, settings)
  } catch (error) {
    if (response.destroyed) return
    if (error instanceof HttpError) sendError(response, error.status, error.message)
    else sendError(response, 502, withoutKey(`The model endpoint cannot be reached: ${reasonOf(error)}`, settings))
  }
}

async function ask(
  { endpoint, key }: RelaySettings,
  body: object,
  request: IncomingMessage,
  signal: AbortSignal,
): Promise<Response> {
  const url = new URL(endpoint)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`
  return fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: request.headers.accept ?? '*/*',
      // Compressed bytes would be held back until a block is full.
      'accept-encoding': 'identity',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(body),
    // The key must not follow a redirect to another host.
    redirect: 'error',
    signal,
  })
}

async function passOn(answer: Response, response: ServerResponse, settings: RelaySettings): Promise<void> {
  if (!answer.ok) {
    const text = withoutKey(await answer.text(), settings)
    if (isJson(text)) {
      response.writeHead(answer.status, headersOf(answer)).end(text)
    } else {
      const said = text
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim()
        .slice(0, 300)
      sendError(
        response,
        answer.status,
        `The model endpoint answered ${answer.status} ${answer.statusText} without JSON: ${said}`,
      )
    }
    return
  }
  response.writeHead(answer.status, headersOf(answer))
  response.flushHeaders()
  const reader = answer.body?.getReader()
  for (let part = await reader?.read(); part && !part.done && !response.destroyed; part = await reader?.read()) {
    if (!response.write(part.value)) await drained(response)
  }
  response.end()
}

function headersOf(answer: Response): Record<string, string> {
  const headers: Record<string, string> = { 'cache-control': 'no-store', 'x-accel-buffering': 'no' }
  for (const name of passedOn) {
    const value = answer.headers.get(name)
    if (value !== null) headers[name] = value
  }
  return headers
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((done) => {
    const end = (): void => {
      response.off('drain', end)
      response.off('close', end)
      done()
    }
    response.once('drain', end)
    response.once('close', end)
  })
}

/** Some endpoints quote the key that they refuse. */
function withoutKey(text: string, { key }: RelaySettings): string {
  return key === undefined ? text : text.replaceAll(key, '[key]')
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return cause instanceof Error ? ((cause as NodeJS.ErrnoException).code ?? cause.message) : String(cause)
}
