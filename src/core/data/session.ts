// A session, as host and page hold it. The same value is the host's state, the page's replica and the stored record.
import type { JsonObject, JsonValue } from './json.js'
import type { TaskGrant } from './effect.js'
import type { Failure } from './failure.js'
import {
  ownToolCalls,
  toolCallsOf,
  type CallId,
  type Draft,
  type Message,
  type Reason,
  type SummaryMessage,
  type ToolCallPart,
  type Usage,
  type UserPart,
} from './message.js'
import type { Todo } from './todo.js'
import type { ToolChoice, ToolContext } from './tool.js'

/** The user allowed a tool for the session. Valid until the tool's definition changes. */
export interface Grant {
  /** The tool's name. */
  readonly tool: string
  /** `ToolSpec.hash` of the allowed definition. */
  readonly hash: string
}

/** What the page reports about itself when a turn starts. Fixed for the turn. */
export interface PageFacts {
  /** The page's address, as the model may read it. */
  readonly url: string
  /** `document.title`. Untrusted text. */
  readonly title: string
  /** The language of the document. Used only if it is a valid language tag. */
  readonly lang: string
  /** IANA name, such as `Europe/Berlin`. */
  readonly timeZone: string
  /** Minutes that the local time is ahead of UTC. @default 0, in turns that an older version stored */
  readonly utcOffset?: number
  /** The labels of the page's forms and fields, if the page lets them be filled. Untrusted text. */
  readonly forms?: string | undefined
  /** What the page says about itself now, the option `pageContext`: a text, or JSON as text. Untrusted text. */
  readonly context?: string | undefined
}

/** The `send` options that are JSON. They are stored, because they must survive a reload. */
export interface TurnOptions {
  /** Values for the tools of this turn. They override those of the session. */
  readonly toolContext?: ToolContext
  /** Which tools the model may call. @default 'auto' */
  readonly toolChoice?: ToolChoice
  /** The names of the tools to offer, of registered ones and of those of the `send`. @default all */
  readonly activeTools?: readonly string[]
  /** Instructions for this turn. They follow those of the agent. */
  readonly instructions?: string
  /** JSON Schema of the object with which the turn ends, instead of a text. */
  readonly output?: JsonObject
}

/** The record of a turn that has not ended. */
export interface Turn {
  /** Random, from the page: the `turn` of its `send` or `continue`. It stays the same when the turn resumes. */
  readonly id: string
  /** @internal Id of the tab that started or resumed the turn. */
  readonly tab: string
  /** The page's address at the start. */
  readonly url: string
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  /** Absolute index of the first message of the turn: its user message. */
  readonly first: number
  /** @internal How often the turn was resumed since its last `step-end`. */
  readonly resumes: number
  /** Time of the turn's last durable event, in milliseconds since the epoch. */
  readonly lastAt: number
  /** @internal Milliseconds that the turn has run until its last step, without waiting for the user. */
  readonly spent: number
  /** `manual`: a stepped turn, whose caller decides on each call. */
  readonly mode: 'auto' | 'manual'
  /** The options of `send` that are JSON; for a continued turn, those in `TurnEnd.options`. */
  readonly options: TurnOptions
  /** What the page reported at the start. Not updated when the turn resumes on another page. */
  readonly facts: PageFacts
  /** @internal Names of the tools of the newest request. */
  readonly offered: readonly string[]
  /** @internal The calls of the newest step only read, so one without `started` may have run. */
  readonly reads?: true
  /** @internal The tool choice of the newest request, if a hook changed it. */
  readonly toolChoice?: ToolChoice
  /**
   * @internal Absolute index from which steps, calls and format errors count, so that `continue()` starts from zero.
   */
  readonly counted: number
  /** What the user allowed until this turn ends. Empty or absent: nothing. */
  readonly taskGrants?: readonly TaskGrant[]
}

export type { Draft, DraftPart } from './message.js'

/** What the session is doing. `interrupted`: its newest turn can be continued. */
export type SessionStatus = 'idle' | 'running' | 'awaiting-approval' | 'interrupted'

/** A message that waits for the turns before it. */
export interface WaitingMessage {
  /** The id that its turn will have. */
  readonly turn: string
  /** The id that the message will have. */
  readonly messageId: string
  /** What the user sent. */
  readonly input: readonly UserPart[]
  /** The options of its turn. */
  readonly options: TurnOptions & { readonly facts: PageFacts }
}

/** Characters of the shared state as JSON. */
export const longestState = 262_144

/** How the newest turn ended. */
export interface TurnEnd {
  /** Id of the turn. */
  readonly turn: string
  /** Why it ended. `stop` and `direct` cannot be continued. */
  readonly reason: Reason
  /** Set for the reason `error`. */
  readonly error?: Failure
  /** Milliseconds since the epoch. */
  readonly at: number
  /** It was a stepped turn, so it cannot be continued. */
  readonly manual?: true
  /** The options that `continue()` uses again. */
  readonly options?: TurnOptions
}

