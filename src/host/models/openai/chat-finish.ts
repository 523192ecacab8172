// How a chat completion ended. A call runs only when its server said that the answer is complete, so an end is never
// guessed: it is a finish reason that means it, or a blank one that only an end can have.
import type { FinishReason } from '../../../core/data/model.js'

export interface FinishReader {
  /** The reason, if one was seen; the answer is complete except for its usage. */
  readonly reason: string | undefined
  /** One choice: its reason, and whether its delta holds anything. */
  add(reason: unknown, isEmpty: boolean): void
  /** An event without choices that reports the usage: the last one before `[DONE]`. */
  addUsage(): void
  /**
   * The blank reason (`""` or `"null"`, from Snowflake Cortex) that ended the answer. Some servers send it with every
   * delta. There it is an end only before the usage or `[DONE]` (`marked`).
   */
  blankEnd(marked: boolean): string | undefined
}

export function createFinishReader(): FinishReader {
  let reason: string | undefined
  /** The blank reason of the newest delta. */
  let blank: string | undefined
  /** A blank reason that was no end: something came with it or after it. */
  let isUsual = false
  let isReported = false
  return {
    get reason() {
      return reason
    },
    add(given, isEmpty) {
      const isBlank = given === '' || given === 'null'
      if (!isEmpty && (isBlank || blank !== undefined)) isUsual = true
      if (!isEmpty) isReported = false
      if (isBlank) blank = given
      else if (!isEmpty) blank = undefined
      // Relays send more than one: a reason that forbids execution stays, else the last counts.
      if (typeof given === 'string' && !isBlank && (reason === undefined || executes(reason))) reason = given
    },
    addUsage() {
      isReported = blank !== undefined
    },
    blankEnd: (marked) => (marked || isReported || !isUsual ? blank : undefined),
  }
}

function executes(reason: string): boolean {
  const unified = unifiedOf(reason)
  return unified === 'stop' || unified === 'tool-calls'
}

const reasons: readonly [FinishReason, readonly string[]][] = [
  [
    'stop',
    [
      'stop',
      'end_turn',
      'stop_sequence',
      'eos',
      'eos_token',
      'complete',
      'completed',
      'end',
      'done',
      'finish_reason_stop',
    ],
  ],
  ['tool-calls', ['tool_calls', 'tool_call', 'tool_use', 'function_call']],
  ['length', ['length', 'max_tokens', 'max_output_tokens', 'model_length', 'model_context_window_exceeded']],
  [
    'content-filter',
    [
      'content_filter',
      'content_filtered',
      'safety',
      'recitation',
      'refusal',
      'blocklist',
      'prohibited_content',
      'spii',
      'sensitive',
    ],
  ],
  ['error', ['error', 'malformed_function_call', 'network_error', 'insufficient_system_resource', 'abort', 'failed']],
]

/** What a server's word means. */
export function unifiedOf(raw: string): FinishReason {
  const reason = raw.toLowerCase().replaceAll('-', '_')
  return reasons.find(([, names]) => names.includes(reason))?.[0] ?? 'other'
}
