// Asks the user about a call, until they decide or the page no longer requires it.
import type { StoppedEffect } from '../data/stopped-effect.js'
import type { Failure } from '../data/errors.js'
import type { FormQuestion } from '../data/form-question.js'
import { dropUndefined, type JsonObject } from '../data/json.js'
import type { Verdict } from '../data/protocol.js'
import { doneByUser, heldNotSent, superseded } from '../prompt/failure-text.js'
import { approvalNotes } from '../prompt/compose-result.js'
import type { CallId, ToolCallPart } from '../data/message.js'
import type { Execution } from './tool-execution.js'
import type { Decision, TurnDeps } from './turn-deps.js'

/** A call on which the user has to decide. */
export interface UserQuestion {
  readonly callId: CallId
  /** `ask`; or `run`, if the user denied the call before the page could check it again. */
  readonly verdict: Verdict
  /** The call ran and was stopped before it did this. */
  readonly stopped?: readonly StoppedEffect[]
  /** Checks the call again. */
  check(): Promise<Verdict | undefined>
}

/** How a question ended. */
export type UserAnswer =
  /** The user approved the call. */
  | { readonly execution: Execution; readonly error?: never; readonly verdict?: never }
  /** The user denied the call, or sent another message. */
  | { readonly error: Failure; readonly execution?: never; readonly verdict?: never }
  /** The page runs or refuses the call without a question. */
  | { readonly verdict: Exclude<Verdict, { do: 'ask' }>; readonly execution?: never; readonly error?: never }

/**
 * Asks while the verdict is `ask`, about the call as the newest check described it. Rejects when the signal is aborted;
 * the call stays open then.
 */
export async function askUser(
  { deps, signal }: { readonly deps: TurnDeps; readonly signal: AbortSignal },
  { callId, verdict: first, stopped = [], check }: UserQuestion,
): Promise<UserAnswer> {
  let verdict: Verdict = first
  while (verdict.do === 'ask') {
    const { hash, title, input, preview, page = '', once } = verdict
    const approval = dropUndefined({ hash, title, input, at: deps.now(), preview })
    await deps.emit({ type: 'approval-request', at: approval.at, callId, approval })
    const decision = await deps.userDecision(callId, signal)
    if (decision.do === 'approve') {
      const { input: edited, reason, remember } = decision
      return {
        execution: {
          input: edited ?? input,
          notes: approvalNotes(approval, edited, reason),
          approval: dropUndefined({ reason, edited: edited !== undefined }),
          // Nothing that acts on the page is allowed for the session.
          grant: preview?.effect === undefined && (remember === 'session' || once),
          taskGrant: remember === 'task' && preview?.task ? { at: deps.now(), page, scope: preview.task } : undefined,
          effect: preview?.effect,
        },
      }
    }
    if (decision.do !== 'recheck') return { error: failureOf(decision, stopped, preview?.held) }
    verdict = (await check()) ?? verdict
  }
  const denial = verdict.do === 'run' ? deps.earlyDenial(callId) : undefined
  return denial ? { error: failureOf(denial, stopped) } : { verdict }
}

/**
 * Asks what a running tool asks. Resolves with the decision that is the answer, or that there is none. Rejects when the
 * signal is aborted; the call stays open then.
 */
export async function askForTool(
  { deps, signal }: { readonly deps: TurnDeps; readonly signal: AbortSignal },
  { call: { id: callId, name }, title = name, started }: ToolCallPart,
  asks: FormQuestion,
): Promise<Exclude<Decision, { do: 'recheck' }>> {
  const at = deps.now()
  const approval = { hash: asks.hash, title, input: started?.input ?? {}, asks, at }
  await deps.emit({ type: 'approval-request', at, callId, approval })
  // The tool may have ended before anybody was asked.
  const outcome = await deps.outcomeFromPage(callId, signal)
  if (outcome && !outcome.held) return { do: 'ended', outcome }
  for (;;) {
    const decision = await deps.userDecision(callId, signal)
    // Nothing is checked again: an answer to another question does not count.
    if (decision.do !== 'recheck') return decision
  }
}

/** The error of a call that the user denied or did not decide on. */
function failureOf(decision: Decision, stopped: readonly StoppedEffect[], isHeld = false): Failure {
  const isStopped = stopped.length > 0
  const wasStopped = isHeld ? heldNotSent : 'It was stopped before it had this effect.'
  const happened = isStopped ? wasStopped : 'It did not run.'
  if (decision.do !== 'deny')
    return isStopped ? { ...superseded, message: `The user sent another message. ${happened}` } : superseded
  if (decision.doneByUser) return doneByUser
  const { reason } = decision
  const message = `The user denied this call. ${happened} Do not try it again unless they ask for it.`
  const details = dropUndefined({ reason: reason || undefined, stopped: isStopped ? [...stopped] : undefined })
  return dropUndefined({
    code: 'denied',
    message: reason ? `${message} The user wrote: ${JSON.stringify(reason)}` : message,
    details: Object.keys(details).length > 0 ? (details as unknown as JsonObject) : undefined,
  })
}
