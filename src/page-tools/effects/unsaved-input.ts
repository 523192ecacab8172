// Which fields were changed and not sent yet: leaving the page would lose them.
import { isTag, isTickBox } from '../dom/dom.js'
import type { PageSnapshot } from '../dom/page-snapshot.js'

/** Fields that a tool has filled or edited. */
const byTools = new WeakSet<Element>()
/** Fields that the user has edited. */
const byUser = new WeakSet<Element>()

/** A tool has changed the field. */
export const noteChangedByAction = (element: Element): void => void byTools.add(element)
/** The user has changed the field. */
export const noteChangedByUser = (element: Element): void => void byUser.add(element)
/** Their form was sent, so nothing of it would be lost. */
export function noteSent(elements: Iterable<Element>): void {
  for (const element of elements) {
    byTools.delete(element)
    byUser.delete(element)
  }
}

/** Whether a tool has written into the field since it was sent. */
export const wasChangedByAction = (element: Element): boolean => byTools.has(element)

/** A field whose text is only a query: it is lost without a loss. */
const isSearch = (element: Element): boolean =>
  element.matches('[type=search],[role=searchbox],[role=search] *') ||
  (isTag(element, 'input', 'select', 'textarea') && element.form?.method === 'get' && element.form.role === 'search')

/** Whether the page has input that was not sent. */
export const unsavedInput = ({ fields }: Pick<PageSnapshot, 'fields'>): boolean =>
  fields().some(({ members }) =>
    members.some(
      (one) =>
        (byTools.has(one) || byUser.has(one)) &&
        !isSearch(one) &&
        (!isTag(one, 'input', 'textarea') || isTickBox(one) || one.value !== ''),
    ),
  )
