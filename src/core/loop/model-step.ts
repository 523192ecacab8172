// One model call: streams the answer, displays it, and returns one complete message or a failure with the text so far.
// Only an attempt that failed before its first part is repeated.
import { abortable } from './abort.js'
import { toFailure, ToolAgentError, type Failure } from '../data/errors.js'
import { dropUndefined, isObject, type JsonValue } from '../data/json.js'
import { allToolCalls, textOf, toolCallsOf, type AssistantMessage } from '../data/message.js'
import type { FinishReason, ModelPart, ModelRequest } from '../data/model.js'
import { outputToolName } from './tool-names.js'
import { isFencedOff, throwIfClosed, type OfferedTools, type TurnDeps } from './turn-deps.js'
import { AnswerCollector, maxCallsPerAnswer, tooManyCalls } from './answer-collector.js'
import { hiddenNames, offeredName, readCalls, type CallIds } from './parse-tool-calls.js'
import { hiddenTools } from './step-tools.js'
import { createCallMarkupFilter } from '../prompt/strip-call-markup.js'
import { outputModel } from './output-model.js'

/** How a model call ended. */
export interface StepOutcome {
  /** The answer so far. Its parts may be empty. Without the calls of an answer that is not complete. */
  readonly message: AssistantMessage
  /** Why the model stopped; `cut` if the stream failed or was aborted. */
  readonly finish: FinishReason | 'cut'
  /** Why the call failed, after all retries; absent for a complete answer and for an abort. */
  readonly failure?: Failure
  /** The model wrote a call as markup into its text, which was removed. */
  readonly isCallLeaked: boolean
  /** The state that page and agent share, if the answer has set it. */
  readonly state?: JsonValue
  /** The tools that the answer calls with `use_tool`. */
  readonly hidden: OfferedTools
}

/** What `modelStep` sends. */
interface ModelStepOptions {
  /** The request after the page's hook. Each attempt sends it unchanged. */
  readonly request: ModelRequest
  /** The number of the step in its turn, from 1. */
  readonly step: number
  /** The tools of the request. */
  readonly offered: OfferedTools
}

/** The request after the page's `beforeModel` hook, if there is one. */
export async function requestAfterHook(
  deps: TurnDeps,
  signal: AbortSignal,
  request: ModelRequest,
): Promise<ModelRequest> {
  return deps.config().hooks.beforeModel ? deps.ask({ type: 'before-model', request }, signal) : request
}

/**
 * Streams one step. Must not throw for what the model or the network did: that is `failure`, with the parts before it
 * in `message`. Rejects with an error of `emit` (see `isFencedOff`), and with the signal's reason if it was aborted as
 * `closed`.
 */
