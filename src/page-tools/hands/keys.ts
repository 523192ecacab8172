// Keys and their codes: named keys, single characters, and chords such as Control+A, as page_press gets them. And the
// events of single keys, for widgets that take keys and for fields with a mask: nothing is waited for in between.
import { ToolAgentError } from '../../core/data/errors.js'
import { times } from '../../core/data/lists.js'
import { truncate } from '../dom/text.js'
import { editWith, setText, typing } from './edits.js'
import { cancelable, fire } from './events.js'

/** The modifiers that are held. */
export interface Modifiers {
  readonly ctrlKey: boolean
  readonly shiftKey: boolean
  readonly altKey: boolean
  readonly metaKey: boolean
}

/** What the events of a key say about it. */
interface KeyFields {
  /** `KeyboardEvent.key`: a name such as `Enter`, or one character. */
  readonly key: string
  /** `KeyboardEvent.code` on a US keyboard; empty for characters that it does not have. */
  readonly code: string
  /** The legacy `keyCode`; 0 if the key has none. */
  readonly keyCode: number
}

/** A key with its modifiers. */
export interface Key extends KeyFields, Modifiers {
  /** The whole chord in words, such as `Control+A`. */
  readonly words: string
}

const named = new Map<string, number>([
  ['Enter', 13],
  ['Tab', 9],
  ['Escape', 27],
  [' ', 32],
  ['ArrowLeft', 37],
  ['ArrowUp', 38],
  ['ArrowRight', 39],
  ['ArrowDown', 40],
  ['Home', 36],
  ['End', 35],
  ['PageUp', 33],
  ['PageDown', 34],
  ['Backspace', 8],
  ['Delete', 46],
  ['Insert', 45],
  ['ContextMenu', 93],
  ...times(12, (index): [string, number] => [`F${index + 1}`, 112 + index]),
])
const byLowerCase = new Map([...named.keys()].map((name) => [name.toLowerCase(), name]))
const otherNames = new Map([
  ['space', ' '],
  ['spacebar', ' '],
  ['esc', 'Escape'],
  ['return', 'Enter'],
  ['del', 'Delete'],
  ['left', 'ArrowLeft'],
  ['right', 'ArrowRight'],
  ['up', 'ArrowUp'],
  ['down', 'ArrowDown'],
])
const modifiers = new Map([
  ['control', 'Control'],
  ['ctrl', 'Control'],
  ['shift', 'Shift'],
  ['alt', 'Alt'],
  ['option', 'Alt'],
  ['meta', 'Meta'],
  ['cmd', 'Meta'],
  ['command', 'Meta'],
])

/** The keys of a US keyboard for signs: without and with Shift, `code`, and the legacy `keyCode`. */
const signs = new Map(
  (
    [
      ['0)', 'Digit0', 48],
      ['1!', 'Digit1', 49],
      ['2@', 'Digit2', 50],
      ['3#', 'Digit3', 51],
      ['4$', 'Digit4', 52],
      ['5%', 'Digit5', 53],
      ['6^', 'Digit6', 54],
      ['7&', 'Digit7', 55],
      ['8*', 'Digit8', 56],
      ['9(', 'Digit9', 57],
      [' ', 'Space', 32],
      [';:', 'Semicolon', 186],
      ['=+', 'Equal', 187],
      [',<', 'Comma', 188],
      ['-_', 'Minus', 189],
      ['.>', 'Period', 190],
      ['/?', 'Slash', 191],
      ['`~', 'Backquote', 192],
      ['[{', 'BracketLeft', 219],
      ['\\|', 'Backslash', 220],
      [']}', 'BracketRight', 221],
      [`'"`, 'Quote', 222],
    ] as const
  ).flatMap(([both, code, keyCode]) => [...both].map((key) => [key, { code, keyCode }] as const)),
)

/** What the events of a key say, with the codes of a US keyboard. */
export function fieldsOfKey(key: string): KeyFields {
  const letter = /^[a-z]$/i.test(key) ? key.toUpperCase() : undefined
  if (letter !== undefined) return { key, code: `Key${letter}`, keyCode: letter.charCodeAt(0) }
  return { key, code: key.length > 1 ? key : '', keyCode: named.get(key) ?? 0, ...signs.get(key) }
}

