// The messages of a transcript. A call and its result are one part, so the view never has to join them. An open call is
// a call part without a result.
import type { Effect } from './effect.js'
import type { JsonObject, JsonValue } from './json.js'
import type { Failure } from './failure.js'
import type { AnsweredQuestion, FormQuestion } from './form-question.js'
import type { Preview } from './action.js'

/** Id of a call, unique in its session. From the model, or random if the model's id is missing or taken. */
export type CallId = string

/** What the provider attached, such as reasoning signatures. It is sent back unchanged. */
export type Metadata = JsonObject

/** Text of the user (plain) or of the model (Markdown). */
export interface TextPart {
  readonly type: 'text'
  /** Untrusted if the model wrote it: a view must not insert its Markdown as HTML. */
  readonly text: string
  /** Set only on text of the user: the name of the file or the start of the quote that the text contains in a fence. */
  readonly name?: string
  /** Set only on text of the model, and only if the provider attached something. */
  readonly metadata?: Metadata
}

/** A file that the user attached. */
export interface FilePart {
  readonly type: 'file'
  /** The media type, such as `image/png`. */
  readonly mediaType: string
  /** The content in base64, or a data URL. Empty if a server keeps it. */
  readonly data: string
  /** The file name. */
  readonly name?: string
  /** Set by a server that keeps the content: its id there. `sessions.file()` reads it. */
  readonly upload?: string
}

/** What the model thought before its answer or a call. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  /** What the provider shows of it; empty if it sends the reasoning encrypted, in `metadata`. */
  readonly text: string
  /** Signatures and encrypted reasoning. Some providers reject the next step without them. */
  readonly metadata?: Metadata
}

/** A call as the model made it. */
export interface ToolCall {
  /** Identifies the call in events, decisions and results. Can differ from the id in `tool-input-start`. */
  readonly id: CallId
  /** The tool's name. It is not necessarily a tool that exists. */
  readonly name: string
  /** The parsed arguments; `{}` if they could not be parsed. */
  readonly input: JsonValue
  /** The argument text. Set only if it was not one JSON object. */
  readonly raw?: string
}

/**
 * Content for the model that is more than a text. `data` is base64 or a data URL. `label`: a fenced line that must be
 * sent before the file, because the file is untrusted.
 */
export type ModelContent = readonly (
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'file'
      readonly mediaType: string
      readonly data: string
      readonly name?: string
      readonly label?: string
    }
)[]
/** The result as the model reads it: text including its fence, or content with files. */
export type ModelOutput =
  | string
  | {
      readonly type: 'content'
      /** The parts in the order in which the model reads them. Texts are cut and fenced already. */
      readonly value: ModelContent
    }

/** How a call ended: with `output` or `error`, never both. */
export type ToolResult = (
  | { readonly output: JsonValue; readonly error?: never }
  | { readonly error: Failure; readonly output?: never }
) & {
  /** What every later request contains for this call, byte for byte. Always set. */
  readonly modelOutput?: ModelOutput
  /** The result contains untrusted text or files. Older stored sessions have only the fence instead. */
  readonly untrusted?: true
  /** The server that answered ran the call in its own run: nobody was asked about it, and no page may run it. */
  readonly elsewhere?: true
  /** The untrusted source is a tool that was discovered or that a tool provider supplied. */
  readonly foreign?: true
  /** A request that has an equal or similar result of the same call before this one contains what changed. */
  readonly repeats?: true
  /** The executed input, if it differs from `call.input`: coerced, changed by a hook, or edited by the user. */
  readonly input?: JsonValue
  /** One sentence for the user about the call, from the tool's `summary`. Plain text; the model does not get it. */
  readonly summary?: string
  /** What the call has changed, from the tool's `summary`: plain text, for the user. */
  readonly change?: ValueChange
  /** The effect of an action on the page, as predicted or allowed; absent for `view` and for other calls. */
  readonly effect?: Effect
  /** Set if the text was too long. `chars`: length of the full text, which is in the results store. */
  readonly cut?: { readonly chars: number }
  /**
   * Set if the model reads another form of the output, and the output is too long for a message. Then `output` is the
   * beginning of its JSON text. Characters of the whole text, which is in the results store.
   */
  readonly outputChars?: number
  /** The tool's `returnDirect`: the result ends the turn. */
  readonly direct?: true | 'if-last'
  /** Milliseconds since the epoch; missing for a call that did not run. */
  readonly startedAt?: number
  /** Milliseconds since the epoch. */
  readonly endedAt: number
  /** How often the tool's function was called; 0 for a call that did not run. */
  readonly attempts: number
}

/** A value before and after a call, in words. One of both may be missing. */
export interface ValueChange {
  readonly before?: string
  readonly after?: string
}

/** A request for the user's approval of one call. It is valid only for exactly what it describes. */
export interface Approval {
  /** SHA-256 of the validated input, the tool's definition, the page and the preview. */
  readonly hash: string
  /** What the user reads as the name of the tool. */
  readonly title: string
  /** The input that will run: validated, with defaults and coercions applied. */
  readonly input: JsonValue
  /** What the action will do, if the tool can predict it. */
  readonly preview?: Preview
  /** What the running tool asks. The decision is the answer, and no approval: see `agent.answer`. */
  readonly asks?: FormQuestion
  /** Milliseconds since the epoch. */
  readonly at: number
}

