// What both endpoints of the development server need: a bounded body, answers as JSON, and the rule that only pages of
// this very origin may ask.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { JsonValue } from '../../src/core/data/json.js'

/** As of the relay, and more than the panel attaches to one message. */
export const mostBytes = 20_000_000

export class HttpError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The body as text; a body over 20 MB is a 413. */
export async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request) {
    const bytes = part as Buffer
    size += bytes.length
    if (size > mostBytes) throw new HttpError(413, 'The body is larger than 20 MB')
    parts.push(bytes)
  }
  return Buffer.concat(parts).toString('utf8')
}

export async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = await readBody(request)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new HttpError(400, `The body is not JSON: ${(error as Error).message}`)
  }
}

export function sendJson(response: ServerResponse, status: number, body: JsonValue): void {
  if (response.destroyed) return
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' })
  response.end(JSON.stringify(body))
}

/** In the form that OpenAI-compatible endpoints answer errors with. */
export function sendError(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent) response.destroy()
  else
    sendJson(response, status, {
      error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', code: status },
    })
}

/**
 * Whether a page of this origin, or no page at all, sent the request. Browsers set both headers and no script can
 * forge them; without this rule any site could spend the key of whoever runs the server.
 */
export function isSameOrigin({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return false
  const { origin, host } = headers
  if (origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

/** The path behind a prefix, without the query. */
export function pathOf(request: IncomingMessage): string {
  return new URL(request.url ?? '/', 'http://localhost').pathname
}
