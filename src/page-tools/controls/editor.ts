// Editors of rich text, written as a whole. Many keep a document of their own and only draw it, some only the lines in
// view, so what they hold is asked of them: all is selected and copied, as a person could do.
import { isBarred, isHtml, propertyOf } from '../dom/dom.js'
import { normalizeLines, normalizeText, toComparable } from '../dom/text.js'
import { Visibility } from '../dom/visibility.js'
import { wantedText } from '../fill/holds-text.js'
import { valueAsText } from '../fill/plan.js'
import { dispatchInput, editWith, typing } from '../hands/edits.js'
import { takeFocus } from '../hands/focus.js'
import { pressKey } from '../hands/keys.js'
import { asToolInput } from '../hands/own-input.js'
import { copiedText, insertText, pasteText, placeCaretAtEnd, selectContents } from '../hands/rich-text.js'
import type { Field } from '../read/field.js'
import { nextTask, waitForPageUpdates } from '../waiting/until.js'
import type { ControlKind, WriteResult } from './control-kind.js'
import { refuseBoolean } from './text.js'

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
  pressKey(editor, 'a', { ctrlKey: !isMac, metaKey: isMac })
}

/** Writes a text into an editor by the events of typing. */
function writeEditable(editor: Element, text: string): void {
  withAllSelected(editor, () => {
    if (insertText(editor, text) !== 'none') return
    editor.textContent = text
    dispatchInput(editor, typing(text))
  })
}

/** Its text with lines, if nothing of it is hidden. */
function textIn({ element }: Field, visibility: Visibility, clean = normalizeLines): string {
  // `innerText` of an editor keeps its lines, but also has hidden and ignored text. Use it only if there is none.
  const isVisible = (node: Element): boolean =>
    node.textContent === '' || (!isBarred(node) && visibility.level(node) === 'visible' && visibility.hasBox(node))
  return isHtml(element) && [...element.querySelectorAll('*')].every(isVisible)
    ? clean(element.innerText).trim()
    : visibility.visibleText(element)
}

const stateOf = ({ element }: Field): string => propertyOf(element, 'innerText') ?? ''

const isSame = (one: string, other: string): boolean => normalizeText(one) === normalizeText(other)

/** What an editor says that it holds; undefined if it says nothing, or leaves copying to the browser. */
const copyOf = (editor: Element): string | undefined => withAllSelected(editor, () => copiedText(editor)) || undefined

/** Writes a text into an editor, by typing, or else by pasting. */
async function writeEditor(field: Field, text: string): Promise<WriteResult> {
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
  const shown = (): string => textIn(field, new Visibility())
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

/**
 * Restores a rich text with its markup. Returns false if an editor with its own document model rejects that; then only
 * the text can be restored.
 */
async function restoreNodes(field: Field, state: string, nodes: readonly Node[]): Promise<boolean> {
  const { element } = field
  if (nodes.every((node) => node.nodeType === 3)) return false
  asToolInput(() => {
    // Copies, because the user may undo and redo several times.
    const putBack = (): void => element.replaceChildren(...nodes.map((node) => node.cloneNode(true)))
    editWith(element, { inputType: 'historyUndo' }, putBack)
  })
  await waitForPageUpdates()
  return stateOf(field) === state
}

/** An editor of rich text. */
export const editor: ControlKind = {
  types: ['editable'],
  label: 'text',
  claims: ({ isEditable }) => (isEditable ? 'editable' : undefined),
  value: textIn,
  state: stateOf,
  copy: ({ element }) => [...element.childNodes].map((node) => node.cloneNode(true)),
  plan(field, value) {
    const text = valueAsText(value)
    return refuseBoolean(field, value) ?? wantedText({ text }, (one) => writeEditor(one, text))
  },
  async restore(field, { state, nodes }) {
    return (await restoreNodes(field, state, nodes)) ? undefined : (await writeEditor(field, state)).problem
  },
}
