// What a trace contains.
import type { AgentEvent } from '../../core/data/event.js'
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import type { CallId } from '../../core/data/message.js'
import type { HostConfig } from '../../core/data/protocol.js'
import type { Session } from '../../core/data/session.js'
import type { ToolAnnotations } from '../../core/data/tool.js'
import type { AgentOptions } from '../options.js'
import type { AnyTool } from '../tools/tool.js'

/** A tool in a trace: what the model saw, and the options that affect how it runs. */
export interface TracedTool {
  /** The name that the model calls. */
  readonly name: string
  /** The name that the user sees. */
  readonly title: string
  /** What the model reads about the tool. */
  readonly description: string
  /** The JSON Schema of its arguments, as the model saw it. */
  readonly inputSchema: JsonObject
  /** Its hints, such as `readOnlyHint`. */
  readonly annotations: ToolAnnotations
  /** It never ran beside another exclusive tool. */
  readonly exclusive?: boolean
  /** Its result may have ended the turn. */
  readonly returnDirect?: boolean | 'if-last'
}

/** An event, or the session where it was opened again. */
export type TraceEntry =
  | {
      /** Milliseconds since the epoch, on the page's clock. */
      readonly at: number
      /** The ids of the calls whose sub-agents emitted the event, outermost first. Empty for the agent's own. */
      readonly path: readonly CallId[]
      /** Consecutive deltas of one text are joined to one event. */
      readonly event: AgentEvent
      readonly session?: never
    }
  | {
      /** Milliseconds since the epoch, on the page's clock. */
      readonly at: number
      /** Replaces the session that the entries before it lead to. */
      readonly session: Session
      readonly event?: never
      readonly path?: never
    }

/** What `exportTrace()` returns: JSON without credentials and without values of the tool context. */
export interface Trace {
  /** The version of this format. */
  readonly version: 1
  /** Milliseconds since the epoch. */
  readonly exportedAt: number
  /** Where the host runs: `worker`, `blob-worker`, `page` or `mirror`. */
  readonly host: string
  /** Where sessions are stored: `indexeddb` or `memory`. */
  readonly storage: string
  /** The configuration of the host, with the address of the endpoint but without its query. */
  readonly config: HostConfig & Required<Pick<AgentOptions, 'approval'>>
  /** The tools registered when it was exported. */
  readonly tools: readonly TracedTool[]
  /** The session as it was before the first event. */
  readonly session: Session
  /** Number of older events that were dropped. They are part of `session`. */
  readonly dropped: number
  /** What happened since, oldest first. */
  readonly events: readonly TraceEntry[]
}

/** What a trace has about its agent, beside the events. */
export interface TracedAgent extends Pick<Trace, 'host' | 'storage'> {
  /** Used for redaction: headers, endpoint and tool context. */
  readonly options: AgentOptions
  /** As it is sent to the host. Exported without the query of the endpoint. */
  readonly config: HostConfig
  /** The tools registered now. */
  readonly tools: readonly {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly inputSchema: JsonValue
    readonly annotations: JsonValue
    readonly tool: AnyTool
  }[]
}

/** What a trace is made of. The entries share their objects with the agent. */
export interface Recording {
  /** The session before the first entry. */
  readonly start: Session
  /** Oldest first. */
  readonly entries: readonly TraceEntry[]
  /** Number of older entries, which were reduced into `start`. */
  readonly dropped: number
}
