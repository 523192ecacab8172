// The hand of the tools: the only place of the page tools that makes events of input. Each file is one part of it: the
// mouse (`mouse`, `click`), a finger, a drag, the keyboard (`keys`, `key-press`, `key-defaults`), the focus, and
// what is typed (`edits`, `rich-text`). A deed that the hand cannot do yet becomes a function in the file of its part,
// made of `fire`. No event of a script has a default action, so what a browser does after one is done here, too: for a
// key, that is an entry of the table in `key-defaults`. `own-input` tells our events from the visitor's.
//
// Text is entered in three ways: `key-press` is one key that a model presses, `typeKey` types the letters of a short
// text, as masks need it, and `applyEdit` enters a long one at once, as from the clipboard, without keys.
import { isHtml, viewOf } from '../dom/dom.js'

type EventFields = PointerEventInit &
  WheelEventInit &
  DragEventInit &
  TouchEventInit &
  KeyboardEventInit &
  FocusEventInit &
  InputEventInit &
  ClipboardEventInit

/** What most events of a visitor have in common: they leave shadow roots. */
export const bubbling = { bubbles: true, composed: true } as const
/** The same, of those that a page can cancel. */
export const cancelable = { ...bubbling, cancelable: true } as const

const classes = [
  // Browsers dispatch clicks as pointer events, too.
  [/pointer|^(click|auxclick|contextmenu)$/, 'PointerEvent'],
  [/wheel$/, 'WheelEvent'],
  [/^mouse|^dblclick$/, 'MouseEvent'],
  [/^key/, 'KeyboardEvent'],
  [/^(focus|blur)/, 'FocusEvent'],
  [/^(drag|drop)/, 'DragEvent'],
  [/^touch/, 'TouchEvent'],
  [/^(copy|paste)$/, 'ClipboardEvent'],
] as const

/** The class of an event. Only edits of a text have an `InputEvent`, not what is chosen in a control. */
const classOf = (type: string, { inputType }: EventFields) =>
  inputType === undefined ? (classes.find(([types]) => types.test(type))?.[1] ?? 'Event') : 'InputEvent'

/** An event of the window that the element is in. */
export function eventFor(on: Element, type: string, fields: EventFields): Event {
  const Class = viewOf(on)[classOf(type, fields)] as new (type: string, fields: EventFields) => Event
  return new Class(type, fields)
}

/** Dispatches an event. False if the page cancels it. */
export const fire = (on: Element, type: string, fields: EventFields): boolean =>
  on.dispatchEvent(eventFor(on, type, fields))

/** Clicks an element of any kind, also one without `click()`, and triggers its action once. */
export function clickElement(element: Element): void {
  const view = viewOf(element)
  if (isHtml(element)) view.HTMLElement.prototype.click.call(element)
  else element.dispatchEvent(new view.MouseEvent('click', { ...cancelable, view }))
}

/** Calls `requestSubmit` of the prototype, because a field of this name hides the method. */
export function requestSubmit(form: HTMLFormElement, button: HTMLElement | null): void {
  viewOf(form).HTMLFormElement.prototype.requestSubmit.call(form, button)
}
