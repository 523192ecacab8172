// Fallback models. If a model is missing, overloaded or too small for the request, the next attempt uses the next model
// of the list. If it takes no images, the next attempt has none. A lazy file in place of the provider, which it loads
// itself: only pages with such a list, and sessions with files, need this code. The turn only repeats the attempt; this
// file keeps what it knows about the models.
import { ToolAgentError } from '../../../core/data/errors.js'
import { beginsAnswer, type ModelAdapter, type ModelPart, type ModelRequest } from '../../../core/data/model.js'
import type { HostConfig } from '../../../core/data/protocol.js'
import type { FallbackOptions, ProviderFile } from '../provider.js'
import { hasFiles, refusesFiles, withoutFiles } from '../without-files.js'

/** How long a model that failed is not used if another one is available, in milliseconds. */
const restTime = 300_000

interface Setup extends Pick<FallbackOptions, 'limits'> {
  readonly adapter: ModelAdapter
  readonly endpoint: string
  /** Without the requested model. */
  readonly models: readonly string[]
}

interface Health {
  /** Failed attempts since its last answer. */
  failures: number
  /** The model is not used before this time. Milliseconds since the epoch. */
  restUntil: number
  /** Requests of at least so many characters are too long for the model. */
  tooLong: number
  /** The model has refused files. */
  isTextOnly: boolean
}

/** By endpoint and model. An adapter is created for each attempt, so this cannot be its state. */
const known = new Map<string, Health>()

/**
 * Creates an adapter that uses the models of `fallbacks` in order. See `ProviderFile`.
 * @throws if the configuration has no fallbacks: the page sets this file as the provider only together with them.
 */
export const provider: ProviderFile['provider'] = (options) => {
  const { fallbacks, modelFor } = options
  if (!fallbacks || !modelFor) throw new TypeError('The provider "fallbacks" needs a list of models')
  const { models, ...base } = fallbacks
  // The host passes its whole configuration.
  const adapter = modelFor({ ...options, ...base } as unknown as HostConfig, options)
  return { stream: (request, signal) => streamWith({ ...options, adapter, models }, request, signal) }
}

function streamWith(
  { adapter, endpoint, limits, models: fallbackModels }: Setup,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncIterable<ModelPart> {
  const models = [...new Set([request.model, ...fallbackModels])]
  const { length } = JSON.stringify([request.system, request.messages, request.tools])
  const healthOf = (model: string): Health => {
    const key = `${endpoint} ${model}`
    const health = known.get(key) ?? { failures: 0, restUntil: 0, tooLong: Infinity, isTextOnly: false }
    known.set(key, health)
    return health
  }
  const isReady = (model: string): boolean => {
    const { restUntil, tooLong } = healthOf(model)
    return Date.now() >= restUntil && length < tooLong
  }
  const model = models.find(isReady) ?? request.model
  const health = healthOf(model)
  let parts: AsyncIterator<ModelPart> | undefined
  let hasStarted = false

  /** The error for the turn. With `details.fallback` the turn tries again, and this file chooses that model. */
  const reported = (error: unknown): unknown => {
    if (hasStarted || signal.aborted || !(error instanceof ToolAgentError)) return error
    const details = error.details as { readonly status?: number; readonly retry?: boolean } | undefined
    if (error.code !== 'request-too-large' && !health.isTextOnly && hasFiles(request) && refusesFiles(error.message)) {
      health.isTextOnly = true
      return new ToolAgentError(error.code, error.message, {
        cause: error,
        details: { ...details, retry: true, retryAfter: 0 },
      })
    }
    health.failures++
    if (error.code === 'context-overflow') health.tooLong = length
    else if (error.code !== 'not-found' && error.code !== 'rate-limited' && !/503|529/.test(String(details?.status)))
      return error
    // The turn repeats an attempt by itself as often as `modelRetries` allows.
    else if (details?.retry && health.failures <= (limits.modelRetries ?? 0) && model === request.model) return error
    else health.restUntil = Date.now() + restTime
    const fallback = models.slice(models.indexOf(model) + 1).find(isReady)
    if (fallback === undefined) return error
    return new ToolAgentError(error.code, error.message, {
      cause: error,
      details: { ...details, retry: true, retryAfter: 0, model, fallback },
    })
  }

  const iterator: AsyncIterator<ModelPart> = {
    async next() {
      // The turn stores which model answered.
      if (parts === undefined) {
        const sent = health.isTextOnly ? withoutFiles(request) : request
        parts = adapter.stream({ ...sent, model }, signal)[Symbol.asyncIterator]()
        if (fallbackModels.length > 0) return { done: false, value: { type: 'response-metadata', model } }
      }
      try {
        const next = await parts.next()
        if (!next.done && beginsAnswer(next.value)) {
          hasStarted = true
          health.failures = 0
        }
        return next
      } catch (error) {
        throw reported(error)
      }
    },
    async return() {
      return (await parts?.return?.()) ?? { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}
