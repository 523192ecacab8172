// Turns failed requests into errors with a code, a message for the user and `details` for the turn loop: `{ status?,
// retryAfter? (ms), retry, provider? }`. `retry` says whether the same request may succeed later; how often and when it
// is sent again is decided in core/loop/model-step.ts. Most servers send no code, so the patterns below match the
// wordings of many providers.
import { ToolAgentError, type ErrorCode } from '../../../core/data/errors.js'
import { dropUndefined, isObject, parseJson, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { ModelRequest } from '../../../core/data/model.js'
import { badResponse, isHtml, quoted, type ErrorContext } from './answer-errors.js'
import { retryAfterOf, retryInfoOf, retryInWords } from './retry-after.js'
import { countFileChars } from '../../../core/prompt/request-size.js'

/** The account has no quota or credit left: a retry cannot help. */
const noQuota = new RegExp(
  [
    'insufficient[ _-]?(quota|balance|credit|funds)',
    'current[ _]quota',
    'billing',
    'quota_exceeded',
    'payment[ _]required',
    'credit[ _]balance',
    'out of credits',
  ].join('|'),
  'i',
)
/** The model does not exist or this key may not use it, whatever the status. */
const noModelCode = /model_?not_?found|invalid_model|unknown_model|deployment_?not_?found/i
const noModelText = /\bmodel\b.{0,100}\b(not exist|not found)|not a valid model|no such model/i
/** The model or the server has no tool calling. The text protocol works there. */
const noTools = new RegExp(
  [
    "(not|n't) support (the )?(tool|function)(s|[ _-]?(us|call))",
    '(tool|function)[ _-]?(us|call)\\w*\\W{0,2} (is|are) not (supp|enab|avai)',
    'support tool use',
    '(choice|param) requires --',
  ].join('|'),
  'i',
)

/** The error that a server reported, read from any of the shapes in use. */
interface ServerError {
  readonly message: string
  /** Every code, type and status name in it, separated by spaces. */
  readonly codes: string
  readonly status?: number | undefined
  /** Milliseconds. */
  readonly retryAfter?: number | undefined
  /** The provider's own error object. */
  readonly provider?: JsonObject
}

/** The error for a response with an error status. `text` is its body. */
export function httpError(status: number, headers: Headers, text: string, context: ErrorContext): ToolAgentError {
  const html = isHtml(text)
  const reported = html ? { message: '', codes: '' } : serverErrorOf(parseJson(text) ?? text)
  const problem = `returned status ${status}${html ? ' with an HTML page' : ''}`
  return endpointError(
    status,
    { ...reported, retryAfter: retryAfterOf(headers) ?? reported.retryAfter },
    problem,
    context,
  )
}

/** The error for an error object in a stream, or in a whole answer with status 200. */
export function streamError(error: JsonValue | undefined, context: ErrorContext): ToolAgentError {
  const reported = serverErrorOf({ error: error ?? null })
  return endpointError(reported.status ?? statusOf(reported.codes), reported, 'reported an error', context)
}

/** The error for a failed `fetch`. Browsers hide the cause, so the message lists the usual ones. */
export function networkError(cause: unknown, context: ErrorContext): ToolAgentError {
  const local = /^https?:\/\/(localhost|127\.|\[::1\])/.test(context.url)
  const causes = [
    'the server is down or the URL is wrong',
    `the server does not allow this page’s origin (CORS${local ? '; for Ollama set OLLAMA_ORIGINS' : ''})`,
    'an https page cannot call an http URL (mixed content)',
    'connect-src of the page’s Content-Security-Policy does not list the URL',
    'the server redirects',
  ]
  return new ToolAgentError('network', `No response from ${context.url}. Usual causes: ${causes.join('; ')}.`, {
    cause,
    details: { retry: true },
  })
}

/** The error for a request that the Content-Security-Policy blocked. A retry cannot help. */
export function policyError(cause: unknown, origin: string): ToolAgentError {
  return new ToolAgentError(
    'network',
    `The Content-Security-Policy blocks ${origin}. Add it to connect-src, for a worker in the response of worker.js.`,
    { cause, details: { retry: false } },
  )
}

/** The error for a web page in place of an answer. */
export function htmlError(context: ErrorContext): ToolAgentError {
  return badResponse(
    `Expected a model’s answer from ${context.url}, received an HTML page. ` +
      'Check the endpoint attribute: it is the base URL including the version.',
  )
}

function endpointError(
  status: number | undefined,
  reported: ServerError,
  problem: string,
  { url, secrets, request }: ErrorContext,
): ToolAgentError {
  const retryAfter = reported.retryAfter ?? retryInWords(reported.message)
  const { code, retry } = classify(status, { ...reported, retryAfter }, request)
  const message = quoted(reported.message, secrets)
  const hint = noTools.test(reported.message)
    ? ' (For a model without tool calling, set the textProtocol property.)'
    : (hints[code]?.(request) ?? '')
  const provider = reported.provider === undefined ? undefined : safeFields(reported.provider, secrets)
  return new ToolAgentError(code, `${url} ${problem}${message === '' ? '' : `: ${message}`}${hint}`, {
    details: dropUndefined({ status, retryAfter, retry, provider }),
  })
}

/** What the programmer can do, by error code. */
const hints: Partial<Record<ErrorCode, (request: ModelRequest | undefined) => string | undefined>> = {
  unauthorized: () =>
    ' (Check the login, or the headers property: requests carry only these and the cookies that credentials allows.)',
  'not-found': () => ' (Check the endpoint and model attributes; endpoint is the base URL including the version.)',
  'request-too-large': (request) => request && tooLargeHint(request),
}

/** `retry`: whether the same request may succeed later. */
function classify(
  status: number | undefined,
  { codes, message, retryAfter }: ServerError,
  request: ModelRequest | undefined,
): { readonly code: ErrorCode; readonly retry: boolean } {
  const words = `${codes} ${message}`
  const permanent = (code: ErrorCode) => ({ code, retry: false })
  if (noModelCode.test(codes)) return permanent('not-found')
  if (status === 401 || status === 403) return permanent('unauthorized')
  // Google answers 400 to a wrong key.
  if (status === 400 && /\bAPI key (not valid|expired|not found)/i.test(message)) return permanent('unauthorized')
  if (status === 404) return permanent('not-found')
  if (status === 402) return permanent('rate-limited')
  if (isAboutFiles(status, words, request)) return permanent('request-too-large')
  if (status === 429) {
    if (/request[ _]too[ _]large/i.test(words)) return permanent('context-overflow')
    // A server that names a time to retry has a rate limit, whatever its message says.
    const isQuota = noQuota.test(codes) || (retryAfter === undefined && noQuota.test(message))
    return { code: 'rate-limited', retry: !isQuota }
  }
  if (status === 413 || saysOverflow(words)) return permanent('context-overflow')
  // Amazon Bedrock, also with status 400.
  if (status === 400 && /throttl/i.test(words)) return { code: 'rate-limited', retry: true }
  if ((status === 400 || status === 422) && noModelText.test(words)) return permanent('not-found')
  // 409: the provider could not get a lock.
  if (status === undefined || [408, 409, 425].includes(status) || status >= 500) return { code: 'server', retry: true }
  // The model wrote a call that the server could not parse; the next sample may be valid.
  if (/tool_use_failed/.test(codes)) return { code: 'bad-response', retry: true }
  return permanent('bad-request')
}

/** The status that a code implies. A stream has no status of its own. */
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

/** Reads the error out of a body: a string, an object, or an object under `error`, `errors` or `detail`. */
function serverErrorOf(body: JsonValue): ServerError {
  const whole = Array.isArray(body) ? body[0] : body
  if (typeof whole === 'string') return { message: whole, codes: '' }
  if (!isObject(whole)) return { message: '', codes: '' }
  const inner = whole['error'] ?? whole['errors'] ?? whole['detail'] ?? whole
  const error: unknown = Array.isArray(inner) ? inner[0] : inner
  const beside = joinedText(whole['message'])
  // `error` is a name, `message` the reason.
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
    codes: [error['code'], error['type'], error['__type'], error['status'], upstream?.codes]
      .filter((item) => typeof item === 'string')
      .join(' '),
    status: Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined,
    retryAfter: retryInfoOf(error['details']) ?? upstream?.retryAfter,
    provider: error as JsonObject,
  }
}

