// The protocol of agents on a server: AG-UI over HTTP. `POST <endpoint>` starts a run, whose events are the answer. The
// server owns the run (decision 0030), so a request is sent again only after an answer that says that no run began.
import { ToolAgentError } from '../../../core/data/errors.js'
import { isObject, type JsonObject } from '../../../core/data/json.js'
import type { ModelAdapter, ModelPart, ModelRequest } from '../../../core/data/model.js'
import { abortOnReturn } from '../../../core/loop/abort.js'
import { cutError } from '../http/answer-errors.js'
import { httpModel, type HttpModelOptions, type HttpProtocol } from '../http/http-model.js'
import { runAnswer } from './run-events.js'
import { runInput } from './run-input.js'

/** Options of `agUi`. */
export interface AgUiOptions extends HttpModelOptions {
  /** The field `forwardedProps` of each request, which the agent gets as it is. @default `{}` */
  readonly forwardedProps?: JsonObject
}

/** The server has accepted the run, also if it says nothing more. */
const accepted: ModelPart = { type: 'text-delta', id: 'run', delta: '' }

/**
 * An agent that speaks AG-UI. Its stream throws `ToolAgentError`s with a model code, or `invalid-option` for a wrong
 * endpoint or header. `endpoint` is the whole address of the agent.
 */
export function agUi(options: AgUiOptions): ModelAdapter {
  return {
    ownsRuns: true,
    stream: (request, signal) => abortOnReturn(signal, (both) => run(options, request, both)),
  }
}

async function* run(
  options: AgUiOptions,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelPart, void, undefined> {
  let isSent = false
  let isAccepted = false
  const send: typeof fetch = async (url, init) => {
    isSent = true
    const response = await (options.fetch ?? fetch)(url, init)
    isAccepted = response.ok
    return response
  }
  const protocol: HttpProtocol = {
    address() {},
    body: (asked) => runInput(asked, options.forwardedProps),
    answer: runAnswer,
    headers: { accept: 'text/event-stream' },
  }
  let hasBegun = false
  try {
    for await (const part of httpModel(protocol, { ...options, fetch: send }).stream(request, signal)) {
      if (isAccepted && !hasBegun) yield accepted
      hasBegun ||= isAccepted
      yield part
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof ToolAgentError) || !isSent) throw error
    if (isAccepted && !hasBegun) yield accepted
    throw final(error, isAccepted)
  }
}

/** Statuses with which a server or a gateway says that it has not taken the request. */
const refusals: ReadonlySet<unknown> = new Set([429, 503])

/** The error after which the same request is not sent again, unless the server has refused it. */
function final(error: ToolAgentError, isAccepted: boolean): ToolAgentError {
  const details = isObject(error.details) ? (error.details as JsonObject) : {}
  if (!isAccepted && refusals.has(details['status'])) return error
  const isLost = error.code === 'network' || error.code === 'offline'
  if (isAccepted && isLost) return cutError(error.cause)
  // An offline device waits and sends again. Nobody knows whether this request arrived.
  const code = error.code === 'offline' ? 'network' : error.code
  return new ToolAgentError(code, error.message, { cause: error, details: { ...details, retry: false } })
}

/** The export of a lazy model file. */
export { agUi as provider }
