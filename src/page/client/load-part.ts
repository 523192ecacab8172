// Loads a part of the SDK on first use. Apart from its callers, because several chunks load parts.
import { loadExplained } from '../../core/loading/load-explained.js'

/** How long a page may still run scripts after the browser has started to close it, in milliseconds. */
const closingTime = 1_000

/**
 * Resolves with the part that `load` imports. Tries once more after a failure: browsers refuse imports in a page that
 * they are closing, and that must not end the turn, which continues on the next page. Rejects as `loadExplained` does
 * if the second try fails.
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await loadExplained(globalThis, load)
  } catch {
    await new Promise((resolve) => setTimeout(resolve, closingTime))
    return loadExplained(globalThis, load)
  }
}
