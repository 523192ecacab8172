// A key press that is planned, and what it did.
import type { Action } from '../action-tool.js'
import type { Submission } from '../activation.js'
import type { Key } from '../../hands/keys.js'
import type { TextPlace } from '../../hands/rich-text.js'

/** What a key does by markup alone: it submits a form, activates the element, or has no consequence to predict. */
export interface KeyPlan extends Action {
  readonly submit?: Submission
  /** The key clicks the element. */
  readonly activates: boolean
}

/** A key press that is possible now. */
export interface Press extends KeyPlan {
  readonly key: Key
  /** The element that receives the key; the open modal dialog or the body if there is no target and no focus. */
  readonly on: HTMLElement
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

/** What the key did by default, beside the reactions of the page. `turned`: they changed where it leads, so nothing. */
export type KeyEffect = 'canceled' | 'turned' | 'none' | 'done' | 'selected' | 'caret' | 'kept-focus'
