// The offline model as an endpoint: a handler for any plain HTTP server that answers chat completions as real
// endpoints do, streamed word by word with small pauses.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { chunks, completion } from './completion.js'
import { HttpError, pathOf, readJson, sendError, sendJson } from './http.js'
import { offlineModel } from '../offline/offline-model.js'
import { parseRequest, type ChatRequest } from './chat.js'

const defaultDelay = 14
/** A model thinks before its first word: this many times the pause between two. */
const firstFactor = 18

/**
 * Answers `POST …/chat/completions`; 404 for all else, 400 for a body that is no request. `delay` is the pause between
 * chunks in milliseconds; a query `?delay=` or a header `x-offline-delay` wins over it, 0 is without pauses.
 */
export async function offlineHandler(
  request: IncomingMessage,
  response: ServerResponse,
  delay = delayFrom(process.env['OFFLINE_MODEL_DELAY']) ?? defaultDelay,
): Promise<void> {
  try {
    if (!pathOf(request).endsWith('/chat/completions'))
      throw new HttpError(
        404,
        `There is nothing at ${pathOf(request)}; the offline model answers POST /chat/completions`,
      )
    if (request.method !== 'POST') throw new HttpError(405, 'Chat completions want POST')
    const chat = requestFrom(await readJson(request))
    const parts = offlineModel(chat)
    if (!chat.stream) sendJson(response, 200, completion(chat, parts, Date.now()))
    else await stream(response, [...chunks(chat, parts, Date.now())], asked(request) ?? delay)
  } catch (error) {
    if (error instanceof HttpError) sendError(response, error.status, error.message)
    else sendError(response, 500, `The offline model failed: ${(error as Error).message}`)
  }
}

function requestFrom(body: unknown): ChatRequest {
  try {
    return parseRequest(body)
  } catch (error) {
    throw new HttpError(400, (error as Error).message)
  }
}

function asked(request: IncomingMessage): number | undefined {
  const header = request.headers['x-offline-delay']
  return delayFrom(
    new URL(request.url ?? '/', 'http://localhost').searchParams.get('delay') ??
      (Array.isArray(header) ? header[0] : header),
  )
}

function delayFrom(text: string | null | undefined): number | undefined {
  const value = text === null || text === undefined || text.trim() === '' ? NaN : Number(text)
  return value >= 0 && value <= 10_000 ? value : undefined
}

async function stream(response: ServerResponse, events: readonly object[], delay: number): Promise<void> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  })
  response.flushHeaders()
  await pause(response, delay * firstFactor)
  for (const event of events) {
    if (response.destroyed) return
    response.write(`data: ${JSON.stringify(event)}\n\n`)
    await pause(response, delay)
  }
  response.end('data: [DONE]\n\n')
}

/** Ends early when the client goes away. */
function pause(response: ServerResponse, ms: number): Promise<void> {
  if (ms === 0 || response.destroyed) return Promise.resolve()
  return new Promise((done) => {
    const timer = setTimeout(end, ms)
    response.once('close', end)
    function end(): void {
      clearTimeout(timer)
      response.off('close', end)
      done()
    }
  })
}
