// Answers `check`: for each call whether it runs, waits for the user's approval, or is refused. Guards decide in a
// fixed order, and the first refusal is the verdict, so the user is never asked about a call that cannot run.
import { isGrantInForce, mostSerious, type TaskScope } from '../../core/data/effect.js'
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import { toFailure } from '../../core/data/errors.js'
import { dropUndefined, type JsonValue } from '../../core/data/json.js'
import type { ToolCall } from '../../core/data/message.js'
import type { CheckCall, CheckedStep, Verdict } from '../../core/data/protocol.js'
import { internals, type ToolContext } from '../../core/data/tool.js'
import { heldNotSent } from '../../core/prompt/failure-text.js'
import type { ActionForecast } from '../../core/data/action.js'
import { logWarning } from '../log.js'
import type { AgentOptions } from '../options.js'
import type { AvailableTool } from '../tools/available-tools.js'
import type { ApprovalRun } from '../tools/tool.js'
import { questionOf } from './tool-words.js'
import { messagesAt, questionContext, toolContextFor, type QueryContext, type QueryRun } from './query-context.js'
import {
  approvalHash,
  approvalNeed,
  offeredScope,
  pageOf,
  permissionFor,
  type ForecastAction,
} from './needs-approval.js'
import {
  invalidInput,
  unavailableTool,
  refusalFrom,
  refuseCall,
  type Refusal,
  type RefusalReason,
} from './tool-errors.js'

/** A call between the guards. They replace the fields that they validate or find out. */
interface Candidate extends Pick<QueryContext, 'deps' | 'checks'>, Pick<QueryRun, 'path' | 'signal'> {
  /** The call as the host sent it. The page's handlers receive this one. */
  readonly query: CheckCall
  /** The tool as it was offered. */
  readonly tool: AvailableTool
  /** The call as the model made it. After `validate`: with its arguments as the schema returned them. */
  call: ToolCall
  /** What `execute` gets: the schema's output. */
  value: unknown
  /** The same as JSON: what is shown, hashed and stored. */
  input: JsonValue
  /** What the tool will read. Empty until `contextIsValid`. */
  toolContext: Readonly<ToolContext>
  /** What a page tool predicts about its action. Undefined for all other tools. */
  forecast: ActionForecast | undefined
  /** A grant of the session does not cover consequences of the call. */
  readonly untrusted: boolean
}

/** Refuses a call, or passes it to the next guard by returning undefined. */
type Guard = (candidate: Candidate) => Promise<Refusal | undefined> | Refusal | undefined

/**
 * The order is a contract: hooks see valid arguments only, and what an action on the page will do. Approval is
 * requested last. If a hook changes the arguments, they are validated, and the action is predicted, again.
 */
const guards: readonly Guard[] = [inputIsValid, contextIsValid, actionIsPossible, hookAllows, eventAllows]
/** The same for a call that has run, and whose requests the page holds: it is not predicted again. */
const guardsAtBorder: readonly Guard[] = [inputIsValid, contextIsValid, holdIsKnown, hookAllows, eventAllows]

/** One verdict per call, in the order of the calls. */
export async function checkCalls(
  context: QueryContext,
  { calls, untrusted }: CheckedStep,
  run: QueryRun,
): Promise<readonly Verdict[]> {
  const verdicts: Verdict[] = []
  endOldTaskGrants(context)
  for (const query of calls) {
    // A schema that throws refuses its own call, not the calls beside it.
    const failed = (thrown: unknown): Verdict => ({
      callId: query.callId,
      do: 'refuse',
      error: toFailure(thrown, 'invalid-input'),
    })
    verdicts.push(await verdictOn(context, query, { ...run, untrusted }).catch(failed))
  }
  return verdicts
}

/** What the user allowed for the task ends on another page and after ten minutes. The host removes it then. */
function endOldTaskGrants({ deps }: QueryContext): void {
  const page = pageOf(deps.page().url)
  const { taskGrants = [] } = deps.session().turn ?? {}
  const now = Date.now()
  if (taskGrants.some((grant) => !isGrantInForce(grant, now, page)))
    deps.post({ type: 'control', do: 'end-grants', page })
}

/** The verdict of the first guard that refuses; otherwise the call runs or waits for approval. */
async function verdictOn(
  { deps, offers, checks }: QueryContext,
  query: CheckCall,
  { path, signal, untrusted }: QueryRun & { readonly untrusted: boolean },
): Promise<Verdict> {
  const { callId, name, input, hash, problem } = query
  // The host refused it already; the page's handler may still word it.
  if (problem) return refuse({ deps, query }, { error: problem, handler: deps.options().onToolError })
  const tool = offers.current(name, hash, path)
  if (tool === undefined) return refuse({ deps, query }, { error: unavailableTool(name) })
  const call: ToolCall = { id: callId, name, input }
  const found = { call, value: input, input, toolContext: {}, forecast: undefined }
  const isUntrusted = untrusted || offers.describesForeignTools(path)
  const candidate: Candidate = { deps, checks, path, signal, query, tool, untrusted: isUntrusted, ...found }
  for (const guard of query.held ? guardsAtBorder : guards) {
    const refusal = await guard(candidate)
    if (refusal) return refusal
  }
  return askOrRun(candidate)
}

