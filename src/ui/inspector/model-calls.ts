// The model calls of a session as pairs of request and response.
import type { AgentEvent } from '../../core/data/event.js'
import type { JsonValue } from '../../core/data/json.js'
import type { CallId, Usage } from '../../core/data/message.js'
import type { ModelRequest } from '../../core/data/model.js'

/** Calls. Older ones are removed. */
const capacity = 100

/** One attempt of a model call. */
export interface ModelCall {
  /** Ascending; unique in one list. */
  readonly id: number
  /** When the request was sent, in milliseconds since the epoch. */
  readonly at: number
  /** Ids of the agent calls around it, outermost first. */
  readonly path: readonly CallId[]
  /** The number of the step in its turn, from 0. */
  readonly step: number
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** The body that was sent; for a model in the page, the request it received. */
  readonly request: JsonValue | ModelRequest
  /** The body of the response; undefined while waiting. */
  readonly response?: JsonValue
  /** Milliseconds from the request to the end of the response. */
  readonly ms?: number
  /** Tokens, as far as the endpoint reported them; undefined until the step has ended. */
  readonly usage?: Usage | undefined
}

/** The list with the request, the response or the tokens of an event; the same list for other events. */
export function withModelCall(
  calls: readonly ModelCall[],
  event: AgentEvent,
  path: readonly CallId[],
): readonly ModelCall[] {
  if (event.type === 'step-request') {
    const { at, step, attempt, request, body } = event
    const call = { id: (calls.at(-1)?.id ?? 0) + 1, at, path, step, attempt, request: body ?? request }
    return [...calls.slice(calls.length >= capacity ? 1 : 0), call]
  }
  const isOfStep = (call: ModelCall, step: number) => call.step === step && call.path.join() === path.join()
  const changed = (index: number, change: (call: ModelCall) => Partial<ModelCall>) => {
    const call = calls[index]
    return call === undefined ? calls : calls.with(index, { ...call, ...change(call) })
  }
  if (event.type === 'step-end')
    return changed(
      calls.findLastIndex((call) => isOfStep(call, event.step)),
      () => ({ usage: event.message.usage }),
    )
  if (event.type !== 'step-response') return calls
  const { step, attempt, at, body } = event
  return changed(
    calls.findLastIndex((call) => call.response === undefined && call.attempt === attempt && isOfStep(call, step)),
    (call) => ({ response: body, ms: at - call.at }),
  )
}
