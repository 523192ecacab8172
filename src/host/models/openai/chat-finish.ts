// Decides how a chat completion ended. Calls run only after the server reported a complete answer, so the end is never
// guessed: it needs a finish reason, or a blank reason in a place where only an end can have one.
import type { FinishReason } from '../../../core/data/model.js'

/** Collects the finish reasons of one answer. */
export interface FinishReader {
  /** The finish reason, if one arrived. After it only the usage can follow. */
  readonly reason: string | undefined
  /** Adds the finish reason of one choice. `isEmpty`: its delta has no content. */
  add(reason: unknown, isEmpty: boolean): void
  /** Adds an event without choices that reports the usage, the last one before `[DONE]`. */
  addUsage(): void
  /**
   * The blank reason (`""` or `"null"`, from Snowflake Cortex) that ended the answer, if one did. Some servers send it
   * with every delta; there it is an end only directly before the usage or `[DONE]` (`marked`).
   */
  blankEnd(marked: boolean): string | undefined
}

/** Creates a reader for one answer. */
export function createFinishReader(): FinishReader {
  let reason: string | undefined
  /** The blank reason of the newest delta. */
  let blank: string | undefined
  /** A blank reason was not the end: content came with it or after it. */
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
      // Relays send several reasons. One that forbids execution stays; otherwise the last one counts.
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

/** The finish reason that a server's own word means; `other` for an unknown word. */
export function unifiedOf(raw: string): FinishReason {
  const reason = raw.toLowerCase().replaceAll('-', '_')
  return reasons.find(([, names]) => names.includes(reason))?.[0] ?? 'other'
}
