// What the panel asks the page tools to show on the page: types only. `page-tools/stage/` implements what is about a
// question or a fill, and `page-tools/glass/`, which is loaded when the visitor asks, what is read. The panel reaches
// both by the internals of a page tool, so that a page without page tools has none of it.

/** A box in the window of the page, in CSS pixels. */
export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** How grave it is: `fill` writes a value, the others are the levels of a question. */
export type StageLevel = 'fill' | 'harmless' | 'consequences' | 'final'

/** How much is drawn: all, no dimmed rest and no gliding label, or nothing. */
export type StageMode = 'auto' | 'ring' | 'off'

/** Takes away what was drawn. Calling it again does nothing. */
export type Release = () => void

/** What the panel knows and the page tools do not. */
export interface StageSettings {
  /** How much is drawn. */
  readonly mode: StageMode
  /** The label of a field that is being filled; empty for none. */
  readonly filling: string
  /** Values of custom properties such as `--_accent`; empty for the default. */
  readonly properties: ReadonlyMap<string, string>
  /** What is drawn has come above a dialog of the page, and above a question that is there, too. */
  readonly raised?: () => void
}

/** How an element is outlined. */
export interface RingOptions {
  /** Decides on the colour. */
  readonly level: StageLevel
  /** Near the element, where it covers nothing of the section. */
  readonly label?: string | undefined
  /** The part of the page around it. */
  readonly section?: Element | undefined
  /** Everything is dimmed except for the element and its section. */
  readonly dims?: boolean
}

/** An element of the page that the panel must not cover. */
export interface Placed {
  /** The visible part of the element in the window; undefined if nothing of it is visible. */
  box(): Box | undefined
  /** The section around it, also what is out of sight; undefined if there is none. */
  around(): Box | undefined
  /** Scrolls it into a part of the window. Does nothing if it is there. */
  bringInto(free: Box): void
}

/** What a question is about. */
export interface StagedTarget extends Placed {
  /** Outlines it. */
  show(options: Omit<RingOptions, 'section'>): Release
  /** Resolves when the visitor has pressed it. Rejects with the reason of the signal. */
  pressed(signal: AbortSignal): Promise<void>
}

/** @internal What is shown on the page about what the assistant asks and does. */
export interface PageStage {
  /** Sets what the panel knows. It holds for what is drawn from now on. */
  configure(settings: StageSettings): void
  /** What the question of a call is about; undefined if that is no element of this page, or gone. */
  target(callId: string): StagedTarget | undefined
}

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
