// A model behind an OpenAI-compatible endpoint, over `fetch`. It makes one call; retries and time-outs are the loop's,
// save for one 401, which only the page's headers can answer.
import { ToolAgentError, errorMessage } from '../../../core/data/errors.js'
import { formatId } from '../../../core/data/ids.js'
import { isObject, parseJson, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { ModelAdapter, ModelPart, ModelRequest } from '../../../core/data/model.js'
import { bodyText, chatBody } from './chat-request.js'
import { createChatAssembly, type ChatAssembly } from './chat-stream.js'
import {
  badResponse,
  cutError,
  htmlError,
  httpError,
  isHtml,
  networkError,
  policyError,
  quoted,
  secretsOf,
  streamError,
  withoutSecrets,
  type ErrorContext,
} from './http-errors.js'
import { watchCspViolations } from '../csp-violation.js'
import type { ProviderOptions } from '../provider.js'
import { createSseReader, textChunks, within, type SseEvent } from './sse.js'

export interface ChatCompletionsOptions extends ProviderOptions {
  /** Ids for calls that came without one. */
  readonly newId?: () => string
  /** Milliseconds that an answer whose finish was seen may go on, for its usage; 3000. */
  readonly linger?: number
}

/** More of an error page than any message needs. */
const errorBytes = 65_536

interface Call {
  readonly options: ChatCompletionsOptions
  readonly signal: AbortSignal
  /** What messages may say and must not. */
  readonly context: ErrorContext & { secrets: readonly string[]; readonly newId: () => string }
  readonly assembly: ChatAssembly
  /** What `onResponse` is told in the end. */
  readonly seen: { status?: number; body?: JsonValue; events?: JsonValue[] }
}

export function chatCompletions(options: ChatCompletionsOptions): ModelAdapter {
  return {
    stream(request, signal) {
      // A generator that waits in a read hears `return()` only behind it: whoever lets go of the answer ends the request.
      const released = new AbortController()
      const parts = streamChat(options, request, AbortSignal.any([signal, released.signal]))
      const iterator: AsyncIterator<ModelPart> = {
        next: () => parts.next(),
        return() {
          released.abort()
          return parts.return()
        },
      }
      return { [Symbol.asyncIterator]: () => iterator }
    },
  }
}

async function* streamChat(
  options: ChatCompletionsOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, void, undefined> {
  signal.throwIfAborted()
  const url = completionsUrl(options.endpoint)
  const context = { url: url.origin + url.pathname, secrets: [], newId: options.newId ?? newCallId }
  const call: Call = { options, signal, context, assembly: createChatAssembly(context), seen: {} }
  try {
    const response = await goodAnswer(call, url, chatBody(request, { stream: options.stream }))
    for await (const part of answerParts(call, response)) {
      yield part
      signal.throwIfAborted()
    }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ToolAgentError) throw error
    // Reading failed: the connection broke. Before anything came out, that is a call without an answer.
    throw call.assembly.started ? cutError(error) : networkError(error, context)
  } finally {
    if (call.seen.status !== undefined) options.onResponse?.(withoutSecrets(call.seen as JsonObject, context.secrets))
  }
}

/** A good answer or an error. Two refusals get a second try: old credentials, and a server that knows no `stream_options`. */
async function goodAnswer(call: Call, url: URL, body: JsonObject): Promise<Response> {
  let response = await post(call, url, body, 'request')
  if (response.status === 401) {
    // Nobody reads the refused answer, nor an error of it.
    response.body?.cancel().catch(() => undefined)
    response = await post(call, url, body, 'unauthorized')
  }
  if (response.ok) return response
  const text = await readAll(textChunks(response, { signal: call.signal, limit: errorBytes, whenLonger: 'end' }))
  call.seen.body = parseJson(text) ?? text
  const { stream_options: wish, ...rest } = body
  if (wish !== undefined && text.includes('stream_options')) return goodAnswer(call, url, rest)
  throw httpError(response.status, response.headers, text, call.context)
}

async function post(call: Call, url: URL, body: JsonObject, reason: 'request' | 'unauthorized'): Promise<Response> {
  const { options, signal, context } = call
  const headers = await requestHeaders(call, reason)
  context.secrets = secretsOf(headers, url)
  options.onRequest?.(body)
  const send = options.fetch ?? fetch
  const policy = watchCspViolations(url)
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
    call.seen.status = response.status
    return response
  } catch (error) {
    if (!signal.aborted && (await policy.refused())) throw policyError(error, url.origin)
    throw error
  } finally {
    policy.end()
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
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    return headers
  } catch {
    // The browser's own message would quote the value.
    throw new ToolAgentError(
      'invalid-option',
      `The headers property holds a name or value that HTTP does not allow (names: ${Object.keys(given).join(', ')}).`,
    )
  }
}