export async function modelStep(
  deps: TurnDeps,
  signal: AbortSignal,
  { request, step, offered }: ModelStepOptions,
): Promise<StepOutcome> {
  const { modelRetries: maxRetries, callsPerStep } = deps.config().limits
  const maxCalls = maxCallsPerAnswer(callsPerStep)
  let isCallLeaked = false
  const isOffered = (name: string): boolean => offered.has(offeredName(name, offered))
  const createMarkupFilter = () =>
    createCallMarkupFilter(isOffered, () => {
      isCallLeaked = true
    })
  let attempt = 0
  for (;;) {
    const id = deps.id('msg')
    // Not awaited, because it waits for the commits before it. If one of them fails, `committed` rejects below.
    deps.emit({ type: 'step-start', at: deps.now(), step, id }).catch(() => undefined)
    const collector = new AnswerCollector(createMarkupFilter, maxCalls)
    let failure: Failure | undefined
    try {
      const call = { step, attempt, request }
      const model = offered.has(outputToolName) ? outputModel(deps, call) : await deps.model(call)
      await collectParts(deps, signal, { parts: model.stream(request, signal), collector })
    } catch (thrown) {
      if (isFencedOff(thrown)) throw thrown
      throwIfClosed(signal)
      if (!signal.aborted) failure = toFailure(thrown, 'bad-response')
    }
    // What is decided now, such as another request, must not be ahead of the disk.
    await deps.committed()
    // Parts are displayed as they arrive, so an answer that has begun must not be repeated.
    const recovery = failure && !collector.hasStarted ? chooseRecovery(failure, attempt, maxRetries) : 'give-up'
    if (failure && recovery !== 'give-up') {
      const isOffline = recovery === 'wait-for-network'
      const delay = isOffline ? 0 : retryDelay(failure, attempt, deps.random())
      if (!isOffline) attempt++
      await deps.emit({ type: 'step-retry', step, attempt, delay, error: failure })
      // An abort ends the wait. It is handled below.
      await (isOffline ? deps.untilOnline(signal) : deps.wait(delay, signal, 'retry')).catch(() => undefined)
      if (!signal.aborted) continue
      throwIfClosed(signal)
      failure = undefined
    }
    // When a page is closed, browsers cut its connections before they end its worker. That is not a failure of the
    // model, so the step waits until the page confirms that it is still open.
    if (failure?.code === 'stream-cut' || failure?.code === 'network') {
      await deps.untilPagePresent(signal).catch(() => undefined)
      throwIfClosed(signal)
      if (signal.aborted) failure = undefined
    }
    const called = collector.calls.filter(({ result }) => result === undefined)
    const isWhole = !failure && !signal.aborted && (collector.finish === 'stop' || collector.finish === 'tool-calls')
    const hidden = await hiddenTools(deps, signal, isWhole ? hiddenNames(called, offered) : [])
    let finish = failure || signal.aborted ? 'cut' : collector.finish
    // Calls of a cut answer must not run, even if their arguments can be parsed: more text could have followed.
    const hasCalls = finish === 'stop' || finish === 'tool-calls'
    const ids = callIds(deps)
    // What the server has run has happened, also in an answer that was cut.
    const parts = collector.parts((call) => readCalls([call], offered, ids))
    let calls = hasCalls ? readCalls(called, offered, ids, hidden) : []
    // One streamed call can wrap many parallel calls.
    if (calls.length > maxCalls) {
      failure = toFailure(tooManyCalls(maxCalls), 'bad-response')
      finish = 'cut'
      calls = []
    }
    const message: AssistantMessage = dropUndefined({
      id,
      role: 'assistant',
      at: deps.now(),
      parts: [...parts, ...calls],
      usage: collector.usage,
      model: collector.model,
    })
    return dropUndefined({ message, finish, failure, isCallLeaked, state: collector.state, hidden })
  }
}

/**
 * True for a complete answer without calls that has no text either, or only text around a call that was written as
 * markup. Some models and servers give such an answer now and then.
 */
export function isHollowAnswer({ message, finish, failure, isCallLeaked }: Omit<StepOutcome, 'hidden'>): boolean {
  if (failure || toolCallsOf(message).length > 0) return false
  if (isCallLeaked) return finish === 'stop' || finish === 'tool-calls'
  return finish === 'stop' && textOf(message).trim() === ''
}

/**
 * The text of an answer that is not part of the transcript, such as a summary, and what it used. One attempt, without
 * events. Rejects with the failure of the model or the network.
 */
export async function generateText(
  deps: TurnDeps,
  signal: AbortSignal,
  { request, step }: Pick<ModelStepOptions, 'request' | 'step'>,
): Promise<Pick<AssistantMessage, 'usage'> & { readonly text: string }> {
  const collector = new AnswerCollector(() => (text) => text, maxCallsPerAnswer(deps.config().limits.callsPerStep))
  const model = await deps.model({ step, attempt: 0, request })
  const silent = { ...deps, emit: async () => undefined }
  await collectParts(silent, signal, { parts: model.stream(request, signal), collector })
  const texts = collector.parts().map((part) => (part.type === 'text' ? part.text : ''))
  return dropUndefined({ text: texts.join(''), usage: collector.usage })
}

