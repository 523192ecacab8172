// The part of an agent that needs a host. Loaded when the agent connects for the first time, so that a page without a
// message never loads it. `Agent` documents its methods.
import { toFailure, ToolAgentError } from '../../core/data/errors.js'
import { dropUndefined, type JsonValue } from '../../core/data/json.js'
import type { CallId, ToolCall } from '../../core/data/message.js'
import type { HostSendOptions } from '../../core/data/protocol.js'
import { turnContext, type ContextChange, type PageFacts, type TurnOptions } from '../../core/data/session.js'
import type { TurnResult } from '../../core/data/turn-result.js'
import type { AgentState } from '../agent-state.js'
import { QueryHandler } from '../answers/query-handler.js'
import { hostConfig } from './host-config.js'
import { HostLink } from './host-link.js'
import { pageReader, readPageContext, readPageFacts } from '../facts/page-facts.js'
import { pageAddress } from '../facts/address.js'
import { SessionReplica } from './session-replica.js'
import { spawnHost, type SpawnedHost } from './spawn.js'
import type { SessionSlot } from '../tab/session-slot.js'
import type { AgentOptions, SendInput, SendOptions } from '../options.js'
import { parseSendOptions } from './send-options.js'
import { compileOutput, type CompiledOutput } from '../answers/output.js'
import { parseInput, type ParsedInput } from '../parse-input.js'
import { hasModel } from '../option-table.js'
import { untilAborted, type ExclusiveLock } from '../promises.js'
import { stoppedError, type PendingTurns, type QueuedMessage } from '../pending-turns.js'
import { randomId } from '../random-id.js'
import type { Trace, TracedAgent } from '../trace/trace.js'
import { Decisions } from './decisions.js'
import { SteppedTurn } from './stepped-turn.js'
import { AgentSessions } from './agent-sessions.js'
import { TaskUndo } from './task-undo.js'
import { contextChange, copyContext } from '../tool-context.js'
import { checkActiveTools, sentTools } from '../tools/available-tools.js'
import { callTool, type CallToolOptions } from '../tools/call-tool.js'
import { compileTool, definitionHash } from '../tools/compiled-tool.js'
import { lintTool } from '../hints/lint-tool.js'
import { isCompiled } from '../tools/registered-tool.js'
import type { ToolRegistry } from '../tools/registry.js'
import type { PageReading, ToolProvider } from '../tools/tool.js'

/** What the connected part needs from its agent. */
export interface AgentClientDeps {
  /** What views show. */
  readonly state: AgentState
  /** The sends that have not ended. */
  readonly pending: PendingTurns
  /** The registered tools. */
  readonly registry: ToolRegistry
  /** Sources of further tools. */
  readonly providers: ReadonlySet<ToolProvider>
  /** Shared by all calls of the agent. */
  readonly lock: ExclusiveLock
  /** Aborted when the agent is closed, with a `closed` error. */
  readonly closed: AbortSignal
  /** Starts a host; undefined for the default. */
  readonly spawn: ((workerUrl?: string) => Promise<SpawnedHost>) | undefined
  /** The options that are set now. */
  options(): AgentOptions
  /** The agent's slot in the list of sessions of its tab, claimed again if the scope has changed. */
  slot(sessionId?: string): SessionSlot
  /** Asks the listeners of the page whether a call may run. */
  isAllowed(call: ToolCall, input: JsonValue): boolean
}

/** An agent that can reach a host. */
export class AgentClient {
  /** Starts the host and opens sessions in it. */
  readonly link: HostLink
  /** The decisions of the user on calls. */
  readonly decisions: Decisions
  /** See `Agent.sessions`. */
  readonly sessions: AgentSessions
  /** Undoes the newest task. */
  readonly undo: TaskUndo
  readonly #deps: AgentClientDeps
  readonly #replica: SessionReplica
  /** A message of this page had files. */
  #hasFiles = false
  // The newest send waits for those before it, whose schemas may still be compiled: messages keep their order.
  #preparing:
    | Promise<
        [
          output: CompiledOutput | undefined,
          before: unknown,
          read: (() => PageReading) | undefined,
          context: string | undefined,
          own: ToolRegistry | undefined,
        ]
      >
    | undefined

