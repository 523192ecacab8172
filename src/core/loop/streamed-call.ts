// Tool calls as a model streams them, before their arguments are parsed.
import type { Metadata } from '../data/message.js'

/** A call as the model wrote it. */
export interface StreamedCall {
  /** The model's id. It may be empty, or taken by an earlier call. */
  readonly id: string
  /** The tool name. It may be misspelled. */
  readonly name: string
  /** The complete argument text. */
  readonly text: string
  /** What the provider attached. */
  readonly metadata?: Metadata
}

/** Arguments may be nested this deep. */
export const maxArgumentDepth = 200

/** The call ids that a session uses, and new ones. */
export interface CallIds {
  /** The ids in use. New ids are added to this set. */
  readonly taken: Set<string>
  /** False if older messages are not loaded, so more ids may be taken. */
  readonly isComplete: boolean
  /** A new random id. */
  create(): string
}

/** Ids shorter than this, such as `call_0`, are assumed to be numbered instead of random. */
export const randomIdLength = 12
