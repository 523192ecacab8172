// Whether a call needs the user's approval. For an action on the page its effect decides. For any other call, the first
// of these that is set: the author's `needsApproval`, the agent's `approval` option, the tool's hints.
import { isGrantInForce, isSameScope, type TaskGrant, type TaskScope } from '../../core/data/effect.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import type { ActionForecast, ActionPermission, Preview } from '../../core/data/action.js'
import type { JsonValue } from '../../core/data/json.js'
import type { ApprovalOffer } from '../../core/data/protocol.js'
import { canonicalJson } from '../../core/data/plain-json.js'
import type { Session } from '../../core/data/session.js'
import { internals, type ToolContext } from '../../core/data/tool.js'
import type { AgentOptions } from '../options.js'
import type { AvailableTool } from '../tools/available-tools.js'
import { sha256 } from '../sha256.js'
import type { ApprovalRun } from '../tools/tool.js'

/** Whether a call runs, waits for the user, or is refused. */
export type ApprovalNeed =
  | {
      readonly do: 'run'
      /** Why an action on the page runs without a question. */
      readonly by?: 'rule' | 'user' | 'task' | 'off'
    }
  | {
      readonly do: 'ask'
      /** An approval covers the whole session, until the definition of the tool changes. */
      readonly once?: true
    }
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
  /** What the user allowed for the task. */
  readonly taskGrants: readonly TaskGrant[]
  /** The agent's option. @default 'hints' */
  readonly approval: AgentOptions['approval']
  /** The request contains untrusted text. Then a grant of the session does not cover calls with consequences. */
  readonly untrusted: boolean
  /** What an action on the page will do. Undefined for every other call. */
  readonly action: ForecastAction | undefined
  /** Milliseconds since the epoch. */
  readonly now: number
  /** Origin and path of the page. */
  readonly page: string
}

/** A forecast that says what the action does. Then the effect decides, and the hints of the tool do not. */
export type ForecastAction = ActionForecast & Required<Pick<ActionForecast, 'effect'>>

/** `value`: the validated input as the tool receives it. Never rejects for an error of `needsApproval`. */
export async function approvalNeed(tool: AvailableTool, value: unknown, context: NeedContext): Promise<ApprovalNeed> {
  const { question } = tool.entry.tool
  // Who writes what the user decides wants them to decide.
  const { needsApproval = question && true } = tool.entry.tool
  let needed: boolean | undefined
  try {
    needed = typeof needsApproval === 'function' ? await needsApproval(value as never, context.run) : needsApproval
  } catch (thrown) {
    return { do: 'refuse', thrown }
  }
  const { action } = context
  if (action) return needed ? { do: 'ask' } : needOfAction(action, context)
  return needOfCall(tool, needed, context)
}

/** The table of effects. What was stopped is never more than asked about: the action has shown that it does more. */
function needOfAction(action: ForecastAction, context: NeedContext): ApprovalNeed {
  const { approval, run } = context
  const { effect, preview } = action
  if (effect === 'outside' || approval === 'always') return { do: 'ask' }
  if (approval === 'off') return { do: 'run', by: 'off' }
  // After a refusal the press runs, and what it sends is asked about.
  const isVoid = preview.refused === true && (run.stopped ?? []).length > 0
  if (!isVoid && isCoveredByTask(action, context)) return { do: 'run', by: 'task' }
  if (run.stopped?.length) return { do: 'ask' }
  if (action.confirms) return { do: 'run', by: 'user' }
  // Whatever it would send is asked about then.
  const isHarmless = effect === 'view' || effect === 'value' || (effect === 'go' && !preview.loses) || action.isTight
  return isHarmless ? { do: 'run', by: 'rule' } : { do: 'ask' }
}

/** Whether a grant for the task covers an action. Its scope protects the user, so untrusted text does not end it. */
function isCoveredByTask(action: ForecastAction, { approval, taskGrants, now, page }: NeedContext): boolean {
  const scope = offeredScope(action, approval)
  return (
    scope !== undefined && taskGrants.some((one) => isGrantInForce(one, now, page) && isSameScope(one.scope, scope))
  )
}

