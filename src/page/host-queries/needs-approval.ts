// Whether a call needs the user's approval. The first of these that is set decides: the author's `needsApproval`, the
// agent's `approval` option, the tool's hints.
import type { Preview } from '../../core/loop/action-preview.js'
import type { JsonValue } from '../../core/data/json.js'
import { canonicalJson } from '../../core/data/plain-json.js'
import type { Session } from '../../core/data/session.js'
import { isDiscoveredTool } from '../../core/data/tool.js'
import type { AgentOptions } from '../options.js'
import type { AvailableTool } from '../tools/available-tools.js'
import { sha256 } from '../sha256.js'
import type { ApprovalRun } from '../tools/tool.js'

/** Whether a call runs, waits for the user, or is refused. */
export type ApprovalNeed =
  | { readonly do: 'run' }
  /** `once`: an approval covers the whole session, until the definition of the tool changes. */
  | { readonly do: 'ask'; readonly once?: true }
  /** `needsApproval` threw. */
  | {
      readonly do: 'refuse'
      /** What it threw; of any type, also undefined. Must not leave the page. */
      readonly thrown: unknown
    }

/** What the decision depends on, beside the tool and its arguments. */
export interface NeedContext {
  /** What `needsApproval` receives. */
  readonly run: ApprovalRun
  /** Definitions of tools that the user allowed for this session. */
  readonly grants: Session['grants']
  /** The agent's option. @default 'hints' */
  readonly approval: AgentOptions['approval']
  /** The model has read untrusted text. Then a grant does not cover calls with consequences. */
  readonly untrusted: boolean
  /** Asks the user whatever `approval` and the grants say. */
  readonly always: boolean
}

/** `value`: the validated input as the tool receives it. Never rejects for an error of `needsApproval`. */
export async function approvalNeed(
  { entry, spec }: AvailableTool,
  value: unknown,
  { run, grants, approval, untrusted, always }: NeedContext,
): Promise<ApprovalNeed> {
  const { needsApproval } = entry.tool
  const { destructiveHint, consequentialHint } = spec.annotations
  const isGranted = !always && grants.some((grant) => grant.tool === spec.name && grant.hash === spec.hash)
  // Untrusted text may have written this call, so the user approves its consequences again.
  const ask: ApprovalNeed =
    isGranted && !((consequentialHint || destructiveHint) && untrusted) ? { do: 'run' } : { do: 'ask' }
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

/**
 * Binds an approval to one call, its input, the definition of its tool, the page and the preview that was shown. If any
 * of them changes, the hash changes and the user is asked again.
 */
export function approvalHash(
  callId: string,
  input: JsonValue,
  definition: string,
  url: string,
  preview?: Preview,
): string {
  return sha256(canonicalJson([callId, input, definition, url, ...(preview ? [preview as unknown as JsonValue] : [])]))
}
