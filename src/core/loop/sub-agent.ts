// Runs an agent as a tool: the same turn loop over the messages inside its call. The agent has its own instructions,
// tools, model and limits. It shares the context, the approvals and the stop of the session.
import { TurnAbort, type TurnDeps, type TurnOutcome } from './turn-deps.js'
import type { Failure } from '../data/errors.js'
import { dropUndefined, isObject, type JsonValue } from '../data/json.js'
import {
  ownToolCalls,
  toolCallsOf,
  allToolCalls,
  isStoredBeside,
  textOf,
  type CallId,
  type Message,
  type UserMessage,
} from '../data/message.js'
import { latestToolCalls, latestSummary, type Session, type Turn } from '../data/session.js'
import { isUntrusted } from '../state/untrusted-text.js'
import { turnFacts } from '../prompt/facts.js'
import type { AgentSpec } from '../data/tool.js'

/** A call of an agent that runs as a tool. */
export interface AgentCall {
  readonly callId: CallId
  readonly agent: AgentSpec
  /** The validated arguments of the call. */
  readonly input: JsonValue
}

/** The answer of an agent, or why it has none. The fields have the same meaning as in `ExecutionResult`. */
export type AgentResult =
  | {
      /** The agent's last text, or what its tool with `returnDirect` returned: an array for more than one. */
      readonly output: JsonValue
      /** The agent has read untrusted text, so its answer may repeat it. */
      readonly untrusted: boolean
      /** One of its tools was discovered or supplied by a provider. */
      readonly foreign?: true
      readonly error?: never
    }
  | {
      /** Why the agent did not finish. The message quotes its last text. */
      readonly error: Failure
      /** As for an answer. */
      readonly untrusted?: boolean
      /** As for an answer. */
      readonly foreign?: true
      /** An error handler of the page threw inside the agent. The enclosing turn ends with this error. */
      readonly fatal?: Failure
      readonly output?: never
    }

/** The steps of one agent call, unless the agent sets `limits.steps`. */
const defaultSteps = 10

/** Runs the agent to its end. Rejects with the signal's reason, after its own calls are settled. */
export async function runSubAgent(
  deps: TurnDeps,
  signal: AbortSignal,
  { callId, agent, input }: AgentCall,
): Promise<AgentResult> {
  const history = agent.history === 'text' ? textHistory(deps.rootSession(), agent.input) : []
  const inner = innerDeps(deps, { callId, agent, history })
  const timeLimit = new AbortController()
  const done = new AbortController()
  const { turn: maxTime } = agent.limits
  if (maxTime !== undefined)
    runningTime(deps, maxTime, done.signal).then(
      () => timeLimit.abort(new TurnAbort('max-time')),
      () => undefined,
    )
  const { turn } = inner.session()
  const message: UserMessage = dropUndefined({
    id: deps.id('msg'),
    role: 'user',
    parts: taskParts(deps.rootSession(), agent.input, input),
    facts: turn && turnFacts(turn),
    at: deps.now(),
  })
  let outcome: TurnOutcome | undefined
  try {
    if (turn) await inner.emit({ type: 'turn-start', at: deps.now(), turn, message })
    outcome = await deps.runTurn(inner, AbortSignal.any([signal, timeLimit.signal]))
  } finally {
    done.abort()
  }
  if (signal.aborted) throw signal.reason
  return agentResult(deps, inner.session().messages.slice(history.length), outcome)
}

/** Resolves after this many milliseconds, without the time spent waiting for the user. */
async function runningTime(deps: TurnDeps, ms: number, signal: AbortSignal): Promise<void> {
  let left = ms
  while (left > 0) {
    const slice = Math.min(left, 1_000)
    await deps.wait(slice, signal)
    if (deps.rootSession().status === 'running') left -= slice
  }
}

interface InnerAgent {
  readonly callId: CallId
  readonly agent: AgentSpec
  /** Messages of the session that the agent sees before its own. They are not stored in its call. */
  readonly history: readonly Message[]
}

/**
 * The dependencies of the turn, as the agent inside the call sees them. The loop does not know that it runs inside a
 * call: `session` presents the messages of the call as a session, `emit` puts the id of the call before the path of
 * each event, and `reduce` stores it there. So nothing of the agent is kept here, except what only the turn of a
 * session has a place for (`newestRequest`). Clock, ids, decisions of the user and the stop are those of the outer
 * turn.
 */
