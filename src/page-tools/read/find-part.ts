// Finds a part of the page by ref, name, role or selector, and its fields.
import { ToolAgentError } from '../../core/data/errors.js'
import { ancestor, elementsUnder, currentPage } from '../dom/dom.js'
import { toComparable, truncate } from '../dom/text.js'
import { accessibleNameOf, roleOf } from '../dom/accessible-name.js'
import { currentItems, elementOf, isInsidePrivate, refNamed } from './named-parts.js'
import type { Field } from './form-fields.js'
import { formsOf } from './forms.js'
import { parseSelector, selectElements } from '../sensitive/model-selectors.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'

const partsOfPages = 'main,nav,header,footer,aside,section,form,dialog,table,fieldset,[role]'

/** The landmark, form, dialog, table or group with this ref, name or role. @throws `stale-ref` */
export function findPart(scope: string, snapshot: PageSnapshot): Element | undefined {
  const { visibility, redact } = snapshot
  const ref = refNamed(scope)
  if (ref !== undefined) return elementOf(ref, snapshot)
  const wanted = toComparable(scope)
  const parts = [...elementsUnder(currentPage().documentElement, visibility.children)].filter(
    (one) =>
      Element.prototype.matches.call(one, partsOfPages) && visibility.hasBox(one) && !isInsidePrivate(one, snapshot),
  )
  if (wanted === '') return undefined
  return (
    parts.find((one) => toComparable(redact(accessibleNameOf(one, visibility))) === wanted) ??
    parts.find((one) => roleOf(one) === scope)
  )
}

/**
 * The part of the page with this ref, name, role or selector.
 * @throws `invalid-input` if nothing matches, `stale-ref`
 */
export function partNamed(scope: string, snapshot: PageSnapshot): Element {
  const named = findPart(scope, snapshot)
  if (named) return named
  const list = parseSelector(scope)
  const part = list && selectElements(list, snapshot).find((one) => snapshot.visibility.hasBox(one))
  if (part) return part
  throw new ToolAgentError(
    'invalid-input',
    `No part of the page matches ${JSON.stringify(truncate(scope, 80))}. Pass a ref, name, role or CSS selector. ` +
      `The page has:\n${currentItems(snapshot)}`,
  )
}

/** The form with this label, id or name. */
export const formNamed = (wanted: string, forms: ReadonlyMap<Element, string>): Element | undefined =>
  [...forms].find(
    ([form, label]) =>
      toComparable(label) === toComparable(wanted) || form.id === wanted || form.getAttribute('name') === wanted,
  )?.[0]

/**
 * The fields of a form, or of another part of the page.
 * @throws `invalid-input` if there are none, `stale-ref`
 */
export function fieldsIn(wanted: string, snapshot: PageSnapshot): readonly Field[] {
  const all = snapshot.fields()
  const part = formNamed(wanted, formsOf(all, snapshot)) ?? partNamed(wanted, snapshot)
  const fields = all.filter(
    ({ element, form }) => form === part || ancestor(element, (above) => above === part) !== null,
  )
  if (fields.length === 0)
    throw new ToolAgentError(
      'invalid-input',
      `${JSON.stringify(truncate(wanted, 80))} has no fields. ` +
        `Forms on the page: ${[...formsOf(all, snapshot).values()].join('; ') || 'none'}.`,
    )
  return fields
}