/** The error of the provider that OpenRouter called: text, JSON, or JSON as text. */
function upstreamOf(metadata: unknown): (ServerError & { readonly by: string }) | undefined {
  const raw = isObject(metadata) ? metadata['raw'] : undefined
  if (!isObject(metadata) || raw === undefined || raw === null) return undefined
  const reported = serverErrorOf((typeof raw === 'string' ? (parseJson(raw) ?? raw) : raw) as JsonValue)
  const name = metadata['provider_name']
  return {
    ...reported,
    message: reported.message || (typeof raw === 'string' ? raw : ''),
    by: typeof name === 'string' ? ` (${name})` : '',
  }
}

function joinedText(value: unknown): string {
  if (Array.isArray(value)) return value.filter((item) => typeof item === 'string').join('; ')
  if (typeof value === 'string') return value
  return isObject(value) ? JSON.stringify(value) : ''
}

/** The strings, numbers and booleans of the provider's error, without its message. */
function safeFields(error: JsonObject, secrets: readonly string[]): JsonObject | undefined {
  const fields = Object.entries(error).flatMap(([key, value]): [string, JsonValue][] => {
    if (key === 'message') return []
    if (typeof value === 'string') return [[key, quoted(value, secrets)]]
    return typeof value === 'number' || typeof value === 'boolean' ? [[key, value]] : []
  })
  return fields.length === 0 ? undefined : Object.fromEntries(fields)
}

