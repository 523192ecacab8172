// The model calls of a session as pairs: what the endpoint was sent, and what it answered.
import type { AgentEvent } from '../../core/data/event.js'
import type { JsonValue } from '../../core/data/json.js'
import type { CallId } from '../../core/data/message.js'
import type { ModelRequest } from '../../core/data/model.js'

const capacity = 100

export interface ModelCall {
  readonly id: number
  readonly at: number
  readonly path: readonly CallId[]
  readonly step: number
  readonly attempt: number
  /** The body that went out; for a model on the page, the request it was given. */
  readonly request: JsonValue | ModelRequest
  readonly response?: JsonValue
  /** Milliseconds from request to the end of the response. */
  readonly ms?: number
}

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
  if (event.type !== 'step-response') return calls
  const { step, attempt, at, body } = event
  const open = calls.findLastIndex(
    (call) =>
      call.response === undefined && call.step === step && call.attempt === attempt && call.path.join() === path.join(),
  )
  const call = calls[open]
  return call === undefined ? calls : calls.with(open, { ...call, response: body, ms: at - call.at })
}
