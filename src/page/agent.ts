// The agent of a page, without a view: options, tools, sends and the state that views show. The host in the worker runs
// the turns (link/host-link.ts); the page has a copy of its session (link/session-replica.ts). Over 300 lines because
// it is the documented surface of one object; most methods are a few lines.
import { toFailure, ToolAgentError, type Failure } from '../core/data/errors.js'
import type { AgentEvent } from '../core/data/event.js'
import type { JsonValue } from '../core/data/json.js'
import type { CallId, Message, ToolCall, ToolCallPart } from '../core/data/message.js'
import type { Session } from '../core/data/session.js'
import type { Todo } from '../core/data/todo.js'
import type { TurnResult } from '../core/data/turn-result.js'
import type { ApproveOptions, Decisions, DenyOptions } from './decisions.js'
import { HostLink, type AnswersChunk } from './link/host-link.js'
import { pageAddress, readPageFacts } from './link/page-info.js'
import { ignoreRejection, PendingTurns } from './link/pending-turns.js'
import { SessionReplica, type Notice } from './link/session-replica.js'
import { spawnHost, type SpawnedHost } from './link/spawn.js'
import * as log from './log.js'
import type { CallToolOptions } from './manual-call.js'
import type { AgentOptions, SendInput, SendOptions } from './options.js'
import { checkFunction, hostConfig, parseInput, parseOptions, parseSendOptions } from './parse-options.js'
import { randomId } from './random-id.js'
import { AgentSessions } from './sessions.js'
import type { Steps } from './stepped-turn.js'
import { contextChange, copyContext } from './tool-context.js'
import { checkActiveTools } from './tools/active-tools.js'
import { ExclusiveLock } from './tools/exclusive-lock.js'
import { ToolRegistry, type RegisterOptions } from './tools/registry.js'
import type { AnyTool, Schema, ToolProvider, ToolWith } from './tools/tool.js'
import type { Trace } from './trace/recorder.js'

export type { Notice } from './link/session-replica.js'

/** A registered tool, as a view shows it. */
export interface RegisteredTool {
  /** The name that the model calls it by. */
  readonly name: string
  /** The tool's title; its name if it has none. */
  readonly title: string
  /** What it does; the model reads this. */
  readonly description: string
  /** The JSON Schema of the arguments. */
  readonly inputSchema: JsonValue
  /** The hints of the tool, such as `readOnlyHint`; see `ToolAnnotations`. */
  readonly annotations: JsonValue
  /** The object that was registered. */
  readonly tool: AnyTool
}

/**
 * Draws a call inside its card. Returns what the view can draw: in `<tool-agent>`, a Lit template, a node or a text.
 */
export type ToolRenderer = (part: ToolCallPart) => unknown

/**
 * `loading`: no session is open yet. `awaiting-approval`: a turn waits for the user's decision. `interrupted`: a turn
 * was cut off and can be continued.
 */
export type AgentStatus = 'loading' | 'idle' | 'running' | 'awaiting-approval' | 'interrupted'

/** The thread that the host runs in: a worker, a worker that was started from a blob URL, or the page. */
export type HostKind = 'worker' | 'blob-worker' | 'page'

/** A `driver` runs the turns of its session. A `mirror` shows a session that another tab drives. */
export type AgentRole = 'driver' | 'mirror'

/** An assistant without a view. Create one with `createAgent`. */
export class Agent {
  /** The stored sessions of the agent's scope. */
  readonly sessions: AgentSessions
  readonly #registry: ToolRegistry
  readonly #providers = new Set<ToolProvider>()
  readonly #lock = new ExclusiveLock()
  readonly #toolCallListeners = new Set<(call: ToolCall, input: JsonValue) => boolean>()
  readonly #pending = new PendingTurns()
  readonly #replica: SessionReplica
  readonly #link: HostLink
  // Loaded with the host.
  #lintHooks: AnswersChunk['lintHooks'] | undefined
  // Loaded when the first call awaits approval. Both methods wait for it, so decisions are posted in their order.
  #decisions: Promise<Decisions> | undefined
  #renderers: ReadonlyMap<string, ToolRenderer> = new Map()
  #options: AgentOptions

