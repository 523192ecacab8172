// What keys do by default inside of fields: text, numbers, ranges, selects, radio groups. A dispatched key event has no
// default action in any browser, so everything here repeats what a browser does after a real key: the same change, then
// the same events in the same order. The caller has dispatched `keydown`, and no listener has canceled it.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, isOffLimits, isTag, rootOf, viewOf } from '../dom/dom.js'
import { isReadOnly } from '../dom/field-state.js'
import { isUserTyping } from '../dom/page-focus.js'
import { checkChoice } from '../effects/option-guard.js'
import { dispatchChange, dispatchInput } from '../fill/input-events.js'
import { editAtSelection, insertText, pasteText } from './rich-text.js'
import { setNative } from '../fill/set-value.js'
import { typeKey } from '../fill/typed-keys.js'
import type { Key } from './keys.js'
import { isChord, isPrintable } from './keys.js'
import type { KeyEffect } from '../act/press/press.js'

/** A field with a text of one or several lines. */
export type TextField = HTMLInputElement | HTMLTextAreaElement

/** Whether text is typed into the field. */
export const isTextField = (element: Element): element is TextField =>
  isTag(element, 'textarea') ||
  (isTag(element, 'input') && /^(text|search|tel|url|email|password|number)$/.test(element.type))

/** Text fields that keys have changed and whose `change` event is due. */
const edited = new WeakSet<Element>()

/** Dispatches `change` if keys have changed the field since its last `change`, as leaving it or Enter does. */
export function commitEdit(element: HTMLElement): void {
  if (edited.delete(element)) dispatchChange(element)
}

/** Does what the key does by default in this field. `none` if it does nothing there. */
export function editByKey(on: HTMLElement, key: Key): KeyEffect {
  if (key.key.toLowerCase() === 'a' && (key.ctrlKey || key.metaKey) && !key.altKey) return selectAll(on)
  if (isChord(key)) return on.isContentEditable && isFormat(key) ? editRichText(on, key) : 'none'
  if (isTag(on, 'select')) return chooseByKey(on, key)
  if (isTag(on, 'input') && on.type === 'radio') return moveInGroup(on, key)
  if (isTag(on, 'input') && (on.type === 'range' || on.type === 'number')) {
    const stepped = stepByKey(on, key)
    if (stepped !== 'none') return stepped
  }
  if (isTextField(on)) return editText(on, key)
  return on.isContentEditable ? editRichText(on, key) : 'none'
}

function selectAll(on: HTMLElement): KeyEffect {
  if (isTextField(on)) on.select()
  else {
    if (isUserTyping()) return 'kept-focus'
    const page = unclobbered(on.ownerDocument)
    const editor = on.isContentEditable ? on : page.body
    page.getSelection()?.selectAllChildren(editor)
  }
  return 'selected'
}

/** The value of a control has changed: `input` and `change` follow. */
function changed(on: HTMLElement): KeyEffect {
  dispatchInput(on, null)
  dispatchChange(on)
  return 'done'
}

function chooseByKey(select: HTMLSelectElement, { key }: Key): KeyEffect {
  const options = [...select.options].filter(
    (one) => !one.disabled && !(isTag(one.parentElement, 'optgroup') && one.parentElement.disabled) && !one.hidden,
  )
  const now = options.findIndex(({ index }) => index === select.selectedIndex)
  const places = new Map([
    ['ArrowDown', now + 1],
    ['ArrowRight', now + 1],
    ['ArrowUp', now - 1],
    ['ArrowLeft', now - 1],
    ['Home', 0],
    ['End', options.length - 1],
  ])
  const next = options[places.get(key) ?? -1]
  if (!next || next.index === select.selectedIndex) return 'none'
  checkChoice(next)
  setNative(select, 'selectedIndex', next.index)
  return changed(select)
}

