// Measures requests. One that may be too long for the model is shortened by `compaction.ts`, which few turns need.
import type { TurnDeps } from '../turn/turn-deps.js'
import { isObject } from '../data/json.js'
import type { ModelRequest } from '../data/model.js'
import type { RequestPlan } from './request.js'

/**
 * The longest request, in tokens, if `contextWindow.tokens` is not set. Not applied to a request that the endpoint
 * rejected or cut: then its window is smaller, and all older turns are replaced.
 */
const defaultLimit = 100_000

/** Requests are counted once, because those of long conversations have hundreds of thousands of characters. */
const counts = new WeakMap<ModelRequest, number>()

/** The characters of a request without the bytes of its files, as `Session.measured` counts them. */
export function countChars(request: ModelRequest): number {
  const chars = counts.get(request) ?? requestText(request).length
  counts.set(request, chars)
  return chars
}

/** A request as text, without the bytes of its files. */
export function requestText({ system, messages, tools }: ModelRequest): string {
  return JSON.stringify([system, messages, tools], (_key, value: unknown) =>
    isObject(value) && value['type'] === 'file' ? { ...value, data: '' } : value,
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
