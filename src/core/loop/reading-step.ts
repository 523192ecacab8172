// A step whose calls only read: one query checks its calls and runs those that need no question. Their start is
// displayed and not stored, because a call that reads may run again after a crash.
import { abortable } from './abort.js'
import type { OfferedTools, TurnDeps } from './turn-deps.js'
import { ToolAgentError } from '../data/errors.js'
import type { CallId, ToolCallPart } from '../data/message.js'
import type { JsonValue } from '../data/json.js'
import type { ExecutionResult, QueryOf, ReadProgress, Verdict } from '../data/protocol.js'
import { hostToolNames } from './builtin-tools.js'

/**
 * Whether the page may check and run these calls with one query. Not if one may do more than read, waits for others or
 * for a slot, was asked about, or is decided on by the caller of a stepped turn.
 */
export function isReadingStep(deps: TurnDeps, offered: OfferedTools, calls: readonly ToolCallPart[]): boolean {
  if (deps.depth > 0 || deps.session().turn?.mode === 'manual') return false
  const isReading = ({ call: { name }, started, approval }: ToolCallPart): boolean => {
    const { annotations, exclusive, agent } = offered.get(name) ?? {}
    const isPlain = !exclusive && !agent && !hostToolNames.has(name) && !started && !approval
    return isPlain && annotations?.readOnlyHint === true
  }
  return calls.length > 0 && calls.length <= deps.config().limits.concurrency && calls.every(isReading)
}

/** Calls that the page checks and runs. */
export interface ReadingCalls {
  /** The verdicts on all calls. Those with `run` run already. */
  readonly verdicts: Promise<readonly Verdict[]>
  /** Resolves with the outcome of a call that runs. Rejects with the signal's reason, or as the query does. */
  outcome(callId: CallId, signal: AbortSignal, onProgress: (value: JsonValue) => void): Promise<ExecutionResult>
}

/** Sends the query. */
export function startReading(deps: TurnDeps, query: QueryOf<'read'>, signal: AbortSignal): ReadingCalls {
  const outcomes = new Map<CallId, Deferred<ExecutionResult>>()
  const listeners = new Map<CallId, (value: JsonValue) => void>()
  for (const { callId } of query.calls) outcomes.set(callId, deferred())
  const verdicts = deferred<readonly Verdict[]>()
  const onProgress = (report: ReadProgress) => {
    if ('verdicts' in report) verdicts.resolve(report.verdicts)
    else if ('outcome' in report) outcomes.get(report.outcome.callId)?.resolve(report.outcome)
    else listeners.get(report.callId)?.(report.value)
  }
  const end = (reason: unknown) => {
    for (const one of [verdicts, ...outcomes.values()]) one.reject(reason)
  }
  deps
    .ask(query, signal, onProgress)
    .then(() => end(new ToolAgentError('unavailable', 'The page did not answer.')), end)
  return {
    verdicts: verdicts.promise,
    outcome: (callId, aborts, listener) =>
      abortable(aborts, (resolve, reject) => {
        listeners.set(callId, listener)
        outcomes.get(callId)?.promise.then(resolve, reject)
      }),
  }
}

interface Deferred<T> {
  readonly promise: Promise<T>
  readonly resolve: (value: T) => void
  readonly reject: (reason: unknown) => void
}

/** Its rejection counts as handled. */
function deferred<T>(): Deferred<T> {
  let resolve: Deferred<T>['resolve'] = () => undefined
  let reject: Deferred<T>['reject'] = () => undefined
  const promise = new Promise<T>((onValue, onError) => {
    resolve = onValue
    reject = onError
  })
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
