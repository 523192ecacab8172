// What leaves the page without a request of a script: a form, a link, a navigation, a window.
import type { StoppedEffect } from '../../core/data/stopped-effect.js'
import type { PageRequest } from '../effects/read-request.js'

/** What the browser is about to do by itself. */
export interface Departure {
  readonly what: StoppedEffect
  /** The form that is sent. */
  readonly form?: HTMLFormElement
  /** What is sent beside it, whose answer nobody gets. */
  readonly pings?: readonly PageRequest[]
  /** Takes it as it is now, so that it can be done later. Absent where it cannot be. Call this at most once. */
  readonly freeze?: () => Frozen
}

/** What was taken. */
export interface Frozen {
  /** What it sends, as a request. */
  readonly request: PageRequest
  /** Does it. No listener of the page for clicks or forms runs. */
  redo(): void
  /** It is not done. */
  drop?(): void
}
