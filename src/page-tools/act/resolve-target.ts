// Finds the element that an action means, and checks that a user could reach it now. Otherwise throws with the reason;
// nothing is guessed or forced. Over 300 lines because both steps describe elements in the same words.
import { ToolAgentError } from '../../core/data/errors.js'
import { unclobbered } from '../../core/data/unclobbered.js'
import {
  ancestor,
  byIds,
  childrenOf,
  elementsUnder,
  isElement,
  isOffLimits,
  isTag,
  nativeProperty,
  currentPage,
  detachedFrom,
} from '../dom/dom.js'
import { surroundings } from '../read/field-labels.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { isRef } from '../dom/element-refs.js'
import type { Visibility } from '../dom/visibility.js'
import { isDisabled } from '../dom/field-state.js'
import { clickables } from '../read/clickables.run.js'
import { looksClickable, provideClickables } from '../read/outline.js'
import { containsWords, normalizeText, toComparable, toComparableName, truncate } from '../dom/text.js'

// Outlines before and after an action must list the same.
provideClickables(clickables)

/** Where a click hits: the topmost element there, which receives the events, and the point in its document. */
export interface ActionTarget {
  readonly on: Element
  readonly x: number
  readonly y: number
}

const interactive =
  'a[href],area[href],button,input,select,textarea,summary,label,[onclick],[role=button],[role=link],[role=menuitem],' +
  '[role=tab],[role=checkbox],[role=radio],[role=switch],[role=option],[tabindex]'
/** Roles that a name without a role can mean. */
const clickableRoles = new Set([
  'button',
  'link',
  'menuitem',
  'menuitemcheckbox',
  'menuitemradio',
  'tab',
  'option',
  'treeitem',
  'radio',
  'checkbox',
  'switch',
])

const unavailable = (words: string, why: string): ToolAgentError => new ToolAgentError('unavailable', `${words} ${why}`)

const nameOf = (element: Element, visibility: Visibility): string =>
  accessibleNameOf(element, visibility) || visibility.visibleText(element) || clickables.hint(element, visibility)

/** Role and name of an element for messages, redacted. */
export function describeControl(element: Element, { visibility, fields, redact }: PageSnapshot): string {
  const field = fields().find(
    ({ element: one, members }) => one === element || (members as readonly Element[]).includes(element),
  )
  const name = field && field.type !== 'radio' ? field.label : nameOf(element, visibility)
  return `${roleOf(element) ?? element.localName} ${JSON.stringify(truncate(redact(name), 80))}`
}

interface NamedElement {
  readonly element: Element
  readonly name: string
}

/** The innermost elements that match; none if only the body does. A child is tested only if its parent matches. */
function innermost(element: Element, matches: (element: Element) => boolean): Element[] {
  const inner = childrenOf(element).filter(isElement).filter(matches)
  if (inner.length > 0) return inner.flatMap((child) => innermost(child, matches))
  return isTag(element, 'body') ? [] : [element]
}

/** Up to five texts of the page that share words with the text, as a part of an error; '' if there are none. */
function similarTexts(text: string, { visibility, refs, redact, isInsidePrivate }: PageSnapshot): string {
  const words = toComparable(text)
    .split(' ')
    .filter((word) => word.length > 2)
  const found = words.flatMap((word) =>
    innermost(currentPage().body, (element) => containsWords(redact(visibility.visibleText(element)), word)),
  )
  const lines = [...new Set(found)]
    .filter((element) => visibility.isShown(element) && !isInsidePrivate(element))
    .slice(0, 5)
    .map((element) => {
      const shown = truncate(redact(visibility.visibleText(element)), 80)
      const ref = refs.refFor(element, visibility)
      return `- ${roleOf(element) ?? element.localName} ${JSON.stringify(shown)} [ref=${ref}]\n`
    })
  return lines.length > 0 ? `Similar texts:\n${lines.join('')}` : ''
}

/**
 * Finds the element for a ref, a name or an exact visible text.
 * @throws `invalid-input` if none or several match, `stale-ref`
 */
