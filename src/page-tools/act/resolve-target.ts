// Finds the element that an action means, and checks that a user could use it now. Otherwise throws with the reason;
// nothing is guessed or forced.
import { ToolAgentError } from '../../core/data/errors.js'
import { ancestor, byIds, elementsUnder, isOffLimits, isTag, currentPage, detachedFrom, parentOf } from '../dom/dom.js'
import { surroundings } from '../read/field-labels.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'
import { isRef } from '../dom/element-refs.js'
import { isDisabled } from '../dom/field-state.js'
import { toComparable, truncate } from '../dom/text.js'

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

/** Role and name of an element for messages, redacted. */
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

/**
 * Finds the element for a ref or a name.
 * @throws `invalid-input` if none or several match, `stale-ref`
 */
export function resolveActionTarget(asked: string, role: string | undefined, snapshot: PageSnapshot): Element {
  const text = asked.trim().replace(/^\[?ref=(e\d+)\]?$/, '$1')
  if (isRef(text)) return snapshot.element(text)
  const { visibility, refs, redact, isInsidePrivate } = snapshot
  const wanted = toComparable(text)
  const named = [...elementsUnder(currentPage().body)].flatMap((element) => {
    const own = roleOf(element)
    if (
      own === null ||
      (role === undefined ? !clickableRoles.has(own) : own !== role.toLowerCase()) ||
      !visibility.isShown(element) ||
      isInsidePrivate(element)
    )
      return []
    return [
      { element, name: toComparable(redact(accessibleNameOf(element, visibility) || visibility.visibleText(element))) },
    ]
  })
  const exact = named.filter(({ name }) => name === wanted)
  const partial = wanted === '' ? [] : named.filter(({ name }) => name.includes(wanted))
  const found = exact.length > 0 ? exact : partial
  if (found[0] && found.length === 1) return found[0].element
  if (found.length === 0)
    throw new ToolAgentError(
      'invalid-input',
      `No clickable element is named ${JSON.stringify(truncate(text, 80))}. The page has:\n${snapshot.currentItems()}`,
    )
  const lines = found.slice(0, 8).map(({ element }) => {
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
    throw new ToolAgentError(
      'stale-ref',
      `${words} is no longer on the page. The page has:\n${snapshot.currentItems()}`,
    )
  if (isDisabled(element)) throw unavailable(words, `is disabled. ${enableFirst}`)
  const group = ancestor(parentOf(element), (above) => above.getAttribute('aria-disabled') === 'true')
  if (group)
    throw unavailable(words, `is disabled, because ${describeControl(group, snapshot)} around it is. ${enableFirst}`)
  if (ancestor(element, (above) => above.hasAttribute('inert')))
    throw unavailable(words, 'is inert. Something else is open: use page_read, and finish or close that first.')
}
