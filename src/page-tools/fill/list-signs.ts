// The signs that a text field opens a list while it is filled. Such a field has the real focus until it is left, and
// the page gets time to show its list.
import { isTag } from '../dom/dom.js'

/** Fields that announce a list. */
export const announcesList =
  ':is([role=combobox],[aria-autocomplete=list],[aria-autocomplete=both],[class*=autocomplete i],[class*=typeahead i])'
const mayAnnounceList =
  `:is(${announcesList},[aria-autocomplete]:not([aria-autocomplete=none]),[aria-haspopup=listbox],[list],` +
  '[type=search],' +
  '[role=searchbox],[class*=suggest i],[autocomplete=off i]:is([type=text],:not([type])))'
const emptyLists = ':is(ul,ol,[role=listbox],[role=menu])'

/** Whether an empty or hidden list waits beside the field, or beside the label or box that holds nothing else. */
function hasListBeside(field: Element): boolean {
  for (let own: Element | null = field; own && !isTag(own, 'form', 'body'); own = own.parentElement) {
    if (own !== field && own.querySelectorAll('input:not([type=hidden]),select,textarea').length > 1) return false
    const next = own.nextElementSibling
    if (next?.matches(emptyLists)) return next.childElementCount === 0 || !next.checkVisibility()
  }
  return false
}

/** Whether a list under the field holds results and no values: it searches, and is no combobox. */
export const isSearch = (field: Element): boolean =>
  field.matches('[type=search],[role=searchbox]') && !field.matches(announcesList)

/** Whether a text field may open a list: by its markup, or by a list beside it that is not shown yet. */
export const mayOpenList = (field: Element): boolean =>
  isTag(field, 'input', 'textarea') && (field.matches(mayAnnounceList) || hasListBeside(field))
