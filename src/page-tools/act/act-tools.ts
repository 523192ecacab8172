// The tools that act on the page. A file of its own, so that a page whose assistant may not act does not load them.
import type { Tool } from '../../page/tools/tool.js'
import { formSubmit } from './form-submit.js'
import { pageClick } from './page-click.js'
import { pageNavigate } from './page-navigate.js'
import { watchTyping } from './planned-action.js'
import { watchPasswords } from '../sensitive/sensitive-fields.js'

/**
 * `page_click`, `form_submit`, `page_navigate`. Each asks the user by default; what goes to another site asks always.
 */
export function actTools(): Tool[] {
  if (typeof document !== 'undefined') {
    watchPasswords(document)
    watchTyping()
  }
  return [pageClick, formSubmit, pageNavigate] as Tool[]
}
