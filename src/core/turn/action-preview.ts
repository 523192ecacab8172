// What an act on the page will do, told before it is done: the tool foresees it, the question shows it, and what was
// shown is what may be done. Of a tool that the page offers there is only what the page claims.

/** Shown in the question. Texts come from the page and are already cleaned and cut. */
export interface Preview {
  readonly does?: 'click' | 'submit' | 'go'
  /** What a tool that the page offers says of itself; nobody has checked it. */
  readonly claim?: string
  /** Role and name, such as `button "Pay"`. */
  readonly target?: string
  /** Where a link leads or a form is sent. */
  readonly url?: string
  readonly method?: string
  /** It goes to another site: its origin, or the scheme of an address that leaves the page’s world. */
  readonly site?: string
  readonly opens?: 'tab' | 'download'
  /** What a form sends; of a private field only whether it is filled. */
  readonly values?: readonly { readonly field: string; readonly value: string | boolean; readonly private?: true }[]
  /** Fields that are sent and not shown: hidden ones, and those beyond the longest list. */
  readonly more?: number
}

/** `always`: the user is asked even where approval is off or was given for the session. */
export interface ActionForecast {
  readonly preview: Preview
  readonly always: boolean
  /** Where the page is, as a model may read it. */
  readonly from: string
  /** The address of the next page will hold what nobody is to read: the model is told it without its query. */
  readonly hides: boolean
}

/** The method by which a tool of ours tells what it will do; it throws where that cannot be done. */
export const previewAction: unique symbol = Symbol.for('tool-agent:foresee') as never
