// The text alternative of an element (https://w3c.github.io/accname/#mapping_additional_nd_te), with the order of
// precedence of the specification. What counts as hidden is the decision of the caller.
import { byIds, isElement, isTag, isText, nativeProperty } from './dom.js'
import { markupRole } from './roles.js'

/** How the caller sees the elements. Each function is called often. */
export interface AlternativeView {
  /** `display` of the element; 'none' excludes it. */
  displayOf(element: Element): string
  /** Whether it must be excluded unless a label refers to it. */
  isHidden(element: Element): boolean
  /** The labels that are tied to the element, in tree order. */
  labelsOf(element: Element): readonly Element[] | undefined
  /** The text of a pseudo-element, '' if it has none. */
  generatedText(element: Element, pseudo: '::before' | '::after'): string
}

const unnamable =
  /^(caption|code|deletion|emphasis|generic|insertion|none|paragraph|presentation|strong|su(b|per)script)$/
const rangeRoles = /^(meter|progressbar|scrollbar|slider|spinbutton)$/
const controlRoles = /^(button|combobox|listbox|textbox)$/
const namedByContents = new RegExp(
  '^(button|cell|checkbox|columnheader|gridcell|heading|label|legend|link|menuitem|menuitemcheckbox|menuitemradio|' +
    'option|radio|row|rowheader|switch|tab|tooltip|treeitem)$',
)

/** Children that name their parent, by tag of the parent. */
const titleTags = new Map([
  ['fieldset', 'legend'],
  ['table', 'caption'],
  ['svg', 'title'],
])
/** Attributes that name an element, by tag. */
const nameAttributes = new Map([
  ['img', 'alt'],
  ['area', 'alt'],
  ['optgroup', 'label'],
])

/** Why an element is read: as part of a label, by `aria-labelledby`, or as contents of another one. */
interface Reason {
  readonly isInLabel?: boolean
  readonly isReferenced?: boolean
  readonly isNested?: boolean
}

/** The accessible name by markup, with single spaces; '' if there is none. Each node counts once. */
export function textAlternativeOf(root: Element, view: AlternativeView): string {
  if (unnamable.test(markupRole(root) ?? '')) return ''
  return new TextAlternative(view).textOf(root).trim().replace(/\s\s+/g, ' ')
}

/**
 * Computes one name. The steps of the specification call each other, so every node and attribute that has given its
 * text is in `#used`: it must not be read again, or a label that refers to itself would never end.
 */
class TextAlternative {
  readonly #view: AlternativeView
  readonly #used = new Set<Node>()

  constructor(view: AlternativeView) {
    this.#view = view
  }

  /** An attribute, once. */
  #attribute(element: Element, name: string): string | undefined {
    const node = Element.prototype.getAttributeNode.call(element, name)
    if (!node || this.#used.has(node) || node.value.trim() === '') return undefined
    this.#used.add(node)
    return node.value
  }

  /** The name of an element by its contents. */
  #contentsOf(element: Element, isInLabel = false): string {
    // An element may own itself.
    this.#used.add(element)
    let text = `${this.#view.generatedText(element, '::before')} `
    const assigned = isTag(element, 'slot') ? element.assignedNodes() : []
    const own = nativeProperty('Node', element, 'childNodes')
    const nodes =
      assigned.length > 0 ? assigned : [...own, ...(isTag(element, 'slot') ? [] : byIds(element, 'aria-owns'))]
    for (const node of nodes) {
      const part = this.textOf(node, { isInLabel, isNested: true })
      const gap = isElement(node) && this.#view.displayOf(node) !== 'inline' ? ' ' : ''
      text += gap + part + gap
    }
    return `${text} ${this.#view.generatedText(element, '::after')}`.trim()
  }

  /** The name that HTML defines for some elements; undefined for others. */
  #nativeName(element: Element, role: string | null): string | undefined {
    const tag = element.localName
    const title = titleTags.get(tag)
    if (title !== undefined) {
      this.#used.add(element)
      const child = [...nativeProperty('Node', element, 'childNodes')].find(
        (node): node is Element => isElement(node) && node.localName === title,
      )
      if (tag === 'svg') return child ? (child.textContent ?? '') : undefined
      if (child) return this.textOf(child)
    }
    const named = nameAttributes.get(tag)
    const text = named && this.#attribute(element, named)
    if (text) return text
    const type = isTag(element, 'input') ? element.type : ''
    if (/^(button|submit|reset)$/.test(type)) {
      const value = this.#attribute(element, 'value')
      if (value !== undefined) return value
      if (type !== 'button') return type === 'submit' ? 'Submit' : 'Reset'
    }
    const labels = this.#view.labelsOf(element)
    if (labels && labels.length > 0) {
      this.#used.add(element)
      return labels
        .map((label) => this.textOf(label, { isInLabel: true, isNested: true }))
        .filter(Boolean)
        .join(' ')
    }
    if (type === 'image') return this.#attribute(element, 'alt') ?? this.#attribute(element, 'title') ?? 'Submit Query'
    return (role === 'button' && this.#contentsOf(element)) || undefined
  }

  /** What a control inside a label adds to the label: its value, but never what a person typed. */
  #valueOf(element: Element, role: string): string | undefined {
    if (/^(combobox|listbox)$/.test(role)) {
      this.#used.add(element)
      const chosen = isTag(element, 'select')
        ? element.selectedOptions
        : [element, ...byIds(element, 'aria-owns')].flatMap((part) => [
            ...part.querySelectorAll('[aria-selected="true"]'),
          ])
      return [...chosen].map((option) => this.textOf(option, { isInLabel: true, isNested: true })).join(' ')
    }
    if (rangeRoles.test(role))
      return (
        element.getAttribute('aria-valuetext') ??
        element.getAttribute('aria-valuenow') ??
        element.getAttribute('value') ??
        ''
      )
    return role === 'textbox' ? '' : undefined
  }

  /** The text of a node, unless it was used before. */
  textOf(node: Node, reason: Reason = {}): string {
    if (this.#used.has(node)) return ''
    if (!isElement(node)) {
      this.#used.add(node)
      return isText(node) ? node.data : ''
    }
    const text = this.#elementText(node, reason)
    this.#used.add(node)
    return text
  }

  #elementText(element: Element, { isInLabel = false, isReferenced = false, isNested = false }: Reason): string {
    if (!isReferenced && this.#view.isHidden(element)) return ''
    const labelled = Element.prototype.getAttributeNode.call(element, 'aria-labelledby')
    if (!isReferenced && labelled && !this.#used.has(labelled)) {
      const labels = byIds(element, 'aria-labelledby')
      if (labels.length > 0) {
        this.#used.add(labelled)
        return labels.map((label) => this.textOf(label, { isInLabel, isReferenced: true })).join(' ')
      }
    }
    const role = markupRole(element)
    const isControl = role !== null && (controlRoles.test(role) || rangeRoles.test(role))
    if (!(isNested && isControl)) {
      const label = element.getAttribute('aria-label')?.trim()
      if (label) return label
      const name = role === 'presentation' || role === 'none' ? undefined : this.#nativeName(element, role)
      if (name !== undefined) return name
    }
    if (role === 'menu') return ''
    const value =
      role !== null && ((isNested && isControl) || isInLabel || isReferenced) ? this.#valueOf(element, role) : undefined
    if (value !== undefined) return value
    if (isReferenced || isNested || element.localName === 'caption' || (role !== null && namedByContents.test(role))) {
      const text = this.#contentsOf(element, isInLabel)
      if (text !== '' || isNested) return text
    }
    return this.#attribute(element, 'title') ?? ''
  }
}
