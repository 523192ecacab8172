// Roles of elements: the `role` attribute, or else the role of the element in HTML (https://w3c.github.io/html-aam/).
import { isTag } from './dom.js'

/** Roles of HTML elements without conditions, by tag. */
const rolesByTag = new Map(
  (
    'article article|aside complementary|button button|datalist listbox|dd definition|details group|dialog dialog|' +
    'dt term|fieldset group|figure figure|form form|footer contentinfo|h1 heading|h2 heading|h3 heading|h4 heading|' +
    'h5 heading|h6 heading|header banner|hr separator|html document|legend legend|li listitem|math math|main main|' +
    'menu list|nav navigation|ol list|optgroup group|option option|output status|progress progressbar|' +
    'section region|summary button|table table|tbody rowgroup|textarea textbox|tfoot rowgroup|td cell|' +
    'th columnheader|thead rowgroup|tr row|ul list'
  )
    .split('|')
    .map((pair) => pair.split(' ') as [string, string]),
)

const globalAttributes = (
  'atomic busy controls current description describedby details dropeffect flowto grabbed hidden keyshortcuts label ' +
  'labelledby live owns relevant roledescription'
).split(' ')
/** Whether it has an ARIA attribute that applies to all roles. Then it cannot be presentational. */
const hasGlobalAttribute = (element: Element): boolean =>
  globalAttributes.some((name) => element.hasAttribute(`aria-${name}`))

function implicitRole(element: Element): string | null {
  const tag = element.localName
  const role = rolesByTag.get(tag)
  if (role !== undefined) return role
  if (/^(a|area|link)$/.test(tag)) return element.hasAttribute('href') ? 'link' : null
  if (tag === 'img') return element.getAttribute('alt') === '' && !hasGlobalAttribute(element) ? 'presentation' : 'img'
  if (tag === 'select') {
    const { size, multiple } = element as HTMLSelectElement
    return multiple || size > 1 ? 'listbox' : 'combobox'
  }
  return tag === 'input' ? inputRole(element as HTMLInputElement) : null
}

function inputRole(input: HTMLInputElement): string | null {
  const { type } = input
  if (/^(button|image|reset|submit)$/.test(type)) return 'button'
  if (/^(email|tel|text|url)$/.test(type)) return input.hasAttribute('list') ? 'combobox' : 'textbox'
  if (type === 'search') return input.hasAttribute('list') ? 'combobox' : 'searchbox'
  if (/^(checkbox|radio)$/.test(type)) return type
  if (type === 'range') return 'slider'
  return type === 'number' ? 'spinbutton' : null
}

/** The first word of the role attribute, or the role of the element in HTML; null if it has none. Any case. */
export function markupRole(element: Element): string | null {
  const explicit = element.getAttribute('role')?.trim().split(' ')[0] || null
  if (explicit !== null && explicit !== 'presentation' && explicit !== 'none') return explicit
  const implicit = implicitRole(element)
  return explicit === null || hasGlobalAttribute(element) ? implicit : explicit
}

/** Types of inputs that have no role of their own, or one that says less than the type. */
const typedRoles = /^(password|date|time|month|week|datetime-local|color)$/

/** The ARIA role in lower case; null for generic elements. */
export function roleOf(element: Element): string | null {
  if (isTag(element, 'input') && !element.hasAttribute('role')) {
    if (typedRoles.test(element.type)) return 'textbox'
    if (element.type === 'file') return 'button'
  }
  if (isTag(element, 'summary')) return 'button'
  // Its value is no part of the name of a label around it.
  if (isTag(element, 'meter') && !element.hasAttribute('role')) return 'meter'
  // The attribute may contain any text. Only its first word counts.
  const role = /^[a-z]{1,20}(?=\s|$)/i.exec(markupRole(element) ?? '')?.[0].toLowerCase()
  return role === undefined || role === 'generic' || role === 'presentation' || role === 'none' ? null : role
}

/** Whether it is a dialog, by markup or role. */
export const isDialog = (element: Element): boolean => /^(alert)?dialog$/.test(roleOf(element) ?? '')

const actions = /^(button|link|menuitem(checkbox|radio)?|tab|option|treeitem|radio|checkbox|switch)$/
/** Whether elements of the role are listed as controls. */
export const isAction = (role: string | null): role is string => role !== null && actions.test(role)

/** What tells equal controls apart by its other text: a row of a table, an item of a list, an article. */
export const rowSelector = 'tr,li,[role=row],[role=listitem],article'
