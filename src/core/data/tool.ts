// What the host knows of a tool: a definition made of JSON. The functions stay on the page.
import type { JsonObject } from './json.js'
import type { ReminderRule } from '../prompt/reminder.js'

/** The layers of facts that a page gives its tools. Never in a request. */
export type ToolContext = JsonObject

/**
 * The names are exact, so that a misspelt one in an object literal does not compile. It is a type alias, because an
 * interface would not count as JSON.
 */
export type ToolAnnotations = {
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly untrustedContentHint?: boolean
  readonly consequentialHint?: boolean
  /** Known from MCP and WebMCP; without effect here. */
  readonly title?: string
  readonly openWorldHint?: boolean
}

/** One tool on offer in one step, as the page answers `prepare`. */
export interface ToolSpec {
  readonly name: string
  readonly title?: string
  readonly description: string
  /** JSON Schema of the arguments; the root is an object. */
  readonly inputSchema: JsonObject
  readonly annotations: ToolAnnotations
  readonly exclusive: boolean
  /** Milliseconds per attempt; 0 for none. */
  readonly timeout: number
  /** Attempts after the first; 0 for a tool that is neither read-only nor idempotent. */
  readonly maxRetries: number
  readonly returnDirect: boolean | 'if-last'
  /** Set on an agent that runs as a tool: the host runs it. */
  readonly agent?: AgentSpec
  /** SHA-256 of name, title, description, schema, annotations and agent: a call runs only what was offered. */
  readonly hash: string
}

/** What the host needs of an agent that runs as a tool; the agent's own tools stay on the page. */
export interface AgentSpec {
  readonly instructions: string
  /** The outer agent's where missing. */
  readonly model?: string
  /** Its user message: what the calling model wrote, or the user's words as they are. */
  readonly input: 'model' | 'user-message'
  /** What it sees of the session before it. */
  readonly history: 'none' | 'text'
  readonly limits: Partial<Limits>
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly type: 'tool'; readonly toolName: string }

/**
 * Marks a tool that its provider found and nobody of this page registered: its hints are claims, its first use in a
 * session asks, and its results are outside text. A symbol, so that no tool of a page has it by accident.
 */
export const isDiscoveredTool: unique symbol = Symbol.for('tool-agent.discovered')

/** Names that the host answers itself. */
export const builtinToolNames: ReadonlySet<string> = new Set(['todo_write', 'todo_read', 'read_result'])

/** Ceilings of a turn. Times in milliseconds. */
export interface Limits {
  readonly steps: number
  readonly toolCalls: number
  readonly callsPerTool: number
  readonly callsPerStep: number
  readonly concurrency: number
  readonly formatErrors: number
  readonly resultChars: number
  readonly argumentBytes: number
  readonly responseBytes: number
  readonly firstPart: number
  readonly betweenParts: number
  readonly turn: number
  readonly modelRetries: number
  readonly resumeWait: number
}

export const defaultLimits: Limits = {
  steps: 20,
  toolCalls: 150,
  callsPerTool: 40,
  callsPerStep: 16,
  concurrency: 5,
  formatErrors: 3,
  resultChars: 50_000,
  argumentBytes: 262_144,
  responseBytes: 4_194_304,
  firstPart: 60_000,
  betweenParts: 60_000,
  turn: 600_000,
  modelRetries: 2,
  resumeWait: 5_000,
}

/** Here, not in reminder.ts, so that a page loads the default without the code that only the host runs. */
export const defaultReminder: ReminderRule = { afterRounds: 3, text: '<reminder>Update your todos.</reminder>' }

/** Read-only or idempotent: it may run twice, so it is tried again after a time-out and run again after a crash. An agent never. */
export function isRepeatable({ annotations, agent }: Pick<ToolSpec, 'annotations' | 'agent'>): boolean {
  return agent === undefined && (annotations.readOnlyHint === true || annotations.idempotentHint === true)
}

/** Milliseconds between two attempts; the host's patience with the page counts with it. */
export const retryPause = 500
