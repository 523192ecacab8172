// What a panel gets from its element, what every part of it needs to draw, and the base class of the parts.
import { LitElement, type CSSResult, type PropertyDeclarations } from 'lit'
import type { QueuedMessage, RegisteredTool, ToolRenderer, Agent } from '../../page/agent.js'
import type { UndoableTask, UndoOutcome } from '../../page/client/task-undo.js'
import type { JsonValue } from '../../core/data/json.js'
import type { FieldReview } from '../../page/tools/tool.js'
import type { CallId, UserMessage } from '../../core/data/message.js'
import type { MessageActions } from '../element/element-options.js'
import type { Words } from '../i18n/en.js'
import { adoptSheets } from '../styles/adopted-sheets.js'
import type { Failure } from '../../core/data/errors.js'
import type { AgentElement } from '../element/agent-element.js'

export type { QueuedMessage, ToolRenderer }

/** A message whose turn has not started, as a message of the session. Its id is that of its turn. */
export const toMessage = ({ turn, parts }: QueuedMessage): UserMessage => ({
  id: turn,
  role: 'user',
  parts,
  at: Date.now(),
})

/** Converts Markdown to templates. Loaded when the first text needs it. */
export interface Markdown {
  /** Draws a complete text. */
  render(text: string): unknown
  /** Returns a function that draws a growing text. Settled blocks are neither lexed nor drawn again. */
  stream(): (text: string) => unknown
  /** A complete text without Markdown syntax, for a screen reader. Loads what the text needs. */
  toPlainText(text: string): string
}

/** The newest task that can be undone, and what became of it. */
export interface ShownUndo extends UndoableTask {
  /** What the last press of its button did; undefined before one. */
  readonly outcome: UndoOutcome | undefined
}

/** Its identity changes when any member changes, so that settled messages need not be drawn again. */
export interface RenderState {
  /** The words of the panel's language. */
  readonly words: Words
  /** Undefined until it is loaded. */
  readonly markdown: Markdown | undefined
  /** The page's functions that draw the calls of its tools, by tool name. */
  readonly renderers: ReadonlyMap<string, ToolRenderer>
  /** The author of the page is looking: facts for developers are shown, too. */
  readonly isDebug: boolean
  /** What has a button Undo or Redo, and what its last press did. */
  readonly undo: ShownUndo | undefined
  /** Draws what the page shows below a message. */
  readonly messageActions: MessageActions
  /** The title of a tool, for its name. */
  titleOf(name: string): string
  /** The registered tool with this name. */
  toolOf(name: string): RegisteredTool | undefined
  /** What the fields of a call held before it, by their labels. Empty if this page does not know. */
  valuesBefore(name: string, id: CallId): ReadonlyMap<string, JsonValue>
  /** The page has saved what a call has written into its fields. */
  isSaved(name: string, id: CallId): boolean
  /** Loads what shows on the page which fields were changed; undefined without page tools. */
  review(): Promise<FieldReview | undefined>
  /** Puts one field back that a call has changed. */
  undoField(id: CallId, label: string): Promise<void>
  /** The id of the open session. */
  sessionId(): string
}

/** The render state and what changes while a turn runs. Only messages with open calls depend on the latter. */
export interface RenderContext {
  /** What does not depend on the running turn. */
  readonly renderState: RenderState
  /** A turn is running. */
  readonly active: boolean
  /** The newest progress of running calls. */
  readonly progress: ReadonlyMap<CallId, JsonValue>
  /** Whether a card is open, by call id. Kept here because a card is created again when its message is complete. */
  readonly opened: Map<CallId, boolean>
}

/** A part of the panel. Renders into itself, so that the panel is one shadow root with one set of styles. */
export class PanelPart extends LitElement {
  /** The element itself instead of a shadow root. */
  protected override createRenderRoot(): HTMLElement {
    return this
  }
}

/** Lit's declaration of properties that are not attributes. A change of one draws the part again. */
export function reactiveProperties(...names: readonly string[]): PropertyDeclarations {
  return Object.fromEntries(names.map((name) => [name, { attribute: false }]))
}

/** Registers a part. Keeps an existing definition, because another copy of the script may have registered it. */
export function definePart(name: string, part: unknown): void {
  if (customElements.get(name) === undefined) customElements.define(name, part as CustomElementConstructor)
}

/** Adds styles to the element's shadow root, if they are not there yet. */
export function adoptStyles(element: Element, ...styles: readonly CSSResult[]): void {
  if (element.shadowRoot) adoptSheets(element.shadowRoot, ...styles.map(({ cssText }) => cssText))
}

/** A title made from a tool's name: `add_to_cart` → `Add to cart`. */
export function humanizeName(name: string): string {
  const text = name
    .replaceAll(/[_-]+/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .trim()
    .toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** What the panel needs from its element. */
export interface PanelHost {
  /** The element that the panel belongs to. */
  readonly element: AgentElement
  /** The agent, or undefined if none exists yet. Drawing must not create one. */
  agent(): Agent | undefined
  /** Problems with attributes and options. */
  problems(): readonly Failure[]
  /** The page's functions that draw the calls of its tools. */
  renderers(): ReadonlyMap<string, ToolRenderer>
  /** The language of the element, such as `de`. */
  language(): string
  /** The address of the image in the header: that of the page's author, or of the page itself. Undefined: none. */
  icon(): string | undefined
  /** The user is about to write: connects the agent, and loads what the first message needs. */
  prepare(): void
  /** True when the page requests this approval with its own interface. */
  isApprovedByPage(callId: CallId): boolean
  /** Dispatches `tool-agent-error`. */
  reportError(failure: Failure): void
}
