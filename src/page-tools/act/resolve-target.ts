// What an act is done to: the one element that a ref or a name means, and whether a person could reach it now. What
// they could not is an error that says why; nothing is guessed and nothing is forced.
import { ToolAgentError } from '../../core/data/errors.js'
import { unclobbered } from '../../core/data/unclobbered.js'
import {
  ancestor,
  byIds,
  elementsUnder,
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
import { isDisabled } from '../dom/field-state.js'
import { toComparable, truncate } from '../dom/text.js'

/**
 * Where a hand would meet the target: the element on top there, which gets the events, and the place in its document.
 */
export interface ActionTarget {
  readonly on: Element
  readonly x: number
  readonly y: number
}

const interactive =
  'a[href],area[href],button,input,select,textarea,summary,label,[onclick],[role=button],[role=link],[role=menuitem],[role=tab],[role=checkbox],[role=radio],[role=switch],[role=option],[tabindex]'
const called = new Set([
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

/** Role and name as a person would say them. */
export function describeControl(element: Element, { visibility, fields, redact }: PageSnapshot): string {
  const field = fields().find(
    ({ element: one, members }) => one === element || (members as readonly Element[]).includes(element),
  )
  const name =
    field && field.type !== 'radio'
      ? field.label
      : accessibleNameOf(element, visibility) || visibility.visibleText(element)
  return `${roleOf(element) ?? element.localName} ${JSON.stringify(truncate(redact(name), 80))}`
}

/** The element that a ref or a name means. Throws where none or several fit. */
export function resolveActionTarget(asked: string, role: string | undefined, snapshot: PageSnapshot): Element {
  const text = asked.trim().replace(/^\[?ref=(e\d+)\]?$/, '$1')
  if (isRef(text)) return snapshot.element(text)
  const { visibility, refs, redact, isInsidePrivate } = snapshot
  const wanted = toComparable(text)
  const named = [...elementsUnder(currentPage().body)].flatMap((element) => {
    const own = roleOf(element)
    if (
      own === null ||
      (role === undefined ? !called.has(own) : own !== role.toLowerCase()) ||
      !visibility.isShown(element) ||
      isInsidePrivate(element)
    )
      return []
    return [
      { element, name: toComparable(redact(accessibleNameOf(element, visibility) || visibility.visibleText(element))) },
    ]
  })
  const exact = named.filter(({ name }) => name === wanted)
  const found = exact.length > 0 ? exact : wanted === '' ? [] : named.filter(({ name }) => name.includes(wanted))
  if (found[0] && found.length === 1) return found[0].element
  if (found.length === 0)
    throw new ToolAgentError(
      'invalid-input',
      `No clickable element is named ${JSON.stringify(truncate(text, 80))}. The page has:\n${snapshot.currentItems()}`,
    )
  const lines = found.slice(0, 8).map(({ element }) => {
    const [around] = surroundings(element, visibility)
    return `${describeControl(element, snapshot)} [ref=${refs.refFor(element, visibility)}]${around ? ` in ${JSON.stringify(redact(around))}` : ''}`
  })
  throw new ToolAgentError(
    'invalid-input',
    `${JSON.stringify(truncate(text, 80))} matches ${found.length} elements. Pass the ref of one:\n${lines.join('\n')}`,
  )
}

/** Throws where the element must be left alone, also by way of what it is tied to. */
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

/** Throws where a person could not press it: disabled, inert, hidden. */
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

/** The label that stands for a box which designers have hidden. */
const shownFor = (element: Element, { visibility }: PageSnapshot): Element =>
  (isTag(element, 'input') &&
    (element.type === 'checkbox' || element.type === 'radio') &&
    !visibility.isShown(element) &&
    [...(element.labels ?? [])].find((label) => visibility.isShown(label))) ||
  element

/** The place to press. Throws where nothing is to be seen, or something else lies on top. */
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
  const first = hit(element, shown)
  if (isPlace(first)) return first
  shown.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const second = hit(element, shown)
  if (second === undefined)
    throw unavailable(
      words,
      visibility.style(shown).pointerEvents === 'none' ? 'takes no clicks' : 'cannot be scrolled into view',
    )
  if (isPlace(second)) return second
  if (visibility.style(shown).pointerEvents === 'none') throw unavailable(words, 'takes no clicks')
  const cover = isOffLimits(second)
    ? null
    : ancestor(second, (above) => roleOf(above) !== null && accessibleNameOf(above, visibility) !== '')
  throw unavailable(words, `is covered by ${cover ? describeControl(cover, snapshot) : 'another element'}`)
}

const isPlace = (found: ActionTarget | Element | undefined): found is ActionTarget =>
  found !== undefined && 'on' in found

/** Boxes of the element, or of what it holds where it has none itself. */
function rectsOf(element: Element): DOMRect[] {
  const boxes = (one: Element): DOMRect[] =>
    [...one.getClientRects()].filter(({ width, height }) => width > 0 && height > 0)
  const own = boxes(element)
  return (own.length > 0 ? own : [...element.querySelectorAll('*')].slice(0, 20).flatMap(boxes)).slice(0, 3)
}

const parts = [
  [0.5, 0.5],
  [0.25, 0.5],
  [0.75, 0.5],
  [0.5, 0.25],
  [0.5, 0.75],
  [0.1, 0.1],
  [0.9, 0.9],
] as const

/** A place where the target is on top; else what is on top of it; undefined where no point of it is in view. */
function hit(element: Element, shown: Element): ActionTarget | Element | undefined {
  let cover: Element | undefined
  let nested: ActionTarget | undefined
  for (const { left, top, width, height } of rectsOf(shown)) {
    for (const [across, down] of parts) {
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
      // A button inside a card that is a link: the card is meant, not its button.
      const inner = ancestor(on, (above) => above === within || above.matches(interactive))
      if (inner === within) return { on, ...place }
      nested ??= { on: element, ...place }
    }
  }
  return nested ?? cover
}

const isOwn = (element: Element): boolean =>
  ancestor(element, (above) => /^tool-agent(-|$)/.test(above.localName)) !== null

/**
 * What is on top at a point, through open shadow roots. The agent's own panel is looked through: it is in nobody's way.
 */
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

/** What covers the frame around a point of its document, if anything does. */
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
