// `agent.sessions`: the sessions of the agent's scope, of which one is open.
import { ToolAgentError } from '../core/data/errors.js'
import type { JsonObject, JsonValue } from '../core/data/json.js'
import type { SessionSummary, Session } from '../core/data/session.js'
import type { ToolContext } from '../core/data/tool.js'
import type { Connection } from './link/connection.js'
import { copyContext } from './tool-context.js'
import { checkName } from './parse-options.js'
import { randomId } from './random-id.js'
import { noteUnsaved } from './link/tab-storage.js'

interface SessionsDesk {
  readonly connection: Connection
  connected(): Promise<void>
  current(): string | undefined
  open(id: string, toolContext?: ToolContext): Promise<void>
}

export class AgentSessions {
  readonly #desk: SessionsDesk

  constructor(desk: SessionsDesk) {
    this.#desk = desk
  }

  /** Newest first. */
  async list(): Promise<SessionSummary[]> {
    await this.#desk.connected()
    return (await this.#desk.connection.request('sessions')) as SessionSummary[]
  }

  /** Begins a new session and opens it; it is stored at its first message, one with a context at once. */
  async create(options: { toolContext?: ToolContext } = {}): Promise<string> {
    const context =
      options.toolContext === undefined ? undefined : copyContext(options.toolContext, 'sessions.create: toolContext')
    const id = randomId()
    await this.#desk.open(id, context)
    return id
  }

  /** Opens a session; the running turn of the one before is stopped first. */
  async open(id: string): Promise<void> {
    checkName(id, 'sessions.open')
    return this.#desk.open(id)
  }

  async rename(id: string, title: string): Promise<void> {
    checkName(id, 'sessions.rename')
    checkName(title, 'sessions.rename: title')
    await this.#desk.connected()
    await this.#desk.connection.request('rename', { id, title })
  }

  /** Deletes it with its messages and results. Where it is the open one, a new session is begun first. */
  async delete(id: string): Promise<void> {
    checkName(id, 'sessions.delete')
    await this.#desk.connected()
    if (id === this.#desk.current()) await this.create()
    await this.#desk.connection.request('delete', { id })
    noteUnsaved(id)
  }

  /** Deletes all sessions of the scope and begins a new one. */
  async clear(): Promise<void> {
    await this.create()
    const all = await this.list()
    await this.#desk.connection.request('clear')
    for (const { id } of all) noteUnsaved(id)
  }

  /** The whole session as JSON: messages, todos, tool context, long results; not what was allowed in it. */
  async export(id = this.#desk.current()): Promise<JsonObject> {
    await this.#desk.connected()
    return (await this.#desk.connection.request('export', id === undefined ? {} : { id })) as JsonObject
  }

  /**
   * Stores what `export` gave as a new session of this scope; its id. The tool context of the file is left out, because
   * tools trust it, unless `toolContext` is true. Rejects with `invalid-option` that says what is wrong with the data.
   */
  async import(data: JsonValue, { toolContext = false }: { toolContext?: boolean } = {}): Promise<string> {
    if (typeof toolContext !== 'boolean')
      throw new ToolAgentError('invalid-option', 'sessions.import: toolContext: expected true or false')
    await this.#desk.connected()
    const given = copyContext({ data, toolContext }, 'sessions.import')
    return (await this.#desk.connection.request('import', { id: randomId(), ...given })) as string
  }

  /** The record as it is stored, for inspectors. */
  async stored(id: string): Promise<Session | undefined> {
    await this.#desk.connected()
    return ((await this.#desk.connection.request('stored', { id })) as Session | null) ?? undefined
  }
}
