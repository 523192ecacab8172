// Roles and names as assistive technology has them (accname, by dom-accessibility-api), with two guards: what no
// person perceives is no part of a name, and neither is what somebody typed into a control inside or beside it.
import { unclobbered } from '../../core/data/unclobbered.js'
import { computeAccessibleName, getRole } from 'dom-accessibility-api'
import { ancestor, byIds, isBarred, isOffLimits, isTag, viewOf } from './dom.js'
import { declaredSensitive, holdsTyping } from '../sensitive/sensitive-fields.js'
import { asLabel } from './text.js'
import type { Visibility } from './visibility.js'

const inputRoles = new Map([
  ['password', 'textbox'],
  ['date', 'textbox'],
  ['time', 'textbox'],
  ['month', 'textbox'],
  ['week', 'textbox'],
  ['datetime-local', 'textbox'],
  ['color', 'textbox'],
  ['file', 'button'],
])

export function roleOf(element: Element): string | null {
  if (isTag(element, 'input') && !element.hasAttribute('role')) {
    const role = inputRoles.get(element.type)
    if (role) return role
  }
  if (isTag(element, 'summary')) return 'button'
  // What stands in the attribute may be any text: a role is a word, and a word that is none is no role.
  const role = /^[a-z]{1,20}(?=\s|$)/i.exec(getRole(element) ?? '')?.[0].toLowerCase()
  return role === undefined || role === 'generic' || role === 'presentation' || role === 'none' ? null : role
}

/** Whether a label refers to something that must not be read: a control's typing, the agent, what is left alone. */
const refersToPrivate = (element: Element): boolean =>
  ['aria-labelledby', 'aria-owns'].some(
    (attribute) =>
      element.hasAttribute(attribute) &&
      byIds(element, attribute).some(
        (target) => ancestor(target, holdsTyping) || declaredSensitive(target) !== undefined || isOffLimits(target),
      ),
  )

/** The accessible name, at most 120 characters; empty where there is none. */
export function accessibleNameOf(element: Element, sight: Visibility): string {
  // A designer's checkbox may be clear or far away behind its label; all else that is not there to be seen has no name.
  if (
    isOffLimits(element) ||
    !(
      (isTag(element, 'input', 'select', 'textarea') ? sight.hasBox(element) : sight.shows(element)) ||
      sight.style(element).display === 'contents'
    )
  )
    return ''
  // The title of a drawing is taken as it is, whatever its style.
  if (refersToPrivate(element) || element.querySelector('svg title[data-tool-agent-ignore]'))
    return asLabel(element.getAttribute('aria-label') ?? sight.text(element))
  // A style that says `none` for all that is to be passed over: the head has no box on any page that shows one.
  const view = viewOf(element)
  const none = view.getComputedStyle(unclobbered(element.ownerDocument).head ?? element)
  const attempt = (heard: boolean): string => {
    const styleOf = (node: Element, pseudo?: string | null): CSSStyleDeclaration => {
      if (pseudo) return node === element || sight.seen(node) === 'seen' ? view.getComputedStyle(node, pseudo) : none
      if (node === element) return sight.style(node)
      if (
        isBarred(node) ||
        holdsTyping(node) ||
        declaredSensitive(node) !== undefined ||
        refersToPrivate(node) ||
        isOffLimits(node)
      )
        return none
      const seen = sight.seen(node)
      return seen === 'seen' || (heard && seen === 'heard') ? sight.style(node) : none
    }
    return asLabel(
      computeAccessibleName(element, { getComputedStyle: styleOf, computedStyleSupportsPseudoElements: true }),
    )
  }
  // An icon button often has no name but the one for screen readers.
  return attempt(false) || attempt(true)
}
