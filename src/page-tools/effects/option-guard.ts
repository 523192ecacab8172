// An option of a list of the page may be a command. Before it is chosen, its effect must be allowed.
import { nameOrText, roleOf } from '../dom/accessible-name.js'
import { ancestor, isTag, parentOf } from '../dom/dom.js'
import { isDialog } from '../dom/roles.js'
import { Visibility } from '../dom/visibility.js'
import { currentGuard } from './action-guard.js'
import { listHoldsValue } from './control-effect.js'
import { choiceDestroys, isSentLater } from './control-words.js'
import { effectOfWords } from './match-vocabulary.js'

/**
 * Checks an option of a field that is chosen by a click. Options of native lists only hold a value. From then on, what
 * the page sends is stopped if the list may be one of commands.
 * @throws `needs-approval` if its words say that it deletes, pays or sends, and the user was not asked
 */
export function checkOption(option: Element, field: Element): void {
  const visibility = new Visibility()
  const name = nameOrText(option, visibility)
  const effect = effectOfWords(name)
  if (effect) currentGuard()?.require({ effect, does: 'choose', operation: name.slice(0, 80) })
  const list = ancestor(parentOf(option), (above) => /^(listbox|tree|grid)$/.test(roleOf(above) ?? ''))
  const isCommand = isPalette(field)
  if (roleOf(option) === 'radio' || (listHoldsValue(field, list) && !isCommand)) return
  // A palette closes with its command, so it could not be chosen again after a question.
  if (!effect && isCommand) currentGuard()?.require({ effect: 'unknown', does: 'choose', operation: name.slice(0, 80) })
  currentGuard()?.mayRunCommand()
}

/**
 * Checks a box, a switch or an option of a native list that a tool is about to choose, by a key or a fill.
 * @throws `needs-approval` if its words say that it deletes or pays, and the user was not asked
 */
export function checkChoice(choice: Element): void {
  const visibility = new Visibility()
  const name = isTag(choice, 'option') ? choice.label : nameOrText(choice, visibility)
  const destroys = isTag(choice, 'option')
    ? effectOfWords(name) === 'destroy' && !isSentLater(choice)
    : choiceDestroys(choice, { visibility, redact: (text) => text })
  if (destroys) currentGuard()?.require({ effect: 'destroy', does: 'choose', operation: name.slice(0, 80) })
}

/** Whether a field is the only one of a dialog and has no name to be sent by, as that of a palette of commands. */
function isPalette(field: Element): boolean {
  const dialog = ancestor(parentOf(field), isDialog)
  const fields = dialog?.querySelectorAll('input,textarea,select,[contenteditable],[role=combobox],[role=textbox]')
  return fields?.length === 1 && !field.hasAttribute('name')
}
