// Measures requests. One that may be too long for the model is shortened by `compaction.ts`, which few turns need.
import type { TurnDeps } from '../turn/turn-deps.js'
import { isObject } from '../data/json.js'
import type { ModelRequest, PromptMessage } from '../data/model.js'
import { memoize } from '../state/memoize.js'
import type { RequestPlan } from './request.js'

/**
 * The longest request, in tokens, if `contextWindow.tokens` is not set. Not applied to a request that the endpoint
 * rejected or cut: then its window is smaller, and all older turns are replaced.
 */
const defaultLimit = 100_000

/** The characters of a request without the bytes of its files, as `Session.measured` counts them. */
export const countChars = memoize(({ system, messages, tools }: ModelRequest): number =>
  messages.reduce((sum, message) => sum + charsOf(message), JSON.stringify([system, tools]).length),
)
const charsOf = memoize((message: PromptMessage) => withoutFiles(message).length)

/** A request as text, without the bytes of its files. */
export function requestText({ system, messages, tools }: ModelRequest): string {
  return withoutFiles([system, messages, tools])
}

function withoutFiles(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    isObject(inner) && inner['type'] === 'file' ? { ...inner, data: '' } : inner,
  )
}

/** A request that fits into `contextWindow.tokens`, if possible. */
export async function fittingRequest(deps: TurnDeps, signal: AbortSignal, plan: RequestPlan): Promise<ModelRequest> {
  const whole = plan.build(deps.session(), false)
  const { measured } = deps.root()
  const limit = deps.config().contextWindow.tokens ?? defaultLimit
  // No estimate is higher than one token per character.
  if (!measured?.isCut && countChars(whole) <= limit) return whole
  const parts = await deps.parts(signal)
  return parts.shortenedRequest(deps, signal, { ...plan, limit, whole })
}

/** The request after the page's `beforeModel` hook, if there is one. */
export async function trimmedMessages(
  deps: TurnDeps,
  signal: AbortSignal,
  request: ModelRequest,
): Promise<ModelRequest> {
  return deps.config().hooks.beforeModel ? deps.ask({ type: 'before-model', request }, signal) : request
}
