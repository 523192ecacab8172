// What the host knows about a tool: its definition as JSON. The functions stay on the page.
import type { JsonObject } from './json.js'
import type { ReminderRule } from './todo.js'

/** Values that the page passes to its tools. They are never part of a model request. */
export type ToolContext = JsonObject

/**
 * What a tool declares about its effects, with the names of MCP. The names are exact, so a misspelled one does not
 * compile. A type alias, because an interface is not assignable to `JsonObject`.
 */
export type ToolAnnotations = {
  /** The tool changes nothing, so it may run twice. @default false */
  readonly readOnlyHint?: boolean
  /**
   * The tool can delete or overwrite data. It needs approval by default. MCP's default is true; here a question needs a
   * hint, also for the tools of a server, because visitors do not read a question about every call. @default false
   */
  readonly destructiveHint?: boolean
  /** A second run with the same arguments has no further effect, so the tool may run twice. @default false */
  readonly idempotentHint?: boolean
  /** The result contains text from outside the page's control. It is fenced. @default false */
  readonly untrustedContentHint?: boolean
  /** The tool has consequences for the user, such as a payment. It needs approval by default. @default false */
  readonly consequentialHint?: boolean
  /** From MCP and WebMCP. Has no effect here. */
  readonly title?: string
  /** From MCP and WebMCP. Has no effect here. */
  readonly openWorldHint?: boolean
}

/** One tool that a request offers, as the page returns it for `prepare`. */
export interface ToolSpec {
  /** Unique in a request. */
  readonly name: string
  /** What the user reads instead of the name. */
  readonly title?: string
  /** What the model reads. */
  readonly description: string
  /** JSON Schema of the arguments; the root is an object. */
  readonly inputSchema: JsonObject
  /** What the tool declares about its effects; empty if it declares nothing. */
  readonly annotations: ToolAnnotations
  /** The tool must not run in parallel with another exclusive tool of the turn. */
  readonly exclusive: boolean
  /** Milliseconds per attempt; 0 for no limit. */
  readonly timeout: number
  /** Attempts after the first; 0 for a tool that is neither read-only nor idempotent. */
  readonly maxRetries: number
  /** The result ends the turn without another model call: always, or only as the last call of its step. */
  readonly returnDirect: boolean | 'if-last'
  /** Set for an agent that runs as a tool. The host runs it. */
  readonly agent?: AgentSpec
  /** SHA-256 of name, title, description, schema, annotations and agent. A call runs only if it has not changed. */
  readonly hash: string
}

/** What the host needs to run an agent as a tool. The agent's own tools stay on the page. */
export interface AgentSpec {
  /** The agent's part of the system text. */
  readonly instructions: string
  /** @default the model of the enclosing agent */
  readonly model?: string
  /** Its user message: the task that the calling model wrote, or the newest user message unchanged. */
  readonly input: 'model' | 'user-message'
  /** What it sees of the session: nothing, or the texts without calls. */
  readonly history: 'none' | 'text'
  /** Limits of its own. The others are those of the session, except `steps`, which is 10. */
  readonly limits: Partial<Limits>
}

/**
 * Which tools the model may call: `auto` any or none, `none` no tool, `required` at least one, or one certain tool. A
 * forced choice applies until the first call of the turn.
 */
export type ToolChoice =
  | 'auto'
  | 'none'
  | 'required'
  | {
      readonly type: 'tool'
      /** The name of an offered tool. */
      readonly toolName: string
    }

/**
 * Key of `ToolInternals`: what a tool says that no author can write. A registered symbol, so that no tool has it by
 * accident, and all bundles in a page share it.
 */
export const internals: unique symbol = Symbol.for('tool-agent.internals')

/** Names of the tools of the agent itself. They are reserved. */
export const builtinToolNames: ReadonlySet<string> = new Set([
  'todo_write',
  'todo_read',
  'read_result',
  'final_result',
  'find_tools',
  'use_tool',
])

/** Upper limits of a turn. */
export interface Limits {
  /** Model calls per turn. Then the turn ends as `max-steps`. @default 20, inside an agent's call 10 */
  readonly steps: number
  /**
   * Calls per turn. The next one fails with `limit`, and the model can answer. If it calls again, the turn ends as
   * `max-tool-calls`. @default 150
   */
  readonly toolCalls: number
  /** Calls of one tool per turn. The next one fails with `limit`, as with `toolCalls`. @default 150 */
  readonly callsPerTool: number
  /** Calls per step. Further ones fail with `limit`, and the model is told to call again. @default 16 */
  readonly callsPerStep: number
  /** Calls of one step that run at the same time. Others wait for a slot. @default 5 */
  readonly concurrency: number
  /** Steps in a row with unparsable arguments. One more ends the turn as `format-errors`. @default 3 */
  readonly formatErrors: number
  /**
   * Characters of a result that the model reads. A longer one is cut; `read_result` returns the rest. @default 50000
   */
  readonly resultChars: number
  /** Bytes of the arguments of one call, as JSON. A larger call fails with `invalid-input`. @default 262144 */
  readonly argumentBytes: number
  /** Bytes of one answer of the endpoint. A larger one fails with `bad-response`. @default 4194304 */
  readonly responseBytes: number
  /**
   * Milliseconds of silence before the first part of an answer. Then the call fails with `model-timeout`. Whatever the
   * model sends ends the silence, also a comment or a ping; `turn` limits how long that goes on. @default 60000
   */
  readonly firstPart: number
  /** Milliseconds of silence after the first part, as for `firstPart`. @default 60000 */
  readonly betweenParts: number
  /** Milliseconds of a turn, without waiting for the user. Then it ends as `max-time`. @default 600000 */
  readonly turn: number
  /** Retries of a model call that failed before its first part. @default 2 */
  readonly modelRetries: number
  /** Milliseconds that a resumed turn waits for its tools to be registered again. @default 5000 */
  readonly resumeWait: number
}

/** The limits that apply unless the `limits` option changes them. */
export const defaultLimits: Limits = {
  steps: 20,
  toolCalls: 150,
  callsPerTool: 150,
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

/** The default reminder. Defined here, because a page must not load the code of todos, which only the host runs. */
export const defaultReminder: ReminderRule = { afterRounds: 3, text: '<reminder>Update your todos.</reminder>' }

/**
 * True for a read-only or idempotent tool. It may run twice: it is retried after a timeout, and runs again after a
 * crash. An agent never runs twice.
 */
export function isRepeatable({ annotations, agent }: Pick<ToolSpec, 'annotations' | 'agent'>): boolean {
  return agent === undefined && (annotations.readOnlyHint === true || annotations.idempotentHint === true)
}

/** Milliseconds between two attempts of a tool. The host adds it to the time that it waits for the page. */
export const retryPause = 500