/** The record that a call started. It is stored before the page executes the call. */
export interface Started {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** `ToolSpec.hash` of the tool. */
  readonly hash: string
  /** The executed input. */
  readonly input: JsonValue
  /** The tool is read-only or idempotent, so the call may run again after a crash. */
  readonly repeatable: boolean
  /** @internal On a server: id of the tab of the page that was asked. @default `Turn.tab` */
  readonly tab?: string
}

/** That the user undid a call. */
export interface Undone {
  /**
   * `begun`: the tool's `undo` was called, and nobody knows whether it took effect. It is not called again. `done`: the
   * call is undone. `failed`: its `undo` threw, and may be called again.
   */
  readonly state: 'begun' | 'done' | 'failed'
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Labels of the fields that stayed as they were: they were changed since, or the page did not take the value. */
  readonly kept?: readonly string[]
}

/** A call with everything that happened to it. Open while `result` is missing. */
export interface ToolCallPart {
  readonly type: 'tool-call'
  /** Never changed. What ran instead of its input is `started.input`. */
  readonly call: ToolCall
  /** What the model called instead, if the request did not offer the tool. Later requests repeat it. */
  readonly via?: Pick<ToolCall, 'name' | 'input'>
  /** The tool's title when the call was made. */
  readonly title?: string
  /** Set when the user was asked. */
  readonly approval?: Approval
  /** Set when the page received the call for execution. */
  readonly started?: Started
  /**
   * The call has run, and the page holds what it is about to send until the user decides on `approval`; or the tool
   * waits for the answer to `approval.asks`.
   */
  readonly held?: true
  /** What the tool has asked the user while it ran, and their answers. */
  readonly answers?: readonly AnsweredQuestion[]
  /** Set when the call is settled. */
  readonly result?: ToolResult
  /** Set when the user has undone the call, and removed when they took that back. */
  readonly undone?: Undone
  /** The messages of an agent that runs as this tool. `clearedTo`: see `Session.clearedTo`. */
  readonly child?: { readonly messages: readonly Message[]; readonly draft?: Draft; readonly clearedTo?: number }
  /** What the provider attached to the call. Some providers reject the next step without it. */
  readonly metadata?: Metadata
}

/** A part of a user message. */
export type UserPart = TextPart | FilePart
/** A part of an assistant message. */
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart

/** Tokens of one model call, as far as the endpoint reports them. */
export interface Usage {
  /** Tokens of the request, including those read from the provider's cache and those written to it. */
  readonly inputTokens?: number
  /** Those of `inputTokens` that were read from the provider's cache; absent if the endpoint does not report it. */
  readonly cachedInputTokens?: number
  /** Those of `inputTokens` that were written to the provider's cache; absent if the endpoint does not report it. */
  readonly cacheWriteTokens?: number
  /** Tokens of the answer, including reasoning. */
  readonly outputTokens?: number
  /** The sum of `inputTokens` and `outputTokens`. */
  readonly totalTokens?: number
}

/** Why a turn ended. */
export type Reason =
  /** The model answered. */
  | 'stop'
  /** A tool with `returnDirect` returned its result. */
  | 'direct'
  /** The page's stop condition was met. */
  | 'condition'
  /** The user or the page stopped the turn. */
  | 'stopped'
  /** The user sent another message instead of deciding on a call. */
  | 'superseded'
  /** `limits.steps` was reached. */
  | 'max-steps'
  /** `limits.toolCalls` or `callsPerTool` was reached, and the model called again. */
  | 'max-tool-calls'
  /** `limits.turn` was reached. */
  | 'max-time'
  /** The model made the same call, or the same few calls, five times in a row with the same results. */
  | 'repeated-calls'
  /** `limits.formatErrors` was exceeded. */
  | 'format-errors'
  /** The answer reached the model's output limit. */
  | 'length'
  /** The provider's content filter ended the answer. */
  | 'content-filter'
  /** The model returned no text. */
  | 'no-answer'
  /** A reload or another tab interrupted the turn. It can be continued. */
  | 'interrupted'
  /** The turn failed. The error is reported with it. */
  | 'error'

/** What the model is told about the day or the page, with a message of the user. */
export interface Fact {
  /** What it is about, such as `Page title`. A later fact replaces an earlier one of the same name. */
  readonly name: string
  /** One line. */
  readonly text: string
  /** The text is from the page, so a request fences it. */
  readonly untrusted?: true
}

/** What a request had besides the messages before it. The later requests repeat it at the same place. */
export interface RequestAddition {
  /** The text before the results of the step before: the reminder of the todo list. */
  readonly reminder?: string
  /** The facts of a turn that was continued, in a user message at the end. All of them, as in a user's message. */
  readonly facts?: readonly Fact[]
  /** A text of the SDK, in a user message at the end, such as the request to go on. */
  readonly text?: string
}

