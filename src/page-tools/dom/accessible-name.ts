// Computes roles and accessible names (accname, by dom-accessibility-api) with two restrictions: invisible elements and
// the contents of input fields never become part of a name.
import { unclobbered } from '../../core/data/unclobbered.js'
import { computeAccessibleName, getRole } from 'dom-accessibility-api'
import { ancestor, byIds, isBarred, isOffLimits, isTag, viewOf } from './dom.js'
import { declaredSensitive, holdsTyping } from '../sensitive/sensitive-fields.js'
import { asLabel, normalizeText, truncate } from './text.js'
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

/** The ARIA role in lower case; null for generic elements. */
export function roleOf(element: Element): string | null {
  if (isTag(element, 'input') && !element.hasAttribute('role')) {
    const role = inputRoles.get(element.type)
    if (role) return role
  }
  if (isTag(element, 'summary')) return 'button'
  // The attribute may contain any text. Only its first word counts.
  const role = /^[a-z]{1,20}(?=\s|$)/i.exec(getRole(element) ?? '')?.[0].toLowerCase()
  return role === undefined || role === 'generic' || role === 'presentation' || role === 'none' ? null : role
}

/** Whether its label refers to content that must not be read: an input field, a private or an ignored element. */
const refersToPrivate = (element: Element): boolean =>
  ['aria-labelledby', 'aria-owns'].some(
    (attribute) =>
      element.hasAttribute(attribute) &&
      byIds(element, attribute).some(
        (target) => ancestor(target, holdsTyping) || declaredSensitive(target) !== undefined || isOffLimits(target),
      ),
  )

/** The text of generated content: the alternative after the slash, if any, without the characters of icon fonts. */
function generatedText(content: string): string {
  const [, alternative = content] = /["')] \/ (.*)$/.exec(content) ?? []
  return /^".*"$/s.test(alternative) ? normalizeText(alternative.replace(/^"|"$|" "/g, '')) : ''
}

/** A style that differs in one property, for the library, which reads styles with `getPropertyValue` only. */
const withProperty = (style: CSSStyleDeclaration, name: string, value: string): CSSStyleDeclaration =>
  ({
    getPropertyValue: (other: string) => (other === name ? value : style.getPropertyValue(other)),
  }) as CSSStyleDeclaration

/** The accessible name, at most 120 characters; empty if there is none or the element is not visible. */
export function accessibleNameOf(element: Element, visibility: Visibility): string {
  const isField = isTag(element, 'input', 'select', 'textarea')
  // Checkboxes are often transparent or moved away behind a styled label. All other invisible elements have no name.
  if (
    isOffLimits(element) ||
    !(
      (isField ? visibility.hasBox(element) : visibility.isShown(element)) ||
      visibility.style(element).display === 'contents'
    )
  )
    return ''
  // The library reads the title of an SVG without asking for its style.
  if (refersToPrivate(element) || element.querySelector('svg title[data-tool-agent-ignore]'))
    return asLabel(element.getAttribute('aria-label') ?? visibility.visibleText(element))
  // The library skips elements with `display: none`. The style of the head serves as such a style.
  const view = viewOf(element)
  const none = view.getComputedStyle(unclobbered(element.ownerDocument).head ?? element)
  // All of a label that is hidden as a whole counts, as in browsers.
  const hiddenLabels = byIds(element, 'aria-labelledby').filter((label) => visibility.level(label) !== 'visible')
  // The library trims the contents of inline elements, which removes the space to the next word.
  const spaced = (node: Element): CSSStyleDeclaration => {
    const style = visibility.style(node)
    return style.display === 'inline' &&
      (node.localName === 'br' ||
        /^\s|\s$/.test(node.textContent ?? '') ||
        (node.childElementCount > 0 && [...node.querySelectorAll('*')].some((one) => visibility.isBlock(one))))
      ? withProperty(style, 'display', 'block')
      : style
  }
  const computeName = (withScreenReader: boolean): string => {
    const styleOf = (node: Element, pseudo?: string | null): CSSStyleDeclaration => {
      if (pseudo) {
        if (node !== element && visibility.level(node) !== 'visible') return none
        const style = view.getComputedStyle(node, pseudo)
        return style.content.startsWith('n')
          ? none
          : withProperty(style, 'content', `"${generatedText(style.content)}"`)
      }
      if (node === element) return visibility.style(node)
      if (
        isBarred(node) ||
        holdsTyping(node) ||
        declaredSensitive(node) !== undefined ||
        refersToPrivate(node) ||
        isOffLimits(node)
      )
        return none
      const level = visibility.level(node)
      return level === 'visible' ||
        (withScreenReader && level === 'screen-reader') ||
        hiddenLabels.some((label) => label.contains(node))
        ? spaced(node)
        : none
    }
    const name = computeAccessibleName(element, {
      getComputedStyle: styleOf,
      computedStyleSupportsPseudoElements: true,
    })
    // A minus or an arrow is a name of a button, and punctuation of a label.
    return asLabel(name) || (isField ? '' : truncate(normalizeText(name), 120))
  }
  // The only name of an icon button is often a text for screen readers.
  return computeName(false) || computeName(true) || asLabel(element.getAttribute('title') ?? '')
}
