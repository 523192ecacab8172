// Finds the element that an action means, and checks that a user could use it now. Otherwise throws with the reason;
// nothing is guessed or forced.
import { ToolAgentError } from '../../core/data/errors.js'
import {
  ancestor,
  byIds,
  childrenOf,
  elementsUnder,
  isElement,
  isOffLimits,
  isTag,
  currentPage,
  detachedFrom,
  parentOf,
} from '../dom/dom.js'
import { surroundings } from '../read/uncommon/field-labels.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { currentItems, elementOf, isInsidePrivate, refNamed } from '../read/uncommon/named-parts.js'
import type { Visibility } from '../dom/visibility.js'
import { isDisabled } from '../dom/field-state.js'
import { clickables } from '../read/clickables.run.js'
import { looksClickable, provideClickables } from '../read/outline.js'
import { containsWords, normalizeText, toComparable, toComparableName, truncate } from '../dom/text.js'

// Outlines before and after an action must list the same.
provideClickables(clickables)

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

/** What to do about a disabled element. */
export const enableFirst = 'Use page_read to see what must be filled or chosen first.'

/** The error of an element that cannot be used. `words` describe it, `why` ends the sentence and says what to do. */
export const unavailable = (words: string, why: string): ToolAgentError =>
  new ToolAgentError('unavailable', `${words} ${why}`)

const nameOf = (element: Element, visibility: Visibility): string =>
  accessibleNameOf(element, visibility) || visibility.visibleText(element) || clickables.hint(element, visibility)

/** Role and name of an element for messages, redacted. */
export function describeControl(element: Element, { visibility, fields, redact }: PageSnapshot): string {
  const field = fields().find(
    ({ element: one, members }) => one === element || (members as readonly Element[]).includes(element),
  )
  const name = field && field.type !== 'radio' ? field.label : nameOf(element, visibility)
  const role = roleOf(element) ?? (looksClickable(element, visibility) ? 'clickable' : element.localName)
  return `${role} ${JSON.stringify(truncate(redact(name), 80))}`
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
function similarTexts(text: string, snapshot: PageSnapshot): string {
  const { visibility, refs, redact } = snapshot
  // Each word is searched in the whole page.
  const words = [...new Set(toComparable(text).split(' '))].filter((word) => word.length > 2).slice(0, 8)
  const found = words.flatMap((word) =>
    innermost(currentPage().body, (element) => containsWords(redact(visibility.visibleText(element)), word)),
  )
  const lines = [...new Set(found)]
    .filter((element) => visibility.isShown(element) && !isInsidePrivate(element, snapshot))
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
  const text = asked.trim()
  const ref = refNamed(text)
  if (ref !== undefined) return elementOf(ref, snapshot)
  const { visibility, refs, redact } = snapshot
  const asWritten = normalizeText(text)
  const wanted = toComparableName(text)
  const isAnyRole = role === undefined || role.toLowerCase() === 'clickable'
  const isClickable = (element: Element): boolean =>
    clickableRoles.has(roleOf(element) ?? '') || looksClickable(element, visibility)
  const named = [...elementsUnder(currentPage().body)].flatMap((element) => {
    if (
      !(isAnyRole ? isClickable(element) : roleOf(element) === role.toLowerCase()) ||
      !visibility.isShown(element) ||
      isInsidePrivate(element, snapshot)
    )
      return []
    return [{ element, name: normalizeText(redact(nameOf(element, visibility))) }]
  })
  // A listener of the page cannot be seen, so any text may be a control. Read only if no name fits exactly.
  const readTexts = (): NamedElement[] =>
    innermost(currentPage().body, (element) => containsWords(redact(visibility.visibleText(element)), text))
      .filter(
        (element) =>
          visibility.isShown(element) && !isInsidePrivate(element, snapshot) && roleOf(element) !== 'heading',
      )
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
        `${currentItems(snapshot)}\nTo click any other text, find it with dom_query and pass its ref.`,
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
 * Checks that the element, and elements tied to it, are not excluded from tools. `byKeys`: keys may operate a select,
 * which a click cannot.
 * @throws `unavailable`, `sensitive-field`
 */
export function checkAllowed(element: Element, snapshot: PageSnapshot, byKeys = false): void {
  const taken = detachedFrom(element)
  if (taken)
    throw new ToolAgentError(
      'unavailable',
      `A field is named "${taken}" and hides that property of its form, so it is unknown what the form does. ` +
        'Only the user can submit the form.',
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
      throw unavailable(words, 'is marked data-tool-agent-ignore. Only the user can use it.')
  }
  if (isTag(element, 'iframe'))
    throw unavailable(
      words,
      element.contentDocument
        ? 'is a frame: pass the ref of an element inside'
        : 'is a frame from another site and cannot be read',
    )
  if (isTag(element, 'input') && element.type === 'file')
    throw new ToolAgentError('sensitive-field', 'Only the user can choose files. Ask the user to do it.')
  if (!byKeys && isTag(element, 'select', 'option')) throw unavailable(words, 'is set with form_fill')
}

/**
 * Checks that a user could use the element: it is attached and neither disabled nor inert. `aria-disabled` also counts
 * on an ancestor, as ARIA defines it.
 * @throws `stale-ref`, `unavailable`
 */
export function checkReachable(element: Element, snapshot: PageSnapshot): void {
  const words = describeControl(element, snapshot)
  if (!element.isConnected)
    throw new ToolAgentError('stale-ref', `${words} is no longer on the page. The page has:\n${currentItems(snapshot)}`)
  const group = ancestor(parentOf(element), (above) => above.getAttribute('aria-disabled') === 'true')
  if (group)
    throw unavailable(words, `is disabled, because ${describeControl(group, snapshot)} around it is. ${enableFirst}`)
  if (isDisabled(element)) throw unavailable(words, `is disabled. ${enableFirst}`)
  if (ancestor(element, (above) => above.hasAttribute('inert')))
    throw unavailable(words, 'is inert. Something else is open: use page_read, and finish or close that first.')
}
