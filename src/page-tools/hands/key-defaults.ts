// What a browser does by default for a key. An event of a script has no default action in any browser, so everything
// here repeats what follows a real key: the same change, then the same events in the same order. `keydown` is the
// table: what else a key does to its own field is an entry there. What leaves the field is planned before it is asked
// about: whether a key clicks, or submits a form, says `act/keyboard/plan-press.ts`, and `key-press.ts` does it. The
// caller has dispatched the key, and no listener has canceled it.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, currentPage, elementsUnder, isOffLimits, isTag, rootOf, viewOf } from '../dom/dom.js'
import { isReadOnly, isTextField, type TextField } from '../dom/field-state.js'
import { isUserTyping } from '../dom/page-focus.js'
import { Visibility } from '../dom/visibility.js'
import { checkChoice } from '../effects/option-guard.js'
import { dispatchChange, dispatchInput, editWith, setNative, setText } from './edits.js'
import { clickElement, fire } from './events.js'
import { isChord, isPrintable, typeKey, type Key } from './keys.js'
import { editAtSelection, insertText, pasteText } from './rich-text.js'

/** What the key did by default, beside the reactions of the page. `turned`: they changed where it leads, so nothing. */
export type KeyOutcome = 'canceled' | 'turned' | 'none' | 'done' | 'selected' | 'caret' | 'kept-focus'

/** Text fields that keys have changed and whose `change` event is due. */
const edited = new WeakSet<Element>()

/** Dispatches `change` if keys have changed the field since its last `change`, as leaving it or Enter does. */
export function commitEdit(element: HTMLElement): void {
  if (edited.delete(element)) dispatchChange(element)
}

/** The elements on which keys do different things. */
interface Receivers {
  readonly select: HTMLSelectElement
  readonly radio: HTMLInputElement
  readonly range: HTMLInputElement
  /** What a key does not do here, it does as in a text. */
  readonly number: HTMLInputElement
  readonly text: TextField
  /** No field, and no editor of rich text, whose keys are commands of the browser. */
  readonly other: HTMLElement
}
type Action<E> = (on: E, key: Key) => KeyOutcome
type Actions = { readonly [K in keyof Receivers]?: Action<Receivers[K]> } & { readonly any?: Action<HTMLElement> }

function receiverOf(on: HTMLElement): keyof Receivers | undefined {
  if (isTag(on, 'select')) return 'select'
  const [special] = (isTag(on, 'input') && /^(radio|range|number)$/.exec(on.type)) || []
  if (special) return special as 'radio' | 'range' | 'number'
  if (isTextField(on)) return 'text'
  return isTag(on, 'input') ? undefined : 'other'
}

const editing: Actions = { text: editText }
const screenOf = (box: Element): number => box.clientHeight * 0.9

/** What each key does. What is not listed writes a character. */
const keydown = new Map<string, Actions>([
  ['Tab', { any: moveFocus }],
  ['Escape', { any: closeTopmost }],
  ['ArrowDown', { select: choose(1), radio: walk(1), range: step(-1), number: step(-1), other: scroll(() => 40) }],
  ['ArrowUp', { select: choose(-1), radio: walk(-1), range: step(1), number: step(1), other: scroll(() => -40) }],
  ['ArrowRight', { select: choose(1), radio: walk(1), range: step(1), text: caret((at) => at.end ?? at.head + 1) }],
  ['ArrowLeft', { select: choose(-1), radio: walk(-1), range: step(-1), text: caret((at) => at.start ?? at.head - 1) }],
  ['PageDown', { range: step(-1, 'page'), other: scroll(screenOf) }],
  ['PageUp', { range: step(1, 'page'), other: scroll((box) => -screenOf(box)) }],
  [
    'Home',
    {
      select: choose(-Infinity),
      range: step(-Infinity),
      text: caret(() => 0),
      other: scroll((box) => -box.scrollHeight),
    },
  ],
  [
    'End',
    {
      select: choose(Infinity),
      range: step(Infinity),
      text: caret(() => Infinity),
      other: scroll((box) => box.scrollHeight),
    },
  ],
  ['Enter', editing],
  ['Backspace', editing],
  ['Delete', editing],
  [' ', { ...editing, other: scroll((box, { shiftKey }) => (shiftKey ? -screenOf(box) : screenOf(box))) }],
])

