// `agent.sessions`: the stored sessions of the agent's scope, one of which is open.
import type { JsonObject, JsonValue } from '../core/data/json.js'
import type { SessionSummary, Session } from '../core/data/session.js'
import type { ToolContext } from '../core/data/tool.js'
import type { StoredSessions } from './client/stored-sessions.js'

type UseSessions = <T>(use: (sessions: StoredSessions) => Promise<T>) => Promise<T>

/** The sessions of one scope. Every method starts the host if necessary, and rejects with `closed` after `close()`. */
export class AgentSessions {
  readonly #use: UseSessions

  /** @internal `use` calls its argument when the code for it is loaded. */
  constructor(use: UseSessions) {
    this.#use = use
  }

  /** The sessions of the scope, the one with the newest change first. */
  list(): Promise<SessionSummary[]> {
    return this.#use((sessions) => sessions.list())
  }

  /**
   * Opens a new session and resolves with its id. It is stored with its first message; with a `toolContext`,
   * immediately. Rejects with `invalid-option` if the context is not JSON.
   */
  create(options: { toolContext?: ToolContext } = {}): Promise<string> {
    return this.#use((sessions) => sessions.create(options))
  }

  /** Opens a session. A running turn of the session that is open now is stopped first. */
  open(id: string): Promise<void> {
    return this.#use((sessions) => sessions.open(id))
  }

  /** Changes the title of a session. Rejects with `invalid-option` for an empty title. */
  rename(id: string, title: string): Promise<void> {
    return this.#use((sessions) => sessions.rename(id, title))
  }

  /** Deletes a session with its messages and results. If it is the open one, a new session is opened first. */
  delete(id: string): Promise<void> {
    return this.#use((sessions) => sessions.delete(id))
  }

  /** Opens a new session and deletes all others of the scope. */
  clear(): Promise<void> {
    return this.#use((sessions) => sessions.clear())
  }

  /**
   * A session as JSON: messages, todos, tool context and whole results, without the approvals that hold for the
   * session.
   * @param id by default that of the open session
   */
  export(id?: string): Promise<JsonObject> {
    return this.#use((sessions) => sessions.export(id))
  }

  /**
   * Stores an exported session as a new session of this scope, and resolves with its id. Rejects with `invalid-option`
   * if the data is damaged.
   * @param options `toolContext: true` keeps the tool context of the file. It is dropped by default, because tools
   * trust it.
   */
  import(data: JsonValue, options: { toolContext?: boolean } = {}): Promise<string> {
    return this.#use((sessions) => sessions.import(data, options))
  }

  /** @internal A session as it is stored, for the inspector; undefined if it is not stored. */
  stored(id: string): Promise<Session | undefined> {
    return this.#use((sessions) => sessions.stored(id))
  }
}
