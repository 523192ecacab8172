// Every text of the panel in English. Other languages translate this object; it is used until they are loaded.
import type { CallState } from '../message/call/call-state.js'
import type { ErrorCode } from '../../core/data/errors.js'
import type { GlassWords } from './glass.js'
import { unloaded } from './unloaded.js'
import type { Reason } from '../../core/data/message.js'

const number = (value: number, digits = 0) => value.toLocaleString('en', { maximumFractionDigits: digits })

/** What happened to a call that did not succeed. */
const callProblems: Partial<Record<CallState, string>> = {
  failed: 'This did not work. The assistant knows, and may try another way.',
  denied: 'You did not allow this, so nothing happened.',
  refused: 'The page does not allow this, so nothing happened.',
  cancelled: 'This was stopped. It may or may not have happened.',
  superseded: 'You sent another message first, so nothing happened.',
  interrupted: 'This was interrupted. It may or may not have happened.',
  timeout: 'This took too long and was given up. It may or may not have happened.',
  limit: 'The assistant had already done too much at once, so this was not done.',
}

/** The state of a tool call, on its card. */
const states: Record<CallState, string> = {
  writing: 'Preparing',
  checking: 'Checking',
  asking: 'Waiting for you',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
  denied: 'You said no',
  refused: 'Blocked',
  cancelled: 'Stopped',
  superseded: 'Not done',
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

/** A sentence that says what happened and, if there is anything, one that says what the user can do. */
export type ErrorWords = string | readonly [problem: string, advice: string]

const fullDisk =
  'The storage of this browser is full. New messages are no longer saved and are lost when you reload the page.'
const brokenTool: ErrorWords = ['One of the assistant’s actions does not work on this page.', 'You can use the others.']

/** What a user can do about an error. Codes that only a model sees are missing. */
const errorProblems: Partial<Record<ErrorCode, ErrorWords>> = {
  network: ['The assistant cannot be reached.', 'Check your connection and try again.'],
  offline: ['You are offline.', 'Try again when you are connected.'],
  'rate-limited': ['The assistant is busy.', 'Try again in a moment.'],
  server: ['The assistant has a problem.', 'Try again in a moment.'],
  'model-timeout': ['The assistant did not answer in time.', 'Try again.'],
  'stream-cut': ['The connection was lost during the answer.', 'You can continue it.'],
  unauthorized: 'The assistant is not available right now.',
  unavailable: 'The assistant cannot run in this browser.',
  'not-found': 'The assistant is not available here.',
  'bad-request': [
    'The assistant cannot process this request.',
    'Write it in another way, or start a new conversation.',
  ],
  'bad-response': ['The answer cannot be read.', 'Try again.'],
  'context-overflow': ['This conversation is too long.', 'Start a new one.'],
  'request-too-large': [
    'The attached file is too large for this assistant.',
    'Remove it from your message, or send a smaller one.',
  ],
  storage: ['This conversation cannot be saved.', 'It is lost when you reload the page.'],
  'lost-session': [
    'This conversation is open in another tab or on another device, or was deleted there.',
    'Continue there, or start a new one.',
  ],
  'session-deleted': ['This conversation was deleted.', 'Start a new one.'],
  'host-lost': ['The assistant stopped and was restarted.', 'If the answer is missing, send your message again.'],
  cancelled: ['A message that waited was not sent.', 'Send it again if you still want to.'],
  'no-endpoint': ['The assistant is not connected yet.', 'Your text is still in the field below.'],
  'invalid-option': ['The assistant is not set up correctly.', 'Contact the owner of this page.'],
  'invalid-tool': brokenTool,
  'duplicate-tool': brokenTool,
  closed: ['The assistant was closed.', 'Reload the page to use it again.'],
}

/** The texts. A function receives the values that its text contains. */
export const words = {
  language: 'en',
  heading: 'Assistant',
  greeting: 'How can I help?',
  placeholder: 'Ask anything about this page',
  /** For a page with tools of its own that is not read. */
  placeholderForTools: 'What would you like to do?',
  /** What an empty conversation offers. */
  suggest: { fill: 'Fill in this form', look: 'What can I do here?' },
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
  approvalAsked: (title: string, place: string) => `Your decision is needed${place && `, ${place}`}: ${title}`,
  /** How the keyboard reaches the question. */
  approvalKey: 'Press F8 to answer.',
  askedBy: (agent: string) => `Asked by ${agent}`,
  /** A file is missing or blocked, or does not fit the others. */
  unloaded: unloaded.unavailable,
  notSaved: 'Not saved',
  notSavedWhy: 'This conversation is lost when you reload the page. Click to save it as a file.',
  tools: {
    page_click: 'Click on the page',
    form_submit: 'Send the form',
    page_navigate: 'Go to another page',
  } as Readonly<Record<string, string>>,
  /** The buttons below a message. */
  actions: {
    edit: 'Edit and send again',
    again: 'Answer again',
    details: 'Time and usage',
    good: 'Good answer',
    bad: 'Bad answer',
    cancel: 'Cancel',
    tokens: (sent: number, received: number) => `${number(sent)} tokens sent, ${number(received)} received`,
  },
  /** The approval cards. */
  approval: {
    asks: 'The assistant asks for your permission',
    /** `at`: the place of this question among `all`. */
    position: (at: number, all: number) => `${at} of ${all}`,
    approve: 'Allow',
    deny: 'Don’t allow',
    /** What the button does that allows an action on the page. */
    verbs: {
      press: 'Press',
      double: 'Double-click',
      right: 'Open',
      middle: 'Middle-click',
      hold: 'Long press',
      hover: 'Move',
      drag: 'Drag',
      send: 'Send',
      open: 'Open',
      leave: 'Leave',
      download: 'Download',
      fill: 'Fill in',
      /** `name`: what the control is called, in quotation marks. */
      named: (name: string) => `Press ${name}`,
    },
    /** The question about an action on the page. `thing`: a quoted name, with what is around it. */
    ask: {
      quote: (text: string) => `“${text}”`,
      inside: (thing: string, place: string) => `${thing} in ${place}`,
      unnamed: 'a button without a name',
      key: (key: string) => `the key ${key}`,
      press: (thing: string) => `Press ${thing}?`,
      double: (thing: string) => `Double-click ${thing}?`,
      right: (thing: string) => `Open the menu of ${thing}?`,
      middle: (thing: string) => `Middle-click ${thing}?`,
      hold: (thing: string) => `Long press ${thing}?`,
      hover: (thing: string) => `Move the mouse over ${thing}?`,
      drag: (thing: string, to: string) => `Drag ${thing} to ${to}?`,
      move: (thing: string) => `Move ${thing}?`,
      unnamedPlace: 'a place without a name',
      change: (thing: string) => `Change ${thing}?`,
      sendForm: 'Send the form?',
      sendNamed: (form: string) => `Send the form ${form}?`,
      sendWith: (thing: string) => `Send the form with ${thing}?`,
      /** `site`: another site. */
      sendFormTo: (site: string) => `Send a form to ${site}?`,
      sendTo: (site: string) => `Send data to ${site}?`,
      sendData: 'Send data?',
      sendDataWith: (thing: string) => `Send data with ${thing}?`,
      deleteWith: (thing: string) => `Delete with ${thing}?`,
      destroyWith: (thing: string) => `Delete or pay with ${thing}?`,
      open: (address: string) => `Open ${address}?`,
      openTab: (address: string) => `Open ${address} in a new window?`,
      openApp: (address: string) => `Open another app for ${address}?`,
      leave: (site: string) => `Leave this site for ${site}?`,
      leaveBack: 'Leave this site?',
      download: (file: string) => `Download ${file}?`,
    },
    /** Of a call that was not allowed, in place of its title. `thing`: as in the question. */
    notDone: {
      press: (thing: string) => `Not pressed: ${thing}`,
      send: (thing: string) => `Not sent: ${thing}`,
      open: (thing: string) => `Not opened: ${thing}`,
      other: (thing: string) => `Not done: ${thing}`,
    },
    /** Of a call whose action the visitor did themselves. `thing`: as in the question; `title`: of the call. */
    doneByYou: {
      press: (thing: string) => `Pressed by you: ${thing}`,
      other: (title: string) => `Done by you: ${title}`,
    },
    /** What the user must know before they allow it. */
    warnings: {
      /** Of an action on the page: its name says so. */
      destroys: 'This may delete or pay. You may not be able to undo it.',
      /** Of a tool whose author says so. */
      final: 'This cannot be undone.',
      sends: 'This may send or save something.',
      stopped: 'The page was about to do this. It was stopped first.',
      held: 'Nothing has been sent yet. The page waits for your answer.',
      refused: 'The page may still contain what you did not allow, and send it with this.',
      loses: 'What you entered here and did not send would be lost.',
      changed: 'This question has changed.',
    },
    allowMenu: 'Ways to allow',
    once: 'Allow only this time',
    /** `thing`: the title of the tool, in quotation marks. */
    remember: (thing: string) => `Always allow ${thing} in this conversation`,
    /** Allows more of the same until the turn ends. */
    forTask: 'Allow for this task',
    /** What that covers: controls, or one request. */
    taskCovers: {
      unknown:
        'The assistant may use buttons of this page until this task is done. ' +
        'Deleting, paying and other sites ask again.',
      send: 'The assistant may send this again until this task is done.',
    },
    /** What is allowed now. `to`: an address of this site. */
    taskGranted: {
      unknown: 'Allowed until this task is done: buttons of this page.',
      send: (to: string) => `Allowed until this task is done: sending to ${to}.`,
    },
    granted: (things: string) => `Always allowed in this conversation: ${things}.`,
    endGrants: 'Ask me again',
    /** For a screen reader, when the user has taken back what was allowed. */
    grantsEnded: 'The assistant asks you again.',
    /** Before a press: the answer, what is said while it waits for that, and the way back to the question. */
    pressMyself: 'I’ll press it myself',
    yourTurn: 'Press it on the page. The assistant waits.',
    takeBack: 'Cancel',
    addReason: 'Add a reason',
    reason: 'Reason, for the assistant (optional)',
    edit: 'Change',
    done: 'Done',
    revert: 'Undo the changes',
    edited: 'Changed by you',
    lines: 'one per line',
    invalidJson: 'Check the quotes, commas and brackets.',
    checkFields: 'Check the marked fields.',
    /** At a field: the schema of the tool refuses what the user typed. */
    notAccepted: 'This is not accepted.',
    /** The same for the arguments as a whole. */
    rejected: 'These details are not accepted. Change them, or say no.',
    /** The tool was unregistered while the question waited. */
    gone: 'The page no longer offers this. Say no, and ask again.',
    /** What scrolls in a long question. */
    whole: 'The whole question',
    details: 'Details',
    tool: 'Tool',
    /** `count`: how many arguments are not on the screen yet. */
    more: (count: number) => `${count} more below`,
    moreText: 'More below',
    readToEnd: 'read to the end first',
    unread: 'Read to the end first, then allow it.',
    /** `characters`: how many a long value has. */
    showAll: (characters: number) => `Show all ${number(characters)} characters`,
    cutFirst: 'Show the whole text first, then allow it.',
    covered: 'Something on the page covers this question. Make it fully visible, then decide.',
    acts: {
      /** A line of text with an amount of money, and that it is a quotation. */
      beside: 'Beside it',
      fromPage: '(quoted from the page)',
      /** What is selected before a text is typed or a key is pressed. */
      selects: 'Selected text',
      claim: 'The page says',
      click: 'Presses',
      place: 'In',
      operation: 'Request',
      submit: 'Sends',
      go: 'Goes to',
      to: 'Leads to',
      sentTo: 'Sent to',
      more: 'Not shown',
      tab: 'in a new tab',
      download: 'as a download',
      filled: 'filled in (kept private)',
      yes: 'yes',
      no: 'no',
      /** Above the values that the assistant has filled in elsewhere on the page. */
      filledIn: 'Filled in by the assistant',
      emptyFields: (count: number) => `${count} empty fields`,
      /** Above what is another one than in the question before. */
      changedSince: 'Changed since the last question',
      /** Of a value that is not shown. */
      otherValue: 'another value',
      moreFields: (count: number) => (count === 1 ? '1 more field' : `${count} more fields`),
      /** The host follows, or the scheme of an address that does not lead to a web page. */
      site: 'This leads to another site:',
    },
  },
  /** Attached files. */
  attachments: {
    attach: 'Attach files',
    attached: 'Attached files',
    drop: 'Drop files here',
    remove: 'Remove',
    reading: 'Reading',
    added: (name: string) => `Attached: ${name}`,
    removed: (name: string) => `Removed: ${name}`,
    /** Problems with one file. */
    wrongType: (name: string) => `${name} cannot be attached: files of this type are not accepted here.`,
    tooLarge: (name: string, bytes: string, limit: string) =>
      `${name} is too large: it has ${bytes}, and at most ${limit} can be attached.`,
    tooLargeTogether: (name: string, limit: string) =>
      `${name} is not attached: the files of one message can have at most ${limit} together.`,
    unreadable: (name: string) =>
      `${name} cannot be read. The file may be damaged, or of another type than its name says.`,
    tooMany: (limit: number) => `At most ${limit} files can be attached to one message.`,
    notKept: (names: string) => `The page was loaded again, so these files are no longer attached: ${names}`,
  },
  /** Open tool call cards. */
  body: {
    /** What happened, for a call without an output. */
    problems: callProblems,
    /** For a call that was stopped before it ran. */
    stoppedBefore: 'This was stopped before it began. Nothing was changed.',
    input: 'Technical details',
    /** A field that the assistant could not fill. */
    notFilled: 'not filled in',
    values: 'Arguments',
    ran: 'Arguments used',
    attempts: (count: number) => `${number(count)} attempts`,
    result: 'Result',
    error: 'Error',
    steps: 'Steps',
    whole: (characters: number) => `Show the whole result (${number(characters)} characters)`,
  },
  /** On the page: beside the element that a question is about, and beside a field. */
  stage: {
    wants: {
      click: 'The assistant wants to press this',
      press: 'The assistant wants to press this',
      submit: 'The assistant wants to send this',
      go: 'The assistant wants to open this',
      drag: 'The assistant wants to move this',
    },
    filling: 'Filling in',
    /** On the bar of a phone. */
    step: (at: number, all: number) => `${at} of ${all}`,
  },
  /** The line below the field: what the assistant may do. Its parts are separated by dots. */
  trust: {
    reads: 'reads',
    fills: 'fills',
    presses: 'presses',
    /** It only reads. */
    changesNothing: 'changes nothing',
    asks: { hints: 'asks before it sends', always: 'asks before everything', off: 'asks only before other sites' },
    actions: (count: number) => (count === 1 ? '1 action of this page' : `${count} actions of this page`),
    hidden: (count: number) => (count === 1 ? '1 field hidden' : `${count} fields hidden`),
    granted: 'you allowed more',
  },
  /** A floating panel or a sidebar, and its button. */
  floating: {
    resize: 'Resize (arrow keys)',
    waiting: 'waiting for you',
    working: 'working',
    newMessages: (count: number) => (count === 1 ? '1 new message' : `${count} new messages`),
  },
  /** The list of conversations. */
  menu: {
    untitled: 'Untitled conversation',
    noConversations: 'No saved conversations yet.',
    options: 'Options',
    rename: 'Rename',
    remove: 'Delete',
    removed: (title: string) => `Deleted: ${title}`,
    undo: 'Undo',
    export: 'Save as a file',
    search: 'Search conversations',
    found: (count: number) => {
      if (count === 0) return 'No conversation has this in its title.'
      return count === 1 ? '1 conversation found' : `${number(count)} conversations found`
    },
    /** The headings of the groups. Those for today and yesterday come from the browser. */
    week: 'Previous 7 days',
    older: 'Older',
    cancel: 'Cancel',
    save: 'Save',
    back: 'Back',
    messages: (count: number) => (count === 1 ? '1 message' : `${number(count)} messages`),
  },
  /** The messages and the tool call cards. */
  messages: {
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
    /** For a screen reader, when nothing was said for some seconds. */
    stillWorking: (what: string) => `Still working: ${what}`,
    thinking: 'Thinking',
    thought: 'Thoughts',
    working: 'Working',
    copy: 'Copy',
    copied: 'Copied',
    copyCode: 'Copy the code',
    /** `columns`: the names of the columns. */
    copyTable: (columns: string) => `Copy the table: ${columns}`,
    /** The calls of a turn that only looked, as one line. */
    looks: (count: number) => `Looked at ${number(count)} ${count === 1 ? 'thing' : 'things'}`,
    /** `characters`: how many of a long text are not shown yet. */
    more: (characters: number) => `Show more (${number(characters)} characters left)`,
    later: (characters: number) => `The first ${number(characters)} characters are shown when the answer is complete.`,
    /** What a turn has changed. */
    receipt: {
      changes: (count: number) => (count === 1 ? '1 change' : `${number(count)} changes`),
      /** Follows the number of changes. */
      safe: 'nothing was sent or paid',
      /** What was done beyond changing values. `calls`: their sentences in a list. */
      beyond: {
        send: (calls: string) => `sent: ${calls}`,
        destroy: (calls: string) => `cannot be taken back: ${calls}`,
        outside: (calls: string) => `on another site: ${calls}`,
      },
      failed: (count: number) => `${number(count)} did not work`,
      /** What the fields of a form held before. */
      replaced: (count: number) => `${number(count)} replaced`,
      wereEmpty: (count: number) => (count === 1 ? '1 was empty' : `${number(count)} were empty`),
      /** For a screen reader: a value before and after a change. */
      became: (before: string, after: string) => `${before}, now ${after}`,
      /** What the visitor does themselves: private fields, and the button that sends. */
      left: (things: string) => `Left for you: ${things}`,
      /** One change alone. `line`: its sentence. */
      undo: (line: string) => `Undo: ${line}`,
      redo: (line: string) => `Redo: ${line}`,
      review: 'Review on the page',
      /** Leads to a field. */
      show: (field: string) => `Show on the page: ${field}`,
      /** For a screen reader: the field is no longer on the page. */
      gone: (field: string) => `Not on the page any more: ${field}`,
      /** The fields show what they held before the turn. */
      before: 'Before',
      after: 'After',
      previous: 'Previous field',
      next: 'Next field',
      /** Undoes one field. */
      thisField: 'This field',
      /** Ends the review, and removes the marks. */
      good: 'Looks good',
    },
    /** Undoing what the assistant has changed for one message. `fields`, `calls`: their names in a list. */
    undo: {
      undo: 'Undo',
      all: 'Undo all',
      redo: 'Redo',
      undone: 'Undone',
      redone: 'The values of the assistant are back.',
      nothing: 'Nothing left to undo.',
      kept: (count: number, fields: string) =>
        count === 1
          ? `1 field was changed since and stayed: ${fields}.`
          : `${number(count)} fields were changed since and stayed: ${fields}.`,
      lost: (fields: string) => `Could not be put back: ${fields}.`,
      failed: (calls: string) => `Could not be undone: ${calls}. You can try again.`,
      late: (calls: string) => `Took too long, so it is not known whether it was undone: ${calls}.`,
      /** What cannot be undone: sent, deleted or paid, on another site, or of an unknown kind. */
      sent: (calls: string) => `Was sent, and stays: ${calls}.`,
      destroyed: (calls: string) => `Cannot be brought back: ${calls}.`,
      outside: (calls: string) => `Happened on another site, and stays: ${calls}.`,
      stays: (calls: string) => `Stays as it is: ${calls}.`,
    },
    /** A duration in milliseconds, from two seconds on. */
    time: (ms: number) => `${number(ms / 1000, ms < 9_950 ? 1 : 0)} s`,
    reload: 'Reload the page',
    mayShowRefused: 'The page may still show what you did not allow.',
    rendererFailed: 'This result cannot be shown.',
  },
  /** The notices. */
  notices: {
    problems: errorProblems,
    /** For an error whose code has no sentence. */
    problem: ['Something went wrong.', 'Try again.'] as ErrorWords,
    /** The browser has no room for the conversation. */
    full: fullDisk,
    saveFile: 'Save as a file',
    details: 'Details',
    mirror: 'This conversation is open in another tab. You can follow it here.',
    twice: 'This conversation is shown twice on this page. You can follow it here.',
    waitingForNetwork: 'You are offline. The assistant continues when you are connected.',
    takeOver: 'Use it here',
    retry: 'Try again',
    goOn: 'Continue',
    dismiss: 'Dismiss',
    interrupted: 'The assistant was interrupted.',
    fallback: (failed: string, next: string, message: string) => `${message} ${next} answers instead of ${failed}.`,
    retrying: (seconds: number, message: string) => `Trying again in ${seconds} s. ${message}`,
    /** The model of the browser. */
    downloading: 'The browser is downloading its language model. This happens once and can take some minutes.',
    retryingNow: (message: string) => `Trying again. ${message}`,
    tryNow: 'Try now',
  },
  /** Text that the user has selected on the page. */
  selection: {
    ask: 'Ask about the selection',
    quoted: 'Quoted from the page',
    remove: 'Remove the quote',
    /** For a screen reader. */
    added: 'The selection was added to your message.',
    removed: 'The quote was removed.',
  },
}

/** The texts of one language. */
export type Words = typeof words & {
  /** What the line below the field opens to. Missing: as in English. */
  readonly glass?: Partial<GlassWords>
}
/** The texts of a language without those that the closed panel needs as well. */
export type Translation = Omit<Words, 'unloaded' | 'glass'> & { readonly glass: GlassWords }
/** The texts of the approval cards. */
export type ApprovalWords = Words['approval']
/** The texts of attached files. */
export type AttachmentWords = Words['attachments']
/** The texts of open tool call cards. */
export type BodyWords = Words['body']
/** The texts of the list of conversations. */
export type MenuWords = Words['menu']
/** The texts of the messages and of the tool call cards. */
export type MessageWords = Words['messages']
/** The texts of the notices. */
export type NoticeWords = Words['notices']
/** The texts about text that the user has selected on the page. */
export type SelectionWords = Words['selection']
