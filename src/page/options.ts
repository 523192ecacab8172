// The options of an agent, all of them optional, and the options of one `send`. What the
// code knows about each is in option-table.ts and client/send-options.ts.
import type { DeclaredEffect, Effect } from '../core/data/effect.js'
import type { ToolAgentError } from '../core/data/errors.js'
import type { JsonValue } from '../core/data/json.js'
import type { FilePart, Message, TextPart, ToolCall } from '../core/data/message.js'
import type { ModelAdapter, ModelRequest } from '../core/data/model.js'
import type { Preview } from '../core/data/action.js'
import type { Limits, ToolChoice, ToolContext } from '../core/data/tool.js'
import type { AnyTool, Schema, Tool } from './tools/tool.js'

/**
 * The protocol of the endpoint. Any other value throws `invalid-option`.
 * - `openai`: chat completions. The endpoint is a base URL such as `https://api.openai.com/v1`.
 * - `openai-responses`: OpenAI's Responses API. The endpoint is usually `https://api.openai.com/v1`.
 * - `anthropic`: the Messages API. The endpoint is usually `https://api.anthropic.com/v1`.
 * - `google`: the Gemini API. The endpoint is usually `https://generativelanguage.googleapis.com/v1beta`.
 * - `ag-ui`: an agent on your server, by the protocol AG-UI. The endpoint is the address of the agent.
 * - `browser`: the built-in model of the browser (Prompt API). Without an endpoint.
 */
export type Provider =
  | 'openai' //
  | 'openai-responses'
  | 'anthropic'
  | 'google'
  | 'ag-ui'
  | 'browser'

/** A group of page tools: `read` reads the page, `fill` writes into forms, `act` clicks, submits and navigates. */
export type PageToolToken = 'read' | 'fill' | 'act'

/** The property `pageTools`: names of groups, separated by spaces, or a list of them. */
export type PageToolTokens =
  | ''
  | PageToolToken
  | `${PageToolToken} ${PageToolToken}`
  | `${PageToolToken} ${PageToolToken} ${PageToolToken}`
  | readonly PageToolToken[]

/** The option `pageContext`: what the page knows now, or a function that returns it. */
export type PageContext = JsonValue | (() => JsonValue | undefined | Promise<JsonValue | undefined>)

/** What hooks of tool calls receive besides the call. */
export interface ToolHookContext {
  /** The merged tool context of the call, frozen. */
  toolContext: Readonly<ToolContext>
  /** A map that all tools and hooks of the turn share. */
  shared: Map<string, unknown>
}

/** Functions that run at fixed points of a turn. What they throw ends the step or refuses the call. */
export interface Hooks {
  /**
   * Runs before each model call, with a copy of the request. May change the copy or return another request; the stored
   * messages stay as they are.
   */
  beforeModel?(request: ModelRequest): ModelRequest | void | Promise<ModelRequest | void>
  /**
   * Runs after validation and before approval. May refuse the call, with a message for the model, or replace its input,
   * which is validated again. An exception refuses the call. For a page tool that acts, `effect` and `preview` say what
   * the action will do; they are absent for every other tool.
   */
  beforeTool?(
    call: ToolCall,
    run: ToolHookContext & { sessionId: string; effect?: Effect; preview?: Preview },
  ): void | { refuse: string } | { input: JsonValue } | Promise<void | { refuse: string } | { input: JsonValue }>
  /** Runs after a tool succeeded. A returned value replaces the output, in the session and for the model. */
  afterTool?(call: ToolCall, output: JsonValue): JsonValue | void | Promise<JsonValue | void>
  /**
   * Renews the sign-in of the visitor for the server of `host`, such as with a `fetch` that sets new cookies: a browser
   * sends its cookies with a socket, and no headers. Runs when the server has closed the socket because the sign-in has
   * ended (4401), and once when it accepts none, which a browser does not explain. Then the page connects again. If it
   * throws, the turns of the page reject with `unauthorized`, as they do without this hook; but after a break that the
   * server did not explain, the page goes on trying, because the network may be down.
   */
  signIn?(): void | Promise<void>
}

