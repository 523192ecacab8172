// Errors for answers that cannot be used, and what their messages may contain. The errors that are worded from what a
// server or browser reported are in http-errors.ts.
import { errorMessage, ToolAgentError } from '../../../core/data/errors.js'
import { dropUndefined, type JsonObject, type JsonValue } from '../../../core/data/json.js'
import type { ModelRequest } from '../../../core/data/model.js'

/** The maximum length of quoted server text, in characters. */
const maxText = 500

/** What error messages may and must not contain. */
export interface ErrorContext {
  /** The URL without its query, which may contain a key. */
  readonly url: string
  /** Must never appear in a message: values of the headers and of the query. */
  readonly secrets: readonly string[]
  /** What was sent; undefined if it is not known. */
  readonly request?: ModelRequest
}

/** An error for an answer that cannot be used. A retry cannot help. */
export function badResponse(message: string, details: JsonObject = {}): ToolAgentError {
  return new ToolAgentError('bad-response', message, { details: { retry: false, ...details } })
}

/** Whether a body begins like HTML or XML. */
export function isHtml(text: string): boolean {
  return /^\s*</.test(text)
}

/** Server text for a message: one line of at most 500 characters, without secrets. */
export function quoted(text: string, secrets: readonly string[]): string {
  const safe = masked(text, secrets).replace(/\s+/g, ' ').trim()
  return safe.length > maxText ? `${safe.slice(0, maxText - 1)}…` : safe
}

/** A whole answer without secrets, because servers quote the key that they reject. */
export function withoutSecrets(body: JsonValue, secrets: readonly string[]): JsonValue {
  return JSON.parse(JSON.stringify(body), (_key, value: JsonValue) =>
    typeof value === 'string' ? masked(value, secrets) : value,
  ) as JsonValue
}

function masked(text: string, secrets: readonly string[]): string {
  return secrets.reduce((safe, secret) => safe.replaceAll(secret, '…'), text)
}

/**
 * The secrets of a request, longest first: header values, the token after their scheme, and values of the query.
 * Values under 8 characters are left out, because they would mask ordinary words.
 */
export function secretsOf(headers: Headers, url: URL): string[] {
  const secrets = [...url.searchParams].flatMap(([name, value]) => (/version/i.test(name) ? [] : [value]))
  headers.forEach((value, name) => {
    if (name === 'content-type' || name === 'accept') return
    secrets.push(value, ...value.split(/\s+/))
  })
  return secrets.filter((secret) => secret.length >= 8).sort((one, other) => other.length - one.length)
}

/**
 * The error for an answer that broke after its first parts. `cause`: what reading threw; absent if the answer just
 * ended.
 */
export function cutError(cause?: unknown): ToolAgentError {
  const how =
    cause === undefined
      ? 'The answer ended before it was complete'
      : `The connection broke in the middle of the answer (${errorMessage(cause)})`
  return new ToolAgentError('stream-cut', `${how}. None of its tool calls ran.`, {
    ...dropUndefined({ cause }),
    details: { retry: false },
  })
}
