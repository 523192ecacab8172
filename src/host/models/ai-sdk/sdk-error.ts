// Turns errors of the AI SDK into errors with a code. An `APICallError` has the status, headers and body of a response,
// so it is read like a response of an endpoint.
import { errorMessage, ToolAgentError } from '../../../core/data/errors.js'
import { isObject, parseJson, type JsonValue } from '../../../core/data/json.js'
import type { ModelRequest } from '../../../core/data/model.js'
import { offlineError } from '../offline.js'
import { httpError, streamError } from '../http/http-errors.js'

/** The error for what a model of the AI SDK threw after `request`, or sent as a part of its stream. */
export function sdkError(error: unknown, request: ModelRequest): ToolAgentError {
  if (error instanceof ToolAgentError) return error
  const fields: Readonly<Record<string, unknown>> = isObject(error) ? error : {}
  const { statusCode, responseHeaders, responseBody, isRetryable, url } = fields
  const address = typeof url === 'string' ? url.split('?', 1)[0]! : 'The model'
  const context = { url: address, secrets: [], request }
  if (typeof statusCode === 'number' && statusCode >= 400) {
    const headers = new Headers(isObject(responseHeaders) ? (responseHeaders as Record<string, string>) : {})
    const text = typeof responseBody === 'string' ? responseBody : errorMessage(error)
    return httpError(statusCode, headers, text, context)
  }
  if (error instanceof Error) {
    const offline = offlineError(error)
    if (offline) return offline
    const isNetwork = isRetryable === true || /fetch failed|failed to fetch|network|load failed/i.test(error.message)
    return new ToolAgentError(isNetwork ? 'network' : 'bad-response', errorMessage(error), {
      cause: error,
      details: { retry: isNetwork },
    })
  }
  // Providers send the error of a stream as a text, or as the object of the server.
  const reported = typeof error === 'string' ? (parseJson(error) ?? error) : error
  return streamError(reported as JsonValue, context)
}
