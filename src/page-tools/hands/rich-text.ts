// Edits rich text as a browser does after a key: the selection, which editors must know at once, then `beforeinput`
// with the range that it is about, and the editing command of the browser if the page does not cancel that. Editors
// with a document of their own write it themselves, and cancel.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { childrenOf, elementsUnder, isElement, viewOf } from '../dom/dom.js'
import { cancelable, eventFor } from './events.js'

/** What became of an edit: the page cancelled it and may have made it itself, the browser made it, or nothing did. */
export type Edit = 'canceled' | 'done' | 'none'

/** The selection of the document or shadow root that an element is in. */
export function selectionOf(element: Element): Selection | null {
  const root = element.getRootNode() as (Document | ShadowRoot) & { getSelection?: () => Selection | null }
  return root.nodeType === 11 && root.getSelection
    ? root.getSelection()
    : unclobbered(element.ownerDocument).getSelection()
}

/** A place in a text of the page. */
export interface TextPlace {
  readonly node: Node
  readonly at: number
}

/** Selects from one place to another. Editors hear of it at once, because the browser tells them only later. */
export function selectRange(on: Element, start: TextPlace, end: TextPlace): void {
  selectionOf(on)?.setBaseAndExtent(start.node, start.at, end.node, end.at)
  unclobbered(on.ownerDocument).dispatchEvent(eventFor(on, 'selectionchange', {}))
}

const textsIn = (editor: Element): Text[] =>
  [...elementsUnder(editor)]
    .filter((one) => (one as Partial<HTMLElement>).isContentEditable)
    .flatMap((one) => childrenOf(one).filter((child): child is Text => !isElement(child)))

/** Puts the caret behind the last text of an editor. */
export function placeCaretAtEnd(editor: Element): void {
  const last = textsIn(editor).at(-1)
  const place = last ? { node: last, at: last.data.length } : { node: editor, at: editor.childNodes.length }
  selectRange(editor, place, place)
}

/** Selects all that an editor shows, from its first text to its last one, as the browser does. */
export function selectContents(editor: Element): void {
  const texts = textsIn(editor)
  const [first, last] = [texts[0], texts.at(-1)]
  if (first && last) selectRange(editor, { node: first, at: 0 }, { node: last, at: last.data.length })
  else selectRange(editor, { node: editor, at: 0 }, { node: editor, at: editor.childNodes.length })
}

function rangeIn(on: Element): StaticRange | undefined {
  const selection = selectionOf(on)
  if (!selection || selection.rangeCount === 0) return undefined
  const { startContainer, startOffset, endContainer, endOffset } = selection.getRangeAt(0)
  return new (viewOf(on).StaticRange)({ startContainer, startOffset, endContainer, endOffset })
}

interface EditCommand {
  readonly inputType: string
  /** What the browser does for it. */
  readonly command: string
  readonly data: string | null
}

/** An editor without markup: its lines are separated by line feeds, not by boxes. */
const isPlainEditor = (on: Element): boolean =>
  /^plaintext-only$/i.test(on.closest('[contenteditable]')?.getAttribute('contenteditable') ?? '')
const lineBreak: EditCommand = { inputType: 'insertLineBreak', command: 'insertLineBreak', data: null }

/** One edit at the selection. */
export function editAtSelection(on: Element, asked: EditCommand): Edit {
  const { inputType, command, data } = asked.command === 'insertParagraph' && isPlainEditor(on) ? lineBreak : asked
  const event = eventFor(on, 'beforeinput', { ...cancelable, inputType, data })
  const range = rangeIn(on)
  // What a key deletes is more than the caret.
  if (range && (!range.collapsed || inputType.startsWith('insert')))
    Object.defineProperty(event, 'getTargetRanges', { value: () => [range] })
  if (!on.dispatchEvent(event)) return 'canceled'
  if (data !== null) {
    const typed = dispatchTextInput(on, data)
    if (typed !== 'none') return typed
  }
  return unclobbered(on.ownerDocument).execCommand(command, false, data ?? undefined) ? 'done' : 'none'
}

/**
 * Dispatches the older event that Chromium and WebKit fire between `beforeinput` and the change of the page. React's
 * `onBeforeInput` is made of it, and editors that draw from a state of their own cancel it. Where its default action
 * writes the text also for an event of a script, the result is `done`.
 */
function dispatchTextInput(on: Element, data: string): Edit {
  const page = unclobbered(on.ownerDocument)
  if (!('TextEvent' in viewOf(on))) return 'none'
  const event = page.createEvent('TextEvent') as TextEvent
  event.initTextEvent('textInput', true, true, viewOf(on), data)
  let isWritten = false
  const noteInput = (): void => {
    isWritten = true
  }
  on.addEventListener('input', noteInput, { capture: true, once: true })
  const isAccepted = on.dispatchEvent(event)
  on.removeEventListener('input', noteInput, { capture: true })
  if (!isAccepted) return 'canceled'
  return isWritten ? 'done' : 'none'
}

/** Writes a text at the selection, which it replaces. An empty text deletes the selection. */
export function insertText(on: Element, text: string): Edit {
  if (text === '') return editAtSelection(on, { inputType: 'deleteContentBackward', command: 'delete', data: null })
  // The command makes boxes of lines, also where Enter does not.
  const [first = '', ...others] = isPlainEditor(on) ? text.split(/\r?\n/) : [text]
  const write = (data: string): Edit =>
    data === '' ? 'done' : editAtSelection(on, { inputType: 'insertText', command: 'insertText', data })
  let edit = write(first)
  for (const line of others) {
    if (edit === 'none') break
    edit = editAtSelection(on, lineBreak)
    if (edit !== 'none') edit = write(line)
  }
  return edit
}

/** Dispatches a copy or paste with data that the page may read and write. Returns whether it cancels it. */
function dispatchClipboard(on: Element, type: 'copy' | 'paste', clipboardData: DataTransfer): boolean {
  const event = eventFor(on, type, { ...cancelable, clipboardData })
  // Firefox takes no data from outside, and a page that pastes nothing deletes what is selected.
  Object.defineProperty(event, 'clipboardData', { value: clipboardData })
  return !on.dispatchEvent(event)
}

/** Pastes a plain text at the selection. Returns whether the page took it. */
export function pasteText(on: Element, text: string): boolean {
  const data = new (viewOf(on).DataTransfer)()
  data.setData('text/plain', text)
  return dispatchClipboard(on, 'paste', data)
}

/** The selected text as the page itself copies it; undefined if the page leaves that to the browser. */
export function copiedText(on: Element): string | undefined {
  const data = new (viewOf(on).DataTransfer)()
  return dispatchClipboard(on, 'copy', data) ? data.getData('text/plain') : undefined
}