/**
 * A conversation and everything that belongs to it. Fields for the host alone are marked as internal: the types of the
 * package do not have them.
 */
export interface Session {
  /** Unique in a store. Random, or the option `sessionId`, with a suffix if another scope uses that id. */
  readonly id: string
  /** Separates the users and assistants of one origin. */
  readonly scope: string
  /** From the first message, or what the user entered. */
  readonly title?: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Time of the last durable event, in milliseconds since the epoch. */
  readonly updatedAt: number
  /** @internal Each host that claims the session increases it. A store rejects writes with an older epoch. */
  readonly epoch: number
  /** Absolute index of `messages[0]`: the number of older messages that are not loaded. */
  readonly start: number
  /** What the newest turn is doing. `idle` without one. */
  readonly status: SessionStatus
  /** The newest messages, oldest first. */
  readonly messages: readonly Message[]
  /** The message that is being streamed. */
  readonly draft?: Draft
  /** The list of the newest `todo_write`; empty if there is none. A new turn keeps it. */
  readonly todos: readonly Todo[]
  /** The tool context of the session. */
  readonly context: ToolContext
  /** The tools that the user allowed for the session. */
  readonly grants: readonly Grant[]
  /** The turn that has not ended. */
  readonly turn?: Turn
  /** How the newest turn ended. Missing while a turn runs. */
  readonly end?: TurnEnd
  /** @internal Messages whose turns have not started, oldest first, on a server. @default none */
  readonly waiting?: readonly WaitingMessage[]
  /** The newest summary. It may be older than the loaded messages. */
  readonly note?: SummaryMessage
  /**
   * Tokens of all model calls, as far as the endpoint reported them. Those of replaced answers, of agents that ran as
   * tools and of summaries count, too. Absent if none was reported.
   */
  readonly usage?: Usage
  /** The state that the page shares with an agent on a server. Absent until one of them has set it. */
  readonly state?: JsonValue
  /** @internal Its first request had `find_tools`, so all later ones have it, too. @default it has none */
  readonly toolSearch?: true
  /** @internal Absolute index of the first message whose results requests still have. @default 0 */
  readonly clearedTo?: number
  /**
   * @internal How many of its messages were imported from a file. Nothing that they claim can be undone, and all of it
   * is untrusted text.
   */
  readonly imported?: number
  /** @internal Tokens of the shortest request that the endpoint rejected as too long, as estimated. */
  readonly rejected?: number
  /**
   * @internal The tokens that the endpoint reported for the newest request, and the characters of that request.
   * `isCut`: it reported the same number for a longer request.
   */
  readonly measured?: { readonly tokens: number; readonly chars: number; readonly isCut?: true }
}

/** Where sessions are stored: in the browser, on the author's server, or nowhere, so that a reload loses them. */
export type StorageKind = 'indexeddb' | 'server' | 'memory'

/** An entry of the session list. */
export interface SessionSummary {
  /** `Session.id`, to open the session with. */
  readonly id: string
  /** The scope of the agent that listed it. */
  readonly scope: string
  /** Absent until the first message with text, or until the user enters a title. */
  readonly title?: string
  /** Milliseconds since the epoch. */
  readonly createdAt: number
  /** Time of the last durable event, in milliseconds since the epoch. The list is sorted by it, newest first. */
  readonly updatedAt: number
  /** The number of all its messages, summaries included; 0 if the stored number is damaged. */
  readonly messages: number
}

/** A session without messages. `at`: milliseconds since the epoch. */
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

/** The calls of the newest message that a server has not run itself. Only these can be open. */
export function latestToolCalls(session: Session): readonly ToolCallPart[] {
  return ownToolCalls(session.messages.at(-1))
}

/** The tool context of the session, overridden by that of the turn. The page adds its defaults for missing keys. */
export function turnContext(session: Session): JsonObject {
  return { ...session.context, ...session.turn?.options.toolContext }
}

/** The newest summary: it replaces the messages before those of a request. */
export function latestSummary({ messages, note }: Pick<Session, 'messages' | 'note'>): SummaryMessage | undefined {
  return messages.findLast((message) => message.role === 'summary') ?? note
}

/** Ids of the calls without a result, in call order. Calls of agents are not included. */
export function openToolCalls(session: Session): CallId[] {
  return session.messages.flatMap((message) =>
    toolCallsOf(message).flatMap((part) => (part.result === undefined ? [part.call.id] : [])),
  )
}

/** Changes of the session's tool context, oldest first. An entry without a value deletes its key. */
export type ContextChange = readonly { readonly key: string; readonly value?: JsonValue }[]
