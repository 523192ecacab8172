// The texts of the notices, in English. Loaded with the first notice.
import type { ErrorCode } from '../../core/data/errors.js'

/**
 * What a user can do about an error that can occur while nothing can be loaded. The texts for the others are in
 * en-problems.ts.
 */
const problems: Partial<Record<ErrorCode, string>> = {
  network: 'The assistant cannot be reached. Check your connection and try again.',
  offline: 'You are offline. Try again when you are connected.',
  'rate-limited': 'The assistant is busy. Try again in a moment.',
  server: 'The assistant has a problem. Try again in a moment.',
  'model-timeout': 'The assistant did not answer in time. Try again.',
  'stream-cut': 'The connection was lost during the answer. You can continue it.',
}

/** The English texts. */
export const noticeWords = {
  problems,
  /** For an error whose code has no sentence. */
  problem: 'Something went wrong. Try again.',
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
