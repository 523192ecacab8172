// The part of an agent that needs a host. Loaded when the agent connects for the first time, so that a page without a
// message never loads it. `Agent` documents its methods.
import { toFailure, ToolAgentError } from '../../core/data/errors.js'
import type { JsonValue } from '../../core/data/json.js'
import type { CallId, ToolCall } from '../../core/data/message.js'
import { longestState, turnContext, type ContextChange } from '../../core/data/session.js'
import type { TurnResult } from '../../core/data/turn-result.js'
import type { AgentState } from '../agent-state.js'
import { QueryHandler } from '../answers/query-handler.js'
import { HostLink, type HostLinkDeps } from './host-link.js'
import { pageAddress } from '../facts/address.js'
import { SessionReplica } from './session-replica.js'
import { spawnHost, type SpawnedHost } from './spawn.js'
import { loadPart } from './load-part.js'
import type { SendInput, SendOptions } from '../options.js'
import { parseInput } from '../checks.js'
import { Decisions, type ApprovalTool, type ApproveOptions, type DenyOptions } from './decisions.js'
import type { Steps } from '../stepped/stepped-turn.js'
import { AgentSessions } from './agent-sessions.js'
import { TaskUndo, type UndoableTask, type UndoOutcome } from './task-undo.js'
import { TurnSender } from './turn-sender.js'
import { contextChange } from '../tool-context.js'
import type { ExclusiveLock } from '../promises.js'
import { callTool, type CallToolOptions } from '../tools/call-tool.js'
import { compileInPieces } from '../tools/compile-in-pieces.js'
import { lintTool } from '../hints/lint-tool.js'
import type { ToolRegistry } from '../tools/registry.js'
import type { ToolProvider } from '../tools/tool.js'

/** What the methods of an agent take and return: the agent itself imports nothing else of this folder. */
export type {
  AgentSessions,
  ApprovalTool,
  ApproveOptions,
  CallToolOptions,
  DenyOptions,
  SpawnedHost,
  Steps,
  UndoableTask,
  UndoOutcome,
}

/** What the connected part needs from its agent. */
export interface AgentClientDeps extends Pick<HostLinkDeps, 'pending' | 'closed' | 'options' | 'slot'> {
  /** What views show. */
  readonly state: AgentState
  /** The registered tools. */
  readonly registry: ToolRegistry
  /** Sources of further tools. */
  readonly providers: ReadonlySet<ToolProvider>
  /** Shared by all calls of the agent. */
  readonly lock: ExclusiveLock
  /** Starts a host; undefined for the default. */
  readonly spawn: ((workerUrl?: string) => Promise<SpawnedHost>) | undefined
  /** Asks the listeners of the page whether a call may run. */
  isAllowed(call: ToolCall, input: JsonValue): boolean
}

/** An agent that can reach a host. */
export class AgentClient {
  /** Starts the host and opens sessions in it. */
  readonly link: HostLink
  /** Sends messages and continues turns. */
  readonly turns: TurnSender
  /** The decisions of the user on calls. */
  readonly decisions: Decisions
  /** See `Agent.sessions`. */
  readonly sessions: AgentSessions
  /** Undoes the newest task. */
  readonly undo: TaskUndo
  /** The session as the host has it, and its recording. */
  readonly replica: SessionReplica
  readonly #deps: AgentClientDeps

  constructor(deps: AgentClientDeps) {
    this.#deps = deps
    const { state, pending, options, closed } = deps
    this.replica = new SessionReplica({
      state,
      pending,
      queryHandler: () => this.link.queryHandler(),
      isDebug: () => options().debug === true,
    })
    this.link = new HostLink({
      replica: this.replica,
      pending,
      closed,
      options,
      slot: deps.slot,
      spawn: deps.spawn ?? ((workerUrl) => this.#startHost(workerUrl)),
      createQueryHandler: () => this.#createQueryHandler(),
    })
    const { link } = this
    this.turns = new TurnSender({ ...deps, link, connect: () => this.connect() })
    this.decisions = new Decisions(this.link, state, deps.registry)
    this.sessions = new AgentSessions(this.link, state)
    this.undo = new TaskUndo({
      state,
      registry: deps.registry,
      lock: deps.lock,
      closed,
      options,
      request: (what, given) => this.link.connection.request(what, given),
      remember: (context) => this.#rememberAll(context),
    })
  }

  /** Starts a host of the page, or connects to that of the option `host`. */
  async #startHost(workerUrl?: string): Promise<SpawnedHost> {
    const { options } = this.#deps
    if (!options().host) return spawnHost(workerUrl)
    const { connectHost } = await loadPart(() => import('./remote/connect-host.js'))
    return connectHost(options)
  }