/** A message of the user. */
export interface UserMessage {
  /** Unique in the session. */
  readonly id: string
  readonly role: 'user'
  /** Texts and files in the order in which they were sent. */
  readonly parts: readonly UserPart[]
  /** What the model learns about the day and the page with it. A view does not show it. Older messages have none. */
  readonly facts?: readonly Fact[]
  /** Milliseconds since the epoch. */
  readonly at: number
  /** The user edited the message: the model does not read it any more. */
  readonly replaced?: true
}

/** One answer of the model: one step of a turn. */
export interface AssistantMessage {
  /** Unique in the session. */
  readonly id: string
  readonly role: 'assistant'
  /** In the order in which they began, calls last. Empty for a message that could not be read from the store. */
  readonly parts: readonly AssistantPart[]
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Tokens of this step alone; absent if the endpoint reported none. */
  readonly usage?: Usage
  /** The model that answered. Set only if the option `model` is a list. */
  readonly model?: string
  /** What its request had besides the messages before it, if anything. A view does not show it. */
  readonly added?: RequestAddition
  /** Set on the last message of a turn: how the turn ended. */
  readonly reason?: Reason
  /** Its turn was replaced: the model still reads its calls, but not its text. */
  readonly replaced?: true
}

/** A summary that replaces older messages in requests. The transcript keeps these messages. */
export interface SummaryMessage {
  /** Unique in the session. */
  readonly id: string
  readonly role: 'summary'
  /** Written by the model. If that failed: the summary before it and what the user wrote. */
  readonly text: string
  /** Absolute index of the first message that the summary does not replace. */
  readonly upTo: number
  /** Milliseconds since the epoch. */
  readonly at: number
  /** It was made during a turn that was replaced. The model still reads it. */
  readonly replaced?: true
}

/** A message of the transcript. */
export type Message = UserMessage | AssistantMessage | SummaryMessage

/** A part of the message that is being streamed. Metadata comes only with the complete message. */
export type DraftPart =
  | TextPart
  | ReasoningPart
  | {
      readonly type: 'tool-input'
      /** The model's id, which can differ from the later call id. */
      readonly id: string
      /** The tool name as the model wrote it. */
      readonly name: string
      /** The argument text so far: the start of JSON, if the model writes valid JSON. */
      readonly text: string
    }

/** The message that is being streamed. It is stored separately and discarded when its step ends. */
export interface Draft {
  /** The id of the later message. */
  readonly id: string
  /** The number of the step in its turn, from 1. */
  readonly step: number
  /** The parts so far, in the order in which they began. */
  readonly parts: readonly DraftPart[]
  /** The state that page and agent share, if the agent has set it. */
  readonly state?: JsonValue
}

/**
 * All calls, including those of agents. `path`: ids of the enclosing agent calls, outermost first. The calls of an
 * agent precede the call that runs the agent.
 */
export function allToolCalls(
  messages: readonly Message[],
  path: readonly CallId[] = [],
): { readonly part: ToolCallPart; readonly path: readonly CallId[] }[] {
  return messages
    .flatMap(toolCallsOf)
    .flatMap((part) => [...allToolCalls(part.child?.messages ?? [], [...path, part.call.id]), { part, path }])
}

/** The call parts of a message, in call order. Empty for other messages than the assistant's. */
export function toolCallsOf(message: Message | undefined): readonly ToolCallPart[] {
  if (message?.role !== 'assistant') return []
  return message.parts.filter((part) => part.type === 'tool-call')
}

/** The calls of a message that this page or its host settles: without those that the server of the model ran. */
export function ownToolCalls(message: Message | undefined): readonly ToolCallPart[] {
  return toolCallsOf(message).filter(({ result }) => result?.elsewhere === undefined)
}

/** The text parts of a message, joined. */
export function textOf(message: Message | undefined): string {
  if (message === undefined) return ''
  if (message.role === 'summary') return message.text
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}

/** Whether the results store has a part of a result, because it is too long for the message. */
export function isStoredBeside(result: ToolResult | undefined): boolean {
  return result?.cut !== undefined || result?.outputChars !== undefined
}

// Which calls of a session wait for the user.

/** True for a call that awaits the user's decision: it has not started, or it waits while it runs. */
export function isQuestion({ approval, started, held, result }: ToolCallPart): boolean {
  return approval !== undefined && (started === undefined || held === true) && result === undefined
}

/** A call that waits for the user. */
export interface Question {
  /** The call. */
  readonly part: ToolCallPart
  /** The agent calls around it, outermost first. */
  readonly agents: readonly ToolCallPart[]
}

/** The calls that wait for the user, in call order, including calls of agents inside calls. */
export function pendingApprovals(messages: readonly Message[], agents: readonly ToolCallPart[] = []): Question[] {
  return toolCallsOf(messages.findLast((message) => message.role === 'assistant')).flatMap((part) => {
    if (part.result !== undefined) return []
    const inner = pendingApprovals(part.child?.messages ?? [], [...agents, part])
    return isQuestion(part) ? [{ part, agents }, ...inner] : inner
  })
}
