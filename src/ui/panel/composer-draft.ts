// Keeps unsent text in the session storage of the tab: over a reload, a navigation and the turn of another user.

const key = (scope: string): string => `tool-agent:unsent:${scope}`

/** Stores the text for the next panel of the scope in this tab. An empty text removes it. */
export function saveDraft(scope: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key(scope))
    else sessionStorage.setItem(key(scope), text)
  } catch {
    // A sandboxed page has no storage, so the text is lost with the page.
  }
}

/** Returns the stored text and removes it; an empty string if there is none. */
export function restoreDraft(scope: string): string {
  try {
    const text = sessionStorage.getItem(key(scope)) ?? ''
    sessionStorage.removeItem(key(scope))
    return text
  } catch {
    return '' // A sandboxed page has no storage.
  }
}
