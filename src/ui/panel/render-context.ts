// What every part of the panel needs in order to draw: words, renderers, and what is known of running calls.
import { LitElement, type CSSResult } from 'lit'
import type { ToolRenderer } from '../../page/agent.js'
import type { JsonValue } from '../../core/data/json.js'
import type { CallId } from '../../core/data/message.js'
import type { Words } from '../i18n/en.js'

/** Shows a call its own way inside its card; null for the usual one. Gets the part again whenever it changed. */
export type { ToolRenderer }

/** Markdown to templates. Loaded when the first text needs it. */
export interface Markdown {
  /** A complete text. */
  whole(text: string): unknown
  /** A text that grows: what is settled is neither lexed nor drawn again. */
  growing(): (text: string) => unknown
  /** A complete text as a screen reader is given it, without marks. */
  spoken(text: string): string
}

/** Changes identity when any of it changes, so that settled messages can be skipped. */
export interface RenderState {
  readonly words: Words
  readonly markdown: Markdown | undefined
  readonly renderers: ReadonlyMap<string, ToolRenderer>
  /** The fill whose card offers to take it back. */
  readonly undo: CallId | undefined
  titleOf(name: string): string
}

/** `Look` and what moves while a turn runs; only messages with open calls depend on it. */
export interface RenderContext {
  readonly look: RenderState
  readonly active: boolean
  readonly progress: ReadonlyMap<CallId, JsonValue>
  /** Cards that were opened or closed: one that is being written is drawn anew when its message is complete. */
  readonly opened: Map<CallId, boolean>
}

/**
 * A part of the panel: renders into itself, so that the panel is one shadow root with one set of styles, and its
 * events and labels need no crossing.
 */
export class PanelPart extends LitElement {
  protected override createRenderRoot(): HTMLElement {
    return this
  }
}

/** Another copy of the script that was loaded first has defined <tool-agent>, too, and draws with its own parts. */
export function definePart(name: string, part: unknown): void {
  if (customElements.get(name) === undefined) customElements.define(name, part as CustomElementConstructor)
}

/** Adds styles to the element's shadow root, once. */
export function adoptStyles(element: Element, ...styles: readonly CSSResult[]): void {
  const sheets = element.shadowRoot?.adoptedStyleSheets ?? []
  for (const { styleSheet } of styles)
    if (styleSheet !== undefined && !sheets.includes(styleSheet)) sheets.push(styleSheet)
}

/** A tool's name in words, where it has no title. */
export function humanizeName(name: string): string {
  const text = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