  #createQueryHandler(): QueryHandler {
    const { state, pending, registry, providers, lock, options, isAllowed } = this.#deps
    registry.compileWith(compileInPieces)
    registry.lintWith(lintTool)
    this.turns.warmUp()
    return new QueryHandler({
      registry,
      providers,
      lock,
      options,
      session: () => state.opened(),
      send: (turn) => ({ options: pending.get(turn)?.options, shared: pending.shared(turn) }),
      page: pageAddress,
      isAllowed,
      closed: this.#deps.closed,
      state,
      report: (failure, isLogged) => state.report(failure, isLogged),
      threw: (failure, thrown) => this.replica.addCause(failure, thrown),
      noQuestions: () =>
        typeof document === 'object' || state.observers.size > 1
          ? undefined
          : 'nothing observes this agent. Use agent.observe() and agent.answer()',
      stopTurn: () => this.stop(),
      post: (message) => this.link.connection.post(message),
    })
  }

  /** Stops the running turn and drops the messages that wait. */
  stop(): void {
    this.#deps.pending.stop()
    this.link.stop()
  }

  /** Starts the host, opens the session and compiles the schemas. Once; after a failure, again with the next call. */
  async connect(): Promise<void> {
    await this.link.connect()
    await this.#deps.registry.ready()
  }

  /** A turn that its caller steps through. The message is sent with its first `next()`. */
  async step(input: SendInput, options: SendOptions): Promise<Steps> {
    const { SteppedTurn } = await loadPart(() => import('../stepped/stepped-turn.js'))
    return new SteppedTurn({
      link: this.link,
      replica: this.replica,
      begin: async (turn, left) => this.turns.send({ turn, message: parseInput(input), options, left }),
    })
  }

  /**
   * Marks the newest turn as replaced and continues, so that the model answers again. `input`: the new message;
   * undefined keeps the one that was sent.
   */
  async replace(input?: SendInput): Promise<TurnResult> {
    const { pending } = this.#deps
    const { stopCount } = pending
    const given = input === undefined ? {} : { input: parseInput(input).parts }
    await this.takeOver()
    // After a stop, `continue` rejects and the answer stays.
    if (pending.stopCount === stopCount) await this.link.connection.request('replace', given)
    return this.turns.continue(stopCount)
  }

  /** Runs a registered tool. What it remembers is stored in the session; a failure to store it is reported. */
  async callTool(
    name: string,
    input: JsonValue,
    { toolContext = {}, signal, forModel = false }: CallToolOptions,
  ): Promise<unknown> {
    const { state, registry, lock, closed, options } = this.#deps
    // Tools may keep state by session, so the session is opened first. Outside a page, and if no host can be started,
    // the tool runs without one.
    if (closed.aborted || this.link.connected || typeof document === 'object')
      await this.link.connect().catch(() => closed.throwIfAborted())
    const { session } = state
    const { output, context } = await callTool(registry, lock, name, input, {
      layers: [options().toolContext ?? {}, session ? turnContext(session) : {}, toolContext],
      sessionId: session?.id ?? '',
      messages: session?.messages ?? [],
      forModel,
      signal: signal ? AbortSignal.any([signal, closed]) : closed,
    })
    this.#rememberAll(context)
    return output
  }

  /** Stores what a tool that the page ran has remembered. */
  #rememberAll(context: ContextChange): void {
    for (const { key, value } of context)
      this.remember(contextChange(key, value)).catch((thrown: unknown) =>
        this.#deps.state.report(toFailure(thrown, 'storage')),
      )
  }

  /** Puts up to 50 older messages before those of the session, unless it has changed meanwhile. */
  async loadOlder(): Promise<void> {
    const { state } = this.#deps
    const session = state.opened()
    if (session.start === 0) return
    const older = await this.link.connection.request('messages', { before: session.start, limit: 50 })
    const now = state.opened()
    // The session has changed since they were requested.
    if (now.id !== session.id || now.start !== session.start) return
    state.session = { ...now, start: now.start - older.length, messages: [...older, ...now.messages] }
    state.notify({ type: 'change' })
  }

  /** Reads the whole text of a result from the store; undefined if it was not shortened. */
  async resultText(callId: CallId): Promise<string | undefined> {
    const text = await this.link.connection.request('result', { callId })
    return typeof text === 'string' ? text : undefined
  }

  /** Makes this page the driver of its session. */
  async takeOver(): Promise<void> {
    await this.connect()
    if (this.#deps.state.isDriver) return
    await this.link.connection.request('take-over', {})
  }

  /** Stores a change of the session's tool context. */
  async remember(change: ContextChange[number]): Promise<void> {
    await this.connect()
    this.link.connection.post({ type: 'remember', context: [change] })
  }

  /** Stores the state that is shared with an agent on a server. Rejects with `invalid-option` above 256 KB. */
  async setState(state: JsonValue): Promise<void> {
    if (JSON.stringify(state).length > longestState)
      throw new ToolAgentError('invalid-option', `state: at most ${longestState} characters as JSON are allowed`)
    await this.connect()
    this.link.connection.post({ type: 'remember', context: [], state })
  }
}