function actionOn(on: HTMLElement, actions: Actions): Action<HTMLElement> | undefined {
  const receiver = receiverOf(on)
  if (receiver === 'other' && on.isContentEditable) return editRichText
  const own = receiver && (actions[receiver] ?? (receiver === 'number' ? actions.text : undefined))
  return own as Action<HTMLElement> | undefined
}

/** What a key does by default on an element, to be done unless the page cancels it; undefined if it does nothing. */
export function defaultAction(on: HTMLElement, key: Key): (() => KeyOutcome) | undefined {
  if (key.key.toLowerCase() === 'a' && (key.ctrlKey || key.metaKey) && !key.altKey) return () => selectAll(on)
  if (isChord(key)) return on.isContentEditable && isFormat(key) ? () => editRichText(on, key) : undefined
  const actions = keydown.get(key.key) ?? (isPrintable(key) ? editing : {})
  const action = actions.any ?? actionOn(on, actions)
  return action && (() => action(on, key))
}

// --- Fields that a key changes -------------------------------------------------------------------------------------

/** The value of a control has changed: `input` and `change` follow. */
function changed(on: HTMLElement): KeyOutcome {
  dispatchInput(on)
  dispatchChange(on)
  return 'done'
}

/** Chooses the next or previous option of a list, or the first or last one. */
function choose(steps: number): Action<HTMLSelectElement> {
  return (select) => {
    const options = [...select.options].filter(
      (one) => !one.disabled && !(isTag(one.parentElement, 'optgroup') && one.parentElement.disabled) && !one.hidden,
    )
    const now = options.findIndex(({ index }) => index === select.selectedIndex)
    const isEnd = Math.abs(steps) === Infinity
    const next = isEnd ? options.at(steps > 0 ? -1 : 0) : options[now + steps]
    if (!next || next.index === select.selectedIndex) return 'none'
    checkChoice(next)
    setNative(select, 'selectedIndex', next.index)
    return changed(select)
  }
}

/** Goes on to another radio button of the group. */
function walk(steps: number): Action<HTMLInputElement> {
  return (radio) => {
    const group = radiosWith(radio)
    const next = group[(group.indexOf(radio) + steps + group.length) % group.length]
    if (group.length < 2 || !next) return 'none'
    next.focus()
    clickElement(next)
    return 'done'
  }
}

/** The enabled radio buttons of the same group that tools may use, in document order. */
export const radiosWith = (radio: HTMLInputElement): HTMLInputElement[] =>
  [...rootOf(radio).querySelectorAll('input')].filter(
    (one) =>
      one.type === 'radio' &&
      one.name === radio.name &&
      one.form === radio.form &&
      !one.matches(':disabled') &&
      !isOffLimits(one),
  )

/** Moves a slider or number field by one step, to an end, or by a tenth of its range. */
function step(steps: number, size?: 'page'): Action<HTMLInputElement> {
  return (input) => {
    if (isReadOnly(input)) return 'none'
    const before = input.value
    const after = stepped(input, steps, size)
    // Frameworks notice a change only through the setter, from the old value to the new one.
    input.value = before
    setNative(input, 'value', after)
    return input.value === before ? 'none' : changed(input)
  }
}

