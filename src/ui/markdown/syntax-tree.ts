// What the lexers return: blocks, and the spans of their texts, which are lexed when they are drawn, by span-lexer.ts.

/** A block. `text` is Markdown for `lexSpans`, except in code and HTML. */
export type Block =
  | { readonly type: 'paragraph' | 'html'; text: string }
  | { readonly type: 'heading'; readonly level: number; readonly text: string }
  | Code
  | { readonly type: 'rule' }
  | { readonly type: 'quote'; readonly blocks: readonly Block[] }
  | { readonly type: 'table'; readonly align: readonly string[]; readonly rows: string[][] }
  | List

/** Code between fences, or indented. */
export interface Code {
  readonly type: 'code'
  /** What follows the first fence: the language and more. */
  readonly info: string
  text: string
  /** The last fence was read, so the code is complete. */
  isClosed?: boolean
}

/** A list. */
export interface List {
  readonly type: 'list'
  /** The bullet, or the sign after the number. An item with another one starts another list. */
  readonly sign: string
  /** The first number; undefined for bullets. */
  readonly start: number | undefined
  /** Blank lines separate the items or the blocks in them, so their paragraphs have space around them. */
  isLoose: boolean
  readonly items: Item[]
}

/** An item of a list. */
export interface Item {
  readonly blocks: Block[]
  /** Whether the box of a task is checked; undefined without a box. */
  checked?: boolean
}

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
