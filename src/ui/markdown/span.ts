// The parts of the text of a block.

/** A part of a text. A string is text without Markdown. */
export type Span =
  | string
  | { readonly type: 'strong' | 'em' | 'del'; readonly spans: readonly Span[]; readonly depth: number }
  | { readonly type: 'code' | 'html'; readonly text: string }
  | { readonly type: 'break' }
  | Link
  | Image

/** A link. */
export interface Link {
  readonly type: 'link'
  readonly href: string
  readonly spans: readonly Span[]
  /** As it was written. */
  readonly raw: string
}

/** An image. */
export interface Image {
  readonly type: 'image'
  readonly href: string
  /** The alternative text. */
  readonly text: string
  /** As it was written. */
  readonly raw: string
}
