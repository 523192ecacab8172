// Writes the whole text of an editor. Many editors keep a document of their own and only draw it, some only the lines
// in view, so what they hold is asked of them: all is selected and copied, as a person could do.
import { viewOf } from '../dom/dom.js'
import { normalizeText, toComparable } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import type { Field } from '../read/field.js'
import { dispatchInput, nextTask, waitForPageUpdates } from './input-events.js'
import { heldTextOf } from './plan.js'
import { copiedText, insertText, pasteText, placeCaretAtEnd, selectContents } from './rich-text.js'
import type { WriteResult } from './set-value.js'
import { takeFocus } from './visitors-place.js'
import { asToolInput } from './watch-user.js'

/** Runs a step with all of the editor selected, which has the focus. */
function withAllSelected<T>(editor: Element, step: () => T): T {
  return asToolInput(() => {
    selectContents(editor)
    pressSelectAll(editor)
    return step()
  })
}

/** Presses the key with which an editor selects also what it does not draw. */
function pressSelectAll(editor: Element): void {
  const isMac = /Mac/.test(navigator.platform)
  const held = { ctrlKey: !isMac, metaKey: isMac, bubbles: true, composed: true, cancelable: true }
  const key = { key: 'a', code: 'KeyA', keyCode: 65, ...held }
  const { KeyboardEvent } = viewOf(editor)
  for (const type of ['keydown', 'keyup']) editor.dispatchEvent(new KeyboardEvent(type, key))
}

/** Writes a text into an editor by the events of typing. */
function writeEditable(editor: Element, text: string): void {
  withAllSelected(editor, () => {
    if (insertText(editor, text) !== 'none') return
    editor.textContent = text
    dispatchInput(editor, text)
  })
}

const isSame = (one: string, other: string): boolean => normalizeText(one) === normalizeText(other)

/** What an editor says that it holds; undefined if it says nothing, or leaves copying to the browser. */
const copyOf = (editor: Element): string | undefined => withAllSelected(editor, () => copiedText(editor)) || undefined

/** Writes a text into an editor, by typing, or else by pasting. */
export async function writeEditor(field: Field, text: string): Promise<WriteResult> {
  const { element } = field
  const leave = takeFocus(element)
  try {
    // Editors that draw from a state of their own take no selection until they have drawn that they have the focus.
    await nextTask()
    return await writeFocused(field, text)
  } finally {
    // The next text must not replace all of this one.
    asToolInput(() => placeCaretAtEnd(element))
    await nextTask()
    leave?.()
  }
}

async function writeFocused(field: Field, text: string): Promise<WriteResult> {
  const { element } = field
  const shown = (): string => heldTextOf(field, new Visibility())
  let copy: string | undefined
  const settle = async (): Promise<boolean> => {
    await waitForPageUpdates()
    copy = text === '' ? undefined : copyOf(element)
    if (copy === undefined || isSame(copy, text)) return isSame(copy ?? shown(), text)
    // Some write marks into what they copy, such as those of Markdown.
    return isSame(shown(), text) && toComparable(copy) === toComparable(text)
  }
  writeEditable(element, text)
  let isWritten = await settle()
  if (!isWritten && text !== '') {
    withAllSelected(element, () => pasteText(element, text))
    isWritten = await settle()
  }
  if (copy === undefined) return {}
  return isWritten
    ? { isHeld: true }
    : { problem: 'The editor holds another text than it was given. Use page_press with select, or ask the user' }
}
