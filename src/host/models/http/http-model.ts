// The part of a model adapter that is the same for every HTTP protocol: sends one request over `fetch` and reads the
// answer. The turn loop retries and times out. Two exceptions: after a 401 the request is repeated once with new
// headers from the page, and a protocol may repeat a refused request with another body.
import { ToolAgentError, errorMessage } from '../../../core/data/errors.js'
import { formatId } from '../../../core/data/ids.js'
import { isObject, parseJson, type JsonArray, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { ModelAdapter, ModelPart, ModelRequest } from '../../../core/data/model.js'
import { AnswerBuilder, type AnswerContext, type AnswerProtocol } from '../answer/answer-builder.js'
import { badResponse, cutError, isHtml, quoted, secretsOf, withoutSecrets } from './answer-errors.js'
import {
  htmlError,
  httpError,
  networkError,
  policyError,
  streamError,
  watchCspViolations,
  offlineError,
} from './http-errors.js'
import type { ProviderOptions } from '../provider.js'
import { createSseReader, textChunks, within, type SseEvent } from './sse.js'
import { memoize } from '../../../core/state/memoize.js'
import { abortOnReturn } from '../../../core/loop/abort.js'

/** Options of a model behind HTTP. */
export interface HttpModelOptions extends ProviderOptions {
  /**
   * Creates ids for calls that the server sent without one. They must be unique.
   * @default 96 random bits
   */
  readonly newId?: () => string
  /**
   * Milliseconds to wait for the usage after the finish reason.
   * @default 3000
   */
  readonly linger?: number
}

/** What differs between the protocols. */
export interface HttpProtocol {
  /** Completes the endpoint's URL, which has no trailing slash. `model`: the name of the model, or "". */
  address(url: URL, request: { readonly model: string; readonly stream: boolean }): void
  /** The body of a request. */
  body(request: ModelRequest, options: { readonly stream: boolean }): JsonObject
  /** How its answers are read. */
  readonly answer: AnswerProtocol
  /** Headers that every request has, unless the page sets them. */
  readonly headers?: Readonly<Record<string, string>>
  /** What may be changed in a refused body. The first rule that fits is followed, and the body is sent again. */
  readonly relaxed?: readonly RelaxRule[]
}

/**
 * The body to send after the error `text`; undefined if it does not name what the rule changes. A rule must change the
 * body, so that the attempts end.
 */
export type RelaxRule = (body: JsonObject, text: string) => JsonObject | undefined

/**
 * What is yielded for bytes without a part: a comment, a ping, an event without content, a piece of a line.
 * One for each read, however many comments it holds.
 */
const alive: ModelPart = { type: 'alive' }

/** The maximum number of bytes that are read of an error response. */
const errorBytes = 65_536

interface Call {
  readonly options: HttpModelOptions
  readonly protocol: HttpProtocol
  readonly signal: AbortSignal
  /** `secrets` is set before the request is sent. */
  readonly context: AnswerContext & { secrets: readonly string[] }
  readonly answer: AnswerBuilder
  /** The response so far, for `onResponse`. */
  readonly response: { status?: number; body?: JsonValue; events?: JsonValue[] }
}

/**
 * A model at an endpoint that speaks `protocol`. Its stream throws `ToolAgentError`s with a model code, or
 * `invalid-option` for a wrong endpoint or header.
 */
export function httpModel(protocol: HttpProtocol, options: HttpModelOptions): ModelAdapter {
  return {
    stream(request, signal) {
      return abortOnReturn(signal, (both) => streamAnswer(protocol, options, request, both))
    },
  }
}

async function* streamAnswer(
  protocol: HttpProtocol,
  options: HttpModelOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, void, undefined> {
  signal.throwIfAborted()
  const url = baseUrl(options.endpoint)
  protocol.address(url, { model: request.model, stream: options.stream })
  const context = { url: url.origin + url.pathname, secrets: [], request, newId: options.newId ?? newCallId }
  const call: Call = {
    options,
    protocol,
    signal,
    context,
    answer: new AnswerBuilder(protocol.answer, context),
    response: {},
  }
  try {
    const response = await successfulResponse(call, url, protocol.body(request, { stream: options.stream }))
    for await (const part of answerParts(call, response)) {
      yield part
      signal.throwIfAborted()
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ToolAgentError) throw error
    // The connection broke. Before the first part it counts as a failed request, which may be retried.
    if (call.answer.started) throw cutError(error)
    throw offlineError(error) ?? networkError(error, context)
  } finally {
    if (call.response.status !== undefined)
      options.onResponse?.(withoutSecrets(call.response as JsonObject, context.secrets))
  }
}

/** A response with a success status. A 401 is retried once with new headers, another error with a relaxed body. */
async function successfulResponse(call: Call, url: URL, body: JsonObject): Promise<Response> {
  let response = await post(call, url, body, 'request')
  if (response.status === 401) {
    // The body of the 401 is not read.
    response.body?.cancel().catch(() => undefined)
    response = await post(call, url, body, 'unauthorized')
  }
  if (response.ok) return response
  const text = await readAll(textChunks(response, { signal: call.signal, limit: errorBytes, whenLonger: 'end' }))
  call.response.body = parseJson(text) ?? text
  for (const rule of call.protocol.relaxed ?? []) {
    const relaxed = rule(body, text)
    if (relaxed) return successfulResponse(call, url, relaxed)
  }
  throw httpError(response.status, response.headers, text, call.context)
}

async function post(call: Call, url: URL, body: JsonObject, reason: 'request' | 'unauthorized'): Promise<Response> {
  const { options, signal, context } = call
  const headers = await requestHeaders(call, reason)
  context.secrets = secretsOf(headers, url)
  options.onRequest?.(body)
  const send = options.fetch ?? fetch
  const csp = watchCspViolations(url)
  try {
    const response = await within(
      send(url.href, {
        method: 'POST',
        headers,
        body: bodyText(body),
        credentials: options.credentials,
        redirect: 'error',
        signal,
      }),
      signal,
    )
    call.response.status = response.status
    return response
  } catch (error) {
    if (!signal.aborted && (await csp.isBlocked())) throw policyError(error, url.origin)
    throw error
  } finally {
    csp.end()
  }
}

async function requestHeaders(call: Call, reason: 'request' | 'unauthorized'): Promise<Headers> {
  let given: Record<string, string>
  try {
    given = await within(call.options.headers(reason), call.signal)
  } catch (error) {
    call.signal.throwIfAborted()
    if (error instanceof ToolAgentError) throw error
    throw new ToolAgentError('unauthorized', `The headers function failed: ${errorMessage(error)}`, {
      cause: error,
      details: { retry: false },
    })
  }
  try {
    const headers = new Headers(given)
    for (const [name, value] of Object.entries({ 'content-type': 'application/json', ...call.protocol.headers })) {
      if (!headers.has(name)) headers.set(name, value)
    }
    return headers
  } catch {
    // The browser's message would contain the value, which may be a secret.
    throw new ToolAgentError(
      'invalid-option',
      `headers: a name or value is not valid HTTP. Check ${Object.keys(given).join(', ')}`,
    )
  }
}

/**
 * The parts of an answer. Its first character decides whether it is HTML, JSON or a stream, because servers send wrong
 * content types and some cannot stream.
 */
async function* answerParts(call: Call, response: Response): AsyncGenerator<ModelPart, void, undefined> {
  const { answer, context, options } = call
  /** Pings after the end of the answer must not keep it open. */
  let lingersUntil: number | undefined
  const patience = (): number | undefined => {
    if (!answer.finished) return undefined
    lingersUntil ??= Date.now() + (options.linger ?? 3000)
    return Math.max(0, lingersUntil - Date.now())
  }
  const chunks = textChunks(response, { signal: call.signal, limit: options.limits.responseBytes, patience })
  try {
    let head = ''
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      head += next.value
      if (head.trim() !== '') break
      yield alive
    }
    if (isHtml(head)) throw htmlError(context)
    if (/^\s*[{[]/.test(head)) yield* wholeParts(call, head, chunks)
    else yield* streamParts(call, head, chunks)
  } finally {
    await chunks.return()
  }
}

async function* wholeParts(
  call: Call,
  head: string,
  chunks: AsyncIterable<string>,
): AsyncGenerator<ModelPart, void, undefined> {
  let text = head
  yield alive
  for await (const chunk of chunks) {
    text += chunk
    yield alive
  }
  const body = parseJson(text)
  call.response.body = body ?? text
  if (body === undefined) throw badResponse(`Expected a JSON answer, received ${quoted(text, call.context.secrets)}`)
  yield* call.answer.addWhole(body)
  yield* call.answer.end(true)
}

async function* streamParts(
  call: Call,
  head: string,
  chunks: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<ModelPart, void, undefined> {
  const { answer, context, options } = call
  const reader = createSseReader()
  if (options.onResponse !== undefined) call.response.events = []
  const next = async (): Promise<string | undefined> => {
    try {
      return (await chunks.next()).value ?? undefined
    } catch (error) {
      // After the finish reason nothing is missing, so a broken connection does not matter.
      if (answer.finished && !call.signal.aborted && !(error instanceof ToolAgentError)) return undefined
      throw error
    }
  }
  let events = 0
  let isDone = false
  const read = function* (found: readonly SseEvent[]): Generator<ModelPart, void, undefined> {
    for (const event of found) {
      events++
      if (event.data.trim() === '[DONE]') {
        isDone = true
        return
      }
      yield* eventParts(call, event)
    }
  }
  for (let text: string | undefined = head; text !== undefined; text = await next()) {
    let isSilent = true
    for (const part of joined(read(reader.feed(text)))) {
      isSilent = false
      yield part
    }
    if (isSilent && !isDone) yield alive
    if (isDone) return yield* answer.end(true)
  }
  let marked = false
  for (const event of reader.end()) {
    events++
    if (event.data.trim() === '[DONE]') marked = true
    // An event without its blank line may be incomplete, so only valid JSON counts.
    else if (parseJson(event.data) !== undefined) yield* eventParts(call, event)
  }
  if (events === 0 && head.trim() !== '' && !/^\s*(:|data|event|id|retry)/.test(head)) {
    throw badResponse(`Expected a stream or JSON, received ${quoted(head, context.secrets)}`)
  }
  yield* answer.end(marked)
}

/** Joins consecutive deltas of one text, so that a fast stream gives one part per read and does not flood the page. */
function* joined(parts: Iterable<ModelPart>): Generator<ModelPart, void, undefined> {
  let pending: Extract<ModelPart, { delta: string }> | undefined
  try {
    for (const part of parts) {
      const isDelta = 'delta' in part
      // Metadata of its own would be lost.
      const isPlain = isDelta && !('providerMetadata' in part)
      if (pending && isPlain && part.type === pending.type && part.id === pending.id) {
        pending = { ...pending, delta: pending.delta + part.delta }
        continue
      }
      if (pending) yield pending
      pending = isDelta ? part : undefined
      if (!isDelta) yield part
    }
  } catch (error) {
    // The text before the error is shown.
    if (pending) yield pending
    throw error
  }
  if (pending) yield pending
}

function eventParts(call: Call, { event, data }: SseEvent): ModelPart[] {
  const { answer, context } = call
  const body = parseJson(data)
  call.response.events?.push(body ?? data)
  if (event === 'error' && !isObject(isObject(body) ? body['error'] : undefined))
    throw streamError(body ?? data, context)
  if (body !== undefined) return answer.add(body)
  if (answer.finished) return []
  throw badResponse(`A line of the stream is not JSON: ${quoted(data, context.secrets)}`)
}

async function readAll(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

/** The endpoint without a trailing slash. */
function baseUrl(endpoint: string): URL {
  let url: URL
  try {
    url = new URL(endpoint)
  } catch {
    // Without its query, which may contain a key.
    const received = JSON.stringify(endpoint.split('?', 1)[0])
    throw new ToolAgentError('invalid-option', `endpoint: expected an absolute URL, received ${received}`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new ToolAgentError(
      'invalid-option',
      'endpoint: must not contain a user name or password. Use the headers property.',
    )
  }
  url.pathname = url.pathname.replace(/\/+$/, '')
  url.hash = ''
  return url
}

/**
 * A body as JSON. What a list contains, such as the messages, is written once for all bodies. Lone surrogates are
 * replaced, because servers reject them.
 */
export function bodyText(body: JsonObject): string {
  const fields = Object.entries(body).flatMap(([name, value]) => {
    if (value === undefined) return []
    const text = Array.isArray(value) ? `[${value.map(itemText).join(',')}]` : wellFormedJson(value)
    return `${JSON.stringify(name)}:${text}`
  })
  return `{${fields.join(',')}}`
}

const objectText = memoize((item: JsonObject | JsonArray) => wellFormedJson(item))

function itemText(item: JsonValue): string {
  return typeof item === 'object' && item !== null ? objectText(item) : wellFormedJson(item)
}

function wellFormedJson(value: JsonValue): string {
  const text = JSON.stringify(value)
  // How JSON writes a lone surrogate.
  if (!text.includes('\\ud')) return text
  return JSON.stringify(value, (_key, inner: unknown) => (typeof inner === 'string' ? inner.toWellFormed() : inner))
}

function newCallId(): string {
  return `call_${formatId(crypto.getRandomValues(new Uint8Array(12)))}`
}
