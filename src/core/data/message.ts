// What a transcript is made of. A call and its result are one part, so that nothing has to be joined at each
// render, and an open call is simply a call part without a result.
import type { JsonObject, JsonValue } from './json.js'
import type { Failure } from './failure.js'
import type { Preview } from '../turn/action-preview.js'

export type CallId = string

/** What the provider attached (reasoning signatures, ids), sent back untouched. */
export type Metadata = JsonObject

export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly metadata?: Metadata
}
/** A file the user attached; `data` is base64 or a data URL. */
export interface FilePart {
  readonly type: 'file'
  readonly mediaType: string
  readonly data: string
  readonly name?: string
}
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  readonly metadata?: Metadata
}

export interface ToolCall {
  readonly id: CallId
  readonly name: string
  /** The parsed arguments; `{}` where they could not be parsed, with the text kept in `raw`. */
  readonly input: JsonValue
  /** The argument text as it came, only where it was not one JSON object. */
  readonly raw?: string
}

/**
 * What a tool gave the model where that is more than a text. `label`: a fenced line that must be sent right before the
 * file, because the file is from an untrusted source.
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
/** The result as the model reads it: the stored text, fence and all, or content with files. */
export type ModelOutput = string | { readonly type: 'content'; readonly value: ModelContent }

/** How a call ended: `output` or `error`, never both. Times in milliseconds since the epoch. */
export type ToolResult = (
  | { readonly output: JsonValue; readonly error?: never }
  | { readonly error: Failure; readonly output?: never }
) & {
  /** What every later request says about this call, byte for byte. Always set on a settled call. */
  readonly modelOutput?: ModelOutput
  /** The result holds text or files from an untrusted source. Sessions stored before this field existed have only the fence. */
  readonly untrusted?: true
  /** The untrusted source is a tool that was discovered or that a provider brought. */
  readonly foreign?: true
  /** What ran, where it differs from `call.input` (coerced, changed by a hook, edited by the user). */
  readonly input?: JsonValue
  /** The output was too long for one result: its whole text, of this many characters, stands in the results store. */
  readonly cut?: { readonly chars: number }
  /** The tool returns to the user: always, or where it is the step's last call. */
  readonly direct?: true | 'if-last'
  readonly startedAt?: number
  readonly endedAt: number
  readonly attempts: number
}

/** A question to the user about one call, bound to exactly what would run. */
export interface Approval {
  /** SHA-256 of the validated input, the tool's definition, the page and the preview. */
  readonly hash: string
  readonly title: string
  /** The input that will run: validated, with defaults and coercions applied. */
  readonly input: JsonValue
  /** What will happen, where the tool can tell. */
  readonly preview?: Preview
  readonly at: number
}

/** A call that was handed to the page. `repeatable`: the tool was read-only or idempotent. */
export interface Started {
  readonly at: number
  readonly hash: string
  readonly input: JsonValue
  readonly repeatable: boolean
}

export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly call: ToolCall
  readonly title?: string
  readonly approval?: Approval
  readonly started?: Started
  readonly result?: ToolResult
  /** What an agent that runs as this tool has said and done. */
  readonly child?: { readonly messages: readonly Message[]; readonly draft?: Draft }
  readonly metadata?: Metadata
}

export type UserPart = TextPart | FilePart
export type AssistantPart = TextPart | ReasoningPart | ToolCallPart

export interface Usage {
  readonly inputTokens?: number
  readonly outputTokens?: number
  readonly totalTokens?: number
}

/** Why a turn ended. */
export type Reason =
  | 'stop'
  | 'direct'
  | 'condition'
  | 'stopped'
  | 'superseded'
  | 'max-steps'
  | 'max-tool-calls'
  | 'max-time'
  | 'repeated-calls'
  | 'format-errors'
  | 'length'
  | 'content-filter'
  | 'no-answer'
  | 'interrupted'
  | 'error'

export interface UserMessage {
  readonly id: string
  readonly role: 'user'
  readonly parts: readonly UserPart[]
  readonly at: number
}
export interface AssistantMessage {
  readonly id: string
  readonly role: 'assistant'
  readonly parts: readonly AssistantPart[]
  readonly at: number
  readonly usage?: Usage
  /** Set on the last message of a turn: how the turn ended. */
  readonly reason?: Reason
}
export interface SummaryMessage {
  readonly id: string
  readonly role: 'summary'
  readonly text: string
  readonly upTo: number
  readonly at: number
}
export type Message = UserMessage | AssistantMessage | SummaryMessage

export type DraftPart =
  | { readonly type: 'text'; readonly text: string; readonly metadata?: Metadata }
  | { readonly type: 'reasoning'; readonly text: string; readonly metadata?: Metadata }
  | { readonly type: 'tool-input'; readonly id: string; readonly name: string; readonly text: string }

/** The message being streamed. Checkpointed apart, thrown away when its step ends. */
export interface Draft {
  readonly id: string
  readonly step: number
  readonly parts: readonly DraftPart[]
}

/** Calls with the ids of the calls around them, outermost first; an agent's own calls stand before the agent's. */
export function allToolCalls(
  messages: readonly Message[],
  path: readonly CallId[] = [],
): { readonly part: ToolCallPart; readonly path: readonly CallId[] }[] {
  return messages
    .flatMap(toolCallsOf)
    .flatMap((part) => [...allToolCalls(part.child?.messages ?? [], [...path, part.call.id]), { part, path }])
}

/** The call parts of a message, in call order; none for what is not an assistant's. */
export function toolCallsOf(message: Message | undefined): readonly ToolCallPart[] {
  if (message?.role !== 'assistant') return []
  return message.parts.filter((part) => part.type === 'tool-call')
}

/** The text parts of a message, joined. */
export function textOf(message: Message | undefined): string {
  if (message === undefined) return ''
  if (message.role === 'summary') return message.text
  return message.parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
}