/** The parts of an answer. What it is shows in its first character: servers mislabel, and some cannot stream. */
async function* answerParts(call: Call, response: Response): AsyncGenerator<ModelPart, void, undefined> {
  const { assembly, context, options } = call
  const chunks = textChunks(response, {
    signal: call.signal,
    limit: options.limits.responseBytes,
    patience: () => (assembly.finished ? (options.linger ?? 3000) : undefined),
  })
  try {
    let head = ''
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      head += next.value
      if (head.trim() !== '') break
    }
    if (isHtml(head)) throw htmlError(context)
    if (/^\s*[{[]/.test(head)) yield* wholeParts(call, head + (await readAll(chunks)))
    else yield* streamParts(call, head, chunks)
  } finally {
    await chunks.return()
  }
}

function* wholeParts(call: Call, text: string): Generator<ModelPart, void, undefined> {
  const body = parseJson(text)
  call.seen.body = body ?? text
  if (body === undefined) throw badResponse(`The endpoint’s answer is not JSON: ${quoted(text, call.context.secrets)}`)
  yield* call.assembly.addWhole(body)
  yield* call.assembly.end(true)
}

async function* streamParts(
  call: Call,
  head: string,
  chunks: AsyncGenerator<string, void, undefined>,
): AsyncGenerator<ModelPart, void, undefined> {
  const { assembly, context, options } = call
  const reader = createSseReader()
  if (options.onResponse !== undefined) call.seen.events = []
  const next = async (): Promise<string | undefined> => {
    try {
      return (await chunks.next()).value ?? undefined
    } catch (error) {
      // A connection that breaks behind the finish took nothing away.
      if (assembly.finished && !call.signal.aborted && !(error instanceof ToolAgentError)) return undefined
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
    yield* joined(read(reader.feed(text)))
    if (isDone) return yield* assembly.end(true)
  }
  let marked = false
  for (const event of reader.end()) {
    events++
    if (event.data.trim() === '[DONE]') marked = true
    // What no blank line followed may have been cut in two.
    else if (parseJson(event.data) !== undefined) yield* eventParts(call, event)
  }
  if (events === 0 && head.trim() !== '' && !/^\s*(:|data|event|id|retry)/.test(head)) {
    throw badResponse(`The endpoint’s answer is neither a stream nor JSON: ${quoted(head, context.secrets)}`)
  }
  yield* assembly.end(marked)
}

/** Neighbouring deltas of one text as one: a flood is as many parts as there were reads, and the page keeps up with it. */
function* joined(parts: Iterable<ModelPart>): Generator<ModelPart, void, undefined> {
  let held: Extract<ModelPart, { delta: string }> | undefined
  try {
    for (const part of parts) {
      const isDelta = 'delta' in part
      if (held && isDelta && part.type === held.type && part.id === held.id) {
        held = { ...held, delta: held.delta + part.delta }
        continue
      }
      if (held) yield held
      held = isDelta ? part : undefined
      if (!isDelta) yield part
    }
  } catch (error) {
    // What came before the fault is shown.
    if (held) yield held
    throw error
  }
  if (held) yield held
}

function eventParts(call: Call, { event, data }: SseEvent): ModelPart[] {
  const { assembly, context } = call
  const body = parseJson(data)
  call.seen.events?.push(body ?? data)
  if (event === 'error' && !isObject(isObject(body) ? body['error'] : undefined))
    throw streamError(body ?? data, context)
  if (body !== undefined) return assembly.add(body)
  if (assembly.finished) return []
  throw badResponse(`A line of the stream is not JSON: ${quoted(data, context.secrets)}`)
}

async function readAll(chunks: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const chunk of chunks) text += chunk
  return text
}

function completionsUrl(endpoint: string): URL {
  let url: URL
  try {
    url = new URL(endpoint)
  } catch {
    throw new ToolAgentError('invalid-option', 'The endpoint is not an absolute URL.')
  }
  if (url.username !== '' || url.password !== '') {
    throw new ToolAgentError(
      'invalid-option',
      'The endpoint must not hold a user name or password; use the headers property.',
    )
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/chat/completions`
  url.hash = ''
  return url
}

function newCallId(): string {
  return `call_${formatId(crypto.getRandomValues(new Uint8Array(12)))}`
}
