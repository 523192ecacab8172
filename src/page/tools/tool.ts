// A tool as page authors write it. Field names are WebMCP's, so that a tool with a plain JSON Schema can be given to
// either. Functions stay on this side of the port.
import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { previewAction, ActionForecast } from '../../core/turn/action-preview.js'
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import type { Message } from '../../core/data/message.js'
import type { AgentSpec, isDiscoveredTool, ToolAnnotations, ToolContext } from '../../core/data/tool.js'

/** What one execution of a tool is given. */
export interface ToolRun {
  /** Aborted on time-out, on stop and when the page goes away. */
  readonly signal: AbortSignal
  /** A frozen copy of the three layers: defaults, session, send; later wins. */
  readonly toolContext: Readonly<ToolContext>
  readonly sessionId: string
  readonly toolCallId: string
  readonly messages: readonly Message[]
  /** One per turn, page only, never stored. */
  readonly shared: Map<string, unknown>
  readonly approval?: { readonly reason?: string; readonly edited: boolean }
  /** Sets a key of the session's tool context once this call has succeeded; undefined deletes it. */
  remember(key: string, value: JsonValue | undefined): void
  /** Shows progress; does not extend the time-out. `fraction` from 0 to 1. */
  report(progress: { message?: string; fraction?: number }): void
}

/** A plain JSON Schema (draft 7 or 2020-12) whose root is an object. */
export type JsonSchema = JsonObject

/** zod 4, zod/mini, zod 3, any Standard Schema that can give JSON Schema, or plain JSON Schema. */
export type Schema<T = unknown> = StandardSchemaV1<unknown, T> | ZodLike<T> | JsonSchema
/** zod 3 before Standard Schema: recognised by its shape. */
export interface ZodLike<T> {
  readonly _output: T
  safeParse(value: unknown): unknown
}
/** The type that a schema's arguments have when `execute` gets them. */
export type InputOf<S> =
  S extends StandardSchemaV1<unknown, infer T>
    ? T
    : S extends { readonly _output: infer T }
      ? T
      : FromJsonSchema<S, Record<string, unknown>>

/**
 * The type that a plain JSON Schema describes, as far as `type`, `properties`, `required`, `items`, `enum` and `const`
 * say it; `Other` where they say nothing.
 */
export type FromJsonSchema<S, Other = unknown> = S extends { readonly const: infer V }
  ? V
  : S extends { readonly enum: readonly (infer V)[] }
    ? V
    : S extends { readonly properties: infer P extends object }
      ? FromProperties<P, S extends { readonly required: readonly (infer R)[] } ? R : never>
      : S extends { readonly type: infer T }
        ? FromTypeName<T extends readonly (infer One)[] ? One : T, S, Other>
        : Other
type FromTypeName<T, S, Other> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? S extends { readonly items: infer I }
            ? FromJsonSchema<I>[]
            : unknown[]
          : T extends 'object'
            ? Record<string, unknown>
            : Other
/** One without properties may still have others. */
type FromProperties<P extends object, Required> = [keyof P] extends [never]
  ? Record<string, unknown>
  : Flat<
      { -readonly [K in keyof P as K extends Required ? K : never]: FromJsonSchema<P[K]> } & {
        -readonly [K in keyof P as K extends Required ? never : K]?: FromJsonSchema<P[K]>
      }
    >
type Flat<T> = { [K in keyof T]: T[K] }

/** How the model sees a result: a text, JSON, or content with files. */
export type ModelOutputOf =
  | string
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'json'; readonly value: JsonValue }
  | { readonly type: 'content'; readonly value: readonly JsonObject[] }
  | JsonValue

export interface Tool<Input = Record<string, unknown>, Output = unknown> {
  /** `^[A-Za-z0-9_-]{1,64}$`, unique in the agent. `todo_write`, `todo_read` and `read_result` are reserved. */
  readonly name: string
  /** For people; the name in words where missing. */
  readonly title?: string
  /** For the model. Where missing: the title, else the name, with a warning during development. */
  readonly description?: string | ((page: { url: string; locale: string }) => string)
  /** None: no parameters. */
  readonly inputSchema?: Schema
  /** Checked after `execute`; a mismatch is reported, the value still used. */
  readonly outputSchema?: Schema
  readonly annotations?: ToolAnnotations
  /** Milliseconds per attempt; 15 000. 0 for none. */
  readonly timeout?: number
  /** Attempts after the first, 3; only after a time-out and only where `idempotentHint` or `readOnlyHint`. */
  readonly maxRetries?: number
  /** Runs alone: after all earlier calls of its step, before all later ones. */
  readonly exclusive?: boolean
  readonly needsApproval?: boolean | ((input: Input, run: ApprovalRun) => boolean | Promise<boolean>)
  /** The result goes to the user and ends the turn. */
  readonly returnDirect?: boolean | 'if-last'
  readonly toModelOutput?: (result: { toolCallId: string; input: Input; output: Output }) => ModelOutputOf
  /** Only its top-level properties of the tool context are passed, and validated first. */
  readonly contextSchema?: Schema
  /** None: on offer only in turns that are stepped through. */
  execute?(input: Input, run: ToolRun): Output | Promise<Output> | AsyncIterable<Output>
  /** Made by `agentTool`: an agent runs instead of `execute`. */
  readonly agent?: AgentSpec & { readonly tools: readonly AnyTool[] }
  /** Set by a provider on what it found: not the page's own word. */
  readonly [isDiscoveredTool]?: true
  /** Made by `actTools`: what a call will do, before anybody is asked. */
  readonly [previewAction]?: (input: Input, run: ApprovalRun) => ActionForecast
}

/** A tool whose functions get the arguments that its schema describes. */
export type ToolWith<S extends Schema, Output = unknown> = Omit<Tool<InputOf<S>, Output>, 'inputSchema'> & {
  readonly inputSchema: S
}

/** What `needsApproval` may look at. */
export type ApprovalRun = Pick<ToolRun, 'toolContext' | 'sessionId' | 'toolCallId' | 'messages' | 'signal'>

/** A tool whose input type is known only to its schema. */
// biome-ignore: method bivariance makes Tool<X> assignable here without `any`.
export type AnyTool = Omit<
  Tool<never, unknown>,
  'execute' | 'needsApproval' | 'toModelOutput' | typeof previewAction
> & {
  execute?(input: never, run: ToolRun): unknown
  needsApproval?: boolean | ((input: never, run: ApprovalRun) => boolean | Promise<boolean>)
  toModelOutput?: (result: { toolCallId: string; input: never; output: never }) => ModelOutputOf
  [previewAction]?: (input: never, run: ApprovalRun) => ActionForecast
}

/** Tools that depend on the moment, asked before every step. Null or an empty array for none. */
export type ToolProvider = (request: {
  readonly message: string
  readonly sessionId: string
  readonly toolContext: Readonly<ToolContext>
  readonly url: string
  readonly shared: Map<string, unknown>
}) => readonly AnyTool[] | null | Promise<readonly AnyTool[] | null>

/** The tool, with the input type taken from its schema. */
export function defineTool<const S extends Schema, Output>(
  tool: ToolWith<S, Output>,
): Tool<InputOf<S>, Output> & { readonly inputSchema: S }
export function defineTool<Output>(
  tool: Omit<Tool<Record<string, never>, Output>, 'inputSchema'>,
): Tool<Record<string, never>, Output>
export function defineTool(tool: AnyTool): AnyTool {
  return tool
}
