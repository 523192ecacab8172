// The names of the page tools. Apart from what says how a call stands, because the panel needs them before there is
// one, and must load no code that only messages need.

/** Tools of the agent that read and change nothing. */
export const readTools: ReadonlySet<string> = new Set([
  'page_read',
  'dom_query',
  'form_read',
  'read_result',
  'find_tools',
])
/** Tools whose arguments and results are for the model: references of elements, outlines of the page. */
export const pageTools: ReadonlySet<string> = new Set([
  ...readTools,
  'page_wait',
  'page_scroll',
  'page_click',
  'page_drag',
  'page_press',
  'page_navigate',
  'form_submit',
  'form_fill',
  'form_undo',
])
