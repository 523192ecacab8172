// An agent that runs as a tool: the same loop over the messages inside its call. It has instructions, tools, a model and
// limits of its own; context, approvals and the user's stop are those of the session.
import { TurnAbort, type TurnDeps } from './turn-deps.js'
import type { Failure } from '../data/errors.js'
import { dropUndefined, isObject, type JsonValue } from '../data/json.js'
import {
  toolCallsOf,
  allToolCalls,
  textOf,
  type Message,
  type Reason,
  type ToolCallPart,
  type UserMessage,
} from '../data/message.js'
import { latestToolCalls, latestSummary, type Session, type Turn } from '../data/session.js'
import { isUntrusted } from '../state/untrusted-text.js'
import type { AgentSpec } from '../data/tool.js'

/** How a turn ended; undefined where it was left as it is. `isFatal`: a handler of the page wanted it to end. */
export type TurnOutcome = { readonly reason: Reason; readonly error?: Failure; readonly isFatal?: boolean } | undefined
export type RunTurn = (deps: TurnDeps, signal: AbortSignal) => Promise<TurnOutcome>

type Made =
  | { readonly output: JsonValue; readonly untrusted: boolean; readonly foreign?: true; readonly error?: never }
  | {
      readonly error: Failure
      readonly untrusted?: boolean
      readonly foreign?: true
      readonly fatal?: Failure
      readonly output?: never
    }

const steps = 10

/** Runs the agent to its end. Rejects with the signal's reason, its own calls settled, when the turn around it is stopped. */
export async function runSubAgent(
  deps: TurnDeps,
  signal: AbortSignal,
  part: ToolCallPart,
  agent: AgentSpec,
  input: JsonValue,
  runTurn: RunTurn,
): Promise<Made> {
  const callId = part.call.id
  const before = agent.history === 'text' ? textHistory(deps.root(), agent.input) : []
  const inner = depsInside(deps, callId, agent, before)
  const clock = new AbortController()
  const done = new AbortController()
  const { turn } = agent.limits
  if (turn !== undefined)
    timeUp(deps, turn, done.signal).then(
      () => clock.abort(new TurnAbort('max-time')),
      () => undefined,
    )
  const message: UserMessage = {
    id: deps.id('msg'),
    role: 'user',
    parts: taskOf(deps.root(), agent.input, input),
    at: deps.now(),
  }
  let end: TurnOutcome
  try {
    const record = inner.session().turn
    if (record) await inner.emit({ type: 'turn-start', at: deps.now(), turn: record, message })
    end = await runTurn(inner, AbortSignal.any([signal, clock.signal]))
  } finally {
    done.abort()
  }
  if (signal.aborted) throw signal.reason
  return madeOf(deps, inner.session().messages.slice(before.length), end)
}

/** Resolves when that many milliseconds are over; waiting for the user takes none. */
async function timeUp(deps: TurnDeps, left: number, signal: AbortSignal): Promise<void> {
  while (left > 0) {
    const slice = Math.min(left, 1_000)
    await deps.wait(slice, signal)
    if (deps.root().status === 'running') left -= slice
  }
}

/** The turn's dependencies as the agent inside the call sees them. */
function depsInside(deps: TurnDeps, callId: string, agent: AgentSpec, before: readonly Message[]): TurnDeps {
  let request: Pick<Turn, 'offered' | 'toolChoice'> = { offered: [] }
  return {
    ...deps,
    depth: deps.depth + 1,
    session: () => {
      const outer = deps.session()
      const { messages = [], draft } = latestToolCalls(outer).find((part) => part.call.id === callId)?.child ?? {}
      const { length } = before
      const turn: Session['turn'] =
        outer.turn &&
        dropUndefined({
          ...outer.turn,
          toolChoice: undefined,
          ...request,
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
        messages: [...before, ...messages],
        draft,
        turn,
      })
    },
    config: () => {
      const config = deps.config()
      const { instructions, model = config.model, limits } = agent
      return { ...config, instructions, model, todo: false, limits: { ...config.limits, steps, ...limits } }
    },
    emit: (event, path = []) => {
      if (event.type === 'step-end' && path.length === 0)
        request = dropUndefined({ offered: event.offered, toolChoice: event.toolChoice })
      return deps.emit(event, [callId, ...path])
    },
    ask: (ask, signal, onProgress, path = []) => deps.ask(ask, signal, onProgress, [callId, ...path]),
    model: (attempt, path = []) => deps.model(attempt, [callId, ...path]),
    // After a crash an agent is never run again, so no page can know of a call of its own.
    held: () => undefined,
  }
}

function taskOf(root: Session, from: AgentSpec['input'], input: JsonValue): UserMessage['parts'] {
  const asked = root.messages.findLast((message) => message.role === 'user')
  if (from === 'user-message' && asked) return asked.parts
  return [{ type: 'text', text: isObject(input) ? String(input['task'] ?? '') : '' }]
}

/** What was said in the session, without calls; the user's newest message too, unless the agent gets it as its own. */
function textHistory(root: Session, input: AgentSpec['input']): Message[] {
  const summary = latestSummary(root)
  const from = Math.max(0, (summary?.upTo ?? 0) - root.start)
  const asked = input === 'user-message' ? root.messages.findLast((message) => message.role === 'user') : undefined
  const said = root.messages.slice(from, -1).flatMap((message): Message[] => {
    if (message.role === 'summary' || message === asked) return []
    const parts = message.parts.filter((part) => part.type === 'text')
    return parts.length > 0 ? [{ id: message.id, role: message.role, at: message.at, parts }] : []
  })
  return summary ? [{ ...summary, upTo: 0 }, ...said] : said
}

async function madeOf(deps: TurnDeps, messages: readonly Message[], end: TurnOutcome): Promise<Made> {
  const results = allToolCalls(messages).map(({ part }) => part.result)
  const source = dropUndefined({
    untrusted: results.some(isUntrusted),
    foreign: results.some((result) => result?.foreign) || undefined,
  } as const)
  const reason = end?.reason
  const said = textOf(messages.findLast((message) => toolCallsOf(message).length === 0 && message.role === 'assistant'))
  if (reason === 'stop') return { output: said, ...source }
  if (reason === 'direct') {
    const direct = toolCallsOf(messages.at(-1)).filter((part) => part.result?.direct)
    const outputs = await Promise.all(
      direct.map(async ({ call, result }) => {
        const { output = null, cut } = result ?? {}
        const whole = cut && (await deps.whole(call.id))
        // What was cut may be another text than the output, made for the model.
        return whole !== undefined && typeof output === 'string' && whole.startsWith(output) ? whole : output
      }),
    )
    return { output: outputs.length === 1 ? (outputs[0] ?? null) : outputs, ...source }
  }
  if (reason === 'superseded')
    return { error: { code: 'superseded', message: 'The user moved on while the agent waited for an answer.' } }
  const why = end?.error ? `${end.error.code}: ${end.error.message}` : (reason ?? 'closed')
  const error: Failure = {
    code: 'execution-failed',
    message: `The agent did not finish (${why}).${said ? ` It had said: ${said}` : ''}`,
  }
  return dropUndefined({ error, ...source, fatal: end?.isFatal ? end.error : undefined })
}
