// Accessible names with two restrictions: invisible elements and the contents of input fields never become part of a
// name; and the labels that the browser ties to a control.
import { ancestor, byIds, isBarred, isHiddenInput, isOffLimits, isTag, viewOf, propertyOf } from './dom.js'
import { declaredSensitive, holdsTyping } from '../sensitive/sensitive-fields.js'
import { cachedPerSnapshot } from './per-snapshot.js'
import { choicesInLabels } from './pop-ups.js'
import { asLabel, normalizeText, truncate } from './text.js'
import { textAlternativeOf } from './text-alternative.js'
import type { Visibility } from './visibility.js'
import { unclobbered } from '../../core/data/dom-clobbering.js'

/** The labels of each control of a document or shadow root, in tree order. */
const labelsIn = cachedPerSnapshot((root: Node): ReadonlyMap<Element, readonly Element[]> => {
  const found = new Map<Element, Element[]>()
  for (const label of unclobbered(root as Document | ShadowRoot).querySelectorAll('label')) {
    if (!label.control) continue
    const same = found.get(label.control)
    if (same) same.push(label)
    else found.set(label.control, [label])
  }
  return found
})

const none: readonly Element[] = []

/** The labels that are tied to an element, as `labels` has them; undefined if it is none that can have labels. */
export function labelsOf(element: Element, visibility: Visibility): readonly Element[] | undefined {
  // What a custom element says of itself only the element knows.
  if (element.localName.includes('-')) {
    const own = propertyOf(element, 'labels')
    return own ? [...own] : undefined
  }
  if (!isTag(element, 'button', 'input', 'meter', 'output', 'progress', 'select', 'textarea')) return undefined
  if (isHiddenInput(element)) return undefined
  return labelsIn(element.getRootNode(), visibility).get(element) ?? none
}

export { roleOf } from './roles.js'

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

/** The accessible name, at most 120 characters; empty if there is none or the element is not visible. */
export const accessibleNameOf = cachedPerSnapshot(computeName)

function computeName(element: Element, visibility: Visibility): string {
  const isField = isTag(element, 'input', 'select', 'textarea')
  // Checkboxes are often transparent or moved away behind a styled label. All other invisible elements have no name.
  if (
    visibility.isOffLimits(element) ||
    !(
      (isField ? visibility.hasBox(element) : visibility.isShown(element)) ||
      visibility.style(element).display === 'contents'
    )
  )
    return ''
  // The title of an SVG counts whatever its style is.
  if (refersToPrivate(element) || element.querySelector('svg title[data-tool-agent-ignore]'))
    return asLabel(element.getAttribute('aria-label') ?? visibility.visibleText(element))
  // All of a label that is hidden as a whole counts, as in browsers.
  const hiddenLabels = byIds(element, 'aria-labelledby').filter((label) => visibility.level(label) !== 'visible')
  const choices = isField ? choicesInLabels(element, visibility) : []
  // Whether a text for screen readers was left out.
  let hasOther = false
  const nameWith = (withScreenReader: boolean): string => {
    const displays = new Map<Element, string>()
    const computeDisplay = (node: Element): string => {
      const style = visibility.style(node)
      if (node === element) return style.display
      if (
        isBarred(node) ||
        holdsTyping(node) ||
        choices.includes(node) ||
        declaredSensitive(node) !== undefined ||
        refersToPrivate(node) ||
        visibility.isOffLimits(node)
      )
        return 'none'
      const level = visibility.level(node)
      if (level !== 'visible' && !hiddenLabels.some((label) => label.contains(node))) {
        hasOther ||= level === 'screen-reader'
        if (!withScreenReader || level !== 'screen-reader') return 'none'
      }
      // The contents of elements are trimmed, which removes the space between inline elements and the next word.
      return style.display === 'inline' &&
        (node.localName === 'br' ||
          /^\s|\s$/.test(node.textContent ?? '') ||
          (node.childElementCount > 0 && [...node.querySelectorAll('*')].some((one) => visibility.isBlock(one))))
        ? 'block'
        : style.display
    }
    const displayOf = (node: Element): string => {
      let display = displays.get(node)
      if (display === undefined) displays.set(node, (display = computeDisplay(node)))
      return display
    }
    const name = textAlternativeOf(element, {
      displayOf,
      isHidden: (node) =>
        node.hasAttribute('hidden') ||
        node.getAttribute('aria-hidden') === 'true' ||
        displayOf(node) === 'none' ||
        visibility.style(node).visibility === 'hidden',
      labelsOf: (node) => labelsOf(node, visibility),
      generatedText(node, pseudo) {
        if (node !== element && visibility.level(node) !== 'visible') return ''
        const { content } = viewOf(element).getComputedStyle(node, pseudo)
        return content.startsWith('n') ? '' : generatedText(content)
      },
    })
    // A minus or an arrow is a name of a button, and punctuation of a label.
    return asLabel(name) || (isField ? '' : truncate(normalizeText(name), 120))
  }
  // The only name of an icon button is often a text for screen readers.
  return nameWith(false) || (hasOther ? nameWith(true) : '') || asLabel(element.getAttribute('title') ?? '')
}

/** The accessible name of an element, or else its visible text. */
export const nameOrText = (element: Element, visibility: Visibility): string =>
  accessibleNameOf(element, visibility) || visibility.visibleText(element)
