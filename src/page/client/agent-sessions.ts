// `agent.sessions`: the stored sessions of the agent's scope, one of which is open. `lazySessions` loads it.
import { ToolAgentError } from '../../core/data/errors.js'
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import type { FilePart } from '../../core/data/message.js'
import type { RequestKind, Requests } from '../../core/data/protocol.js'
import type { SessionSummary, Session } from '../../core/data/session.js'
import type { ToolContext } from '../../core/data/tool.js'
import type { AgentState } from '../agent-state.js'
import type { HostLink } from './host-link.js'
import { noteUnsaved } from '../tab/notes.js'
import { checkName } from '../checks.js'
import { randomId } from '../random-id.js'
import { copyContext } from '../tool-context.js'

/** The sessions of one scope. Every method starts the host if necessary, and rejects with `closed` after `close()`. */
export class AgentSessions {
  readonly #link: HostLink
  readonly #state: AgentState

  /** @internal */
  constructor(link: HostLink, state: AgentState) {
    this.#link = link
    this.#state = state
  }

  /** The sessions of the scope, the one with the newest change first. */
  list(): Promise<SessionSummary[]> {
    return this.#request('sessions', {})
  }

  /**
   * Opens a new session and resolves with its id. It is stored with its first message; with a `toolContext`,
   * immediately. Rejects with `invalid-option` if the context is not JSON.
   */
  async create(options: { toolContext?: ToolContext } = {}): Promise<string> {
    const context =
      options.toolContext === undefined ? undefined : copyContext(options.toolContext, 'sessions.create: toolContext')
    const id = randomId()
    await this.#open(id, context)
    return id
  }

  /** Opens a session. A running turn of the session that is open now is stopped first. */
  async open(id: string): Promise<void> {
    checkName(id, 'sessions.open')
    return this.#open(id)
  }

  /** Changes the title of a session. Rejects with `invalid-option` for an empty title. */
  async rename(id: string, title: string): Promise<void> {
    checkName(id, 'sessions.rename')
    checkName(title, 'sessions.rename: title')
    await this.#request('rename', { id, title })
  }

  /** Deletes a session with its messages and results. If it is the open one, a new session is opened first. */
  async delete(id: string): Promise<void> {
    checkName(id, 'sessions.delete')
    await this.#link.connect()
    if (id === this.#state.session?.id) await this.create()
    await this.#request('delete', { id })
    noteUnsaved(id)
  }

  /** Opens a new session and deletes all others of the scope. */
  async clear(): Promise<void> {
    await this.create()
    const all = await this.list()
    await this.#request('clear', {})
    for (const { id } of all) noteUnsaved(id)
  }

  /**
   * A session as JSON: messages, todos, tool context and whole results, without the approvals that hold for the
   * session.
   * @param id by default that of the open session
   */
  async export(id?: string): Promise<JsonObject> {
    const given = id ?? this.#state.session?.id
    return this.#request('export', given === undefined ? {} : { id: given })
  }

  /**
   * The content of a file of a message: its `data`, or what a server keeps of it, in base64. Undefined if it is not
   * stored any more.
   * @param id of the session; by default that of the open one
   */
  async file(part: FilePart, id?: string): Promise<string | undefined> {
    const { data, upload } = part
    if (upload === undefined) return data
    return (await this.#request('file', id === undefined ? { upload } : { id, upload })) ?? undefined
  }

  /**
   * Stores an exported session as a new session of this scope, and resolves with its id. Rejects with `invalid-option`
   * if the data is damaged.
   * @param options `toolContext: true` keeps the tool context of the file. It is dropped by default, because tools
   * trust it.
   */
  async import(data: JsonValue, options: { toolContext?: boolean } = {}): Promise<string> {
    const { toolContext = false } = options
    if (typeof toolContext !== 'boolean')
      throw new ToolAgentError('invalid-option', 'sessions.import: toolContext: expected true or false')
    await this.#link.connect()
    const { data: copy } = copyContext({ data }, 'sessions.import')
    return this.#request('import', { id: randomId(), data: copy, toolContext })
  }

  /** @internal A session as it is stored, for the inspector; undefined if it is not stored. */
  async stored(id: string): Promise<Session | undefined> {
    return (await this.#request('stored', { id })) ?? undefined
  }

  async #open(id: string, toolContext?: ToolContext): Promise<void> {
    await this.#link.connect()
    await this.#link.open(id, toolContext)
  }

  async #request<K extends RequestKind>(what: K, given: Requests[K]['with']): Promise<Requests[K]['reply']> {
    await this.#link.connect()
    return this.#link.connection.request(what, given)
  }
}
