// Every text of the panel in English, except those of parts that load later. Other languages translate this object; it
// is used until they are loaded.
import type { Reason } from '../../core/data/message.js'
import type { CallState } from '../message/call-state.js'
import type { ApprovalWords } from './en-approval.js'
import type { BodyWords } from './en-body.js'
import type { FloatingWords } from './en-floating.js'
import type { MenuWords } from './en-menu.js'
import type { NoticeWords } from './en-notices.js'

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

/** The texts. A function receives the values that its text contains. */
export const words = {
  language: 'en',
  states,
  // Undefined in English: loaded with the parts that show them. Other languages have them.
  notices: undefined as NoticeWords | undefined,
  approval: undefined as ApprovalWords | undefined,
  menu: undefined as MenuWords | undefined,
  body: undefined as BodyWords | undefined,
  floating: undefined as FloatingWords | undefined,
  endings,
  heading: 'Assistant',
  greeting: 'How can I help?',
  placeholder: 'Ask anything about this page',
  close: 'Close',
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
  noArguments: 'No details',
  empty: 'empty',
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
  tools: {
    todo_write: 'Update the tasks',
    todo_read: 'View the tasks',
    read_result: 'Read more of a result',
    page_click: 'Click on the page',
    form_submit: 'Send the form',
    page_navigate: 'Go to another page',
  } as Readonly<Record<string, string>>,
  rendererFailed: (message: string) => `This result cannot be shown: ${message}`,
}

/** The texts of one language. */
export type Words = typeof words
