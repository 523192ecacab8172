// The answer to one step: builds the request, sends it after the page's hook, and sends another one where that helps: a
// shorter one if it was too long, the same once more if the answer is empty.
import { isHollowAnswer, modelStep, requestAfterHook, type StepOutcome } from './model-step.js'
import { fittingRequest, requestAfterRejection, requestWithFewerFiles } from '../prompt/compaction.js'
import { countChars } from '../prompt/request-size.js'
import { buildRequest, requestAddition, type RequestBuilder } from '../prompt/request.js'
import { dropUndefined } from '../data/json.js'
import type { RequestAddition } from '../data/message.js'
import { ownsRuns, type ModelRequest } from '../data/model.js'
import type { Session } from '../data/session.js'
import type { ToolChoice } from '../data/tool.js'
import { countTurn } from './turn-counters.js'
import type { OfferedTools, TurnDeps } from './turn-deps.js'

/** What a step asks the model. */
export interface StepPlan {
  /** The number of the step, from 1. */
  readonly step: number
  /** See `Move`. */
  readonly isNudge: boolean
  readonly offered: OfferedTools
  /** The tool choice that the page's hook returned. */
  readonly toolChoice: ToolChoice | undefined
  /** The answer before wrote a call as text. */
  readonly isCallLeaked?: boolean
}

/** The answer, and the request that got it. */
export interface StepAnswer extends Omit<StepOutcome, 'hidden'> {
  /** What the request had besides the messages. */
  readonly added?: RequestAddition
  /** The tools of the request as it was sent, and those that the answer calls with `use_tool`. Only these can run. */
  readonly sent: OfferedTools
  /** The tool choice of the request, if a hook changed it. */
  readonly toolChoice?: ToolChoice
  /** The length of the request, as `countChars` counts. */
  readonly chars: number
}

/** Calls the model until there is an answer, or no other request would help. */
export async function answerFor(deps: TurnDeps, signal: AbortSignal, plan: StepPlan): Promise<StepAnswer> {
  const answer = await callModel(deps, signal, plan)
  if (plan.isNudge || ownsRuns(deps.config()) || !isHollowAnswer(answer)) return answer
  // The request is sent once more. For a call that was written as text, it says so.
  return callModel(deps, signal, { ...plan, isCallLeaked: answer.isCallLeaked })
}

/** One model call, with a second attempt after compaction if the request was too long or had files of older turns. */
async function callModel(
  deps: TurnDeps,
  signal: AbortSignal,
  { step, offered, toolChoice, isNudge, isCallLeaked = false }: StepPlan,
): Promise<StepAnswer> {
  const { model, instructions, todo } = deps.config()
  const isRun = ownsRuns(deps.config())
  const reminder = isRun ? false : todo
  const settings = { model, instructions, tools: [...offered.values()], reminder, nudge: isNudge, isCallLeaked }
  const build: RequestBuilder = (session) =>
    buildRequest(session, { ...settings, toolChoice: nextToolChoice(session, toolChoice) })
  const send = async (built: ModelRequest): Promise<StepAnswer> => {
    const added = requestAddition(deps.session(), settings)
    const hooked = await requestAfterHook(deps, signal, built)
    const { id, state } = deps.session()
    // An agent inside a call has a conversation of its own.
    const thread = deps.depth > 0 ? `${deps.rootSession().id}-${id}` : id
    const request = isRun ? { ...hooked, conversation: dropUndefined({ id: thread, state }) } : hooked
    const sent = new Map([...offered].filter(([name]) => request.tools.some((tool) => tool.name === name)))
    const { hidden, ...outcome } = await modelStep(deps, signal, { request, step, offered: sent })
    const changed = request.toolChoice === built.toolChoice ? undefined : request.toolChoice
    const callable = new Map([...sent, ...hidden])
    return dropUndefined({ ...outcome, chars: countChars(request), sent: callable, toolChoice: changed, added })
  }
  // A run is started once, with the whole conversation: the server decides what its model reads of it.
  if (isRun) return send(build(deps.session()))
  const request = await fittingRequest(deps, signal, { step, build })
  const outcome = await send(request)
  const code = outcome.failure?.code
  if (code === 'context-overflow') return send(await requestAfterRejection(deps, signal, { step, build }, request))
  if (code !== 'request-too-large') return outcome
  const smaller = await requestWithFewerFiles(deps, signal, { step, build })
  return smaller ? send(smaller) : outcome
}

/** A forced choice returns to `auto` after the first call. Otherwise the model could never answer. */
function nextToolChoice(session: Session, prepared: ToolChoice | undefined): ToolChoice {
  const choice = prepared ?? session.turn?.options.toolChoice ?? 'auto'
  if (choice === 'auto' || choice === 'none') return choice
  return countTurn(session).calls.length > 0 ? 'auto' : choice
}
