// What the panel asks the page tools about what they read: types only. `page-tools/glass/` implements them, and is
// loaded when the visitor asks. The panel reaches it by the internals of a page tool.
import type { Release } from './page-stage.js'

/** What the page tools read of the page, and what they do not. */
export interface GlassLook {
  /** How many parts of the page are read. */
  readonly read: number
  /** The labels of the private fields, whose values are never read. */
  readonly hidden: readonly string[]
  /** How many visible parts cannot be read, or must not: `data-tool-agent-ignore`, frames of other sites. */
  readonly closed: number
}

/** How it is shown on the page. */
export interface GlassShown {
  /** At a part that is read, at one with fields that are filled, too, at a private field, and at a closed part. */
  readonly texts: { readonly read: string; readonly filled: string; readonly never: string; readonly closed: string }
  /** Values of custom properties such as `--_accent`; empty for the default. */
  readonly properties: ReadonlyMap<string, string>
  /** The page has changed, and what is read of it now is shown. */
  onChange(look: GlassLook): void
}

/** @internal What the assistant reads of the page, for its visitor. */
export interface PageGlass {
  /** Reads the page as a tool would. */
  look(): GlassLook
  /** Outlines it on the page until it is released. Nothing of the page is changed. */
  show(shown: GlassShown): Release
}