// Whether the words of an error say that a request is longer than the model's context. Servers have no common code, so
// the rule reads how the sentence is built: something of the request, counted in tokens or length, exceeds a maximum.

/** Wordings without that form, by their server. The list of `@mariozechner/pi-ai` (overflow.js) names most of them. */
const wordings: readonly (readonly [server: string, words: RegExp])[] = [
  ['OpenAI, llama.cpp, vLLM, MiniMax', /context[ _-]?(?:length|window|size|overflow)/i],
  ['Anthropic', /prompt (?:is )?too long|request[ _]too[ _]large/i],
  ['Amazon Bedrock', /input is too long/i],
  ['Google', /input token count/i],
  ['xAI', /maximum prompt length/i],
  ['Groq', /reduce the length/i],
  ['Moonshot', /model token limit/i],
  ['Mistral', /too large for model/i],
  ['GitHub Copilot, DashScope', /exceeds (?:the )?(?:max(?:imum)? length|limit of \d+)/i],
  ['TGI', /tokens \+ .?max_new_tokens/i],
  ['DashScope', /range of input length/i],
  ['OpenAI', /string_above_max_length/i],
  ['several', /too many (?:input )?tokens|token limit exceeded|maximum number of input tokens/i],
  ['Zhipu', /(?:prompt|输入|上下文).{0,20}(?:超长|过长|超过|超出)/i],
]
const nouns = 'prompt|inputs?|context|conversation|total|sequence'
const ofRequest = String.raw`\b(?:${nouns})(?:[ _](?:tokens?|length))?\b(?![[.\w])`
const mustBe = 'must (?:be|have) (?:less|fewer|at most)'
const exceeds = String.raw`(?:\bexceed|too (?:long|large)|(?:longer|greater|more) than|${mustBe})`
const form = new RegExp(
  `${ofRequest}.{0,120}?${exceeds}|\\btokens?\\b.{0,60}?\\bexceed|\\bexceed.{0,60}?\\btokens?\\b`,
  'is',
)
const counted = /token|length|context|seq_len|too long/i
/** Limits of time, and of the answer. */
const throttled =
  /throttl|rate.?limit|too many requests|please wait|\bper[ _](?:second|minute|min|hour|day)\b|\bTP[MD]\b/i