function stepped(input: HTMLInputElement, steps: number, size: 'page' | undefined): string {
  const isRange = input.type === 'range'
  const number = (text: string, otherwise: number): number => (text === '' ? otherwise : Number(text))
  const [least, most] = [number(input.min, 0), number(input.max, 100)]
  if (!Number.isFinite(steps)) return String(steps > 0 ? most : least)
  if (input.step.toLowerCase() === 'any') {
    // `stepUp` throws then. Browsers move by one, or a slider by a hundredth or a tenth of its range.
    const length = isRange ? (most - least) / (size ? 10 : 100) : 1
    const [low, high] = isRange ? [least, most] : [number(input.min, -Infinity), number(input.max, Infinity)]
    return String(Math.min(high, Math.max(low, number(input.value, 0) + steps * length)))
  }
  const large = Math.max(1, Math.round((most - least) / 10 / (number(input.step, 1) || 1)))
  const count = size ? large : 1
  if (steps > 0) input.stepUp(count)
  else input.stepDown(count)
  return input.value
}

/** The change that a key makes to a text: the new text, where its caret is, and the `inputType` of the events. */
interface TextEdit {
  readonly value: string
  readonly caret: number
  readonly inputType: string
  readonly data: string | null
}

/**
 * The edit that a key makes; undefined if it makes none, so that no event is dispatched: at the end of the text, for a
 * letter in a number field, beyond `maxLength`. Types such as `email` and `number` have no selection, so the caret
 * counts as being at the end.
 */
function editOf(field: TextField, key: Key): TextEdit | undefined {
  const { value } = field
  const start = field.selectionStart ?? value.length
  const end = field.selectionEnd ?? value.length
  const without = (from: number, to: number, inputType: string): TextEdit | undefined =>
    from === to ? undefined : { value: value.slice(0, from) + value.slice(to), caret: from, inputType, data: null }
  if (key.key === 'Backspace')
    return without(start === end ? Math.max(0, start - 1) : start, end, 'deleteContentBackward')
  if (key.key === 'Delete')
    return without(start, start === end ? Math.min(value.length, end + 1) : end, 'deleteContentForward')
  const isBreak = key.key === 'Enter' && isTag(field, 'textarea')
  if (!isBreak && !isPrintable(key)) return undefined
  if (isTag(field, 'input') && field.type === 'number' && !/^[\d.,eE+-]$/.test(key.key)) return undefined
  const text = isBreak ? '\n' : key.key
  const result = value.slice(0, start) + text + value.slice(end)
  if (field.maxLength >= 0 && result.length > field.maxLength) return undefined
  return {
    value: result,
    caret: start + text.length,
    inputType: isBreak ? 'insertLineBreak' : 'insertText',
    data: isBreak ? null : text,
  }
}

function editText(field: TextField, key: Key): KeyOutcome {
  const edit = isReadOnly(field) ? undefined : editOf(field, key)
  return edit ? applyEdit(field, edit) : 'none'
}

function applyEdit(field: TextField, { value, inputType, data, caret }: TextEdit): KeyOutcome {
  if (!editWith(field, { inputType, data }, () => setText(field, value, caret))) return 'canceled'
  noteEdit(field)
  return 'done'
}

function noteEdit(field: TextField): void {
  if (edited.has(field)) return
  edited.add(field)
  field.addEventListener('blur', () => commitEdit(field), { once: true })
}

/** A longer text is written at once. */
const mostKeys = 100

/** Types a text at the caret, or in place of the selection. An empty text deletes the selection. */
export function typeText(on: HTMLElement, text: string): KeyOutcome {
  if (!isTextField(on)) return typeRichText(on, text)
  if (isReadOnly(on)) return 'none'
  const { value } = on
  const [start, end] = [on.selectionStart ?? value.length, on.selectionEnd ?? value.length]
  const data = isTag(on, 'input') ? text.replace(/\s*\n\s*/g, ' ') : text
  const result = value.slice(0, start) + data + value.slice(end)
  if (result === value || (on.maxLength >= 0 && result.length > on.maxLength)) return 'none'
  // Masks that keep a value of their own hear only keys.
  if (isTag(on, 'input') && on.selectionStart !== null && data !== '' && data.length <= mostKeys) {
    for (const key of data) typeKey(on, key)
    noteEdit(on)
    return on.value === value ? 'canceled' : 'done'
  }
  const isDelete = data === ''
  const inputType = isDelete ? 'deleteContentBackward' : 'insertText'
  return applyEdit(on, { value: result, caret: start + data.length, inputType, data: isDelete ? null : data })
}

