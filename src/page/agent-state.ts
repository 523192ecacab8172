// What views show of an agent: its session, errors and progress, and who observes them. It exists before the agent is
// connected; client/session-replica.ts changes it afterwards.
import { toFailure, ToolAgentError, type Failure } from '../core/data/errors.js'
import type { AgentEvent } from '../core/data/event.js'
import type { JsonValue } from '../core/data/json.js'
import type { CallId } from '../core/data/message.js'
import type { QuestionTool } from '../core/data/protocol.js'
import type { Session, StorageKind } from '../core/data/session.js'
import * as log from './log.js'

/** What an observer of an agent receives: every event of the session, and the changes that have no event. */
export type Notice =
  /** An event was reduced into the session. */
  | {
      readonly type: 'event'
      /** The ids of the calls whose sub-agents emitted it, outermost first. Empty for the agent's own. */
      readonly path: readonly CallId[]
      /** Durable or transient. The session already includes it. */
      readonly event: AgentEvent
    }
  /** The session was replaced: opened, created or switched. */
  | { readonly type: 'session' }
  /** Status, host, role, storage, tools, queue, progress or error changed. */
  | { readonly type: 'change' }
  /** An error for the user or the programmer that belongs to no call and no awaited promise. */
  | {
      readonly type: 'error'
      /** Its message is for people. Not stored. */
      readonly error: Failure
    }

/** The state of one agent, and its observers. */
export class AgentState {
  /** Undefined until a session is open. Immutable: every change replaces it. */
  session: Session | undefined
  /** Whether this page runs the turns; false if it mirrors another tab. */
  isDriver = true
  /** Where the host stores the session; undefined until one is open. */
  storage: StorageKind | undefined
  /** The newest error that belongs to no turn; null if there is none or it was dismissed. */
  error: Failure | null = null
  /** Mistakes of components in options and tools. Each stays until it is corrected. Immutable. */
  problems: readonly Failure[] = []
  /** See `Agent.progress`. Immutable: every change replaces it. */
  progress: ReadonlyMap<CallId, JsonValue> = new Map()
  /** What questions show about tools that run beside the host, by the hash of the question. */
  readonly questions = new Map<string, QuestionTool>()
  /** One of them is of the agent itself. */
  readonly observers = new Set<(notice: Notice) => void>()

  /** The open session. @throws `not-open` */
  opened(): Session {
    if (this.session === undefined) throw new ToolAgentError('not-open', 'No session is open yet')
    return this.session
  }

  /** Sets the progress of a call, or removes it if the value is undefined. The caller notifies the observers. */
  setProgress(callId: CallId, value: JsonValue | undefined): void {
    if (value === undefined && !this.progress.has(callId)) return
    const others = [...this.progress].filter(([id]) => id !== callId)
    this.progress = new Map(value === undefined ? others : [...others, [callId, value]])
  }

  /** Shows an error to the observers, and logs it unless it was logged already. */
  report(error: Failure, isLogged = false): void {
    this.error = error
    if (!isLogged) log.logError(error)
    this.notify({ type: 'error', error })
  }

  /** Shows a problem, which was logged. Returns the function that removes it. */
  addProblem(problem: Failure): () => void {
    this.problems = [...this.problems, problem]
    this.report(problem, true)
    return () => {
      this.problems = this.problems.filter((one) => one !== problem)
      if (this.error === problem) this.error = null
      this.notify({ type: 'change' })
    }
  }

  /** Sets the error to null. */
  dismissError(): void {
    this.error = null
    this.notify({ type: 'change' })
  }

  /** Calls the listener with every notice. Returns a function that unsubscribes. */
  observe(listener: (notice: Notice) => void): () => void {
    this.observers.add(listener)
    return () => this.observers.delete(listener)
  }

  /** Calls the observers. An exception of one is logged and does not reach the others. */
  notify(notice: Notice): void {
    for (const observer of this.observers) {
      try {
        observer(notice)
      } catch (thrown) {
        log.logError(toFailure(thrown, 'execution-failed')) // An exception of an observer must not stop the agent.
      }
    }
  }
}