const ofAnswer = /max_(?:completion_|output_|new_)?tokens|(?:completion|output) tokens/i

/** True for the code and message of an error about a request that is too long. */
function saysOverflow(words: string): boolean {
  if (throttled.test(words)) return false
  if (wordings.some(([, pattern]) => pattern.test(words))) return true
  if (!counted.test(words) || !form.test(words)) return false
  return !ofAnswer.test(words) || new RegExp(ofRequest, 'i').test(words)
}

// Recognizes requests that an endpoint refuses because of the bytes of their files. Such a refusal has its own code,
// because neither another attempt nor a summary of the conversation makes a file smaller.

/** What servers write about the bytes of a request or of a file. */
const tooManyBytes = new RegExp(
  [
    'request[ _](entity[ _]|body[ _])?(is[ _])?too[ _](large|long|big)',
    'payload[ _]?(size|(is )?too[ _]?large)',
    'content size limit',
    'exceeds? the maximum (allowed )?(size|number of bytes)',
    '\\b(image|file|document|pdf)\\b[^.]{0,60} (exceeds?|too large)\\b',
    'image_(file_)?too_large',
    'maximum of \\d+ pdf pages',
  ].join('|'),
  'i',
)

/**
 * Whether an error is about the bytes of files. A refusal that counts tokens is not, nor is one of a request that
 * consists mostly of text: a shorter conversation helps there.
 */
export function isAboutFiles(status: number | undefined, words: string, request: ModelRequest | undefined): boolean {
  if (status !== 413 && !tooManyBytes.test(words)) return false
  return request !== undefined && !/\btokens?\b/i.test(words) && countFileChars(request) * 2 > sizeOf(request)
}

/** For the programmer: what was sent, and what to change. The words of the server may name its limit. */
function tooLargeHint(request: ModelRequest): string {
  const [all, files] = [sizeOf(request), countFileChars(request)].map((bytes) => `${(bytes / 1e6).toFixed(1)} MB`)
  return (
    ` (The request has about ${all}, ${files} of them are files. ` +
    'Raise the limit of the endpoint or of a proxy before it, or attach smaller files.)'
  )
}

function sizeOf(request: ModelRequest): number {
  return JSON.stringify(request).length
}

// Finds out whether a Content-Security-Policy blocked a request. `fetch` fails without a reason; the document or the
// worker gets an event with the reason in a later task.

/** Milliseconds to wait for the event after a failed request. */
const eventDelay = 50

/** Watches for blocked requests to the origin of a URL. */
interface CspWatch {
  /** Whether a request was blocked. Resolves when the event of a failed request would have arrived. */
  isBlocked(): Promise<boolean>
  /** Removes the listener. Must be called. */
  end(): void
}

/** Starts to listen. Call it before the request. */
export function watchCspViolations({ origin }: URL): CspWatch {
  let isBlocked = false
  const listen = ({ effectiveDirective, disposition, blockedURI }: SecurityPolicyViolationEvent) => {
    isBlocked ||= disposition === 'enforce' && effectiveDirective === 'connect-src' && blockedURI.startsWith(origin)
  }
  globalThis.addEventListener?.('securitypolicyviolation', listen)
  return {
    isBlocked: () =>
      new Promise((resolve) => {
        setTimeout(() => resolve(isBlocked), eventDelay)
      }),
    end: () => globalThis.removeEventListener?.('securitypolicyviolation', listen),
  }
}

/** An `offline` error, or undefined if the browser reports a network. */
export function offlineError(cause: unknown): ToolAgentError | undefined {
  return globalThis.navigator?.onLine === false
    ? new ToolAgentError('offline', 'This device is offline.', { cause, details: { retry: true } })
    : undefined
}