  constructor(deps: AgentClientDeps) {
    this.#deps = deps
    const { state, pending, options, closed } = deps
    this.#replica = new SessionReplica({
      state,
      pending,
      queryHandler: () => this.link.queryHandler(),
      isDebug: () => options().debug === true,
    })
    this.link = new HostLink({
      replica: this.#replica,
      pending,
      closed,
      options,
      slot: deps.slot,
      spawn: deps.spawn ?? spawnHost,
      createQueryHandler: () => this.#createQueryHandler(),
    })
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

  #createQueryHandler(): QueryHandler {
    const { state, pending, registry, providers, lock, options, isAllowed } = this.#deps
    registry.compileWith(compileTool)
    registry.lintWith(lintTool)
    this.warmUp()
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
      threw: (failure, thrown) => this.#replica.addCause(failure, thrown),
      stopTurn: () => this.stop(),
      post: (message) => this.link.connection.post(message),
    })
  }

  /**
   * Does what a message needs before there is one: hashes the definitions, one per task, and reads the page in idle
   * time. The page tools keep what was read while it is true.
   */
  warmUp(): void {
    // The message reports what goes wrong.
    this.#warmUp().catch(() => undefined)
  }

  async #warmUp(): Promise<void> {
    const { registry } = this.#deps
    await registry.ready()
    for (const entry of registry.entries()) {
      await nextTask()
      // A function of the page is called once per step.
      if (isCompiled(entry) && typeof entry.tool.description !== 'function')
        definitionHash(entry, registry.describe(entry, pageAddress()))
    }
    const read = await this.#pageReader()
    await idle()
    readPageFacts(read)
  }

  /** Posts the options after they have changed. */
  configure(): void {
    if (this.link.connection.kind) this.#postOptions()
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

  /**
   * Checks the options of a message and posts it. `cancelled`: see `PendingTurns.prepare`. `left`: the signal that its
   * caller, a stepped turn, aborts when its loop is left.
   */
  async send({ turn, message: { parts, text }, options, cancelled, left }: Sending): Promise<TurnResult> {
    const { registry, providers } = this.#deps
    this.#hasFiles ||= parts.some(isFile)
    const { tools: _tools, signal, whenBusy = 'queue', toolContext, ...rest } = parseSendOptions(options)
    if (options.activeTools) checkActiveTools(options.activeTools, registry, options, providers.size > 0)
    if (options.tools) registry.check(options.tools)
    const sent = {
      ...rest,
      ...(toolContext && { toolContext: copyContext(toolContext, 'send: toolContext') }),
    }
    const aborts = left && signal ? AbortSignal.any([left, signal]) : (left ?? signal)
    const onReady = () => this.#beginHeaders(turn)
    const running = { message: { turn, text, parts }, options, signal: aborts, cancelled, onReady }
    return this.#runTurn(running, ({ facts, output, own }) => {
      // The schema as JSON.
      const turnOptions = { ...sent, ...output, facts } as HostSendOptions
      const message = { type: 'send', turn, input: parts, whenBusy, options: turnOptions } as const
      // The caller of a stepped turn may wait for long, so the host asks before each step.
      const { posted, headers: known } = this.link.queryHandler()
      const offer = left ? undefined : posted.begin(turn, { options: turnOptions, own })
      const headers = known.take(turn)
      this.link.connection.post(dropUndefined({ ...message, mode: left && 'manual', offer, headers }))
    })
  }

  /** Asks for the headers of a message whose turn will start at once: nothing runs, and nothing waits before it. */
  #beginHeaders(turn: string): void {
    const { state, pending } = this.#deps
    if (!state.session?.turn && pending.queue[0]?.turn === turn) this.link.queryHandler().headers.begin(turn)
  }

  /**
   * Continues the newest turn as a turn of the same options. `stopCount`: how often `stop` had been called when it was
   * called, or when the method that calls it was.
   */
  async continue(stopCount = this.#deps.pending.stopCount): Promise<TurnResult> {
    const { state, pending } = this.#deps
    const wasLost = this.link.connected === undefined
    await this.connect()
    if (pending.stopCount !== stopCount) throw stoppedError()
    // If the host was lost for good, opening the session again may have resumed the turn already.
    const running = wasLost ? state.session?.turn?.id : undefined
    const turn = running ?? randomId()
    return this.#runTurn({ message: { turn, text: '', parts: [] }, options: {} }, ({ facts }) => {
      if (running === undefined) this.link.connection.post({ type: 'control', do: 'continue', turn, facts })
    })
  }

  /**
   * Stops the turn `turn`, or removes its message from the queue, also while the host is starting. `why`: what the send
   * rejects with if it was not posted yet.
   */
  drop(turn: string, why?: unknown): void {
    if (this.#deps.pending.drop(turn, why)) return
    const post = () => this.link.connection.post({ type: 'control', do: 'drop', turn })
    if (this.link.connection.kind) post()
    else this.link.connected?.then(post).catch(() => undefined) // Callers of `connect` receive the error.
  }

  /** A turn that its caller steps through. The message is sent with its first `next()`. */
  step(input: SendInput, options: SendOptions): SteppedTurn {
    return new SteppedTurn({
      link: this.link,
      replica: this.#replica,
      begin: async (turn, left) => this.send({ turn, message: parseInput(input), options, left }),
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
    return this.continue(stopCount)
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

  /** What the replica has recorded, with the configuration that the host gets. */
  exportTrace(agent: Omit<TracedAgent, 'config'>): Promise<Trace> {
    return this.#replica.recorder.export({ ...agent, config: hostConfig(agent.options) })
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

  /**
   * Posts a turn to the host by calling `post`, again if the host is lost before it starts. Settles when it has ended.
   */
  async #runTurn(
    { message, options, signal, cancelled: given, onReady }: RunningTurn,
    post: (ready: ReadyTurn) => void,
  ): Promise<TurnResult> {
    const { pending, closed, options: agentOptions } = this.#deps
    const { turn } = message
    signal?.throwIfAborted()
    given?.throwIfAborted()
    if (!hasModel(agentOptions())) {
      throw new ToolAgentError(
        'no-endpoint',
        'No model is configured: set the endpoint attribute, such as endpoint="/v1", or the modelAdapter property',
      )
    }
    const output = options.output && compileOutput(options)
    const cancelled = given ?? pending.prepare(message)
    const onAbort = () => {
      if (!closed.aborted) this.drop(turn, signal?.reason)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const ready = this.link.ready().then(() => {
        onReady?.()
        return this.#deps.registry.ready()
      })
      const preparing = (this.#preparing = Promise.all([
        output,
        this.#preparing?.catch(() => undefined),
        ready.then(() => this.#pageReader()),
        readPageContext(agentOptions().pageContext),
        // The turn ends with this error, when the host asks for its tools.
        options.tools && ready.then(() => this.#sentTools(options).catch(() => undefined)),
      ]))
      const [compiled, , read, context, own] = await untilAborted(preparing, cancelled)
      // Checks the schemas as well, now that the compiler is set.
      if (options.tools) this.#deps.registry.check(options.tools)
      closed.throwIfAborted()
      cancelled.throwIfAborted()
      const ended = pending.add(message, options, () => {
        // The endpoint is resolved again for each turn, because the page may have changed its base URL.
        this.#postOptions()
        post({ facts: readPageFacts(read, context), output: compiled?.options, own })
      })
      return await ended.then(compiled?.withObject)
    } finally {
      pending.endPreparing(turn)
      signal?.removeEventListener('abort', onAbort)
    }
  }

  #sentTools({ tools }: SendOptions): Promise<ToolRegistry | undefined> {
    return sentTools(tools, (failure) => this.#deps.state.report(failure))
  }

  /** The code of the page tools that says what the page is, if they are registered. */
  #pageReader(): ReturnType<typeof pageReader> {
    const { registry } = this.#deps
    return pageReader([registry.get('form_fill')?.tool, registry.get('page_read')?.tool])
  }

  #postOptions(): void {
    const { state, options } = this.#deps
    this.#hasFiles ||= state.session?.messages.some((one) => one.role === 'user' && one.parts.some(isFile)) ?? false
    this.link.connection.post({ type: 'configure', config: hostConfig(options(), this.#hasFiles) })
  }
}

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve))
/** The next idle time of the page, at most a second later. Some browsers do not tell it. */
const idle = () =>
  new Promise<unknown>((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(resolve, { timeout: 1_000 })
    else setTimeout(resolve)
  })

const isFile = ({ type }: { readonly type: string }): boolean => type === 'file'

interface Sending {
  /** The id of the turn. */
  readonly turn: string
  readonly message: ParsedInput
  readonly options: SendOptions
  readonly cancelled?: AbortSignal
  readonly left?: AbortSignal
}

/** What a message is posted with. */
interface ReadyTurn {
  readonly facts: PageFacts
  /** The options of the turn that `output` sets. */
  readonly output: TurnOptions | undefined
  /** The tools of the `send`, if their schemas can be used. */
  readonly own: ToolRegistry | undefined
}

interface RunningTurn {
  readonly message: QueuedMessage
  readonly options: SendOptions
  readonly signal?: AbortSignal | undefined
  readonly cancelled?: AbortSignal | undefined
  /** Called when the host can take the message, a moment before it is posted. */
  readonly onReady?: () => void
}
