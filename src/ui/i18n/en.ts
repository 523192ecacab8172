// Every text of the panel, in English. Other languages translate this object; it is used until they are loaded.
import type { ErrorCode } from '../../core/data/errors.js'
import type { Reason } from '../../core/data/message.js'
import type { CallState } from '../message/call-state.js'

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

/** What a user can do about an error. Codes that only a model sees are missing. */
const problems: Partial<Record<ErrorCode, string>> = {
  network: 'The assistant cannot be reached. Check your connection and try again.',
  offline: 'You are offline. Try again when you are connected.',
  unauthorized: 'Your sign-in was not accepted. Sign in again.',
  'not-found': 'The assistant’s service was not found.',
  'rate-limited': 'The assistant is busy. Try again in a moment.',
  server: 'The assistant has a problem. Try again in a moment.',
  'bad-request': 'The assistant’s service rejected the request.',
  'bad-response': 'The answer cannot be read.',
  'context-overflow': 'This conversation is too long. Start a new one.',
  'model-timeout': 'The assistant did not answer in time. Try again.',
  'stream-cut': 'The connection was lost during the answer. You can continue it.',
  storage: 'This conversation cannot be saved. It is lost when you reload the page.',
  'lost-session': 'This conversation continued in another tab.',
  'session-deleted': 'This conversation was deleted. Start a new one.',
  'host-lost': 'The assistant stopped unexpectedly and was restarted.',
  'no-endpoint': 'The assistant is not connected yet. Your text is still in the field below.',
  'invalid-option': 'The assistant is not set up correctly.',
  'invalid-tool': 'A tool of this page is not set up correctly.',
  'duplicate-tool': 'Two tools of this page have the same name.',
  closed: 'The assistant was closed.',
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

/** The texts. A function receives the values that its text contains. */
export const words = {
  language: 'en',
  states,
  problems,
  endings,
  heading: 'Assistant',
  greeting: 'How can I help?',
  placeholder: 'Ask anything about this page',
  close: 'Close',
  waiting: 'waiting for you',
  conversation: 'Conversation',
  conversations: 'Conversations',
  newConversation: 'New conversation',
  send: 'Send',
  stop: 'Stop',
  queued: 'Next',
  unqueue: 'Remove',
  older: 'Show earlier messages',
  latest: 'Jump to the latest message',
  you: 'You',
  assistant: 'Assistant',
  summary: 'Summary of the earlier conversation',
  thinking: 'Thinking',
  thought: 'Thoughts',
  working: 'Working',
  copy: 'Copy',
  copied: 'Copied',
  input: 'Details',
  ran: 'Details used',
  result: 'Result',
  error: 'Error',
  steps: 'Steps',
  noArguments: 'No details',
  empty: 'empty',
  whole: (characters: number) => `Show the whole result (${number(characters)} characters)`,
  /** `characters`: how many of a long text are not shown yet. */
  more: (characters: number) => `Show more (${number(characters)} characters left)`,
  later: (characters: number) => `The first ${number(characters)} characters are shown when the answer is complete.`,
  undo: 'Undo',
  undone: (fields: number, all: number) => {
    if (all === 0) return 'Nothing left to undo.'
    return fields === all ? 'Undone.' : `${number(fields)} of ${number(all)} fields undone.`
  },
  attempts: (count: number) => `${count} attempts`,
  /** A duration in milliseconds. */
  time: (ms: number) => (ms < 995 ? `${number(Math.max(1, ms))} ms` : `${number(ms / 1000, ms < 9_950 ? 1 : 0)} s`),
  task: { pending: 'open', in_progress: 'in progress', completed: 'done' },
  tasks: 'Tasks',
  tasksDone: (done: number, all: number) => `${done} of ${all} done`,
  approvals: 'Waiting for your decision',
  approvalAsked: (title: string) => `Your decision is needed: ${title}`,
  askedBy: (agent: string) => `Asked by ${agent}`,
  notSaved: 'Not saved',
  notSavedWhy: 'This conversation is lost when you reload the page. Click to save it as a file.',
  mirror: 'This conversation is open in another tab. You can follow it here.',
  waitingForNetwork: 'You are offline. The assistant continues when you are connected.',
  tools: {
    todo_write: 'Update the tasks',
    todo_read: 'View the tasks',
    read_result: 'Read more of a result',
    page_click: 'Click on the page',
    form_submit: 'Send the form',
    page_navigate: 'Go to another page',
  } as Readonly<Record<string, string>>,
  takeOver: 'Use it here',
  retry: 'Try again',
  goOn: 'Continue',
  dismiss: 'Dismiss',
  interrupted: 'The assistant was interrupted.',
  retrying: (seconds: number, message: string) => `Trying again in ${number(seconds)} s. ${message}`,
  rendererFailed: (message: string) => `This result cannot be shown: ${message}`,
}

/** The texts of one language. */
export type Words = typeof words
