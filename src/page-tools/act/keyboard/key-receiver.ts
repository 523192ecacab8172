// Finds what gets the keys of a call: the element with the focus, a field by its label, a part that takes keys or the
// item in it, or what holds the words to select. Throws if a user could not type there.
import type { NamedPart } from '../../../core/data/action.js'
import { unclobbered } from '../../../core/data/dom-clobbering.js'
import { ToolAgentError } from '../../../core/data/errors.js'
import { roleOf } from '../../dom/accessible-name.js'
import { ancestor, currentPage, elementsUnder, frameDocument, isTag, parentOf } from '../../dom/dom.js'
import { isRef } from '../../dom/element-refs.js'
import { takesWholeText } from '../../dom/field-state.js'
import { pageFocus } from '../../dom/page-focus.js'
import type { PageSnapshot } from '../../dom/page-snapshot.js'
import { toComparable } from '../../dom/text.js'
import type { Key } from '../../hands/keys.js'
import { namedControl, namedPage } from '../../read/control-names.js'
import { focusedOf } from '../../read/field.js'
import { findPart } from '../../read/find-part.js'
import { isInsidePrivate, isPrivateAmong } from '../../read/named-parts.js'
import { checkAllowed, checkUsable, describeControl, resolveActionTarget, unavailable } from '../resolve-target.js'
import { findWords, holderOf, type FoundWords } from './select-words.js'

/** The receiver, as messages name it. */
export function receiverNamed(on: HTMLElement, snapshot: PageSnapshot): NamedPart {
  if (!isTag(on, 'body')) return namedControl(on, snapshot)
  const frame = parentOf(unclobbered(on.ownerDocument).documentElement)
  return namedPage(frame ? namedControl(frame, snapshot) : undefined)
}

/** Whether it can receive keys. Those for a dialog bubble from it, even if only something inside has the focus. */
const isFocusable = (element: Element): boolean =>
  isTag(element, 'body', 'dialog') ||
  /^(alert)?dialog$/.test(roleOf(element) ?? '') ||
  (element as HTMLElement).tabIndex >= 0 ||
  element.hasAttribute('tabindex') ||
  (element as HTMLElement).isContentEditable

/** Roles of parts that may receive keys. */
const keyedParts = new RegExp(
  '^((alert)?dialog|application|document|feed|figure|graphics-\\w+|img|(tree)?grid|(radio)?group|' +
    'listbox|log|menu(bar)?|region|table|tablist|toolbar|tree)$',
)
/** Roles whose keys go to one of the items inside, if they take none themselves. */
const composites =
  /^((tree)?grid|row|gridcell|cell|listbox|menu(bar)?|(radio)?group|table|tablist|toolbar|tree|treeitem)$/

/** The field with this label, or the control or part with this name or ref. @throws as `resolveActionTarget` */
function resolveKeyTarget(asked: string, snapshot: PageSnapshot): Element {
  const field = isRef(asked)
    ? undefined
    : snapshot.fields().find(({ label }) => toComparable(snapshot.redact(label)) === toComparable(asked))
  if (!field) {
    const part = isRef(asked) ? undefined : findPart(asked, snapshot)
    return part && keyedParts.test(roleOf(part) ?? '') ? part : resolveActionTarget(asked, undefined, snapshot)
  }
  return focusedOf(field)
}

/** The items of a composite that may take its keys: the one with the focus, else its tab stop, else the first. */
function itemOf(composite: Element, { visibility }: PageSnapshot): Element | undefined {
  const items = [...elementsUnder(composite, visibility.children)].filter(
    (one) => one !== composite && isFocusable(one) && visibility.hasBox(one) && !one.matches(':disabled'),
  )
  const focus = pageFocus()
  return items.find((one) => one === focus) ?? items.find((one) => (one as HTMLElement).tabIndex >= 0) ?? items[0]
}

/** The body of a frame, or the element with the focus in it. */
function insideFrame(frame: Element): HTMLElement | undefined {
  const inside = frameDocument(frame)
  const page = inside && unclobbered(inside)
  return page ? ((page.activeElement ?? page.body) as HTMLElement) : undefined
}

