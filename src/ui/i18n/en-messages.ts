// The texts of the messages and of the tool call cards, in English.
import type { Reason } from '../../core/data/message.js'
import type { CallState } from '../message/call/call-state.js'

/** The state of a tool call, on its card. */
const states: Record<CallState, string> = {
  writing: 'Preparing',
  checking: 'Checking',
  asking: 'Waiting for you',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  denied: 'Not allowed',
  refused: 'Blocked',
  cancelled: 'Cancelled',
  superseded: 'Skipped',
  interrupted: 'Interrupted',
  timeout: 'Timed out',
  limit: 'Not run',
}

/** How a turn ended, if the user should know. */
const endings: Partial<Record<Reason, string>> = {
  stopped: 'Stopped.',
  'max-steps': 'The assistant paused after many steps.',
  'max-tool-calls': 'The assistant paused after many actions.',
  'max-time': 'The assistant paused because this took too long.',
  'repeated-calls': 'The assistant repeated the same action and was paused.',
  'format-errors': 'The assistant’s actions cannot be read.',
  length: 'The answer reached its maximum length.',
  'content-filter': 'The answer was blocked by a content filter.',
  'no-answer': 'The assistant gave no answer.',
  interrupted: 'The answer was interrupted.',
}

const number = (value: number, digits = 0) => value.toLocaleString('en', { maximumFractionDigits: digits })

/** The English texts. A function receives the values that its text contains. */
export const messageWords = {
  states,
  endings,
  conversation: 'Conversation',
  older: 'Show earlier messages',
  latest: 'Jump to the latest message',
  newMessages: (count: number) => (count === 1 ? '1 new message' : `${number(count)} new messages`),
  you: 'You',
  summary: 'Summary of the earlier conversation',
  /** A message or an answer that another one replaced. */
  earlier: 'Earlier version',
  thinking: 'Thinking',
  thought: 'Thoughts',
  working: 'Working',
  copy: 'Copy',
  copied: 'Copied',
  /** Several calls in a row that only read, as one line. */
  reads: (count: number) => `Read ${number(count)} parts of the page`,
  /** `characters`: how many of a long text are not shown yet. */
  more: (characters: number) => `Show more (${number(characters)} characters left)`,
  later: (characters: number) => `The first ${number(characters)} characters are shown when the answer is complete.`,
  undo: 'Undo',
  undone: (fields: number, all: number) => {
    if (all === 0) return 'Nothing left to undo.'
    return fields === all ? 'Undone.' : `${number(fields)} of ${number(all)} fields undone.`
  },
  /** A duration in milliseconds, from two seconds on. */
  time: (ms: number) => `${number(ms / 1000, ms < 9_950 ? 1 : 0)} s`,
  rendererFailed: (message: string) => `This result cannot be shown: ${message}`,
}

/** The texts of the messages and of the tool call cards. */
export type MessageWords = typeof messageWords
