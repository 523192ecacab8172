// What follows when a form tool is submitted: usually another page. The call then ends on that page, so it must not
// answer on this one, or the next step would run here with the old tools.
import type { ActionForecast } from '../../core/data/action.js'
import { patience, until } from '../waiting/until.js'
import { redactedUrl } from '../sensitive/redact.js'

/**
 * What the approval shows of a form tool, and what the next page needs to know. `claim` is the description of the tool;
 * `hides` is whether the address of the next page must be cut before its query.
 */
export const forecastSubmit = (claim: string, hides: boolean): ActionForecast => ({
  preview: { claim },
  from: new URL(redactedUrl(location.href), location.href).href,
  hides,
  answers: true,
})

/** A navigation that may follow a submission. */
export interface NavigationWatch {
  /**
   * Waits until the page is gone, or until it is clear that it stays. Resolves in the second case, with a note for the
   * model. Rejects with the reason of the signal.
   */
  note(signal: AbortSignal): Promise<string>
  /** Stops watching. */
  end(): void
}

/** Watches a window from before its form is submitted. The caller must call `end`. */
export function watchNavigation(view: Window): NavigationWatch {
  const ending = new AbortController()
  let isRequested = false
  let isGone = false
  const noteRequest = (): void => {
    isRequested = true
  }
  view.addEventListener('beforeunload', noteRequest, { signal: ending.signal })
  const noteEnd = (): void => {
    isGone = true
  }
  // If only a frame of this page is gone, the call ends here.
  if (view !== window) view.addEventListener('pagehide', noteEnd, { signal: ending.signal })

  return {
    end: () => ending.abort(),
    async note(signal) {
      await until({
        done: () => isGone,
        ...patience.navigationRequest,
        atMost: () => (isRequested ? patience.navigation : patience.navigationRequest).atMost,
        waitsFirst: true,
        signal,
      })
      return isRequested && !isGone
        ? 'Submitted. A navigation was requested, but this page is still open: a download, a slow server, or a prompt.'
        : 'Submitted. The page may be loading.'
    },
  }
}