/** What can be allowed for the task: an effect that is not known, or the same request again. */
export function offeredScope(
  { effect, preview: { task } }: ForecastAction,
  approval: AgentOptions['approval'],
): TaskScope | undefined {
  return approval !== 'always' && task?.covers === effect ? task : undefined
}

function needOfCall(
  { entry, spec }: AvailableTool,
  needed: boolean | undefined,
  { grants, approval, untrusted }: NeedContext,
): ApprovalNeed {
  const { destructiveHint, consequentialHint } = spec.annotations
  // Untrusted text may have written this call, so the user approves its consequences again.
  const isVoid = destructiveHint || (consequentialHint && untrusted)
  const isGranted = grants.some((grant) => grant.tool === spec.name && grant.hash === spec.hash)
  const ask: ApprovalNeed = isGranted && !isVoid ? { do: 'run' } : { do: 'ask' }
  if (needed !== undefined) return needed || consequentialHint ? ask : { do: 'run' }
  if (approval === 'off') return { do: 'run' }
  if (approval === 'always' || destructiveHint || consequentialHint) return ask
  return entry.tool[internals]?.isDiscovered && !isGranted ? { do: 'ask', once: true } : { do: 'run' }
}

/** What an action may do; if the user has to be asked, what it may do once they have approved it. */
export function permissionFor(
  { effect: predicted, isTight }: ForecastAction,
  need: ApprovalNeed,
  stopped: readonly StoppedEffect[] | undefined,
): ActionPermission {
  const by = need.do === 'run' ? (need.by ?? 'rule') : 'user'
  // Nobody has allowed what its words say.
  const effect = by === 'rule' && isTight ? 'unknown' : predicted
  return { effect, by, ...(stopped?.length ? { stopped } : {}) }
}

/** Origin and path of an address. A grant for the task holds on this page only. */
export function pageOf(address: string): string {
  if (!URL.canParse(address)) return ''
  const { origin, protocol, pathname } = new URL(address)
  return `${origin === 'null' ? protocol : origin}${pathname}`
}

/**
 * What a question offers beside this one call. `untrusted`: a grant of the session would not cover consequences of this
 * tool, so it is not offered.
 */
export function approvalOffers(
  preview: Preview | undefined,
  { destructiveHint, consequentialHint }: AvailableTool['spec']['annotations'],
  untrusted: boolean,
): readonly ApprovalOffer[] {
  if (preview?.task) return ['task']
  return mayRemember(preview, destructiveHint) && !(consequentialHint && untrusted) ? ['session'] : []
}

/**
 * Whether an approval may apply to the session: not for an action on the page, not for a destructive tool, and not for
 * one that words its own question, because the next question says something else.
 */
export function mayRemember(preview: Preview | undefined, destructiveHint: boolean | undefined): boolean {
  return preview?.effect === undefined && preview?.question === undefined && !destructiveHint
}

/** What an approval is bound to. */
export interface ApprovedCall {
  readonly callId: string
  readonly input: JsonValue
  /** The hash of the definition of the tool. */
  readonly definition: string
  /** The address of the page. */
  readonly url: string
  /** What the question shows beside the arguments. */
  readonly preview: Preview | undefined
  /** What a tool with a question of its own reads of the tool context; undefined for other tools. */
  readonly context: ToolContext | undefined
}

/**
 * Binds an approval to one call, its input, the definition of its tool, the page, the preview that was shown and, if
 * the tool has words of its own in it, the tool context. If any of them changes, the hash changes and the user is asked
 * again.
 */
export function approvalHash({ callId, input, definition, url, preview, context }: ApprovedCall): string {
  const more = [preview, context].filter((one) => one !== undefined) as unknown as JsonValue[]
  return sha256(canonicalJson([callId, input, definition, url, ...more]))
}