function nameOf(key: string, inChord: boolean): string {
  if (key === ' ') return 'Space'
  return inChord && key.length === 1 ? key.toUpperCase() : key
}

const flagsOf = (held: ReadonlySet<unknown>): Modifiers => ({
  ctrlKey: held.has('Control'),
  shiftKey: held.has('Shift'),
  altKey: held.has('Alt'),
  metaKey: held.has('Meta'),
})

/** The modifiers of a click, such as `Control+Shift`; '' is none. @throws `invalid-input` if it names anything else */
export function parseModifiers(asked: string): Modifiers & { readonly words: string } {
  const held = new Set(
    asked
      .split(/[\s,+]+/)
      .filter((part) => part !== '')
      .map((part) => modifiers.get(part.toLowerCase())),
  )
  if (held.has(undefined))
    throw new ToolAgentError(
      'invalid-input',
      `${JSON.stringify(truncate(asked, 40))} is no key to hold. Pass Control, Shift, Alt, Meta, or some with a +.`,
    )
  return { ...flagsOf(held), words: [...held].join('+') }
}

/** @throws `invalid-input` if it is not exactly one key with optional modifiers */
export function parseKey(asked: string): Key {
  // The key itself may be a plus: `+`, `Control++`.
  const parts = asked === ' ' ? [' '] : asked.trim().split(/\s*\+\s*(?=.)/)
  const last = parts.pop() ?? ''
  const held = new Set(parts.map((part) => modifiers.get(part.toLowerCase())))
  const found = otherNames.get(last.toLowerCase()) ?? byLowerCase.get(last.toLowerCase()) ?? last
  if (held.has(undefined) || !(named.has(found) || /^[^\p{C}]$/u.test(found)))
    throw new ToolAgentError(
      'invalid-input',
      `${JSON.stringify(truncate(asked, 40))} is not a key. Pass one key, such as Enter, Tab, Escape, Space, ` +
        'ArrowDown, Home, End, PageDown, Backspace or F2, or a chord such as Control+A or Shift+Tab. ' +
        'To write text use form_fill.',
    )
  const shiftKey = held.has('Shift')
  const key = /^[a-z]$/i.test(found) && held.size > 0 ? found[shiftKey ? 'toUpperCase' : 'toLowerCase']() : found
  return { ...fieldsOfKey(key), ...flagsOf(held), words: [...held, nameOf(key, held.size > 0)].join('+') }
}

/** Whether Control, Alt or Meta is held, so that the key writes no character. */
export const isChord = ({ ctrlKey, altKey, metaKey }: Key): boolean => ctrlKey || altKey || metaKey

/** Whether the key writes a character. */
export const isPrintable = (key: Key): boolean => [...key.key].length === 1 && !isChord(key)

/** Dispatches `keydown` and `keyup`. */
export function pressKey(element: Element, key: string, held: Partial<Modifiers> = {}): void {
  const fields = { ...cancelable, ...fieldsOfKey(key), ...held }
  fire(element, 'keydown', fields)
  fire(element, 'keyup', fields)
}

/**
 * Presses one key in a text field: its events, and what the browser does for it where the page leaves that to the
 * browser. The key is a character, or Backspace for what is selected.
 */
export function typeKey(element: HTMLInputElement, key: string): void {
  const text = key === 'Backspace' ? '' : key
  const fields = fieldsOfKey(key)
  const down = { ...cancelable, ...fields, which: fields.keyCode }
  const charCode = key.charCodeAt(0)
  const press = { ...down, keyCode: charCode, charCode, which: charCode }
  if (fire(element, 'keydown', down) && (text === '' || fire(element, 'keypress', press)))
    editWith(element, typing(text), () => {
      const { value } = element
      const [start, end] = [element.selectionStart ?? value.length, element.selectionEnd ?? value.length]
      setText(element, value.slice(0, start) + text + value.slice(end), start + text.length)
    })
  fire(element, 'keyup', down)
}
