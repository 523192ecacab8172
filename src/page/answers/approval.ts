// Who must be asked before a call runs. The first that speaks decides: the author's `needsApproval`, the agent's
// `approval` setting, the tool's hints.
import type { Preview } from '../../core/turn/action-preview.js'
import { canonicalJson, type JsonValue } from '../../core/data/json.js'
import type { Session } from '../../core/data/session.js'
import { isDiscoveredTool } from '../../core/data/tool.js'
import type { AgentOptions } from '../options.js'
import type { AvailableTool } from '../tools/available-tools.js'
import { sha256 } from '../sha256.js'
import type { ApprovalRun } from '../tools/tool.js'

/** `once`: a yes holds for the session, as long as the definition stays. `thrown`: by `needsApproval`. */
export type ApprovalNeed =
  | { readonly do: 'run' }
  | { readonly do: 'ask'; readonly once?: true }
  | { readonly do: 'refuse'; readonly thrown: unknown }

export interface NeedContext {
  readonly run: ApprovalRun
  readonly grants: Session['grants']
  readonly approval: AgentOptions['approval']
  /** The model has read untrusted text. */
  readonly tainted: boolean
  /** Neither `approval` nor what was allowed before counts. */
  readonly always: boolean
}

/** `value`: the validated input as the tool will get it. */
export async function approvalNeed(
  { entry, spec }: AvailableTool,
  value: unknown,
  { run, grants, approval, tainted, always }: NeedContext,
): Promise<ApprovalNeed> {
  const { needsApproval } = entry.tool
  const { destructiveHint, consequentialHint } = spec.annotations
  const isGranted = !always && grants.some((grant) => grant.tool === spec.name && grant.hash === spec.hash)
  // After untrusted text a call with consequences is asked about even if it was allowed before.
  const ask: ApprovalNeed =
    isGranted && !((consequentialHint || destructiveHint) && tainted) ? { do: 'run' } : { do: 'ask' }
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
  return entry.tool[isDiscoveredTool] && !isGranted ? { do: 'ask', once: true } : { do: 'run' }
}

/** Binds a question to what would run, where and to what end: another input, definition, page or preview is another question. */
export function approvalHash(
  callId: string,
  input: JsonValue,
  definition: string,
  url: string,
  preview?: Preview,
): string {
  return sha256(canonicalJson([callId, input, definition, url, ...(preview ? [preview as unknown as JsonValue] : [])]))
}
