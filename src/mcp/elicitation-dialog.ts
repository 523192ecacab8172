// `elicitationDialog`: a ready-made handler for `onElicitation`. The form is loaded with the first question.
import { loadPart } from '../page/client/load-part.js'
import type { ElicitationDialogTexts, ElicitationHandler } from './client/elicitation.js'

/**
 * Asks the visitor in a dialog of the page: use it as `onElicitation`. It names the server, and sends only what the
 * visitor confirms. Escape closes it as `cancel`.
 */
export function elicitationDialog(texts: ElicitationDialogTexts = {}): ElicitationHandler {
  return async (question) => (await loadPart(() => import('./dialog/elicitation-form.js'))).askInDialog(question, texts)
}