export function resolveActionTarget(asked: string, role: string | undefined, snapshot: PageSnapshot): Element {
  const text = asked.trim().replace(/^\[?ref=(e\d+)\]?$/, '$1')
  if (isRef(text)) return snapshot.element(text)
  const { visibility, refs, redact, isInsidePrivate } = snapshot
  const asWritten = normalizeText(text)
  const wanted = toComparableName(text)
  const isAnyRole = role === undefined || role.toLowerCase() === 'clickable'
  const isClickable = (element: Element): boolean =>
    clickableRoles.has(roleOf(element) ?? '') || looksClickable(element, visibility)
  const named = [...elementsUnder(currentPage().body)].flatMap((element) => {
    if (
      !(isAnyRole ? isClickable(element) : roleOf(element) === role.toLowerCase()) ||
      !visibility.isShown(element) ||
      isInsidePrivate(element)
    )
      return []
    return [{ element, name: normalizeText(redact(nameOf(element, visibility))) }]
  })
  // A listener of the page cannot be seen, so any text may be a control. Read only if no name fits exactly.
  const readTexts = (): NamedElement[] =>
    innermost(currentPage().body, (element) => containsWords(redact(visibility.visibleText(element)), text))
      .filter((element) => visibility.isShown(element) && !isInsidePrivate(element) && roleOf(element) !== 'heading')
      .map((element) => ({ element, name: redact(visibility.visibleText(element)) }))
  const texts = isAnyRole && !named.some(({ name }) => name === asWritten) ? readTexts() : []
  const loose = toComparable(text)
  const stages: (readonly [readonly NamedElement[], (name: string) => boolean])[] = [
    [named, (name) => name === asWritten],
    [texts, (name) => name === asWritten],
    [named, (name) => toComparableName(name) === wanted],
    [texts, (name) => toComparableName(name) === wanted],
    [named, (name) => loose !== '' && toComparable(name).includes(loose)],
  ]
  let found: Element[] = []
  for (const [among, fits] of stages) {
    const fitting = among.filter(({ name }) => fits(name)).map(({ element }) => element)
    // The text of a control means the control.
    found = among === texts ? [...new Set(fitting.map((one) => ancestor(one, isClickable) ?? one))] : fitting
    if (found.length > 0) break
  }
  if (found[0] && found.length === 1) return found[0]
  if (found.length === 0)
    throw new ToolAgentError(
      'invalid-input',
      `No ${isAnyRole ? 'clickable element' : truncate(normalizeText(role), 40)} is named ` +
        `${JSON.stringify(truncate(text, 80))}. ${similarTexts(text, snapshot)}The page has:\n` +
        `${snapshot.currentItems()}\nTo click any other text, find it with dom_query and pass its ref.`,
    )
  const lines = found.slice(0, 8).map((element) => {
    const [around] = surroundings(element, visibility)
    const where = around ? ` in ${JSON.stringify(redact(around))}` : ''
    return `${describeControl(element, snapshot)} [ref=${refs.refFor(element, visibility)}]${where}`
  })
  throw new ToolAgentError(
    'invalid-input',
    `${JSON.stringify(truncate(text, 80))} matches ${found.length} elements. Pass the ref of one:\n${lines.join('\n')}`,
  )
}

/**
 * Checks that the element, and elements tied to it, are not excluded from tools.
 * @throws `unavailable`, `sensitive-field`
 */
export function checkAllowed(element: Element, snapshot: PageSnapshot): void {
  const taken = detachedFrom(element)
  if (taken)
    throw new ToolAgentError(
      'unavailable',
      `A field named "${taken}" hides a property of the form, so its effect is unknown. Only the user can submit it.`,
    )
  const words = describeControl(element, snapshot)
  const tied = [
    element,
    (element as Partial<HTMLButtonElement>).form,
    ...['for', 'form', 'popovertarget', 'commandfor', 'aria-controls'].flatMap((name) => byIds(element, name)),
    ancestor(element, (above) => isTag(above, 'label')),
  ]
  for (const one of tied) {
    if (!one) continue
    if (isOffLimits(one) || (isTag(one, 'label') && one.control && isOffLimits(one.control)))
      throw unavailable(words, 'is marked data-tool-agent-ignore')
  }
  if (isTag(element, 'iframe'))
    throw unavailable(
      words,
      element.contentDocument
        ? 'is a frame: pass the ref of an element inside'
        : 'is a frame from another site and cannot be read',
    )
  if (isTag(element, 'input') && element.type === 'file')
    throw new ToolAgentError('sensitive-field', 'Only the user can choose files')
  if (isTag(element, 'select', 'option')) throw unavailable(words, 'is set with form_fill')
}

/**
 * Checks that a user could use the element: it is attached and neither disabled nor inert.
 * @throws `stale-ref`, `unavailable`
 */
export function checkReachable(element: Element, snapshot: PageSnapshot): void {
  const words = describeControl(element, snapshot)
  if (!element.isConnected)
    throw new ToolAgentError(
      'stale-ref',
      `${words} is no longer on the page. The page has:\n${snapshot.currentItems()}`,
    )
  if (isDisabled(element)) throw unavailable(words, 'is disabled')
  if (ancestor(element, (above) => above.hasAttribute('inert'))) throw unavailable(words, 'is inert')
}

