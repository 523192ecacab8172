// The texts of the notices, in English.
import type { ErrorCode } from '../../core/data/errors.js'

const brokenTool = 'One of the assistant’s actions does not work on this page. You can use the others.'

/** What a user can do about an error. Codes that only a model sees are missing. */
const problems: Partial<Record<ErrorCode, string>> = {
  network: 'The assistant cannot be reached. Check your connection and try again.',
  offline: 'You are offline. Try again when you are connected.',
  'rate-limited': 'The assistant is busy. Try again in a moment.',
  server: 'The assistant has a problem. Try again in a moment.',
  'model-timeout': 'The assistant did not answer in time. Try again.',
  'stream-cut': 'The connection was lost during the answer. You can continue it.',
  unauthorized: 'Your sign-in was not accepted. Sign in again.',
  'not-found': 'The assistant is not available here. Try again later.',
  'bad-request': 'The assistant cannot process this request. Write it in another way, or start a new conversation.',
  'bad-response': 'The answer cannot be read. Try again.',
  'context-overflow': 'This conversation is too long. Start a new one.',
  storage: 'This conversation cannot be saved. It is lost when you reload the page.',
  'lost-session': 'This conversation is open in another tab. Continue it there.',
  'session-deleted': 'This conversation was deleted. Start a new one.',
  'host-lost': 'The assistant stopped and was restarted. If the answer is missing, send your message again.',
  'no-endpoint': 'The assistant is not connected yet. Your text is still in the field below.',
  'invalid-option': 'The assistant is not set up correctly. Contact the owner of this page.',
  'invalid-tool': brokenTool,
  'duplicate-tool': brokenTool,
  closed: 'The assistant was closed. Reload the page to use it again.',
}

/** The English texts. */
export const noticeWords = {
  problems,
  /** For an error whose code has no sentence. */
  problem: 'Something went wrong. Try again.',
  /** The browser has no room for the conversation. */
  full: 'The storage of this browser is full. New messages are no longer saved and are lost when you reload the page.',
  saveFile: 'Save as a file',
  details: 'Details',
  mirror: 'This conversation is open in another tab. You can follow it here.',
  waitingForNetwork: 'You are offline. The assistant continues when you are connected.',
  takeOver: 'Use it here',
  retry: 'Try again',
  goOn: 'Continue',
  dismiss: 'Dismiss',
  interrupted: 'The assistant was interrupted.',
  fallback: (failed: string, next: string, message: string) => `${message} ${next} answers instead of ${failed}.`,
  retrying: (seconds: number, message: string) => `Trying again in ${seconds} s. ${message}`,
  retryingNow: (message: string) => `Trying again. ${message}`,
  tryNow: 'Try now',
}

/** The texts of the notices. */
export type NoticeWords = typeof noticeWords
