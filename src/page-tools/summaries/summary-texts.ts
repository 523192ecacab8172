// What the user reads about ended calls of page tools, as a type that each language implements.

/** The texts of one language. Those with a number or a name contain it. */
export interface SummaryTexts {
  readonly page_read: string
  readonly form_read: string
  readonly page_scroll: string
  readonly page_drag: string
  readonly page_press: string
  readonly page_navigate: string
  /** `count`: matches. */
  dom_query(count: number): string
  /** `met`: what was waited for has happened. */
  page_wait(met: boolean): string
  /** `ok` of `all` fields hold the value. */
  form_fill(ok: number, all: number): string
  form_undo(ok: number, all: number): string
  /** `name`: that of the control, or an empty string. */
  page_click(name: string): string
  /** The mouse was moved over it, without a click. */
  hovered(name: string): string
  form_submit(submitted: boolean): string
}