/** The visible label of an invisible checkbox or radio button, or else the element. */
const shownFor = (element: Element, { visibility }: PageSnapshot): Element =>
  (isTag(element, 'input') &&
    (element.type === 'checkbox' || element.type === 'radio') &&
    !visibility.isShown(element) &&
    [...(element.labels ?? [])].find((label) => visibility.isShown(label))) ||
  element

/**
 * The point to click. Scrolls the element into view if necessary.
 * @throws `unavailable` if it is hidden or covered
 */
export function describeTarget(element: Element, snapshot: PageSnapshot): ActionTarget {
  const { visibility } = snapshot
  const words = describeControl(element, snapshot)
  const shown = shownFor(element, snapshot)
  const rects = rectsOf(shown)
  if (rects.length === 0 && shown.checkVisibility()) throw unavailable(words, 'has no size')
  if (
    rects.length === 0 ||
    visibility.style(shown).visibility !== 'visible' ||
    (visibility.hasBox(shown) && !visibility.isShown(shown))
  )
    throw unavailable(words, 'is hidden')
  const first = findHitPoint(element, shown)
  if (isTarget(first)) return first
  shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const second = findHitPoint(element, shown)
  if (second === undefined)
    throw unavailable(
      words,
      visibility.style(shown).pointerEvents === 'none' ? 'takes no clicks' : 'cannot be scrolled into view',
    )
  if (isTarget(second)) return second
  if (visibility.style(shown).pointerEvents === 'none') throw unavailable(words, 'takes no clicks')
  const cover = isOffLimits(second)
    ? null
    : ancestor(second, (above) => roleOf(above) !== null && accessibleNameOf(above, visibility) !== '')
  throw unavailable(words, `is covered by ${cover ? describeControl(cover, snapshot) : 'another element'}`)
}

const isTarget = (found: ActionTarget | Element | undefined): found is ActionTarget =>
  found !== undefined && 'on' in found

/** The boxes of the element, or of its contents if it has none. */
function rectsOf(element: Element): DOMRect[] {
  const boxes = (one: Element): DOMRect[] =>
    [...one.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
  const own = boxes(element)
  return (own.length > 0 ? own : [...element.querySelectorAll('*')].slice(0, 20).flatMap(boxes)).slice(0, 3)
}

const hitPoints = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.1, 0.1],
  [0.9, 0.9],
] as const

/** A point where the target is topmost, or else the element that covers it; undefined if no point is in view. */
function findHitPoint(element: Element, shown: Element): ActionTarget | Element | undefined {
  let cover: Element | undefined
  let nested: ActionTarget | undefined
  for (const { left, top, width, height } of rectsOf(shown)) {
    for (const [across, down] of hitPoints) {
      const place = { x: left + width * across, y: top + height * down }
      const on = topmost(shown.ownerDocument, place.x, place.y)
      if (!on) continue
      const within = ancestor(
        on,
        (above) => above === shown || above === element || (isTag(above, 'label') && above.control === element),
      )
      const outside = within ? coverOfFrame(shown.ownerDocument, place.x, place.y) : on
      if (outside) {
        cover ??= outside
        continue
      }
      // A button inside a card that is a link: the card is meant, not the button.
      const inner = ancestor(on, (above) => above === within || above.matches(interactive))
      if (inner === within) return { on, ...place }
      nested ??= { on: element, ...place }
    }
  }
  return nested ?? cover
}

const isOwn = (element: Element): boolean =>
  ancestor(element, (above) => /^tool-agent(-|$)/.test(above.localName)) !== null

/** The topmost element at a point, through open shadow roots. Ignores the agent's own panel. */
function topmost(page: Document, x: number, y: number): Element | undefined {
  let top = unclobbered(page)
    .elementsFromPoint(x, y)
    .find((element) => !isOwn(element))
  for (let root = top?.shadowRoot; root; root = top?.shadowRoot) {
    const within = root
    const inner = within.elementsFromPoint(x, y).find((element) => element.getRootNode() === within && !isOwn(element))
    if (!inner || inner === top) break
    top = inner
  }
  return top
}

/** The element that covers a frame at a point of its document, if any. */
function coverOfFrame(page: Document, x: number, y: number): Element | undefined {
  if (page === document) return undefined
  const frame = nativeProperty('Document', page, 'defaultView')?.frameElement
  if (!frame) return undefined
  const { left, top } = frame.getBoundingClientRect()
  const [outerX, outerY] = [x + left + frame.clientLeft, y + top + frame.clientTop]
  const on = topmost(frame.ownerDocument, outerX, outerY)
  if (!on || ancestor(on, (above) => above === frame) === null) return on ?? frame
  return coverOfFrame(frame.ownerDocument, outerX, outerY)
}