/** The arguments must match the input schema, if necessary after lossless coercion. */
async function inputIsValid(candidate: Candidate): Promise<Refusal | undefined> {
  const refusal = await validate(candidate, candidate.input)
  candidate.call = { ...candidate.call, input: candidate.input }
  return refusal
}

/** Validates arguments, and stores what the schema returns in the candidate. */
async function validate(candidate: Candidate, input: JsonValue): Promise<Refusal | undefined> {
  const { deps, tool } = candidate
  const checked = await tool.entry.schema.validate(input)
  if ('issues' in checked)
    return refuse(candidate, { error: invalidInput(checked.issues), handler: deps.options().onToolError })
  candidate.value = checked.value
  candidate.input = checked.json
  return undefined
}

/** The tool context must match the tool's `contextSchema`. */
async function contextIsValid(candidate: Candidate): Promise<Refusal | undefined> {
  try {
    candidate.toolContext = await toolContextFor(candidate.deps, candidate.tool)
    return undefined
  } catch (thrown) {
    const error = toFailure(thrown, 'invalid-context')
    const { name } = candidate.tool.entry
    const help = 'Set them in the option toolContext or in that of send(), or correct the contextSchema.'
    logWarning(`Tool "${name}": ${error.message}. Its call failed. ${help}`, `context ${name} ${error.message}`)
    return refuse(candidate, { error })
  }
}

/**
 * `hooks.beforeTool` may refuse the call, or change its arguments, which are validated again. It sees what an action on
 * the page will do.
 */
async function hookAllows(candidate: Candidate): Promise<Refusal | undefined> {
  const { deps, call, toolContext, forecast } = candidate
  const { options, session, send } = deps
  try {
    const { id: sessionId, turn } = session()
    const { shared } = send(turn?.id ?? '')
    const { effect, preview } = forecast ?? {}
    const run = dropUndefined({ toolContext, sessionId, shared, effect, preview })
    const decision = await options().hooks?.beforeTool?.(call, run)
    if (decision && 'refuse' in decision)
      return refuse(candidate, { error: { code: 'refused', message: decision.refuse } })
    // A call that has run keeps the arguments that it ran with.
    if (!decision || !('input' in decision) || candidate.query.held) return undefined
    return (await validate(candidate, decision.input)) ?? (await actionIsPossible(candidate))
  } catch (thrown) {
    return refuseThrown(candidate, 'The page refused this call', thrown)
  }
}

/** A listener of the cancelable event may refuse the call. */
function eventAllows(candidate: Candidate): Promise<Refusal> | undefined {
  const { deps, call, input } = candidate
  if (deps.isAllowed({ ...call, input }, input)) return undefined
  return refuse(candidate, { error: { code: 'refused', message: 'The page refused this call.' } })
}

/** A page tool predicts what its action will do; it throws where the action cannot be done. */
async function actionIsPossible(candidate: Candidate): Promise<Refusal | undefined> {
  const { deps, query, tool, value } = candidate
  try {
    const forecast = tool.entry.tool[internals]?.preview?.(value as never, approvalRunOf(candidate))
    candidate.forecast = forecast && withStopped(forecast, query.stopped, deps.options().approval)
    return undefined
  } catch (thrown) {
    const { onToolError } = deps.options()
    const failure = toFailure(thrown, 'execution-failed')
    const error = query.held ? { ...failure, message: `${failure.message} ${heldNotSent}` } : failure
    const refusal = await refuse(candidate, { error, handler: onToolError, thrown })
    // The message may quote the page.
    return { ...refusal, untrusted: true }
  }
}

/**
 * What the page holds is asked about as the action was described before it ran: what it has changed since is no reason
 * to ask about something else. If it cannot be held any longer, the question is about another attempt.
 */
async function holdIsKnown(candidate: Candidate): Promise<Refusal | undefined> {
  const { deps, checks, query } = candidate
  const { described: forecast, hold } = checks.get(query.callId) ?? {}
  if (forecast === undefined || hold === undefined) {
    const error = {
      code: 'unavailable',
      message: `The page does not hold the request any more. ${heldNotSent}`,
    } as const
    return refuse(candidate, { error })
  }
  if (typeof hold === 'object') return refuse(candidate, { error: hold })
  if (hold === 'expired') return actionIsPossible(candidate)
  const { stopped = [] } = query
  const task = scopeOfHeld(stopped, forecast.control)
  const described = task ? { ...forecast, preview: { ...forecast.preview, task } } : forecast
  const asked = withStopped(described, stopped, deps.options().approval)
  const { filled, ...preview } = asked.preview
  // A form shows its values already.
  const known = preview.values ?? []
  const sent = stopped
    .flatMap((one) => one.values ?? [])
    .filter(({ field, value }) => !known.some((one) => one.field === field && (one.private || one.value === value)))
  const values = [...known, ...sent]
  // What was filled and may be sent is known now, unless a body could not be read.
  const shown = dropUndefined({
    values: values.length > 0 ? values : undefined,
    filled: stopped.every((one) => one.values) ? undefined : filled,
    refused: stopped.some(({ done }) => done?.refused) || undefined,
  })
  candidate.forecast = { ...asked, preview: { ...preview, ...shown, held: true } }
  return undefined
}

