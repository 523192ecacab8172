// Knows which element of the page a keyboard would type into. The visitor often types to the agent, so the focus is in
// its panel: then it is the element that had the focus before. A tool that fills a field does not take the real focus,
// so that the visitor can go on typing, but its hand is there: the next key goes to that field.
import { unclobbered } from '../../core/data/dom-clobbering.js'
import { ancestor, currentPage, frameDocument, isElement, isOffLimits, isTag, parentOf, rootOf } from './dom.js'

/** The newest element of the page with the focus, as long as the focus has only moved into the agent's panel since. */
let last: Element | null = null
/** Where a tool has acted without the real focus, until the focus of the page moves. */
let hand: Element | null = null
/** The element to which a tool gave the focus, so that this is not mistaken for a reaction of the page. */
let byTool: Element | null = null
/** A mouse button was pressed in the panel just now. It moves the focus to nothing if the place cannot have it. */
let isPanelPressed = false

const ownTag = /^tool-agent(-|$)/
const isOwn = (node: EventTarget | null | undefined): boolean =>
  isElement(node as Node | null) && ancestor(node as Element, (above) => ownTag.test(above.localName)) !== null
const targetOf = (event: Event): Element | null => {
  const [target] = event.composedPath() as Node[]
  return isElement(target) ? target : null
}

let isWatching = false
/** Starts to follow the focus. Idempotent. */
export function watchFocus(): void {
  if (isWatching) return
  isWatching = true
  last = deepest()
  const listen = (type: string, listener: (event: Event) => void): void =>
    window.addEventListener(type, (event) => void (event.isTrusted && listener(event)), {
      capture: true,
      passive: true,
    })
  listen('focusin', (event) => {
    const target = targetOf(event)
    if (!target || isOwn(target)) return
    last = target
    hand = null
  })
  listen('focusout', (event) => {
    // A window that is left keeps its focus. The panel only borrows it.
    if ((event as FocusEvent).relatedTarget || isPanelPressed || isOwn(targetOf(event)) || !currentPage().hasFocus())
      return
    last = null
  })
  listen('mousedown', (event) => {
    isPanelPressed = isOwn(targetOf(event))
    if (!isPanelPressed) hand = null
    setTimeout(() => (isPanelPressed = false))
  })
  // A frame gets the focus without `focusin` in this document. Firefox makes it the active element after this event.
  listen('blur', () => {
    noteFrame()
    setTimeout(noteFrame)
  })
}

/** Notes a frame that has the focus. */
function noteFrame(): void {
  const { activeElement } = currentPage()
  if (!isTag(activeElement, 'iframe')) return
  last = deepest(activeElement)
  hand = null
  followFrame(activeElement)
}

const followed = new WeakSet<Document>()
/** Follows the focus inside of a frame, which forgets it when the focus leaves the frame. */
function followFrame(frame: Element): void {
  const inside = frameDocument(frame)
  if (!inside || followed.has(inside)) return
  followed.add(inside)
  unclobbered(inside).addEventListener(
    'focusin',
    (event) => {
      const target = targetOf(event)
      if (!event.isTrusted || !target) return
      last = target
      hand = null
    },
    { capture: true, passive: true },
  )
}

/** The innermost element with the focus, in the page or the panel; the body if none has it. */
export const focusedElement = (): Element | null => deepest()

/** Whether the agent's own field has the focus and unsent text. Then tools must not take the focus. */
export function isUserTyping(): boolean {
  const own = currentPage().activeElement
  const typing = own && ownTag.test(own.localName) ? own.shadowRoot?.activeElement : null
  return isTag(typing, 'textarea', 'input') && typing.value !== ''
}

/** The innermost element with the focus, through open shadow roots and readable frames, from this one. */
function deepest(from: Element | null = currentPage().activeElement): Element | null {
  let element = from
  for (let inner = element; inner;) {
    element = inner
    const frame = frameDocument(inner)
    inner = inner.shadowRoot?.activeElement ?? (frame && unclobbered(frame).activeElement)
  }
  return element
}

const isUsable = (element: Element | null): element is Element =>
  element !== null &&
  element.isConnected &&
  !isOffLimits(element) &&
  element.checkVisibility() &&
  !element.matches(':disabled')

/**
 * The element that a key would reach; null if no element of the page has the focus. It may be a frame of another site,
 * or the body of a frame.
 */
export function pageFocus(): Element | null {
  if (isUsable(hand)) return hand
  const active = currentPage().activeElement
  if (active && !isTag(active, 'body', 'html') && !isOwn(active)) {
    const found = deepest(active)
    return found && !isOffLimits(found) ? found : null
  }
  if (!isUsable(last)) return null
  return last
}

/** A tool acts on the element and leaves the real focus where it is. */
export function placeHand(element: Element): void {
  if (rootOf(element).activeElement === element && pageFocus() === element) return
  hand = element
  byTool = element
  const frame = element.ownerDocument === document ? null : parentOf(unclobbered(element.ownerDocument).documentElement)
  if (frame) followFrame(frame)
}

/** A tool gave the real focus to the element. `isEffect`: that is what the action was for. */
export function noteFocusByTool(element: Element, isEffect = false): void {
  hand = null
  byTool = isEffect ? null : element
}

/** The element to which a tool gave the focus since `forgetFocusByTool`. */
export const focusByTool = (): Element | null => byTool
/** Begins an action. */
export const forgetFocusByTool = (): void => {
  byTool = null
}
