// Keeps unsent text over a reload or a navigation, in the session storage of the tab.

const key = (scope: string | undefined): string => `tool-agent:unsent:${scope ?? ''}`

/** Stores the text for the next page of this tab. An empty text removes it. */
export function saveDraft(scope: string | undefined, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key(scope))
    else sessionStorage.setItem(key(scope), text)
  } catch {
    // A sandboxed page has no storage, so the text is lost with the page.
  }
}

/** Returns the stored text and removes it; an empty string if there is none. */
export function restoreDraft(scope: string | undefined): string {
  try {
    const text = sessionStorage.getItem(key(scope)) ?? ''
    sessionStorage.removeItem(key(scope))
    return text
  } catch {
    return '' // A sandboxed page has no storage.
  }
}
