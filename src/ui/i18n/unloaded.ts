// What a visitor reads when a file of the assistant cannot be loaded. In English, because the element needs it without
// the panel.
import type { ErrorCode } from '../../core/data/errors.js'

/** What a visitor can do: connect, try again, or only reload the page or tell its owner. Codes of `loadExplained`. */
export type LoadProblem = Extract<ErrorCode, 'offline' | 'network' | 'unavailable'>

/** The English sentences. Those of other languages are in languages.ts. */
export const unloaded: Readonly<Record<LoadProblem, string>> = {
  offline: 'The assistant cannot be loaded, because you are offline. Try again when you are connected.',
  network: 'The assistant cannot be loaded. Check your connection and try again.',
  unavailable: 'The assistant cannot be loaded on this page. Reload the page. If that does not help, tell its owner.',
}