/** The element that gets the keys of a target: itself, or one around or inside of it, from where they bubble. */
function keyReceiverFor(element: Element, snapshot: PageSnapshot): HTMLElement | null {
  const on = ancestor(element, isFocusable) as HTMLElement | null
  const role = roleOf(element) ?? ''
  if (on === element || !composites.test(role)) return on
  // A cell of a grid has the focus itself, or what is in it. A dialog around a grid is not meant.
  const item = itemOf(element, snapshot) as HTMLElement | undefined
  return item ?? on
}

/** The topmost modal dialog in the document of an element, and whether an element is behind all of them. */
function modalAround(element: Element): { modal: Element | undefined; isBehind(one: Element): boolean } {
  const modals = [...unclobbered(element.ownerDocument).querySelectorAll('dialog:modal')]
  const modal = modals.at(-1)
  return { modal, isBehind: (one) => modal !== undefined && !ancestor(one, (above) => modals.includes(above)) }
}

/** Checks what gets keys, or what holds the words to select. @throws `unavailable`, `sensitive-field`, `stale-ref` */
function checkReceiver(on: HTMLElement, isHarmless: boolean, snapshot: PageSnapshot): void {
  const { modal, isBehind } = modalAround(on)
  const words = describeControl(on, snapshot)
  if (modal && isBehind(on))
    throw unavailable(words, `is behind ${describeControl(modal, snapshot)}`, 'Use or close that first.')
  if (!isHarmless && (isPrivateAmong(snapshot.fields())(on) || isInsidePrivate(on, snapshot)))
    throw new ToolAgentError(
      'sensitive-field',
      `${words} is private: only Tab, Escape and Enter may be pressed there. Ask the user to fill it.`,
    )
}

/** The element of a target; the page of a frame, or what has the focus in it. */
function elementFor(asked: string, snapshot: PageSnapshot): Element {
  const found = resolveKeyTarget(asked, snapshot)
  return insideFrame(found) ?? found
}

/**
 * The element that would receive the key, or a text if there is none.
 * @throws `unavailable`, `sensitive-field`, `stale-ref`, `invalid-input`
 */
export function receiverOf(asked: string | undefined, key: Key | undefined, snapshot: PageSnapshot): HTMLElement {
  const element = asked === undefined ? pageFocus() : elementFor(asked, snapshot)
  const { modal, isBehind } = modalAround(element ?? currentPage().body)
  if (asked === undefined && (!element || isBehind(element))) return (modal as HTMLElement) ?? currentPage().body
  if (!element || isTag(element, 'body', 'html'))
    return element ? unclobbered(element.ownerDocument).body : currentPage().body
  const words = describeControl(element, snapshot)
  if (asked === undefined && isTag(element, 'iframe'))
    throw unavailable(
      'The focus is in a frame from another site, and it',
      'takes no keys',
      'Pass the element of this page that should get the key as target.',
    )
  checkUsable(element, snapshot, true)
  const on = asked === undefined ? (element as HTMLElement) : keyReceiverFor(element, snapshot)
  if (!on || isTag(on, 'body'))
    throw unavailable(
      words,
      'takes no keys',
      'Pass a field, button or link, or omit target to press it where the focus is.',
    )
  if (on !== element) checkAllowed(on, snapshot, true)
  // What has the focus gets keys, also if it has no size, as in code editors and terminals.
  if (asked !== undefined && !snapshot.visibility.hasBox(on))
    throw unavailable(words, 'is hidden', 'Open what contains it, then use page_read.')
  const isHarmless =
    key !== undefined && (/^(Tab|Escape)$/.test(key.key) || (key.key === 'Enter' && isTag(on, 'input')))
  checkReceiver(on, isHarmless, snapshot)
  return on
}

/** The words to select, and what then gets the key. @throws as `receiverOf` and `findWords` */
export function wordsIn(
  asked: string | undefined,
  select: string,
  snapshot: PageSnapshot,
): { readonly on: HTMLElement; readonly words: FoundWords } {
  const focus = asked === undefined ? receiverOf(undefined, undefined, snapshot) : undefined
  const focused = focus && takesWholeText(focus) ? focus : currentPage().body
  const within = asked === undefined ? focused : elementFor(asked, snapshot)
  if (!isTag(within, 'body')) checkUsable(within, snapshot, true)
  checkReceiver(within as HTMLElement, false, snapshot)
  const words = findWords(select, within, snapshot)
  const on = holderOf(words)
  if (!isTag(on, 'body')) checkUsable(on, snapshot, true)
  checkReceiver(on, false, snapshot)
  return { on, words }
}
