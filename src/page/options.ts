// The options of an agent, all optional, and what `send` takes and gives. Parsing them is `parse-options.ts`.
import type { Failure, ToolAgentError } from '../core/data/errors.js'
import type { JsonValue } from '../core/data/json.js'
import type { FilePart, Message, ModelOutput, Reason, TextPart, ToolCall, Usage } from '../core/data/message.js'
import type { ModelAdapter, ModelRequest } from '../core/data/model.js'
import type { Limits, ToolChoice, ToolContext } from '../core/data/tool.js'
import type { AnyTool } from './tools/tool.js'

export type Provider = 'openai' | 'openai-responses' | 'anthropic' | 'google' | 'browser'
export type PageToolToken = 'read' | 'fill' | 'act'

export interface Hooks {
  /** May change one request, never the history. */
  beforeModel?(request: ModelRequest): ModelRequest | void | Promise<ModelRequest | void>
  /** May refuse a call (with a message for the model) or change its input, which is validated again. */
  beforeTool?(
    call: ToolCall,
    run: {
      toolContext: Readonly<ToolContext>
      sessionId: string
      /** The map of this turn's tools. */ shared: Map<string, unknown>
    },
  ): void | { refuse: string } | { input: JsonValue } | Promise<void | { refuse: string } | { input: JsonValue }>
  /** What it returns takes the place of the output, for the session and for the model. */
  afterTool?(call: ToolCall, output: JsonValue): JsonValue | void | Promise<JsonValue | void>
}

/**
 * Asked how a call failed. The text it returns is what the model reads; what it throws ends the turn and becomes the
 * `cause` of the rejection of `send`. `error.cause` is what the tool threw, whatever `exposeErrors` shows to the model;
 * undefined where no tool threw. `call.raw` is the text of arguments that are not JSON.
 */
export type ErrorHandler = (
  error: ToolAgentError,
  info: {
    call: ToolCall
    toolContext: Readonly<ToolContext>
    /** The map of this turn's tools. */ shared: Map<string, unknown>
  },
) => string | void | Promise<string | void>

export interface AgentOptions {
  /** Base URL up to and including the version, such as `/v1`; resolved against the page. https, localhost or the page's own origin. */
  endpoint?: string
  model?: string
  provider?: Provider
  instructions?: string
  sessionId?: string
  /** Set it to an id of the signed-in user; keeps people and assistants of one origin apart. */
  scope?: string
  resume?: 'auto' | 'ask' | 'never'
  approval?: 'hints' | 'always' | 'off'
  /** URL of the worker file, where it does not stand beside the script. */
  workerUrl?: string
  /** The whole authentication, asked before every model call and again once after a 401. */
  headers?:
    | Record<string, string>
    | ((reason: 'request' | 'unauthorized') => Record<string, string> | Promise<Record<string, string>>)
  credentials?: 'same-origin' | 'include'
  /** The defaults layer: for tools, never for the model, never leaves the page. */
  toolContext?: ToolContext
  limits?: Partial<Limits>
  todo?: false | { afterRounds?: number; text?: string }
  context?: { tokens?: number; keepResults?: number }
  /**
   * For a model without tool calling of its own: it writes calls as text. `open` and `close` (given together) are the
   * markers around a call, `[TOOL_CALL]` and `[/TOOL_CALL]`; `instructions` replaces what the model is told about them,
   * with `{tools}` where the list of tools stands.
   */
  textProtocol?: boolean | { open?: string; close?: string; instructions?: string }
  /** A model that runs on the page. */
  modelAdapter?: ModelAdapter
  /** Sessions that are deleted by themselves, oldest first: all but the newest `maxSessions`, and those unchanged for `maxAge` ms. */
  retention?: { maxSessions?: number; maxAge?: number }
  stream?: boolean
  debug?: boolean
  /** Prints what a tool or a hook around it threw, with its stack. True by default. */
  logErrors?: boolean
  exposeErrors?: 'message' | 'generic' | ((error: unknown, call: ToolCall) => string)
  onUnknownTool?: ErrorHandler
  onInvalidInput?: ErrorHandler
  onToolError?: ErrorHandler
  /** Asked before every step but the first; true ends the turn as `condition`. */
  stopWhen?: (turn: { steps: number; messages: readonly Message[] }) => boolean | Promise<boolean>
  hooks?: Hooks
  tools?: readonly AnyTool[]
}

export interface SendOptions {
  /** Tools for this turn; `merge` (default) adds them and lets them win by name, `replace` offers them alone. */
  tools?: readonly AnyTool[]
  toolsMode?: 'merge' | 'replace'
  /** Names to cut the offer to; an unknown one throws. */
  activeTools?: readonly string[]
  /** The send layer of the tool context. */
  toolContext?: ToolContext
  toolChoice?: ToolChoice
  /** Appended to the agent's instructions for this turn. */
  instructions?: string
  signal?: AbortSignal
  whenBusy?: 'queue' | 'interrupt'
}

export type SendInput = string | readonly (TextPart | FilePart)[]

export interface ToolExecution {
  readonly call: ToolCall
  readonly input?: JsonValue
  readonly output?: JsonValue
  readonly modelOutput?: ModelOutput
  readonly error?: Failure
  readonly attempts: number
  /** Milliseconds from first start to settled. */
  readonly ms: number
}

export interface TurnResult {
  /** The model's last text; undefined for a direct return. */
  readonly text: string | undefined
  readonly reason: Reason
  readonly error?: Failure
  readonly steps: number
  readonly toolExecutions: readonly ToolExecution[]
  /** The raw outputs of direct calls. */
  readonly outputs: readonly JsonValue[]
  readonly usage: Usage
}
