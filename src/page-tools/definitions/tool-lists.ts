// The page tools as lists for registration: `read` only reads, `fill` writes and never submits. Only their definitions
// and the watch for password fields are loaded here.
import type { Tool } from '../../page/tools/tool.js'
import { watchRequests } from '../effects/page-requests.js'
import { watchPasswords } from '../sensitive/watch-passwords.js'
import { withSummaries } from '../summaries/with-summaries.js'
import { formFill, formUndo } from './filling.js'
import { implementation } from './load-code.js'
import { domQuery, formRead, pageRead, pageWait } from './reading.js'

const summaries = async () => (await implementation()).summaryOf

/** The tools that only read: `page_read`, `dom_query`, `form_read`, `page_wait`. */
export function readTools(): Tool[] {
  if (typeof document !== 'undefined') watchPasswords(document)
  return withSummaries([pageRead, domQuery, formRead, pageWait], summaries)
}

/** The tools that fill forms: `form_fill`, `form_undo`. */
export function fillTools(): Tool[] {
  if (typeof document !== 'undefined') {
    watchPasswords(document)
    watchRequests(window)
  }
  return withSummaries([formFill, formUndo], summaries)
}
