// What a user can do about the errors that few visits see, in English. Loaded with the first of them. Other languages
// have these texts in `notices.problems`. Codes that only a model sees are missing.
import type { ErrorCode } from '../../core/data/errors.js'

const brokenTool = 'One of the assistant’s actions does not work on this page. You can use the others.'

/** The English texts. */
export const rareProblems: Partial<Record<ErrorCode, string>> = {
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
