// Who must be asked before a call runs. The first that speaks decides: the author's `needsApproval`, the agent's
// `approval` setting, the tool's hints.
import type { Preview } from '../core/foresight.js'
import { canonicalJson, fingerprint, type JsonValue } from '../core/json.js'
import { everyCall } from '../core/message.js'
import { isOutside } from '../core/outcome.js'
import type { Session } from '../core/session.js'
import { discovered } from '../core/tool.js'
import type { AgentOptions } from './options.js'
import type { Offered } from './offer.js'
import type { ApprovalRun } from './tool.js'

/** `once`: a yes holds for the session, as long as the definition stays. `thrown`: by `needsApproval`. */
export type Need = { readonly do: 'run' } | { readonly do: 'ask'; readonly once?: true } | { readonly do: 'refuse'; readonly thrown: unknown }

/** `value`: the validated input as the tool will get it. `always`: neither `approval` nor what was allowed before counts. */
export async function approvalNeed(
  { entry, spec }: Offered, value: unknown, run: ApprovalRun, session: Session, approval: AgentOptions['approval'], always = false,
): Promise<Need> {
  const { needsApproval } = entry.tool
  const { destructiveHint, consequentialHint } = spec.annotations
  const isGranted = !always && session.grants.some((grant) => grant.tool === spec.name && grant.hash === spec.hash)
  // After untrusted text was read in this turn, what has consequences is asked for even if it was allowed before.
  const ask: Need = isGranted && !(consequentialHint && hasReadUntrusted(session)) ? { do: 'run' } : { do: 'ask' }
  if (needsApproval !== undefined) {
    try {
      const needed = typeof needsApproval === 'function' ? await needsApproval(value as never, run) : needsApproval
      return needed || consequentialHint || always ? ask : { do: 'run' }
    } catch (thrown) {
      return { do: 'refuse', thrown }
    }
  }
  if (always) return ask
  if (approval === 'off') return { do: 'run' }
  if (approval === 'always' || destructiveHint || consequentialHint) return ask
  return entry.tool[discovered] && !isGranted ? { do: 'ask', once: true } : { do: 'run' }
}

function hasReadUntrusted(session: Session): boolean {
  const from = (session.turn?.first ?? Infinity) - session.start
  return everyCall(session.messages.slice(Math.max(0, from))).some(({ part }) => isOutside(part.result?.modelOutput))
}

/** Binds a question to what would run, where and to what end: another input, definition, page or preview is another question. */
export function approvalHash(callId: string, input: JsonValue, definition: string, url: string, preview?: Preview): string {
  return fingerprint(canonicalJson([callId, input, definition, url, ...(preview ? [preview as unknown as JsonValue] : [])]))
}
