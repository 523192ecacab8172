// Records the events of a session for `exportTrace()`. The oldest entries are dropped when the recording is full: they
// are reduced into its start session, so that start session plus entries still give the current session.
import { ToolAgentError } from '../../core/data/errors.js'
import { joinDeltas, type AgentEvent } from '../../core/data/event.js'
import type { JsonValue } from '../../core/data/json.js'
import type { CallId } from '../../core/data/message.js'
import { reduce } from '../../core/state/reduce.js'
import type { Session } from '../../core/data/session.js'
import { hostConfig } from '../client/host-config.js'
import type { Trace, TracedAgent, TraceEntry } from './trace.js'

/** The chunk that only developers load. */
const developerTools = () => import('./developer/trace-chunk.js')

/** The size of a recording. `chars` counts what the session does not hold: deltas, whole results, bodies of `debug`. */
const limits = { entries: 2_000, chars: 8_000_000 }

/** The recording of one agent. */
export class Recorder {
  readonly #isDebug: () => boolean
  #start: Session | undefined
  #entries: (TraceEntry & { readonly chars: number })[] = []
  #chars = 0
  #dropped = 0
  #watcher: Promise<(entry: TraceEntry, now: number) => void> | undefined

  /** While `isDebug` returns true, entries also go to the console and to the performance timeline. */
  constructor(isDebug: () => boolean) {
    this.#isDebug = isDebug
  }

  /** Records that a session was opened. Another session begins a new recording. */
  opened(session: Session): void {
    const entry = { at: Date.now(), session }
    if (session.id === this.#start?.id) {
      this.#add(entry, JSON.stringify(session).length)
    } else {
      this.#start = session
      this.#entries = []
      this.#chars = this.#dropped = 0
    }
    this.#show(entry)
  }

  /** Records an event. */
  saw(path: readonly CallId[], event: AgentEvent): void {
    const { body, delta, whole } = event as { body?: JsonValue; delta?: string; whole?: string }
    const entry = { at: Date.now(), path, event }
    this.#add(entry, (delta ?? whole ?? (body === undefined ? '' : JSON.stringify(event))).length)
    this.#show(entry)
  }

  /** The trace of this recording. Rejects with `not-open` if no session was opened yet. */
  async export(by: Omit<TracedAgent, 'config'>): Promise<Trace> {
    if (this.#start === undefined) throw new ToolAgentError('not-open', 'No session is open yet')
    const recording = { start: this.#start, entries: [...this.#entries], dropped: this.#dropped }
    return (await developerTools()).exportTrace(recording, { ...by, config: hostConfig(by.options) })
  }

  #add(entry: TraceEntry, chars: number): void {
    const last = this.#entries.at(-1)
    const joined =
      last?.event && entry.event && last.path.join() === entry.path.join() && joinDeltas(last.event, entry.event)
    if (joined) this.#entries[this.#entries.length - 1] = { ...last, event: joined, chars: last.chars + chars }
    else this.#entries.push({ ...entry, chars })
    this.#chars += chars
    while (this.#start && (this.#entries.length > limits.entries || this.#chars > limits.chars)) {
      const oldest = this.#entries.shift()
      if (oldest === undefined) break
      this.#start = oldest.session ?? reduce(this.#start, oldest.event, oldest.path)
      this.#chars -= oldest.chars
      this.#dropped++
    }
  }

  #show(entry: TraceEntry): void {
    if (!this.#isDebug()) return
    const now = performance.now()
    this.#watcher ??= developerTools().then(({ createTraceWatcher }) => createTraceWatcher())
    // If the chunk cannot load, only the debug output is missing, which is not worth an error.
    this.#watcher.then(
      (watch) => watch(entry, now),
      () => undefined,
    )
  }
}
