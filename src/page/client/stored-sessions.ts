// Carries out the methods of `agent.sessions`, which `AgentSessions` documents.
import { ToolAgentError } from '../../core/data/errors.js'
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import type { RequestKind, Requests } from '../../core/data/protocol.js'
import type { SessionSummary, Session } from '../../core/data/session.js'
import type { ToolContext } from '../../core/data/tool.js'
import type { AgentState } from '../agent-state.js'
import type { HostLink } from './host-link.js'
import { noteUnsaved } from './tab-storage.js'
import { checkName } from '../parse-options.js'
import { randomId } from '../random-id.js'
import { copyContext } from '../tool-context.js'

/** The sessions of one scope. */
export class StoredSessions {
  readonly #link: HostLink
  readonly #state: AgentState

  constructor(link: HostLink, state: AgentState) {
    this.#link = link
    this.#state = state
  }

  /** The sessions of the scope, newest change first. */
  list(): Promise<SessionSummary[]> {
    return this.#request('sessions', {})
  }

  /** Opens a session with a random id. @throws `invalid-option` if the context is not JSON */
  async create(options: { toolContext?: ToolContext } = {}): Promise<string> {
    const context =
      options.toolContext === undefined ? undefined : copyContext(options.toolContext, 'sessions.create: toolContext')
    const id = randomId()
    await this.#open(id, context)
    return id
  }

  /** Opens a session that may not exist yet. @throws `invalid-option` unless the id is a non-empty string */
  async open(id: string): Promise<void> {
    checkName(id, 'sessions.open')
    return this.#open(id)
  }

  /** Stores a title that the user entered. @throws `invalid-option` if it is empty */
  async rename(id: string, title: string): Promise<void> {
    checkName(id, 'sessions.rename')
    checkName(title, 'sessions.rename: title')
    await this.#request('rename', { id, title })
  }

  /** Deletes a session. Instead of the open one a new session is opened first, so that one is always open. */
  async delete(id: string): Promise<void> {
    checkName(id, 'sessions.delete')
    await this.#link.connect()
    if (id === this.#state.session?.id) await this.create()
    await this.#request('delete', { id })
    noteUnsaved(id)
  }

  /** Deletes all sessions of the scope but a new one. */
  async clear(): Promise<void> {
    await this.create()
    const all = await this.list()
    await this.#request('clear', {})
    for (const { id } of all) noteUnsaved(id)
  }

  /** A session as JSON. The host leaves out the approvals that hold for the session. */
  export(id = this.#state.session?.id): Promise<JsonObject> {
    return this.#request('export', id === undefined ? {} : { id })
  }

  /** Stores the data as a session with a random id. @throws `invalid-option` if it is damaged */
  async import(data: JsonValue, { toolContext = false }: { toolContext?: boolean } = {}): Promise<string> {
    if (typeof toolContext !== 'boolean')
      throw new ToolAgentError('invalid-option', 'sessions.import: toolContext: expected true or false')
    await this.#link.connect()
    const { data: copy } = copyContext({ data }, 'sessions.import')
    return this.#request('import', { id: randomId(), data: copy, toolContext })
  }

  /** The record of a session in the store; undefined if there is none. */
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
