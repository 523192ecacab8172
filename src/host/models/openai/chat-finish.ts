// Decides how a chat completion ended. Calls run only after the server reported a complete answer, so the end is never
// guessed: it needs a finish reason, or a blank reason in a place where only an end can have one.
import { finishReasonOf, type FinishWords } from '../answer/answer-builder.js'

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
  const unified = finishReasonOf(chatFinishWords, reason)
  return unified === 'stop' || unified === 'tool-calls'
}

/** The words of many servers. */
export const chatFinishWords: FinishWords = {
  stop: /^(stop|end[_-]turn|stop[_-]sequence|eos([_-]token)?|completed?|end|done|finish[_-]reason[_-]stop)$/i,
  'tool-calls': /^(tool[_-](calls?|use)|function[_-]call)$/i,
  length: /^(length|max[_-](output[_-])?tokens|model[_-](length|context[_-]window[_-]exceeded))$/i,
  'content-filter':
    /^(content[_-]filter(ed)?|safety|recitation|refusal|blocklist|prohibited[_-]content|spii|sensitive)$/i,
  error: /^(error|malformed[_-]function[_-]call|network[_-]error|insufficient[_-]system[_-]resource|abort|failed)$/i,
}