/** What a grant for the task would cover of what is held: one request that only sends. */
function scopeOfHeld([only, ...others]: readonly StoppedEffect[], control: string | undefined): TaskScope | undefined {
  const { effect, does, method, url, operation } = only ?? {}
  if (others.length > 0 || control === undefined || effect !== 'send' || does !== 'request') return undefined
  if (method === undefined || url === undefined) return undefined
  return { covers: 'send', method, url, ...(operation ? { operation } : {}), control }
}

/**
 * A forecast whose effect is at least what was stopped, and whose preview says so. The preview offers to allow the task
 * only if that would cover this effect.
 */
function withStopped(
  forecast: ActionForecast,
  stopped: CheckCall['stopped'] = [],
  approval: AgentOptions['approval'],
): ActionForecast {
  const effect = mostSerious([forecast.effect, ...stopped.map((one) => one.effect)])
  if (effect === undefined) return forecast
  const { task: _task, ...preview } = forecast.preview
  const action = { ...forecast, effect }
  const shown = dropUndefined({
    ...preview,
    effect,
    stopped: preview.stopped ?? (stopped.length > 0 ? stopped : undefined),
    task: offeredScope(action, approval),
  })
  return { ...action, preview: shown }
}

const isAction = (forecast: ActionForecast | undefined): forecast is ForecastAction => forecast?.effect !== undefined

/** The verdict on a call that no guard refused. */
async function askOrRun(candidate: Candidate): Promise<Verdict> {
  const { deps, checks, query, tool, value, input, forecast, untrusted } = candidate
  const { callId, hash, stopped } = query
  const { options, session } = deps
  const { url } = deps.page()
  const { grants, turn } = session()
  const page = pageOf(url)
  const action = isAction(forecast) ? forecast : undefined
  const need = await approvalNeed(tool, value, {
    run: approvalRunOf(candidate),
    grants,
    taskGrants: turn?.taskGrants ?? [],
    approval: options().approval,
    untrusted,
    action,
    now: Date.now(),
    page,
  })
  if (need.do === 'refuse') return refuseThrown(candidate, 'Whether this may run could not be decided', need.thrown)
  const { hold, described } = checks.get(callId) ?? {}
  const permission = action && permissionFor(action, need, stopped)
  checks.set(callId, { forecast, described: query.held ? described : forecast, permission, untrusted, hold })
  if (need.do === 'run') return { callId, do: 'run', hash, input }
  const { entry, spec } = tool
  let preview = forecast?.preview ?? (entry.tool[internals]?.isDiscovered ? { claim: spec.description } : undefined)
  // Before the question is made, so that a change of the context meanwhile asks again.
  const context = questionContext(deps, tool)
  try {
    const question = await questionOf(entry.tool, value, approvalRunOf(candidate))
    if (question !== undefined) preview = { ...preview, question }
  } catch (thrown) {
    return refuseThrown(candidate, 'The user could not be asked, because the question of the tool failed', thrown)
  }
  return {
    callId,
    do: 'ask',
    input,
    title: entry.title,
    hash: approvalHash({ callId, input, definition: hash, url, preview, context }),
    ...(preview ? { preview } : {}),
    ...(preview?.task ? { page } : {}),
    ...(need.once ? { once: true } : {}),
  }
}

/** What `needsApproval` and previews receive about the call. */
function approvalRunOf({ deps, query, path, signal, toolContext }: Candidate): ApprovalRun {
  const session = deps.session()
  const { callId: toolCallId, stopped } = query
  const { effects } = deps.options()
  const run = { toolContext, sessionId: session.id, toolCallId, messages: messagesAt(session, path), signal }
  return dropUndefined({ ...run, effects, stopped: stopped?.length ? stopped : undefined })
}

type Refused = Pick<Candidate, 'deps' | 'query'>

function refuse({ deps, query }: Refused, reason: RefusalReason): Promise<Refusal> {
  return refuseCall(deps, query, reason)
}

/** Refuses a call because the page's own code threw. `why` is a sentence without its full stop. */
function refuseThrown(candidate: Candidate, why: string, thrown: unknown): Promise<Refusal> {
  return refuse(candidate, { error: refusalFrom(candidate.deps, why, thrown, candidate.call) })
}
