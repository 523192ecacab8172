// What `send` resolves to, read off the replica when the turn ends.
import { toErrorValue, type Failure, type ToolAgentError } from '../core/data/errors.js'
import type { JsonValue } from '../core/data/json.js'
import {
  toolCallsOf,
  allToolCalls,
  textOf,
  type CallId,
  type Message,
  type Reason,
  type ToolCallPart,
  type Usage,
} from '../core/data/message.js'
import type { Session, Turn } from '../core/data/session.js'
import type { ToolExecution, TurnResult } from '../core/data/turn-result.js'

/** `turn`: the record before the turn ended. `wholes`: outputs that were cut in the session, as the tools gave them. */
export function turnResult(
  session: Session,
  turn: Pick<Turn, 'counted'>,
  reason: Reason,
  error: Failure | undefined,
  wholes: Wholes,
): TurnResult {
  const steps = session.messages
    .slice(Math.max(0, turn.counted - session.start))
    .filter((one) => one.role === 'assistant')
  const calls = steps.flatMap(toolCallsOf)
  const answer = steps.findLast((step) => toolCallsOf(step).length === 0 && textOf(step) !== '') ?? steps.at(-1)
  const direct = reason === 'direct' ? toolCallsOf(steps.at(-1)).filter((part) => part.result?.direct) : []
  return {
    text: reason === 'direct' ? undefined : textOf(answer),
    reason,
    ...(error ? { error } : {}),
    steps: steps.length,
    toolExecutions: calls.map((part) => toolExecution(part, wholes)),
    outputs: direct.map((part) => outputOf(part, wholes) ?? null),
    // An agent that ran as a tool has cost something, too.
    usage: usageOf([...steps, ...allToolCalls(steps).flatMap(({ part }) => part.child?.messages ?? [])]),
  }
}

type Wholes = ReadonlyMap<CallId, JsonValue>

const outputOf = ({ call, result }: ToolCallPart, wholes: Wholes) =>
  result?.error ? undefined : (wholes.get(call.id) ?? result?.output)

export function toolExecution(part: ToolCallPart, wholes: Wholes): ToolExecution {
  const { call, result } = part
  const output = outputOf(part, wholes)
  const started = result?.startedAt
  return {
    call,
    input: result?.input ?? call.input,
    ...(output === undefined ? {} : { output }),
    ...(result?.modelOutput === undefined ? {} : { modelOutput: result.modelOutput }),
    ...(result?.error ? { error: result.error } : {}),
    attempts: result?.attempts ?? 0,
    ms: result && started !== undefined ? result.endedAt - started : 0,
  }
}

function usageOf(messages: readonly Message[]): Usage {
  const sum = (name: keyof Usage) =>
    messages.reduce((total, message) => total + ((message.role === 'assistant' && message.usage?.[name]) || 0), 0)
  return { inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens'), totalTokens: sum('totalTokens') }
}

/** The rejection of a send whose turn ended by an error; `cause` is what the page itself threw, if it did. */
export function turnError(failure: Failure, result?: TurnResult, cause?: unknown): ToolAgentError {
  const error = toErrorValue(failure, cause)
  if (result) error.turn = result
  return error
}