/**
 * Runs when a call failed. A returned text replaces the error message that the model reads. An exception ends the turn
 * and becomes the `cause` of the rejection of `send`.
 *
 * `error.code` says what failed: `unknown-tool`, `format-error` (the arguments are not JSON; `call.raw` is their text),
 * `invalid-input` (they do not match the schema), `execution-failed`, `timeout`, `not-serializable`, or the code of a
 * `ToolAgentError` that the tool threw. `error.cause` is what the tool threw, regardless of `exposeErrors`; undefined
 * if no tool threw.
 */
export type ErrorHandler = (
  error: ToolAgentError,
  info: ToolHookContext & { call: ToolCall },
) => string | void | Promise<string | void>

/**
 * The options of an agent. A wrong value throws `invalid-option` when it is set; `@throws` says which values are wrong,
 * and what is reported later.
 */
export interface AgentOptions {
  /**
   * Base URL of a model API that speaks the protocol `provider`, up to and including the version, such as `/v1`.
   * Resolved against the page's base URL. Must be https, localhost or the page's own origin. Required unless
   * `modelAdapter` is set or `provider` is `browser`: without a model every send rejects with `no-endpoint`.
   * @default none
   * @throws unless it is such a URL, without credentials in it
   */
  endpoint?: string
  /**
   * The address of your server, such as `wss://example.com/assistant`, or `/assistant` of this origin: it keeps the
   * sessions and runs the turns, also while no page is open; the tools run in the page. Then `endpoint`, `instructions`
   * and all other options of the model and its turns belong to the server, and one that is set here is an error. Never
   * put a secret into it: addresses are logged. A page is signed in by its cookies; see `hooks.signIn`.
   * @default none; the host runs in the page
   * @throws unless it is such a URL, encrypted, of localhost or of the page's own origin, without credentials in it
   */
  host?: string
  /**
   * The model's name, sent with each request. A list is a property only, not an attribute: the first name is the model,
   * and each further one is used if those before it are missing, overloaded or too small for the request. @default ''
   * @throws unless it is a string or a list of names
   */
  model?: string | readonly string[]
  /** The protocol of `endpoint`. @default 'openai' @throws for any other value */
  provider?: Provider
  /** Added to the system text. @default '' @throws unless it is a string */
  instructions?: string
  /**
   * The session to open. One that does not exist yet begins empty. @default the session that this tab had open, or a
   * new one
   * @throws unless it is a string that is not empty
   */
  sessionId?: string
  /**
   * Sessions of different scopes are invisible to each other. Set it to the id of the signed-in user, so that users and
   * assistants of one origin stay apart. @default '' @throws unless it is a string
   */
  scope?: string
  /**
   * What happens to a turn that a reload, a navigation or a crash interrupted. `auto`: the same tab continues it by
   * itself, within 5 minutes and at most three times without a complete step; otherwise as `ask`. `ask`: open calls are
   * settled, the turn ends as `interrupted`, and `continue()` continues it. @default 'auto' @throws for any other value
   */
  resume?: 'auto' | 'ask'
  /**
   * Which calls wait for the user's approval. `hints`: those of tools with a `destructiveHint` or `consequentialHint`,
   * and actions on the page that send, delete, lead to another site, or whose effect is not known. `always`: all.
   * `off`: only actions that lead to another site. A tool's own `needsApproval` takes precedence. @default 'hints'
   * @throws for any other value; an element uses `always` instead of it
   */
  approval?: 'hints' | 'always' | 'off'
  /**
   * URL of the worker file; its folder `models/` must be beside it. If it cannot be loaded, the host runs in the page.
   * @default `worker.js` beside the script
   * @throws unless it is a string
   */
  workerUrl?: string
  /**
   * HTTP headers of each model request, or a function that returns them: this is the whole authentication. The function
   * runs before every model call, for the first one of a turn when its message is sent, and once more with
   * `unauthorized` after a 401. Never stored, logged or recorded. What it throws ends the turn.
   * @default none @throws unless it is an object or a function
   */
  headers?:
    | Record<string, string>
    | ((reason: 'request' | 'unauthorized') => Record<string, string> | Promise<Record<string, string>>)
  /** The `credentials` of `fetch` for model requests. @default 'same-origin' @throws for any other value */
  credentials?: 'same-origin' | 'include'
  /**
   * The lowest layer of the tool context: passed to tools, never sent to the model, never leaves the page. JSON only.
   * @default {} @throws unless it is an object of JSON values
   */
  toolContext?: ToolContext
  /**
   * What the page knows now and the model should, such as "The selected order is 4148": a text, another JSON value, or
   * a function that returns one, also async for up to one second. Read once for each message, and stored and exported
   * with it; the model reads it as data. At most 2,000 characters. Undefined, null and '' are nothing. If the function
   * throws, is late, or returns more, that is logged and the message is sent without it. @default none
   * @throws unless it is a function or a JSON value of at most 2,000 characters
   */
  pageContext?: PageContext
  /**
   * Limits of a turn; those that are not set keep their defaults. `Infinity` means no limit. @default see `Limits`
   * @throws for a limit that does not exist, and unless each is a number of at least 0
   */
  limits?: Partial<Limits>
  /**
   * The todo tools: `false` removes them; `afterRounds` is the number of model calls after which the model is reminded
   * of its list, `text` the reminder. @default afterRounds 3; text `<reminder>Update your todos.</reminder>`
   * @throws unless it is false or such an object
   */
  todo?: false | { afterRounds?: number; text?: string }
  /**
   * Whether a model searches for tools instead of reading all of them: a request then has the page tools, those with
   * `alwaysOffered`, `find_tools` and `use_tool`. `auto`: if there are more than 100 others, or their definitions have
   * more than 40,000 characters. Decided with the first request of a conversation, and kept for all of it.
   * @default 'auto' @throws unless it is 'auto', true or false
   */
  toolSearch?: 'auto' | boolean
  /**
   * The model's context window. `tokens` is its size: longer requests get a summary of older turns. Before that, a
   * request of more than `clearAt` tokens loses old tool results, down to half of it; the newest `keepResults` stay.
   * Both happen in batches, because providers cache what was sent before. @default tokens 100,000; clearAt the smaller
   * of 100,000 and 70 % of `tokens`, or 32,000 without `tokens`; keepResults 3
   * @throws unless `tokens` and `clearAt` are at least 1 and `keepResults` at least 0
   */
  contextWindow?: { tokens?: number; clearAt?: number; keepResults?: number }
  /**
   * For a model without tool calling: it writes calls as text. `open` and `close` (set both) are the markers around a
   * call. `instructions` replaces the text that explains calls to the model; `{tools}` in it becomes the list of tools.
   * @default false, for `provider="browser"` true; the markers are `[TOOL_CALL]` and `[/TOOL_CALL]`
   * @throws if one marker is set alone, or one begins with the other
   */
  textProtocol?: boolean | { open?: string; close?: string; instructions?: string }
  /** A model that runs in the page, instead of an endpoint. @default none @throws unless it has a method `stream` */
  modelAdapter?: ModelAdapter
  /**
   * Which sessions of the scope are deleted automatically: all but the newest `maxSessions`, and those unchanged for
   * `maxAge` milliseconds. @default none @throws unless both are numbers of at least 0
   */
  retention?: { maxSessions?: number; maxAge?: number }
  /** Whether the model's answer is streamed. @default true @throws unless it is true or false */
  stream?: boolean
  /**
   * Logs what happens to the console and to the performance timeline, and adds requests to the trace. @default false
   * @throws unless it is true or false
   */
  debug?: boolean
  /**
   * Whether exceptions of tools and of hooks around them are logged, with their stack. @default true
   * @throws unless it is true or false
   */
  logErrors?: boolean
  /**
   * What the model reads when a tool, `beforeTool` or `needsApproval` throws: the `message` of the exception, or a
   * `generic` sentence. An exception that is hidden from the model is reported as an error of the agent.
   * @default 'message' @throws for any other value
   */
  exposeErrors?: 'message' | 'generic'
  /**
   * Runs when a call failed: there is no such tool, the arguments are wrong, or the tool threw, timed out or returned
   * what is not JSON. May word the error for the model, or end the turn. Not called for calls that were refused, denied
   * or cancelled. @default none @throws unless it is a function
   */
  onToolError?: ErrorHandler
  /**
   * Runs before every model call of a turn but the first; `true` ends the turn with the reason `condition`.
   * @default none @throws unless it is a function
   */
  stopWhen?: (turn: { steps: number; messages: readonly Message[] }) => boolean | Promise<boolean>
  /**
   * What controls or addresses of the page do, where the prediction is wrong. Only these may lower the class of an
   * action; another site stays another site. @default none
   * @throws unless each entry has an `effect`, and a `selector` or a `url`
   */
  effects?: readonly DeclaredEffect[]
  /**
   * Functions that run at fixed points of a turn. @default none
   * @throws unless it is an object, and for a name that resembles `beforeTool`; other unknown names are logged
   */
  hooks?: Hooks
  /**
   * Tools that are registered when the agent is constructed; `configure` does not change them. Later ones:
   * `registerTool`. Not a property of the element. @default none
   * @throws `invalid-tool` or `duplicate-tool`
   */
  tools?: readonly AnyTool[]
}

