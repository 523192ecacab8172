// Makes the result of a turn from the messages of the session, when the turn ends.
import { toErrorValue, type Failure, type ToolAgentError } from '../core/data/errors.js'
import {
  ownToolCalls,
  toolCallsOf,
  allToolCalls,
  textOf,
  type CallId,
  type Message,
  type Reason,
  type ToolCallPart,
} from '../core/data/message.js'
import { dropUndefined, type JsonValue } from '../core/data/json.js'
import type { Session, Turn } from '../core/data/session.js'
import { sumUsage, type ToolExecution, type TurnResult } from '../core/data/turn-result.js'

/** Outputs that the session holds shortened, in full, by their call. */
type FullOutputs = ReadonlyMap<CallId, JsonValue>

/** How a turn ended. */
interface EndedTurn {
  /** The record of the turn from before its end. */
  readonly turn: Pick<Turn, 'counted'>
  readonly reason: Reason
  readonly error: Failure | undefined
}

/** Returns what `send` resolves to. */
export function turnResult(session: Session, { turn, reason, error }: EndedTurn, fullOutputs: FullOutputs): TurnResult {
  const steps = session.messages
    .slice(Math.max(0, turn.counted - session.start))
    .filter((one) => one.role === 'assistant')
  const calls = steps.flatMap(toolCallsOf)
  const answer = steps.findLast((step) => ownToolCalls(step).length === 0 && textOf(step) !== '') ?? steps.at(-1)
  const isDirect = reason === 'direct'
  const direct = isDirect ? toolCallsOf(steps.at(-1)).filter((part) => part.result?.direct) : []
  return {
    text: isDirect ? undefined : textOf(answer),
    reason,
    ...(error ? { error } : {}),
    steps: steps.length,
    toolExecutions: calls.map((part) => toolExecution(part, fullOutputs)),
    outputs: direct.map((part) => outputOf(part, fullOutputs) ?? null),
    // Tokens of agents that ran as tools count, too.
    usage: {
      inputTokens: 0,
      outputTokens: 0,
      totalTokens: 0,
      ...sumUsage([...steps, ...allToolCalls(steps).flatMap(({ part }) => part.child?.messages ?? [])].map(usageOf)),
    },
  }
}

const outputOf = ({ call, result }: ToolCallPart, fullOutputs: FullOutputs) =>
  result?.error ? undefined : (fullOutputs.get(call.id) ?? result?.output)

/** Returns one call of a turn with its result. */
export function toolExecution(part: ToolCallPart, fullOutputs: FullOutputs): ToolExecution {
  const { call, result } = part
  const { input, modelOutput, error, attempts = 0, startedAt, endedAt = 0 } = result ?? {}
  return dropUndefined({
    call,
    input: input ?? call.input,
    output: outputOf(part, fullOutputs),
    modelOutput,
    error,
    attempts,
    ms: startedAt === undefined ? 0 : endedAt - startedAt,
  })
}

const usageOf = (message: Message) => (message.role === 'assistant' ? message.usage : undefined)

/** The error that a send rejects with. `cause` is the exception of the page's own code, if that ended the turn. */
export function turnError(failure: Failure, result?: TurnResult, cause?: unknown): ToolAgentError {
  const error = toErrorValue(failure, cause)
  if (result) error.turn = result
  return error
}