  /** @throws `invalid-option`, `invalid-tool`, `duplicate-tool` */
  constructor(options?: AgentOptions)
  /** @internal `spawn` starts the host. */
  constructor(options?: AgentOptions, spawn?: (workerUrl?: string) => Promise<SpawnedHost>)
  constructor(options: AgentOptions = {}, spawn: (workerUrl?: string) => Promise<SpawnedHost> = spawnHost) {
    this.#options = parseOptions(options)
    if (this.#options.debug) log.setDebug(true)
    this.#replica = new SessionReplica({
      pending: this.#pending,
      answers: () => this.#link.answers(),
      isDebug: () => this.#options.debug === true,
    })
    this.#registry = new ToolRegistry({ onError: (failure) => this.#replica.report(failure) })
    this.#link = new HostLink({
      replica: this.#replica,
      pending: this.#pending,
      options: () => this.#options,
      spawn,
      createAnswers: ({ Answers, compileTool, lintHooks, lintTool }) => {
        this.#registry.compileWith(compileTool)
        this.#registry.lintWith(lintTool)
        lintHooks(this.#options.hooks)
        this.#lintHooks = lintHooks
        return new Answers({
          registry: this.#registry,
          providers: this.#providers,
          lock: this.#lock,
          options: () => this.#options,
          session: () => this.#replica.opened(),
          send: (turn) => ({ options: this.#pending.get(turn)?.options, shared: this.#pending.shared(turn) }),
          page: pageAddress,
          isAllowed: (call, input) => [...this.#toolCallListeners].every((listener) => listener(call, input)),
          report: (failure, isLogged) => this.#replica.report(failure, isLogged),
          threw: (failure, thrown) => this.#replica.addCause(failure, thrown),
          post: (message) => this.#link.connection.post(message),
        })
      },
    })
    this.observe(() => {
      if (this.status === 'awaiting-approval') void ignoreRejection(this.#loadDecisions())
    })
    this.sessions = new AgentSessions(this.#link, this.#replica)
    this.#registry.onChange(() => this.#replica.notify({ type: 'change' }))
    if (this.#options.tools) this.#registry.register(this.#options.tools)
  }

  /** The options that were set, without defaults. */
  get options(): Readonly<AgentOptions> {
    return this.#options
  }
  /** The open session; undefined while loading. Immutable: every change replaces it. */
  get session(): Session | undefined {
    return this.#replica.session
  }
  /** The messages of the session, oldest first; the newest ones of a long session (see `loadOlder`). */
  get messages(): readonly Message[] {
    return this.session?.messages ?? []
  }
  /** The todo list that the model keeps. */
  get todos(): readonly Todo[] {
    return this.session?.todos ?? []
  }
  /** What the agent is doing. */
  get status(): AgentStatus {
    return this.session?.status ?? 'loading'
  }
  /** The thread that the host runs in; undefined while loading. */
  get host(): HostKind | undefined {
    return this.session && this.#link.connection.kind
  }
  /** Whether this page drives the session or mirrors another tab; undefined while loading. */
  get role(): AgentRole | undefined {
    return this.session && (this.#replica.isDriver ? 'driver' : 'mirror')
  }
  /** Where the session is stored; undefined while loading. In `memory` it is lost with the page. */
  get storage(): 'indexeddb' | 'memory' | undefined {
    return this.#replica.storage
  }
  /** The newest error that belongs to no turn; null if there is none or it was dismissed. */
  get error(): Failure | null {
    return this.#replica.error
  }
  /** The newest progress value of each running call. */
  get progress(): ReadonlyMap<CallId, JsonValue> {
    return this.#replica.progress
  }
  /** The renderers by the name of their tool. Immutable: every change replaces it. */
  get renderers(): ReadonlyMap<string, ToolRenderer> {
    return this.#renderers
  }
  /** The messages that wait for their turn, oldest first. `turn` is the id that `drop` takes. */
  get queue(): readonly { readonly turn: string; readonly text: string }[] {
    return this.#pending.queue
  }
  /** The registered tools; those of providers and of single sends are not included. */
  get tools(): readonly RegisteredTool[] {
    return this.#registry.entries().map((entry) => {
      const { name, title, description, inputSchema, annotations } = this.#registry.describe(entry, pageAddress())
      return { name, title: title ?? name, description, inputSchema, annotations, tool: entry.tool }
    })
  }

  /** Replaces all options, from the next step on. @throws `invalid-option`, and changes nothing then */
  configure(options: AgentOptions): void {
    this.#options = parseOptions(options)
    if (this.#options.debug) log.setDebug(true)
    this.#lintHooks?.(this.#options.hooks)
    if (this.#link.connection.kind) this.#postOptions()
    this.#replica.notify({ type: 'change' })
  }

  /** Sets `error` to null. */
  dismissError(): void {
    this.#replica.dismissError()
  }

  /**
   * Calls the listener with every event of the session, durable and transient. `path` has the ids of the calls whose
   * sub-agents emitted the event, outermost first; it is empty for the agent's own. Returns a function that
   * unsubscribes.
   */
  subscribe(listener: (event: AgentEvent, path: readonly CallId[]) => void): () => void {
    return this.observe((notice) => {
      if (notice.type === 'event') listener(notice.event, notice.path)
    })
  }

  /** For views: calls the listener after every change of what the agent shows. Returns a function that unsubscribes. */
  observe(listener: (notice: Notice) => void): () => void {
    return this.#replica.observe(listener)
  }

  /**
   * Calls the listener before a call runs, after validation and before approval. A listener that returns false refuses
   * the call. Must not throw. Returns a function that removes the listener.
   */
  onToolCall(listener: (call: ToolCall, input: JsonValue) => boolean): () => void {
    this.#toolCallListeners.add(listener)
    return () => this.#toolCallListeners.delete(listener)
  }

  /**
   * Registers one or more tools, all or none. They are offered from the next step on. Returns a function that
   * unregisters exactly these. Their schemas are compiled when the agent is connected: a tool whose schema cannot be
   * used is removed then, and reported as `invalid-tool` like other errors of the agent. @throws `invalid-tool`,
   * `duplicate-tool`
   */
  registerTool<const S extends Schema, Output>(tool: ToolWith<S, Output>, options?: RegisterOptions): () => void
  /** The same for tools whose types are not inferred, and for several tools at once. */
  registerTool(tool: AnyTool | readonly AnyTool[], options?: RegisterOptions): () => void
  registerTool(tool: AnyTool | readonly AnyTool[], options: RegisterOptions = {}): () => void {
    return this.#registry.register(tool, options)
  }

  /**
   * Registers a function that returns tools; it runs before each step. Returns a function that unregisters it, as
   * aborting `signal` does. @throws `invalid-option`
   */
  registerToolProvider(provider: ToolProvider, { signal }: { signal?: AbortSignal } = {}): () => void {
    checkFunction(provider, 'registerToolProvider')
    const remove = () => {
      this.#providers.delete(provider)
      signal?.removeEventListener('abort', remove)
    }
    if (!signal?.aborted) this.#providers.add(provider)
    signal?.addEventListener('abort', remove, { once: true })
    return remove
  }

  /**
   * Draws the calls of the tool `name` with a function of the page. Returns a function that undoes it. @throws
   * `invalid-option`
   */
  registerToolRenderer(name: string, renderer: ToolRenderer): () => void {
    checkFunction(renderer, 'registerToolRenderer')
    const replace = (renderers: Iterable<readonly [string, ToolRenderer]>) => {
      this.#renderers = new Map(renderers)
      this.#replica.notify({ type: 'change' })
    }
    replace([...this.#renderers, [name, renderer]])
    return () => {
      if (this.#renderers.get(name) === renderer) replace([...this.#renderers].filter(([one]) => one !== name))
    }
  }

  /**
   * Starts the host and opens the session, once; every method that needs them does so itself. Resolves when the schemas
   * of all tools are compiled, too. After a failure the next call tries again. Rejects with `closed`, `host-lost` or
   * `storage`.
   */
  async connect(): Promise<void> {
    await this.#link.connect()
    await this.#registry.ready()
  }

  /**
   * @internal Lets the next agent of the same scope and session id call `release` when it connects, because this
   * agent's element was removed from the document. `release` must close this agent. Undefined revokes it.
   */
  leave(release: (() => void) | undefined): void {
    this.#link.setReplaceable(release)
  }

  /**
   * Sends a message and resolves with the result of its turn, however the turn ended. Rejects if it ended with an
   * error, whose `turn` is the result so far. A rejection that is not handled is not reported as an unhandled one.
   */
  send(input: SendInput, options: SendOptions = {}): Promise<TurnResult> {
    return this.#send({ turn: randomId(), input, options })
  }

  /**
   * Sends a message and lets the caller run the tools: an async iterator whose values are the model calls of the turn,
   * and whose return value is the result of the turn. Nothing is sent before the first `next()`. Leaving the loop stops
   * the turn. A reload ends it.
   */
  step(input: SendInput, options: SendOptions = {}): Steps {
    const loading = ignoreRejection(
      import('./stepped-turn.js').then(
        ({ SteppedTurn }) =>
          new SteppedTurn({
            link: this.#link,
            replica: this.#replica,
            begin: (turn, left) => this.#send({ turn, input, options, left }),
          }),
      ),
    )
    return {
      [Symbol.asyncIterator]() {
        return this
      },
      next: () => loading.then((steps) => steps.next()),
      return: () => loading.then((steps) => steps.return()),
    }
  }

  /** Continues a turn that was interrupted or reached a limit; resolves and rejects as `send` does. */
  continue(): Promise<TurnResult> {
    return ignoreRejection(
      (async () => {
        const wasLost = this.#link.connected === undefined
        await this.connect()
        // If the host was lost for good, opening the session again may have resumed the turn already.
        const running = wasLost ? this.session?.turn?.id : undefined
        const turn = running ?? randomId()
        return this.#runTurn({ turn, text: '', options: {}, signal: undefined }, () => {
          if (running === undefined)
            this.#link.connection.post({ type: 'control', do: 'continue', turn, facts: readPageFacts() })
        })
      })(),
    )
  }

  /** Stops the running turn, and removes the messages that wait; their sends reject with `cancelled`. */
  stop(): void {
    this.#link.stop()
  }

  /** Removes one message from the queue; its send rejects with `cancelled`. `turn` is its id in `queue`. */
  drop(turn: string): void {
    const post = () => this.#link.connection.post({ type: 'control', do: 'drop', turn })
    if (this.#link.connection.kind) post()
    else this.#link.connected?.then(post).catch(() => undefined) // Callers of `connect` receive the error.
  }

  /**
   * Approves a call that awaits approval. Ignored if the call was decided already. Rejects with `invalid-input` if
   * edited arguments do not match the schema (the call still awaits approval then), and with `invalid-option` for an
   * unknown id.
   */
  async approve(callId: CallId, options: ApproveOptions = {}): Promise<void> {
    const { host } = this.#link.connection
    return (await this.#loadDecisions()).approve(callId, options, host)
  }

  /** Denies a call that awaits approval. Ignored if the call was decided already. Rejects as `approve` does. */
  async deny(callId: CallId, options: DenyOptions = {}): Promise<void> {
    const { host } = this.#link.connection
    return (await this.#loadDecisions()).deny(callId, options, host)
  }

  /**
   * Makes this page the driver of its session, as sending does. A turn that runs in another tab ends as interrupted.
   * Rejects with the reason if this page cannot become the driver.
   */
  async takeOver(): Promise<void> {
    await this.connect()
    if (this.#replica.isDriver) return
    this.#link.postUnsaved()
    await this.#link.connection.request('take-over')
  }

  /**
   * Aborts running tools, keeps the turn resumable and releases the session; resolves when that is done. The agent
   * cannot be used again: every send that is pending or follows rejects with `closed`. In Node the process can exit
   * then.
   */
  close(): Promise<void> {
    return this.#link.close()
  }

  /**
   * Runs a registered tool without a model: with validation, time limit and exclusive lock, without approval, and
   * without a message in the session. Rejects with the error of the tool.
   */
  async callTool(name: string, input: JsonValue = {}, options: CallToolOptions = {}): Promise<unknown> {
    const { manualCall } = await import('./manual-call.js')
    const deps = {
      registry: this.#registry,
      lock: this.#lock,
      link: this.#link,
      replica: this.#replica,
      options: () => this.#options,
      remember: this.remember.bind(this),
    }
    return manualCall(deps, { name, input }, options)
  }

  /**
   * Sets a key of the session's tool context; undefined deletes it. @throws `invalid-option` if the value is not JSON
   */
  remember(key: string, value: JsonValue | undefined): void {
    const change = contextChange(key, value)
    void this.connect()
      .then(() => this.#link.connection.post({ type: 'remember', context: [change] }))
      .catch((thrown: unknown) => this.#replica.report(toFailure(thrown, 'storage')))
  }

  /**
   * Loads up to 50 messages that are older than `messages`, if there are any. Rejects with `not-open` while loading.
   */
  async loadOlder(): Promise<void> {
    const session = this.#replica.opened()
    if (session.start === 0) return
    const older = await this.#link.connection.request('messages', { before: session.start, limit: 50 })
    this.#replica.prepend(session, older as Message[])
  }

  /** The whole text of a tool result that was shortened in the session; undefined if none is stored. */
  async resultText(callId: CallId): Promise<string | undefined> {
    const text = await this.#link.connection.request('result', { callId })
    return typeof text === 'string' ? text : undefined
  }

  /**
   * What happened since the session was opened, as JSON: for bug reports, and for `replayTrace` in tests. With `debug`
   * it includes requests and responses. It never includes headers, credentials or values of the tool context. Rejects
   * with `not-open` while loading.
   */
  async exportTrace(): Promise<Trace> {
    await this.#registry.ready()
    const { host = '', storage = '', tools, options } = this
    return this.#replica.recorder.export({ host, storage, tools, options, config: hostConfig(options) })
  }

  /**
   * Checks a message and posts it. `left`: the signal that its caller, a stepped turn, aborts when its loop is left.
   */
  #send({ turn, input, options, left }: Sending): Promise<TurnResult> {
    return ignoreRejection(
      (async () => {
        const parts = parseInput(input)
        const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
        if (text.trim() === '' && !parts.some((part) => part.type === 'file'))
          throw new ToolAgentError('invalid-option', 'send: the message is empty. Add text or a file')
        const { tools: _tools, signal, whenBusy = 'queue', toolContext, ...rest } = parseSendOptions(options)
        if (options.activeTools)
          checkActiveTools(options.activeTools, this.#registry, options, this.#providers.size > 0)
        if (options.tools) this.#registry.check(options.tools)
        const sent = {
          ...rest,
          ...(toolContext && { toolContext: copyContext(toolContext, 'send: toolContext') }),
          facts: readPageFacts(),
        }
        const aborts = left && signal ? AbortSignal.any([left, signal]) : (left ?? signal)
        return this.#runTurn({ turn, text, options, signal: aborts }, () =>
          this.#link.connection.post({
            type: 'send',
            turn,
            input: parts,
            whenBusy,
            options: sent,
            ...(left && { mode: 'manual' }),
          }),
        )
      })(),
    )
  }

  /**
   * Posts a turn to the host by calling `post`, again if the host is lost before it starts. Settles when it has ended.
   */
  async #runTurn({ turn, text, options, signal }: RunningTurn, post: () => void): Promise<TurnResult> {
    signal?.throwIfAborted()
    const { endpoint, modelAdapter } = this.#options
    if (!endpoint && modelAdapter === undefined) {
      throw new ToolAgentError(
        'no-endpoint',
        'No model is configured: set the endpoint attribute, such as endpoint="/v1", or the modelAdapter property',
      )
    }
    const { stopCount } = this.#link
    await this.connect()
    // Checks the schemas as well, now that the code for it is loaded.
    if (options.tools) this.#registry.check(options.tools)
    signal?.throwIfAborted()
    this.#link.closed.throwIfAborted()
    if (this.#link.stopCount !== stopCount) throw new ToolAgentError('cancelled', 'Stopped before it was sent')
    const onAbort = () => {
      if (!this.#link.closed.aborted) this.drop(turn)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    try {
      const ended = this.#pending.add(turn, text, options, () => {
        // The endpoint is resolved again for each turn, because the page may have changed its base URL.
        this.#postOptions()
        this.#link.postUnsaved()
        post()
      })
      this.#replica.notify({ type: 'change' })
      return await ended
    } finally {
      signal?.removeEventListener('abort', onAbort)
      this.#replica.notify({ type: 'change' })
    }
  }

  /** Loads the code of `approve` and `deny`. After a failure the next call tries again. */
  #loadDecisions(): Promise<Decisions> {
    // A decision is bound to the definition of its tool, which includes its compiled schema.
    this.#decisions ??= Promise.all([import('./decisions.js'), this.#registry.ready()]).then(
      ([{ Decisions }]) => new Decisions(this.#link, this.#replica),
      (thrown: unknown) => {
        this.#decisions = undefined
        throw thrown
      },
    )
    return this.#decisions
  }

  #postOptions(): void {
    this.#link.connection.post({ type: 'configure', config: hostConfig(this.#options) })
  }
}

interface Sending {
  readonly turn: string
  readonly input: SendInput
  readonly options: SendOptions
  readonly left?: AbortSignal
}

interface RunningTurn {
  readonly turn: string
  readonly text: string
  readonly options: SendOptions
  readonly signal: AbortSignal | undefined
}

/**
 * Creates an agent without an element. In a page it opens its session immediately, elsewhere when it is first needed.
 * @throws `invalid-option`, `invalid-tool`, `duplicate-tool`
 */
export function createAgent(options: AgentOptions = {}): Agent {
  const agent = new Agent(options)
  if (typeof document === 'object')
    whenSeen(() => {
      agent.connect().catch((thrown: unknown) => log.logError(toFailure(thrown, 'host-lost')))
    })
  return agent
}

/**
 * @internal Calls `begin` in a microtask; on a prerendered page only when the page is shown, because a page that
 * is never shown must not start a worker and open a database.
 */
export function whenSeen(begin: () => void): void {
  if ('prerendering' in document && document.prerendering === true)
    document.addEventListener('prerenderingchange', begin, { once: true })
  else queueMicrotask(begin)
}
