// The page tools as lists for registration: `read` only reads, `fill` writes and never submits. Only their definitions
// and the watch for password fields are loaded here; their code is loaded with the first call.
import type { Tool } from '../page/tools/tool.js'
import { watchPasswords } from './sensitive/watch-passwords.js'
import { summarized } from './summarized.js'
import { formFill } from './fill/form-fill.js'
import { formUndo } from './fill/undo/form-undo.js'
import { domQuery } from './read/query/dom-query.js'
import { formRead } from './read/form-read.js'
import { pageRead } from './read/page-read.js'
import { pageWait } from './read/query/page-wait.js'

/** The tools that only read: `page_read`, `dom_query`, `form_read`, `page_wait`. */
export function readTools(): Tool[] {
  if (typeof document !== 'undefined') watchPasswords(document)
  return summarized([pageRead, domQuery, formRead, pageWait])
}

/** The tools that fill forms: `form_fill`, `form_undo`. */
export function fillTools(): Tool[] {
  if (typeof document !== 'undefined') watchPasswords(document)
  return summarized([formFill, formUndo])
}
