// Carries out the methods of `agent.sessions`, which `AgentSessions` documents.
import { ToolAgentError } from '../../core/data/errors.js'
import type { JsonObject, JsonValue } from '../../core/data/json.js'
import type { RequestKind } from '../../core/data/protocol.js'
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

  /** See `AgentSessions.list`. */
  async list(): Promise<SessionSummary[]> {
    return (await this.#request('sessions')) as SessionSummary[]
  }

  /** See `AgentSessions.create`. */
  async create(options: { toolContext?: ToolContext } = {}): Promise<string> {
    const context =
      options.toolContext === undefined ? undefined : copyContext(options.toolContext, 'sessions.create: toolContext')
    const id = randomId()
    await this.#open(id, context)
    return id
  }

  /** See `AgentSessions.open`. */
  async open(id: string): Promise<void> {
    checkName(id, 'sessions.open')
    return this.#open(id)
  }

  /** See `AgentSessions.rename`. */
  async rename(id: string, title: string): Promise<void> {
    checkName(id, 'sessions.rename')
    checkName(title, 'sessions.rename: title')
    await this.#request('rename', { id, title })
  }

  /** See `AgentSessions.delete`. */
  async delete(id: string): Promise<void> {
    checkName(id, 'sessions.delete')
    await this.#link.connect()
    if (id === this.#state.session?.id) await this.create()
    await this.#request('delete', { id })
    noteUnsaved(id)
  }

  /** See `AgentSessions.clear`. */
  async clear(): Promise<void> {
    await this.create()
    const all = await this.list()
    await this.#request('clear')
    for (const { id } of all) noteUnsaved(id)
  }

  /** See `AgentSessions.export`. */
  async export(id = this.#state.session?.id): Promise<JsonObject> {
    return (await this.#request('export', id === undefined ? {} : { id })) as JsonObject
  }

  /** See `AgentSessions.import`. */
  async import(data: JsonValue, { toolContext = false }: { toolContext?: boolean } = {}): Promise<string> {
    if (typeof toolContext !== 'boolean')
      throw new ToolAgentError('invalid-option', 'sessions.import: toolContext: expected true or false')
    await this.#link.connect()
    const given = copyContext({ data, toolContext }, 'sessions.import')
    return (await this.#request('import', { id: randomId(), ...given })) as string
  }

  /** See `AgentSessions.stored`. */
  async stored(id: string): Promise<Session | undefined> {
    return ((await this.#request('stored', { id })) as Session | null) ?? undefined
  }

  async #open(id: string, toolContext?: ToolContext): Promise<void> {
    await this.#link.connect()
    await this.#link.open(id, toolContext)
  }

  async #request(what: RequestKind, given?: JsonObject): Promise<unknown> {
    await this.#link.connect()
    return this.#link.connection.request(what, given)
  }
}
