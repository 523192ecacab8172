// A key press that is planned, and what it did.
import type { Key } from '../../hands/keys.js'
import type { TextPlace } from '../../hands/rich-text.js'
import type { Action } from '../action-tool.js'
import type { Submission } from '../activation.js'

/** What a key does by markup alone: it submits a form, activates the element, or has no consequence to predict. */
export interface KeyPlan extends Action {
  readonly submit?: Submission
  /** The key clicks the element. */
  readonly activates: boolean
}

/** Words that were found, in a text field or in texts of the page. */
export type FoundWords =
  | { readonly field: HTMLInputElement | HTMLTextAreaElement; readonly start: number; readonly end: number }
  | { readonly start: TextPlace; readonly end: TextPlace }

/** What a call does: it selects words, and then presses a key or types a text, or leaves it at that. */
export interface Typing extends KeyPlan {
  readonly on: HTMLElement
  readonly words?: FoundWords | undefined
  readonly key?: Key | undefined
  readonly text?: string | undefined
}
