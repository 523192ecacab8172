// Where the page tools leave the function that names the page's forms, because only they can read fields and the agent
// must not load them.

/** Shared by the page tools and the agent of one page. */
export const pageForms: {
  /**
   * The labels of the forms and their fields in one text; empty if there are none. Set when the code of the page tools
   * is loaded. Untrusted text.
   */
  describe?: () => string
  /** Settles when the code that sets `describe` is loaded, or could not be. Unset until something loads it. */
  loading?: Promise<unknown>
} = {}
