// Asks the user about a call, until they decide or the page no longer requires it.
import type { Failure } from '../data/errors.js'
import { dropUndefined } from '../data/json.js'
import type { Verdict } from '../data/protocol.js'
import { superseded } from '../prompt/failure-text.js'
import { approvalNotes } from '../prompt/compose-result.js'
import type { Decision, TurnDeps, UserAnswer, UserQuestion } from './turn-deps.js'

/**
 * Asks while the verdict is `ask`, about the call as the newest check described it. Rejects when the signal is aborted;
 * the call stays open then.
 */
export async function askUser(
  { deps, signal }: { readonly deps: TurnDeps; readonly signal: AbortSignal },
  { callId, verdict: first, check }: UserQuestion,
): Promise<UserAnswer> {
  let verdict: Verdict = first
  while (verdict.do === 'ask') {
    const { hash, title, input, preview, once } = verdict
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
          grant: remember || once,
        },
      }
    }
    if (decision.do !== 'recheck') return { error: failureOf(decision) }
    verdict = (await check()) ?? verdict
  }
  const denial = verdict.do === 'run' ? deps.earlyDenial(callId) : undefined
  return denial ? { error: failureOf(denial) } : { verdict }
}

/** The error of a call that the user denied or did not decide on. */
function failureOf(decision: Decision): Failure {
  if (decision.do !== 'deny') return superseded
  const message = 'The user denied this call. It did not run. Do not try it again unless they ask for it.'
  const { reason } = decision
  if (!reason) return { code: 'denied', message }
  return { code: 'denied', message: `${message} The user wrote: ${JSON.stringify(reason)}`, details: { reason } }
}