function moveInGroup(radio: HTMLInputElement, { key }: Key): KeyEffect {
  const step = ({ ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 } as Partial<Record<string, number>>)[key]
  const group = radiosWith(radio)
  if (step === undefined || group.length < 2) return 'none'
  const next = group[(group.indexOf(radio) + step + group.length) % group.length]
  next?.focus()
  next?.click()
  return 'done'
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

/** Steps of a slider or number field. */
function stepByKey(input: HTMLInputElement, { key }: Key): KeyEffect {
  const isRange = input.type === 'range'
  const number = (text: string, otherwise: number): number => (text === '' ? otherwise : Number(text))
  const [least, most] = [number(input.min, 0), number(input.max, 100)]
  const large = Math.max(1, Math.round((most - least) / 10 / (number(input.step, 1) || 1)))
  const steps = new Map([
    ['ArrowUp', 1],
    ['ArrowDown', -1],
    ...(isRange
      ? ([
          ['ArrowRight', 1],
          ['ArrowLeft', -1],
          ['PageUp', large],
          ['PageDown', -large],
          ['Home', -Infinity],
          ['End', Infinity],
        ] as const)
      : []),
  ])
  const step = steps.get(key)
  if (step === undefined || isReadOnly(input)) return 'none'
  const before = input.value
  let after: string
  if (input.step.toLowerCase() === 'any' && Number.isFinite(step)) {
    // `stepUp` throws then. Browsers move by one, or a slider by a hundredth or a tenth of its range.
    const size = isRange ? (most - least) / (key.startsWith('Page') ? 10 : 100) : 1
    const [low, high] = isRange ? [least, most] : [number(input.min, -Infinity), number(input.max, Infinity)]
    after = String(Math.min(high, Math.max(low, number(before, 0) + Math.sign(step) * size)))
  } else if (Number.isFinite(step)) {
    if (step > 0) input.stepUp(step)
    else input.stepDown(-step)
    after = input.value
  } else after = String(step > 0 ? most : least)
  // Frameworks notice a change only through the setter, from the old value to the new one.
  input.value = before
  setNative(input, 'value', after)
  return input.value === before ? 'none' : changed(input)
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

function editText(field: TextField, key: Key): KeyEffect {
  if (moveCaret(field, key)) return 'caret'
  const edit = isReadOnly(field) ? undefined : editOf(field, key)
  return edit ? applyEdit(field, edit) : 'none'
}

function applyEdit(field: TextField, { value, inputType, data, caret }: TextEdit): KeyEffect {
  const { InputEvent } = viewOf(field)
  const options = { bubbles: true, composed: true, inputType, data }
  if (!field.dispatchEvent(new InputEvent('beforeinput', { ...options, cancelable: true }))) return 'canceled'
  setNative(field, 'value', value)
  if (field.selectionStart !== null) field.setSelectionRange(caret, caret)
  field.dispatchEvent(new InputEvent('input', options))
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

/** Whether a whole text can be typed into it at once: a field or a rich text. Other elements only take keys. */
export const takesWholeText = (on: HTMLElement): boolean => isTextField(on) || on.isContentEditable

/** Types a text at the caret, or in place of the selection. An empty text deletes the selection. */
export function typeText(on: HTMLElement, text: string): KeyEffect {
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

/** Moves the caret of a text field. Up and Down are not supported. */
function moveCaret(field: TextField, { key, shiftKey }: Key): boolean {
  const { selectionStart: start, selectionEnd: end, selectionDirection, value } = field
  if (start === null || end === null) return false
  // The anchor stays where the selection began; the head is the end that moves.
  const isBackward = selectionDirection === 'backward'
  const [anchor, head] = isBackward ? [end, start] : [start, end]
  const places = new Map([
    ['ArrowLeft', !shiftKey && start !== end ? start : Math.max(0, head - 1)],
    ['ArrowRight', !shiftKey && start !== end ? end : Math.min(value.length, head + 1)],
    ['Home', 0],
    ['End', value.length],
  ])
  const place = places.get(key)
  if (place === undefined) return false
  if (shiftKey)
    field.setSelectionRange(Math.min(anchor, place), Math.max(anchor, place), place < anchor ? 'backward' : 'forward')
  else field.setSelectionRange(place, place)
  return true
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
function whyNotEdited(on: HTMLElement): KeyEffect | undefined {
  const hasFocus = (above: Element): boolean =>
    (above as HTMLElement).isContentEditable && rootOf(above).activeElement === above
  if (ancestor(on, hasFocus)) return undefined
  return isUserTyping() ? 'kept-focus' : 'none'
}

/** Edits rich text by the browser's editing commands, which dispatch `input` themselves. */
function editRichText(on: HTMLElement, key: Key): KeyEffect {
  const whyNot = whyNotEdited(on)
  if (whyNot) return whyNot
  const data = isPrintable(key) ? key.key : null
  const format = isFormat(key) ? formats.get(key.key.toLowerCase() as 'b') : undefined
  const [inputType, command] = format ?? editCommands.get(key.key as 'Enter') ?? ['insertText', 'insertText']
  return data === null && command === 'insertText' ? 'none' : editAtSelection(on, { inputType, command, data })
}

function typeRichText(on: HTMLElement, text: string): KeyEffect {
  const whyNot = whyNotEdited(on)
  if (whyNot) return whyNot
  // Editors make paragraphs of the lines that are pasted.
  if (text.includes('\n') && pasteText(on, text)) return 'done'
  return insertText(on, text)
}
