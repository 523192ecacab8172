// Loads parts of the SDK on first use.

/** How long a page may still run scripts after the browser began to leave it, in milliseconds. */
const leavingTime = 1_000

/**
 * Resolves with the part that `load` imports. A browser refuses imports in a page that it is leaving, and such a
 * failure must not end the turn, which continues on the next page. So a failure counts only if this page is still there
 * a moment later and a second attempt fails as well.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch {
    await new Promise((resolve) => setTimeout(resolve, leavingTime))
    return load()
  }
}