/**
 * Adds the parts of a stream to the collector and emits their events. Rejects with `model-timeout`, `stream-cut`,
 * `bad-response`, the error of the stream, or the signal's reason.
 */
async function collectParts(
  deps: TurnDeps,
  signal: AbortSignal,
  { parts, collector }: { readonly parts: AsyncIterable<ModelPart>; readonly collector: AnswerCollector },
): Promise<void> {
  const { firstPart, betweenParts } = deps.config().limits
  const iterator = parts[Symbol.asyncIterator]()
  let stopListening: (value: IteratorResult<ModelPart>) => void = () => undefined
  const aborted = abortable<IteratorResult<ModelPart>>(signal, (resolve) => {
    stopListening = resolve
  })
  aborted.catch(() => undefined) // Raced below. The next race handles an abort between two races.
  try {
    for (;;) {
      const timer = new AbortController()
      const limit = collector.hasStarted ? betweenParts : firstPart
      const timeout = deps.wait(limit, timer.signal, 'clock').then(() => {
        throw new ToolAgentError(
          'model-timeout',
          `The model sent ${collector.hasStarted ? 'nothing more' : 'nothing'} for ${Math.round(limit / 1000)} s`,
        )
      })
      timeout.catch(() => undefined) // Aborted below, unless it won the race.
      const next = await Promise.race([iterator.next(), timeout, aborted]).finally(() => timer.abort())
      if (next.done) break
      for (const event of collector.add(next.value)) await deps.emit(event)
    }
  } finally {
    // The signal of the turn outlives the step, so the listener must be removed.
    stopListening({ done: true, value: undefined })
    // Not awaited, because a generator that hangs in a read would block here. Its failure was handled above.
    void iterator.return?.().catch(() => undefined)
  }
  if (collector.finish === 'cut') throw new ToolAgentError('stream-cut', 'The answer ended before it was complete')
}

/** The ids that the session uses, with those of the steps that are not stored yet. */
function callIds({ rootSession, callIds: taken, id }: TurnDeps): CallIds {
  for (const { part } of allToolCalls(rootSession().messages)) taken.add(part.call.id)
  return { taken, isComplete: rootSession().start === 0, create: () => id('call') }
}

// What to do when a model call failed before its first part. `modelStep` waits and emits the events.

/** Wait until the device is online, try again after a delay, or end the step with the failure. */
export type Recovery = 'wait-for-network' | 'retry' | 'give-up'

/**
 * Chooses the recovery from a failed attempt. Must not be called after the first part, because parts are displayed as
 * they arrive. `attempt`: number of the failed attempt, from 0. `maxRetries`: `limits.modelRetries`; waiting for the
 * network does not count as a retry.
 */
export function chooseRecovery(failure: Failure, attempt: number, maxRetries: number): Recovery {
  if (failure.code === 'offline') return 'wait-for-network'
  // A failure with a fallback is not a retry: the next attempt uses another model.
  return detailOf(failure, 'fallback') || (attempt < maxRetries && isRetryable(failure)) ? 'retry' : 'give-up'
}

/**
 * Milliseconds until the next attempt: the server's `Retry-After`, at most 60 s, otherwise 0.5 s, 1 s, 2 s… `random`
 * (0 to 1) spreads the second half of that time, so that clients do not return together.
 */
export function retryDelay(failure: Failure, attempt: number, random: number): number {
  const requested = detailOf(failure, 'retryAfter')
  if (typeof requested === 'number') return Math.min(Math.max(0, requested), 60_000)
  return Math.round(500 * 2 ** attempt * (0.5 + random / 2))
}

/** The adapter decides with `details.retry`. Without it, network and server errors can be retried. */
function isRetryable(failure: Failure): boolean {
  const decided = detailOf(failure, 'retry')
  if (typeof decided === 'boolean') return decided
  return failure.code === 'network' || failure.code === 'server' || failure.code === 'rate-limited'
}

function detailOf({ details }: Failure, name: string): unknown {
  return isObject(details) ? details[name] : undefined
}
