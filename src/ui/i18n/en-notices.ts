// The texts of the notices, in English. Loaded with the first notice.
import type { ErrorCode } from '../../core/data/errors.js'

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

/** The English texts. */
export const noticeWords = {
  problems,
  mirror: 'This conversation is open in another tab. You can follow it here.',
  waitingForNetwork: 'You are offline. The assistant continues when you are connected.',
  takeOver: 'Use it here',
  retry: 'Try again',
  goOn: 'Continue',
  dismiss: 'Dismiss',
  interrupted: 'The assistant was interrupted.',
  fallback: (failed: string, next: string, message: string) => `${message} ${next} answers instead of ${failed}.`,
  retrying: (seconds: number, message: string) => `Trying again in ${seconds} s. ${message}`,
}

/** The texts of the notices. */
export type NoticeWords = typeof noticeWords
