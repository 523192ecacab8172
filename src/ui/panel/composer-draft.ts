// What was typed and not sent survives a reload and a navigation, in the tab where it was typed.

const key = (scope: string | undefined): string => `tool-agent:unsent:${scope ?? ''}`

export function saveDraft(scope: string | undefined, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(key(scope))
    else sessionStorage.setItem(key(scope), text)
  } catch {
    // A sandboxed page has no storage: the text then lives as long as the page.
  }
}

/** The text, once. */
export function restoreDraft(scope: string | undefined): string {
  try {
    const text = sessionStorage.getItem(key(scope)) ?? ''
    sessionStorage.removeItem(key(scope))
    return text
  } catch {
    return '' // As above: nothing was kept.
  }
}