/** The options of one turn. A wrong or unknown one rejects the send with `invalid-option`. */
export interface SendOptions {
  /**
   * Tools for this turn only, beside the registered ones. One replaces a registered tool of the same name.
   * @default none @throws `invalid-tool` or `duplicate-tool`
   */
  tools?: readonly AnyTool[]
  /**
   * The names of the tools to offer, of registered ones and of `tools`. Built-in tools are always offered.
   * @default all @throws for a name that no tool has
   */
  activeTools?: readonly string[]
  /**
   * The highest layer of the tool context, for this turn. JSON only; stored with the turn. @default {}
   * @throws unless it is an object of JSON values
   */
  toolContext?: ToolContext
  /**
   * Whether the model may, must or must not call a tool; `auto` again after the turn's first call. @default 'auto'
   * @throws for any other value
   */
  toolChoice?: ToolChoice
  /** Added to the agent's instructions for this turn. @default '' @throws unless it is a string */
  instructions?: string
  /**
   * The turn ends with an object of this schema, `result.object`, instead of a text. The root must be an object. If the
   * object does not match, the model gets the issues, as often as `limits.formatErrors` allows. The JSON Schema is
   * stored with the turn, so that a resumed turn ends with an object, too. After a reload only that schema is checked:
   * refinements and transforms of zod apply only in the page that sent the message. @default none
   * @throws for a schema that cannot be used, or whose root is not an object
   */
  output?: Schema
  /**
   * Aborting it stops the turn, or removes the message from the queue. @default none
   * @throws unless it is an `AbortSignal`
   */
  signal?: AbortSignal
  /**
   * While another turn runs: `queue` waits for its end, `interrupt` stops it. @default 'queue'
   * @throws for any other value
   */
  whenBusy?: 'queue' | 'interrupt'
}

/** A message of the user: a text, or text and file parts. Must not be empty. */
export type SendInput = string | readonly (TextPart | FilePart)[]

/** The options of `agentTool`: the fields of a tool that still apply, and the agent that runs. */
export interface AgentToolOptions extends Pick<
  Tool,
  'name' | 'title' | 'description' | 'annotations' | 'returnDirect' | 'toModelOutput' | 'outputSchema'
> {
  /** System instructions of this agent. They replace the instructions of the calling agent. */
  readonly instructions: string
  /** The only tools it may use. An agent tool in this list must not have agent tools of its own. Default: none. */
  readonly tools?: readonly AnyTool[]
  /** Model name. Default: the model of the calling agent. */
  readonly model?: string
  /** `model` (default): the calling model writes the task. `user-message`: the agent receives the user's message. */
  readonly input?: 'model' | 'user-message'
  /** `text`: the agent also receives earlier texts of user and assistant. `none` (default): only the task. */
  readonly history?: 'none' | 'text'
  /** Limits of this agent, not shared with the caller. Default: 10 steps. `turn` is its total time in milliseconds. */
  readonly limits?: Partial<Limits>
  /** True: the user is asked before the agent starts. Default: false. */
  readonly needsApproval?: boolean
}