function innerDeps(deps: TurnDeps, { callId, agent, history }: InnerAgent): TurnDeps {
  // What the newest request offered. Calls are guarded by it, as those of the session are by its stored turn.
  let newestRequest: Pick<Turn, 'offered' | 'toolChoice'> = { offered: [] }
  return {
    ...deps,
    depth: deps.depth + 1,
    session: () => {
      const outer = deps.session()
      const { child } = latestToolCalls(outer).find((part) => part.call.id === callId) ?? {}
      const { messages = [], draft, clearedTo } = child ?? {}
      const { length } = history
      const turn: Session['turn'] =
        outer.turn &&
        dropUndefined({
          ...outer.turn,
          toolChoice: undefined,
          ...newestRequest,
          first: length,
          counted: length,
          mode: 'auto',
          options: {},
        })
      return dropUndefined({
        ...outer,
        start: 0,
        todos: [],
        note: undefined,
        state: undefined,
        clearedTo,
        messages: [...history, ...messages],
        draft,
        turn,
      })
    },
    config: () => {
      const config = deps.config()
      const { instructions, model = config.model, limits } = agent
      return {
        ...config,
        instructions,
        model,
        todo: false,
        limits: { ...config.limits, steps: defaultSteps, ...limits },
      }
    },
    emit: (event, path = []) => {
      if (event.type === 'step-end' && path.length === 0)
        newestRequest = dropUndefined({ offered: event.offered, toolChoice: event.toolChoice })
      return deps.emit(event, [callId, ...path])
    },
    ask: (query, signal, onProgress, path = []) => deps.ask(query, signal, onProgress, [callId, ...path]),
    postedOffer: () => undefined,
    model: (attempt, path = []) => deps.model(attempt, [callId, ...path]),
    // An agent is never run again after a crash, so no page can hold a result of its calls.
    outcomeFromPage: () => undefined,
  }
}

/** The agent's user message: the task that the calling model wrote, or the user's own words. */
function taskParts(root: Session, source: AgentSpec['input'], input: JsonValue): UserMessage['parts'] {
  const userMessage = root.messages.findLast((message) => message.role === 'user')
  if (source === 'user-message' && userMessage) return userMessage.parts
  return [{ type: 'text', text: isObject(input) ? String(input['task'] ?? '') : '' }]
}

/** The texts of the session, without calls. Leaves out the newest user message if the agent receives it as its task. */
function textHistory(root: Session, source: AgentSpec['input']): Message[] {
  const summary = latestSummary(root)
  const from = Math.max(0, (summary?.upTo ?? 0) - root.start)
  const task = source === 'user-message' ? root.messages.findLast((message) => message.role === 'user') : undefined
  const texts = root.messages.slice(from, -1).flatMap((message): Message[] => {
    if (message.role === 'summary' || message === task) return []
    const parts = message.parts.filter((part) => part.type === 'text')
    return parts.length > 0 ? [{ id: message.id, role: message.role, at: message.at, parts }] : []
  })
  return summary ? [{ ...summary, upTo: 0 }, ...texts] : texts
}

async function agentResult(
  deps: TurnDeps,
  messages: readonly Message[],
  outcome: TurnOutcome | undefined,
): Promise<AgentResult> {
  const results = allToolCalls(messages).map(({ part }) => part.result)
  const source = dropUndefined({
    untrusted: results.some(isUntrusted),
    foreign: results.some((result) => result?.foreign) || undefined,
  } as const)
  const reason = outcome?.reason
  const answer = textOf(
    messages.findLast((message) => ownToolCalls(message).length === 0 && message.role === 'assistant'),
  )
  if (reason === 'stop') return { output: answer, ...source }
  if (reason === 'direct') {
    const direct = toolCallsOf(messages.at(-1)).filter((part) => part.result?.direct)
    const outputs = await Promise.all(
      direct.map(async ({ call, result }) => {
        const { output = null } = result ?? {}
        const long = isStoredBeside(result) ? await deps.longResult(call.id) : undefined
        // The stored full text can differ from the output, if the tool made another text for the model.
        const whole = long?.output ?? long?.value
        return typeof whole === 'string' && typeof output === 'string' && whole.startsWith(output) ? whole : output
      }),
    )
    return { output: outputs.length === 1 ? (outputs[0] ?? null) : outputs, ...source }
  }
  if (reason === 'superseded') return { error: { code: 'superseded', message: 'The user sent another message.' } }
  const cause = outcome?.error ? `${outcome.error.code}: ${outcome.error.message}` : (reason ?? 'closed')
  const error: Failure = {
    code: 'execution-failed',
    message: `The agent did not finish (${cause}).${answer ? ` Its last text: ${answer}` : ''}`,
  }
  return dropUndefined({ error, ...source, fatal: outcome?.isFatal ? outcome.error : undefined })
}
