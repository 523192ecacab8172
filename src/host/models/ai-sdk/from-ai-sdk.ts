// Models of the AI SDK as model adapters. The types are structural, so that no package of the SDK is needed here; the
// page or the worker that uses this brings one. Specification v3 and v4 differ only in files.
import { ToolAgentError, errorMessage } from '../../../core/data/errors.js'
import { dropUndefined, isObject, type JsonObject, parseJson, type JsonValue } from '../../../core/data/json.js'
import type { Metadata } from '../../../core/data/message.js'
import type { FinishReason, ModelAdapter, ModelPart, ModelRequest, ModelUsage } from '../../../core/data/model.js'
import { usageOf, type Fields } from '../answer/answer-builder.js'
import { within } from '../http/sse.js'
import { metadataKey, sdkPrompt, type AiSdkCallOptions, type AiSdkModel } from './sdk-prompt.js'
import { abortOnReturn } from '../../../core/loop/abort.js'
import { httpError, streamError, offlineError } from '../http/http-errors.js'

/**
 * A model adapter for a language model of the AI SDK, to pass as `modelAdapter` or to `serve`. `options`: further
 * options of each call, such as `providerOptions`, `temperature` or `maxOutputTokens`. Tools that the provider runs are
 * left out of the answer.
 * @throws {ToolAgentError} `invalid-option` unless `model` has specification v3 or v4.
 */
export function fromAiSdk(model: AiSdkModel, options: Readonly<Record<string, unknown>> = {}): ModelAdapter {
  const version: unknown = isObject(model) ? model.specificationVersion : model
  if (version !== 'v3' && version !== 'v4') {
    const received = JSON.stringify(version) ?? 'undefined'
    throw new ToolAgentError(
      'invalid-option',
      `fromAiSdk: expected a language model of specification v3 or v4, received ${received}. ` +
        'Pass the object that a provider of AI SDK 6 or 7 returns, not a name.',
    )
  }
  return {
    supportsResponseFormat: true,
    stream(request, signal) {
      return abortOnReturn(signal, (both) => streamAnswer(model, options, request, both))
    },
  }
}

/** Milliseconds between two signs of life of a model that has nothing to show. */
const signOfLife = 250

async function* streamAnswer(
  model: AiSdkModel,
  options: Readonly<Record<string, unknown>>,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, void, undefined> {
  signal.throwIfAborted()
  const { responseFormat } = request
  const hasTools = request.tools.length > 0
  const choice = typeof request.toolChoice === 'string' ? { type: request.toolChoice } : request.toolChoice
  const call: AiSdkCallOptions = dropUndefined({
    // Without raw parts, the pings of a server would be lost in the provider.
    includeRawChunks: true,
    ...options,
    prompt: sdkPrompt(request, model),
    tools: hasTools ? request.tools : undefined,
    toolChoice: hasTools ? choice : undefined,
    responseFormat: responseFormat && { type: 'json', name: responseFormat.name, schema: responseFormat.schema },
    abortSignal: signal,
  })
  let reader: ReadableStreamDefaultReader<unknown> | undefined
  try {
    const { stream } = await within(Promise.resolve(model.doStream(call)), signal)
    reader = stream.getReader()
    /** Ids of calls that the provider runs. */
    const foreign = new Set<unknown>()
    let lastAt = Date.now()
    for (;;) {
      const { done, value } = await within(reader.read(), signal)
      if (done) return
      if (!isObject(value)) continue
      if (value['type'] === 'error') throw sdkError(value['error'], request)
      const part = partOf(value, model.provider, foreign)
      // Every event comes as a raw part, too.
      if (part || Date.now() - lastAt > signOfLife) {
        lastAt = Date.now()
        yield part ?? { type: 'alive' }
      }
      signal.throwIfAborted()
    }
  } catch (error) {
    signal.throwIfAborted()
    throw sdkError(error, request)
  } finally {
    // The rest is not read, so its errors do not matter.
    reader?.cancel().catch(() => undefined)
  }
}

/** The model part for a part of the SDK; undefined for a part that has no counterpart, such as a source. */
function partOf(
  part: Readonly<Record<string, unknown>>,
  provider: string,
  foreign: Set<unknown>,
): ModelPart | undefined {
  const { type, id, delta, toolCallId, toolName, input } = part
  const providerMetadata = metadataOf(part['providerMetadata'], provider)
  switch (type) {
    case 'reasoning-start':
      // Marked also without metadata, because some providers need the reasoning itself back.
      return { type, id: String(id), providerMetadata: providerMetadata ?? ownMark(provider) }
    case 'text-start':
    case 'text-end':
    case 'reasoning-end':
      return dropUndefined({ type, id: String(id), providerMetadata })
    case 'text-delta':
    case 'reasoning-delta':
      return dropUndefined({ type, id: String(id), delta: String(delta), providerMetadata })
    case 'tool-input-start':
      if (part['providerExecuted'] === true) foreign.add(id)
      return foreign.has(id) ? undefined : { type, id: String(id), toolName: String(toolName) }
    case 'tool-input-delta':
      return foreign.has(id) ? undefined : { type, id: String(id), delta: String(delta) }
    case 'tool-input-end':
      return foreign.has(id) ? undefined : { type, id: String(id) }
    case 'tool-call':
      if (part['providerExecuted'] === true) return undefined
      return dropUndefined({
        type,
        toolCallId: String(toolCallId),
        toolName: String(toolName),
        input: typeof input === 'string' ? input : JSON.stringify(input ?? {}),
        providerMetadata,
      })
    case 'response-metadata': {
      const [answer, modelId] = [id, part['modelId']].map((one) => (typeof one === 'string' ? one : undefined))
      return dropUndefined({ type, id: answer, modelId })
    }
    case 'finish':
      return dropUndefined({ type, finishReason: finishOf(part['finishReason']), usage: countsOf(part['usage']) })
    default:
      return undefined
  }
}

function ownMark(provider: string, metadata?: JsonObject): Metadata {
  return { [metadataKey]: dropUndefined({ provider, metadata }) }
}

function metadataOf(given: unknown, provider: string): Metadata | undefined {
  return isObject(given) ? ownMark(provider, given as JsonObject) : undefined
}

const reasons: readonly string[] = ['stop', 'length', 'content-filter', 'tool-calls', 'error']

function finishOf(given: unknown): { readonly unified: FinishReason; readonly raw?: string } {
  const { unified, raw }: Readonly<Record<string, unknown>> = isObject(given) ? given : {}
  return dropUndefined({
    unified: reasons.includes(String(unified)) ? (unified as FinishReason) : 'other',
    raw: typeof raw === 'string' ? raw : undefined,
  })
}

function countsOf(given: unknown): ModelUsage | undefined {
  if (!isObject(given)) return undefined
  const group = (name: string): Fields => (isObject(given[name]) ? given[name] : {})
  const { total, cacheRead, cacheWrite } = group('inputTokens')
  const { total: written, reasoning } = group('outputTokens')
  return usageOf({ total, cacheRead, cacheWrite }, { total: written, reasoning })
}

// Turns errors of the AI SDK into errors with a code. An `APICallError` has the status, headers and body of a response,
// so it is read like a response of an endpoint.

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
