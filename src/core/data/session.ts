// A session as both sides hold it, and nothing that is not in it: the same value is snapshot, replica and record.
import type { JsonObject, JsonValue } from './json.js'
import type { Failure } from './failure.js'
import {
  toolCallsOf,
  type CallId,
  type Draft,
  type Message,
  type Reason,
  type SummaryMessage,
  type ToolCallPart,
} from './message.js'
import type { Todo } from './todo.js'
import type { ToolChoice, ToolContext } from './tool.js'

/** "Always allow" for one tool, until its definition changes. */
export interface Grant {
  readonly tool: string
  readonly hash: string
}

/** What the page says about itself when a turn starts; fixed for the turn. */
export interface PageFacts {
  readonly url: string
  readonly title: string
  readonly lang: string
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string
}

/** The part of `send` options that is JSON and must outlive a reload. */
export interface TurnOptions {
  readonly toolContext?: ToolContext
  readonly toolChoice?: ToolChoice
  readonly activeTools?: readonly string[]
  readonly instructions?: string
  /** `replace`: the registered tools are not on offer, also after a reload that lost the send's own. */
  readonly toolsMode?: 'merge' | 'replace'
}

/** The record of a turn that has not ended. */
export interface Turn {
  readonly id: string
  readonly tab: string
  readonly url: string
  readonly startedAt: number
  /** Absolute index of the first message of the turn: its user message. */
  readonly first: number
  /** How often it was resumed since its last `step-end`. */
  readonly resumes: number
  /** Time of the last durable event of the turn. */
  readonly lastAt: number
  /** Milliseconds spent on earlier hosts, without waiting for approval. */
  readonly spent: number
  /** `manual`: the caller steps through it and decides on each call. */
  readonly mode: 'auto' | 'manual'
  readonly options: TurnOptions
  readonly facts: PageFacts
  /** Names of the tools that the newest request held. */
  readonly offered: readonly string[]
  /** The tool choice of the newest request, where a hook changed it. */
  readonly toolChoice?: ToolChoice
  /** Steps, calls and format errors are counted from here, so that `continue()` starts from zero. */
  readonly counted: number
}

export type { Draft, DraftPart } from './message.js'

export type SessionStatus = 'idle' | 'running' | 'awaiting-approval' | 'interrupted'

/** How the newest turn ended. */
export interface TurnEnd {
  readonly turn: string
  readonly reason: Reason
  readonly error?: Failure
  readonly at: number
  /** It was stepped through, so it cannot be continued. */
  readonly manual?: true
  /** What `continue()` goes on with. */
  readonly options?: TurnOptions
}

export interface Session {
  readonly id: string
  /** Keeps the people and assistants of one origin apart. */
  readonly scope: string
  readonly title?: string
  readonly createdAt: number
  readonly updatedAt: number
  /** Raised by every host that claims the session; a store refuses writes of an older one. */
  readonly epoch: number
  /** Absolute index of `messages[0]`. */
  readonly start: number
  readonly status: SessionStatus
  readonly messages: readonly Message[]
  readonly draft?: Draft
  readonly todos: readonly Todo[]
  /** The session layer of the tool context. */
  readonly context: ToolContext
  readonly grants: readonly Grant[]
  readonly turn?: Turn
  readonly end?: TurnEnd
  /** The newest note on older turns, which may stand before the messages at hand. */
  readonly note?: SummaryMessage
  /** The tokens that the endpoint reported for the newest request, and its characters. `isCut`: the same tokens as before for a longer request. */
  readonly measured?: { readonly tokens: number; readonly chars: number; readonly isCut?: true }
}

/** A line of the session list. Times in milliseconds since the epoch. */
export interface SessionSummary {
  readonly id: string
  readonly scope: string
  readonly title?: string
  readonly createdAt: number
  readonly updatedAt: number
  readonly messages: number
}

export function emptySession(id: string, scope: string, at: number, context: ToolContext = {}): Session {
  return {
    id,
    scope,
    createdAt: at,
    updatedAt: at,
    epoch: 0,
    start: 0,
    status: 'idle',
    messages: [],
    todos: [],
    context,
    grants: [],
  }
}

/** The calls of the newest message: the only ones that may be open. */
export function latestToolCalls(session: Session): readonly ToolCallPart[] {
  return toolCallsOf(session.messages.at(-1))
}

/** The context that a tool gets, before the page puts its defaults beneath: session layer, then the turn's own. */
export function turnContext(session: Session): JsonObject {
  return { ...session.context, ...session.turn?.options.toolContext }
}

/** The note that stands for what came before the messages of a request. */
export function latestSummary({ messages, note }: Pick<Session, 'messages' | 'note'>): SummaryMessage | undefined {
  return messages.findLast((message) => message.role === 'summary') ?? note
}

/** Ids of calls without a result, in call order. Only the newest message can have any. */
export function openToolCalls(session: Session): CallId[] {
  return session.messages.flatMap((message) =>
    toolCallsOf(message).flatMap((part) => (part.result === undefined ? [part.call.id] : [])),
  )
}

/** Keys set or, without a value, deleted in the session layer, oldest first. */
export type ContextChange = readonly { readonly key: string; readonly value?: JsonValue }[]
