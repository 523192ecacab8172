// An option of a list of the page may be a command. Before it is chosen, its class must be allowed.
import { accessibleNameOf } from '../dom/accessible-name.js'
import { Visibility } from '../dom/visibility.js'
import { currentGuard } from './action-guard.js'
import { effectOfWords } from './words.js'

/**
 * Checks an option that is chosen by a click. Options of native lists only hold a value.
 * @throws `needs-approval` if its words say that it deletes, pays or sends, and the user was not asked
 */
export function checkOption(option: Element): void {
  const visibility = new Visibility()
  const name = accessibleNameOf(option, visibility) || visibility.visibleText(option)
  const effect = effectOfWords(name)
  if (effect) currentGuard()?.require({ effect, does: 'choose', operation: name.slice(0, 80) })
}
