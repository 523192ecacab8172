// What `send` resolves to. Declared here because the error that `send` rejects with contains it, too.
import type { Failure } from './failure.js'
import { type JsonValue, dropUndefined } from './json.js'
import type { ModelOutput, Reason, ToolCall, Usage } from './message.js'

/** One tool call of a turn, with its result. */
export interface ToolExecution {
  /** The call as the model wrote it. */
  readonly call: ToolCall
  /** The arguments that the tool received: after edits by the user or by `hooks.beforeTool`. */
  readonly input?: JsonValue
  /** What the tool returned, in full; undefined if it failed. */
  readonly output?: JsonValue
  /** What the tool's `toModelOutput` returned, if the tool has one. */
  readonly modelOutput?: ModelOutput
  /** Why the call failed; undefined if it succeeded. */
  readonly error?: Failure
  /** How many times the tool was started; 0 if it never was. */
  readonly attempts: number
  /** Milliseconds from the first start to the result; 0 if the tool was never started. */
  readonly ms: number
}

/** The result of a turn, however it ended. */
export interface TurnResult<Output = unknown> {
  /**
   * The object that the option `output` asked for, as its schema returns it. Undefined without that option, and if the
   * turn ended without a valid object.
   */
  readonly object?: Output
  /** The model's last text; undefined if the turn ended with a direct return (`reason` is `direct`). */
  readonly text: string | undefined
  /** Why the turn ended. */
  readonly reason: Reason
  /** Set if the turn ended because of an error (`reason` is `error`). */
  readonly error?: Failure
  /** How many model calls the turn made. */
  readonly steps: number
  /** The tool calls of the turn, in the order in which the model wrote them. */
  readonly toolExecutions: readonly ToolExecution[]
  /** The outputs of tools with `returnDirect` that ended the turn; empty otherwise. */
  readonly outputs: readonly JsonValue[]
  /** Tokens of all model calls of the turn, those of agents that ran as tools included. */
  readonly usage: Usage
}

const names = ['inputTokens', 'cachedInputTokens', 'cacheWriteTokens', 'outputTokens', 'totalTokens'] as const

/** The sum of counts; undefined if there are none. A count that no endpoint reported stays absent. */
export function sumUsage(usages: readonly (Usage | undefined)[]): Usage | undefined {
  const known = usages.filter((usage) => usage !== undefined)
  const sum = (name: keyof Usage): number | undefined => {
    const counts = known.flatMap((usage) => usage[name] ?? [])
    return counts.length > 0 ? counts.reduce((total, count) => total + count, 0) : undefined
  }
  if (known.length < 2) return known[0]
  return dropUndefined(Object.fromEntries(names.map((name) => [name, sum(name)])))
}
