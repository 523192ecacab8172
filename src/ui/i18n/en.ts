// Every text of the panel in English, except those of parts that load later. Other languages translate this object; it
// is used until they are loaded.
import type { AttachmentWords } from './attachment-words.js'
import type { ActionWords } from './en-actions.js'
import type { ApprovalWords } from './en-approval.js'
import type { BodyWords } from './en-body.js'
import type { FloatingWords } from './en-floating.js'
import type { MenuWords } from './en-menu.js'
import type { MessageWords } from './en-messages.js'
import type { NoticeWords } from './en-notices.js'
import type { SelectionWords } from './en-selection.js'

/** The texts. A function receives the values that its text contains. */
export const words = {
  language: 'en',
  // Undefined in English: loaded with the parts that show them. Other languages have them.
  actions: undefined as ActionWords | undefined,
  notices: undefined as NoticeWords | undefined,
  approval: undefined as ApprovalWords | undefined,
  menu: undefined as MenuWords | undefined,
  body: undefined as BodyWords | undefined,
  messages: undefined as MessageWords | undefined,
  floating: undefined as FloatingWords | undefined,
  heading: 'Assistant',
  greeting: 'How can I help?',
  placeholder: 'Ask anything about this page',
  close: 'Close',
  conversations: 'Conversations',
  newConversation: 'New conversation',
  send: 'Send',
  stop: 'Stop',
  queued: 'Next',
  unqueue: 'Remove',
  assistant: 'Assistant',
  noArguments: 'No details',
  empty: 'empty',
  task: { pending: 'open', in_progress: 'in progress', completed: 'done' },
  tasks: 'Tasks',
  /** The line of finished tasks that opens to them. */
  tasksFolded: (done: number) => `${done} done`,
  tasksDone: (done: number, all: number) => `${done} of ${all} done`,
  approvals: 'Waiting for your decision',
  approvalAsked: (title: string) => `Your decision is needed: ${title}`,
  askedBy: (agent: string) => `Asked by ${agent}`,
  notSaved: 'Not saved',
  notSavedWhy: 'This conversation is lost when you reload the page. Click to save it as a file.',
  tools: {
    page_click: 'Click on the page',
    form_submit: 'Send the form',
    page_navigate: 'Go to another page',
  } as Readonly<Record<string, string>>,
}

/** The texts of one language. */
export type Words = typeof words & {
  /** English has these texts in attachment-words.ts. */
  readonly attachments?: AttachmentWords | undefined
  /** English has these texts in en-selection.ts. */
  readonly selection?: SelectionWords | undefined
}
