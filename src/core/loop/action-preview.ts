// A preview of what an action on the page will do. The tool computes it before it acts, and the approval request shows
// it. Only the action that was shown may run. For tools that the page provides there is only the page's own claim.

/** What the approval request shows. Texts come from the page. They are already cleaned and cut. */
export interface Preview {
  /** A click, the submission of a form, a navigation, or a key that does none of these by markup. */
  readonly does?: 'click' | 'submit' | 'go' | 'press'
  /** How a tool that the page provides describes itself. The description is not verified. */
  readonly claim?: string
  /** Role and name of the element, such as `button "Pay"`. For `press` the key on it: `Escape on dialog "Help"`. */
  readonly target?: string
  /** Where a link leads or a form is sent. */
  readonly url?: string
  /** HTTP method of a form, in upper case. */
  readonly method?: string
  /** Set if the action leads to another site: its origin, or the scheme of an address such as `mailto:`. */
  readonly site?: string
  /** The action opens a new tab or starts a download. */
  readonly opens?: 'tab' | 'download'
  /** What a form sends. For a private field `value` is true or false: whether the field is filled. */
  readonly values?: readonly { readonly field: string; readonly value: string | boolean; readonly private?: true }[]
  /** Number of fields that are sent but not shown: hidden fields, and those beyond the longest list. */
  readonly more?: number
}

/** What a page tool predicts about its own action. */
export interface ActionForecast {
  /** What the approval request shows. The hash of the approval includes it, so a changed preview makes it void. */
  readonly preview: Preview
  /** The user must be asked even if approval is off or was granted for the session. */
  readonly always: boolean
  /** The page's own address, as a model may read it. */
  readonly from: string
  /** The next address will contain private values, so the model receives it without its query. */
  readonly hides: boolean
  /** The next page may answer the call with JSON-LD, as pages do for forms that are tools. @default false */
  readonly answers?: boolean
}

/**
 * Key of the method with which a page tool returns its `ActionForecast`. The method throws if the action is not
 * possible.
 */
export const previewAction: unique symbol = Symbol.for('tool-agent:foresee') as never