/** Where the caret is: the end of the selection that moves, and its ends if there is one that the key leaves. */
interface CaretPlace {
  readonly head: number
  readonly start?: number
  readonly end?: number
}

/** Moves the caret of a text field, and with Shift the end of its selection. */
function caret(place: (at: CaretPlace) => number): Action<TextField> {
  return (field, { shiftKey }) => {
    const { selectionStart: start, selectionEnd: end, selectionDirection, value } = field
    if (start === null || end === null) return 'none'
    // The anchor stays where the selection began; the head is the end that moves.
    const [anchor, head] = selectionDirection === 'backward' ? [end, start] : [start, end]
    const asked = place(!shiftKey && start !== end ? { head, start, end } : { head })
    const to = Math.min(value.length, Math.max(0, asked))
    if (shiftKey)
      field.setSelectionRange(Math.min(anchor, to), Math.max(anchor, to), to < anchor ? 'backward' : 'forward')
    else field.setSelectionRange(to, to)
    return 'caret'
  }
}

const editCommands = new Map([
  ['Backspace', ['deleteContentBackward', 'delete']],
  ['Delete', ['deleteContentForward', 'forwardDelete']],
  ['Enter', ['insertParagraph', 'insertParagraph']],
] as const)
const formats = new Map([
  ['b', ['formatBold', 'bold']],
  ['i', ['formatItalic', 'italic']],
  ['u', ['formatUnderline', 'underline']],
] as const)

/** Whether the chord formats the selected text of an editor. */
export const isFormat = ({ key, ctrlKey, metaKey, altKey, shiftKey }: Key): boolean =>
  ctrlKey !== metaKey && !altKey && !shiftKey && formats.has(key.toLowerCase() as 'b')

/** Why rich text cannot be edited now: the commands edit where the focus is, which may be in the panel. */
function whyNotEdited(on: HTMLElement): KeyOutcome | undefined {
  const hasFocus = (above: Element): boolean =>
    (above as HTMLElement).isContentEditable && rootOf(above).activeElement === above
  if (ancestor(on, hasFocus)) return undefined
  return isUserTyping() ? 'kept-focus' : 'none'
}

/** Edits rich text by the browser's editing commands, which dispatch `input` themselves. */
function editRichText(on: HTMLElement, key: Key): KeyOutcome {
  const whyNot = whyNotEdited(on)
  if (whyNot) return whyNot
  const data = isPrintable(key) ? key.key : null
  const format = isFormat(key) ? formats.get(key.key.toLowerCase() as 'b') : undefined
  const [inputType, command] = format ?? editCommands.get(key.key as 'Enter') ?? ['insertText', 'insertText']
  return data === null && command === 'insertText' ? 'none' : editAtSelection(on, { inputType, command, data })
}

function typeRichText(on: HTMLElement, text: string): KeyOutcome {
  const whyNot = whyNotEdited(on)
  if (whyNot) return whyNot
  // Editors make paragraphs of the lines that are pasted.
  if (text.includes('\n') && pasteText(on, text)) return 'done'
  return insertText(on, text)
}

function selectAll(on: HTMLElement): KeyOutcome {
  if (isTextField(on)) on.select()
  else {
    if (isUserTyping()) return 'kept-focus'
    const page = unclobbered(on.ownerDocument)
    const editor = on.isContentEditable ? on : page.body
    page.getSelection()?.selectAllChildren(editor)
  }
  return 'selected'
}

// --- What a key does anywhere -------------------------------------------------------------------------------------

