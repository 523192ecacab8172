// What a panel needs from the element that it belongs to.
import type { Failure } from '../../core/data/errors.js'
import type { CallId } from '../../core/data/message.js'
import type { Agent } from '../../page/agent.js'
import type { AgentElement } from '../element/agent-element.js'
import type { ToolRenderer } from './render-context.js'

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
