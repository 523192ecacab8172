// The model of a server, whose errors say to pages what has happened and nothing of the server: no address, no account,
// no text of its provider. The whole error is logged.
import { ToolAgentError, toFailure } from '../core/data/errors.js'
import { dropUndefined, isObject, type JsonObject } from '../core/data/json.js'
import type { ModelAdapter, ModelPart, ModelRequest } from '../core/data/model.js'
import * as log from '../page/log.js'

/** What decides whether a request is sent again, and by which model. */
const kept = ['status', 'retry', 'retryAfter', 'fallback', 'model'] as const

/** Streams what the model streams. */
export function withoutServerErrors(model: ModelAdapter): ModelAdapter {
  return dropUndefined({
    supportsResponseFormat: model.supportsResponseFormat,
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelPart> {
      try {
        yield* model.stream(request, signal)
      } catch (thrown) {
        if (signal.aborted) throw thrown
        const failure = toFailure(thrown, 'bad-response')
        const { code, details } = failure
        log.logError(failure)
        const known = isObject(details) ? kept.flatMap((name) => (name in details ? [[name, details[name]]] : [])) : []
        throw new ToolAgentError(code, 'The model of this server could not answer.', {
          details: Object.fromEntries(known) as JsonObject,
        })
      }
    },
  })
}
