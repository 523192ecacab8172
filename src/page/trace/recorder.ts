// What happened since the session was opened, kept for `exportTrace()`: the session as it was before the first entry,
// and every event since. References alone; what must not leave the page is taken out when a trace is asked for. What is
// dropped at the front is reduced into that session, so what is left still leads to the session as it is now.
import { ToolAgentError } from '../../core/data/errors.js'
import { joinDeltas, type AgentEvent } from '../../core/data/event.js'
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import type { CallId } from '../../core/data/message.js'
import type { HostConfig } from '../../core/data/protocol.js'
import { reduce } from '../../core/state/reduce.js'
import type { Session } from '../../core/data/session.js'
import type { ToolAnnotations } from '../../core/data/tool.js'
import type { AgentOptions } from '../options.js'
import type { AnyTool } from '../tools/tool.js'

/** A tool as a trace tells of it: what the model was told, and how it was run. */
export interface TracedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly annotations: ToolAnnotations
  readonly exclusive?: boolean
  readonly returnDirect?: boolean | 'if-last'
}

/** An event with its path and the page's time, in milliseconds since the epoch; or the session, opened once more. */
export type TraceEntry =
  | { readonly at: number; readonly path: readonly CallId[]; readonly event: AgentEvent; readonly session?: never }
  | { readonly at: number; readonly session: Session; readonly event?: never; readonly path?: never }

/** What `exportTrace()` gives: JSON, without a credential or a value of the tool context. */
export interface Trace {
  readonly version: 1
  readonly exportedAt: number
  readonly host: string
  readonly storage: string
  readonly config: HostConfig & Required<Pick<AgentOptions, 'approval'>>
  /** The tools registered when it was exported. */
  readonly tools: readonly TracedTool[]
  /** The session as it was before the first event. */
  readonly session: Session
  /** How many older events are not here: they are part of `session`. */
  readonly dropped: number
  readonly events: readonly TraceEntry[]
}

/** What a trace tells of its agent beside what happened. */
export interface TracedAgent extends Pick<Trace, 'host' | 'storage'> {
  readonly options: AgentOptions
  readonly config: HostConfig
  readonly tools: readonly {
    readonly name: string
    readonly title: string
    readonly description: string
    readonly inputSchema: JsonValue
    readonly annotations: JsonValue
    readonly tool: AnyTool
  }[]
}

export interface Recording {
  readonly start: Session
  readonly entries: readonly TraceEntry[]
  readonly dropped: number
}

/** Entries, and characters that the session itself does not hold: deltas, whole results, bodies of `debug`. */
const most = { entries: 2_000, chars: 8_000_000 }

export class Recorder {
  readonly #isDebug: () => boolean
  #start: Session | undefined
  #entries: (TraceEntry & { readonly chars: number })[] = []
  #chars = 0
  #dropped = 0
  #watcher: Promise<(entry: TraceEntry, now: number) => void> | undefined

  /** With `debug`, what happens is also told to the console and to the performance timeline. */
  constructor(isDebug: () => boolean) {
    this.#isDebug = isDebug
  }

  opened(session: Session): void {
    const entry = { at: Date.now(), session }
    if (session.id === this.#start?.id) {
      this.#add(entry, JSON.stringify(session).length)
    } else {
      this.#start = session
      this.#entries = []
      this.#chars = this.#dropped = 0
    }
    this.#tell(entry)
  }

  saw(path: readonly CallId[], event: AgentEvent): void {
    const { body, delta, whole } = event as { body?: JsonValue; delta?: string; whole?: string }
    const entry = { at: Date.now(), path, event }
    this.#add(entry, (delta ?? whole ?? (body === undefined ? '' : JSON.stringify(event))).length)
    this.#tell(entry)
  }

  /** Rejects with `not-open` before a session was opened. */
  async export(by: TracedAgent): Promise<Trace> {
    if (this.#start === undefined) throw new ToolAgentError('not-open', 'No session is open yet')
    const recording = { start: this.#start, entries: [...this.#entries], dropped: this.#dropped }
    return (await import('./trace-chunk.js')).exportTrace(recording, by)
  }

  #add(entry: TraceEntry, chars: number): void {
    const last = this.#entries.at(-1)
    const joined =
      last?.event && entry.event && last.path.join() === entry.path.join() && joinDeltas(last.event, entry.event)
    if (joined) this.#entries[this.#entries.length - 1] = { ...last, event: joined, chars: last.chars + chars }
    else this.#entries.push({ ...entry, chars })
    this.#chars += chars
    while (this.#start && (this.#entries.length > most.entries || this.#chars > most.chars)) {
      const oldest = this.#entries.shift()
      if (oldest === undefined) break
      this.#start = oldest.session ?? reduce(this.#start, oldest.event, oldest.path)
      this.#chars -= oldest.chars
      this.#dropped++
    }
  }

  #tell(entry: TraceEntry): void {
    if (!this.#isDebug()) return
    const now = performance.now()
    this.#watcher ??= import('./trace-chunk.js').then(({ createTraceWatcher }) => createTraceWatcher())
    this.#watcher.then(
      (watch) => watch(entry, now),
      () => undefined,
    ) // What only developers see is not worth an error.
  }
}
