// The tools that act on the page. In a file of their own, so that pages without them do not load them.
import type { Tool } from '../../page/tools/tool.js'
import { formSubmit } from './form-submit.js'
import { pageDrag } from './drag/page-drag.js'
import { pageClick } from './page-click.js'
import { pageNavigate } from './page-navigate.js'
import { pagePress } from './keyboard/page-press.js'
import { pageScroll } from './page-scroll.js'
import { summaryOf } from '../summaries/summaries.js'
import { withSummaries } from '../summaries/with-summaries.js'
import { watchTyping } from './approved-plan.js'
import { watchFocus } from '../dom/page-focus.js'
import { watchTimings } from '../border/timings.js'
import { watchRequests } from '../effects/page-requests.js'
import { watchPasswords } from '../sensitive/watch-passwords.js'

/**
 * `page_click`, `page_drag`, `page_press`, `form_submit`, `page_navigate`, `page_scroll`. By default a call asks the
 * user if its effect is not known to be harmless. A call that leads to another site always asks.
 */
export function actTools(): Tool[] {
  if (typeof document !== 'undefined') {
    watchPasswords(document)
    watchRequests(window)
    watchTimings()
    watchTyping()
    watchFocus()
  }
  return withSummaries([pageClick, pageDrag, pagePress, formSubmit, pageNavigate, pageScroll], async () => summaryOf)
}