/** Moves the focus to the next element in the order of Tab. From the last one it moves to the first. */
function moveFocus(on: HTMLElement, { shiftKey: backwards }: Key): KeyOutcome {
  if (isUserTyping()) return 'kept-focus'
  const visibility = new Visibility()
  const scope = ancestor(on, (above) => above.matches('dialog:modal')) ?? currentPage().documentElement
  const all = [...elementsUnder(scope)]
  const isStop = (element: Element): element is HTMLElement =>
    ((element as HTMLElement).tabIndex >= 0 ||
      ((element as HTMLElement).isContentEditable && !element.hasAttribute('tabindex'))) &&
    // Firefox gives each dialog a tab index, but its Tab skips them.
    !isTag(element, 'iframe', 'html', 'body', 'dialog') &&
    !element.matches(':disabled') &&
    !ancestor(element, (above) => above.hasAttribute('inert')) &&
    // Only the whole editor is a stop, not its paragraphs.
    !((element as HTMLElement).isContentEditable && element.parentElement?.isContentEditable) &&
    visibility.hasBox(element)
  const stops = all.filter(isStop).filter((one) => !isTag(one, 'input') || one.type !== 'radio' || isGroupStop(one, on))
  const rank = (one: HTMLElement): number => (one.tabIndex > 0 ? one.tabIndex : Infinity)
  const ordered = stops.sort((one, other) => (rank(one) === rank(other) ? 0 : rank(one) - rank(other)))
  const at = ordered.indexOf(on)
  let next: HTMLElement | undefined
  if (at >= 0) next = ordered.at(backwards ? at - 1 : (at + 1) % ordered.length)
  else {
    // An element that Tab does not reach: continue from its place.
    const place = all.indexOf(on)
    const after = ordered.filter((one) => all.indexOf(one) > place)
    const before = ordered.filter((one) => all.indexOf(one) < place)
    next = backwards ? (before.at(-1) ?? ordered.at(-1)) : (after[0] ?? ordered[0])
  }
  if (!next || next === on) return 'none'
  commitEdit(on)
  next.focus()
  if (isTag(next, 'input') && isTextField(next)) next.select()
  return 'done'
}

/** Of a group of radio buttons, Tab reaches the checked one, or else the first. `from` is in the way of Tab itself. */
function isGroupStop(radio: HTMLInputElement, from: Element): boolean {
  if (radio === from || radio.name === '') return true
  const group = radiosWith(radio)
  if (group.includes(from as HTMLInputElement)) return false
  return radio === (group.find((one) => one.checked) ?? group[0])
}

/** Closes the topmost popover, or else the topmost modal dialog. */
function closeTopmost(on: Element): KeyOutcome {
  const page = unclobbered(on.ownerDocument)
  const popover = [...page.querySelectorAll<HTMLElement>('[popover]:popover-open')]
    .filter((one) => one.getAttribute('popover') !== 'manual')
    .at(-1)
  if (popover) {
    popover.hidePopover()
    return 'done'
  }
  const dialog = [...page.querySelectorAll<HTMLDialogElement>('dialog:modal')]
    .filter((one) => one.getAttribute('closedby') !== 'none')
    .at(-1)
  if (!dialog) return 'none'
  if (fire(dialog, 'cancel', { cancelable: true })) dialog.close()
  return 'done'
}

/** Scrolls the nearest box that can scroll. */
function scroll(distance: (box: Element, key: Key) => number): Action<HTMLElement> {
  return (on, key) => {
    const page = unclobbered(on.ownerDocument)
    const isBox = (above: Element): boolean =>
      !isTag(above, 'body', 'html') &&
      /auto|scroll/.test(viewOf(above).getComputedStyle(above).overflowY) &&
      above.scrollHeight > above.clientHeight + 1
    const box = ancestor(on, isBox) ?? page.scrollingElement ?? page.documentElement
    const before = box.scrollTop
    box.scrollBy({ top: distance(box, key), behavior: 'instant' })
    return box.scrollTop === before ? 'none' : 'done'
  }
}
