// What a server or the network answered instead of a model, as the one error with a code, a message for the user and
// `details` for the loop: `{ status?, retryAfter? (ms), retry, provider? }`. Says what happened; whether to try again
// is the loop's. Wordings are collected from providers, because few of them send a code.
import { errorMessage, ToolAgentError, type ErrorCode } from '../../../core/data/errors.js'
import { dropUndefined, isObject, parseJson, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import { offlineError } from '../offline.js'

const maxText = 500

/** The words of providers for a request that is longer than the model's context. */
const tooLong = new RegExp(
  [
    'context[ _-]?(length|window|size)',
    'maximum (context|prompt) length',
    'model token limit',
    'prompt (is )?too long',
    'input is too long',
    'input token count',
    'reduce the length',
    'too many (input )?tokens',
    'token limit exceeded',
    'too large for model',
    'request too large',
    'tokens \\+ .?max_new_tokens',
    'range of input length',
    'exceeds (the )?(max(imum)? length|limit of \\d+)',
    'exceed_context_size',
    'request_too_large',
    'string_above_max_length',
    'input length .*exceed',
  ].join('|'),
  'i',
)
/** Codes that mean money, not pace: another try would fail alike. */
const quotaCode =
  /insufficient[ _-]?(quota|balance|credit|funds)|exceeded_current_quota|billing|quota_exceeded|payment_required|credit_balance/i
const quotaText =
  /insufficient (quota|balance|credits?|funds)|current quota|billing|credit balance|out of credits|payment required/i
/** A model that is not there, or not for this key, whatever the status. */
const noModelCode = /model_?not_?found|invalid_model|unknown_model|deployment_?not_?found/i
const noModelText = /\bmodel\b.{0,100}\b(not exist|not found)|not a valid model|no such model/i
/** A model or server that takes no tools: there the calls can be written as text. */
const noTools =
  /(not|n't) support (the )?(tool|function)(s|[ _-]?(us|call))|(tool|function)[ _-]?(us|call)\w*\W{0,2} (is|are) not (supp|enab|avai)|support tool use|(choice|param) requires --/i

/** What the server said about itself, wherever it put it. */
interface Said {
  readonly message: string
  readonly codes: string
  readonly status?: number | undefined
  readonly retryAfter?: number | undefined
  readonly provider?: JsonObject
}

export interface ErrorContext {
  /** Without its query, which may hold a key. */
  readonly url: string
  /** What must never show in a message: values of the headers that were sent. */
  readonly secrets: readonly string[]
}

/** An answer with an error status. */
export function httpError(status: number, headers: Headers, text: string, context: ErrorContext): ToolAgentError {
  const html = isHtml(text)
  const said = html ? { message: '', codes: '' } : saidBy(parseJson(text) ?? text)
  const lead = `The model endpoint answered ${status}${html ? ' with an HTML page' : ''}`
  return failed(status, { ...said, retryAfter: retryAfterOf(headers) ?? said.retryAfter }, lead, context)
}

/** An error object inside a stream, or as a whole answer with status 200. `error` is what stood under that name. */
export function streamError(error: JsonValue | undefined, context: ErrorContext): ToolAgentError {
  const said = saidBy({ error: error ?? null })
  return failed(said.status ?? statusOf(said.codes), said, 'The model endpoint reported an error', context)
}

/** `fetch` itself failed: the browser tells nobody why, so the message names what it usually is. */
export function networkError(cause: unknown, context: ErrorContext): ToolAgentError {
  const offline = offlineError(cause)
  if (offline) return offline
  const local = /^https?:\/\/(localhost|127\.|\[::1\])/.test(context.url)
  const causes = [
    'the server is down or the address is wrong',
    `it does not allow this page’s origin (CORS${local ? '; for Ollama set OLLAMA_ORIGINS' : ''})`,
    'an https page may not call an http address (mixed content)',
    'the page’s Content-Security-Policy lacks the address in connect-src',
    'the server redirected, which is not followed',
  ]
  return new ToolAgentError('network', `No answer from ${context.url}. Usual causes: ${causes.join('; ')}.`, {
    cause,
    details: { retry: true },
  })
}

/** The one cause of a failed `fetch` that can be known. Another try would fail alike. */
export function policyError(cause: unknown, origin: string): ToolAgentError {
  return new ToolAgentError(
    'network',
    `The Content-Security-Policy does not let the page call ${origin}: add it to connect-src. A worker has the policy that worker.js is served with.`,
    { cause, details: { retry: false } },
  )
}

export function htmlError(context: ErrorContext): ToolAgentError {
  return badResponse(
    `The endpoint returned HTML instead of a model’s answer: ${context.url} is a web page. Check the endpoint attribute; it is the base URL up to and including the version.`,
  )
}

export function badResponse(message: string): ToolAgentError {
  return new ToolAgentError('bad-response', message, { details: { retry: false } })
}

export function isHtml(text: string): boolean {
  return /^\s*</.test(text)
}

/** At most 500 characters of foreign text on one line, without what was sent in a header. */
export function quoted(text: string, secrets: readonly string[]): string {
  const safe = masked(text, secrets).replace(/\s+/g, ' ').trim()
  return safe.length > maxText ? `${safe.slice(0, maxText - 1)}…` : safe
}

/** A whole answer without what was sent in a header: servers quote the key that they refuse. */
export function withoutSecrets(body: JsonValue, secrets: readonly string[]): JsonValue {
  return JSON.parse(JSON.stringify(body), (_key, value: JsonValue) =>
    typeof value === 'string' ? masked(value, secrets) : value,
  ) as JsonValue
}

function masked(text: string, secrets: readonly string[]): string {
  return secrets.reduce((safe, secret) => safe.replaceAll(secret, '…'), text)
}

/** Header values, the token behind their scheme, and values of the query; what is shorter than a secret would mask plain words. */
export function secretsOf(headers: Headers, url: URL): string[] {
  const secrets = [...url.searchParams].flatMap(([name, value]) => (/version/i.test(name) ? [] : [value]))
  headers.forEach((value, name) => {
    if (name === 'content-type' || name === 'accept') return
    secrets.push(value, ...value.split(/\s+/))
  })
  return secrets.filter((secret) => secret.length >= 8).sort((one, other) => other.length - one.length)
}

function failed(status: number | undefined, said: Said, lead: string, context: ErrorContext): ToolAgentError {
  const [code, retry] = judge(status, said)
  const message = quoted(said.message, context.secrets)
  const hint = noTools.test(said.message)
    ? ' (For a model without tool calling set the textProtocol property.)'
    : (hints[code] ?? '')
  const provider = said.provider === undefined ? undefined : safeFields(said.provider, context.secrets)
  return new ToolAgentError(code, `${lead} at ${context.url}${message === '' ? '' : `: ${message}`}${hint}`, {
    details: dropUndefined({ status, retryAfter: said.retryAfter, retry, provider }),
  })
}

const hints: Partial<Record<ErrorCode, string>> = {
  unauthorized: ' (Check the headers property, which is the whole authentication.)',
  'not-found': ' (Check the endpoint and model attributes; endpoint is the base URL up to and including the version.)',
}

/** The code, and whether another try may help. */
function judge(status: number | undefined, said: Said): [ErrorCode, boolean] {
  const words = `${said.codes} ${said.message}`
  if (noModelCode.test(said.codes)) return ['not-found', false]
  if (status === 401 || status === 403) return ['unauthorized', false]
  if (status === 404) return ['not-found', false]
  if (status === 402) return ['rate-limited', false]
  if (status === 429) {
    if (/request too large|request_too_large/i.test(words)) return ['context-overflow', false]
    // A server that names a time to come back means pace, whatever else it says.
    const quota = quotaCode.test(said.codes) || (said.retryAfter === undefined && quotaText.test(said.message))
    return ['rate-limited', !quota]
  }
  if (status === 413 || tooLong.test(words)) return ['context-overflow', false]
  if ((status === 400 || status === 422) && noModelText.test(words)) return ['not-found', false]
  if (status === 408 || status === 425 || status === undefined || status >= 500) return ['server', true]
  // The model wrote a call that the server could not read: the next sample may be right.
  if (/tool_use_failed/.test(said.codes)) return ['bad-response', true]
  return ['bad-request', false]
}

/** In a stream there is no status, only the words that some providers give instead. */
function statusOf(codes: string): number | undefined {
  const named: [RegExp, number][] = [
    [/rate_?limit|too_many_requests|resource_exhausted|insufficient_quota/i, 429],
    [/authentication|invalid_api_key|permission|unauthenticated/i, 401],
    [/model_not_found|not_found/i, 404],
    [/overloaded|unavailable/i, 529],
    [/invalid_request|bad_request|tool_use_failed|invalid_argument/i, 400],
  ]
  return named.find(([words]) => words.test(codes))?.[1]
}

function saidBy(body: JsonValue): Said {
  const whole = Array.isArray(body) ? body[0] : body
  if (typeof whole === 'string') return { message: whole, codes: '' }
  if (!isObject(whole)) return { message: '', codes: '' }
  const inner = whole['error'] ?? whole['errors'] ?? whole['detail'] ?? whole
  const error: unknown = Array.isArray(inner) ? inner[0] : inner
  const beside = joinedText(whole['message'])
  // The name of an error, and its reason beside it.
  if (typeof error === 'string')
    return {
      message: beside === '' || beside === error ? error : `${error}: ${beside}`,
      codes: beside === '' ? '' : error,
    }
  if (!isObject(error)) return { message: '', codes: '' }
  const own = joinedText(error['message'] ?? error['msg'] ?? error['error']) || beside || JSON.stringify(error)
  const upstream = upstreamOf(error['metadata'])
  const code = error['code'] ?? error['status'] ?? whole['code']
  const status = Number(code)
  return {
    message: upstream?.message ? `${own}${upstream.by}: ${upstream.message}` : own,
    codes: [error['code'], error['type'], error['status'], upstream?.codes]
      .filter((item) => typeof item === 'string')
      .join(' '),
    status: Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined,
    retryAfter: retryInfoOf(error['details']) ?? upstream?.retryAfter,
    provider: error as JsonObject,
  }
}

/** What the provider behind OpenRouter answered: text, JSON, or JSON as text. */
function upstreamOf(metadata: unknown): (Said & { readonly by: string }) | undefined {
  const raw = isObject(metadata) ? metadata['raw'] : undefined
  if (!isObject(metadata) || raw === undefined || raw === null) return undefined
  const said = saidBy((typeof raw === 'string' ? (parseJson(raw) ?? raw) : raw) as JsonValue)
  const name = metadata['provider_name']
  return {
    ...said,
    message: said.message || (typeof raw === 'string' ? raw : ''),
    by: typeof name === 'string' ? ` (${name})` : '',
  }
}

function joinedText(value: unknown): string {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join('; ')
  if (typeof value === 'string') return value
  return isObject(value) ? JSON.stringify(value) : ''
}

/** Google's `RetryInfo`, such as `"34.07s"`. */
function retryInfoOf(details: unknown): number | undefined {
  if (!Array.isArray(details)) return undefined
  for (const item of details) {
    const delay = isObject(item) ? item['retryDelay'] : undefined
    const seconds = typeof delay === 'string' ? Number.parseFloat(delay) : Number.NaN
    if (seconds >= 0) return Math.round(seconds * 1000)
  }
  return undefined
}

/** Milliseconds from `retry-after-ms`, or from `Retry-After` in seconds or as a date. */
function retryAfterOf(headers: Headers): number | undefined {
  const exact = headers.get('retry-after-ms')
  if (exact !== null && Number(exact) >= 0) return Math.round(Number(exact))
  const value = headers.get('retry-after')
  if (value === null) return undefined
  const seconds = value.trim() === '' ? Number.NaN : Number(value)
  if (seconds >= 0) return Math.round(seconds * 1000)
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}

/** The plain fields of the provider's error beside its message. */
function safeFields(error: JsonObject, secrets: readonly string[]): JsonObject | undefined {
  const fields = Object.entries(error).flatMap(([key, value]): [string, JsonValue][] => {
    if (key === 'message') return []
    if (typeof value === 'string') return [[key, quoted(value, secrets)]]
    return typeof value === 'number' || typeof value === 'boolean' ? [[key, value]] : []
  })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

/** What broke while an answer was read, once parts of it are out. */
export function cutError(cause?: unknown): ToolAgentError {
  const how =
    cause === undefined
      ? 'The answer ended before it was complete'
      : `The connection broke in the middle of the answer (${errorMessage(cause)})`
  return new ToolAgentError('stream-cut', `${how}. Nothing of it was executed.`, {
    ...dropUndefined({ cause }),
    details: { retry: false },
  })
}
